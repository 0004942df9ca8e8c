import type { RecordReader } from '../../modules/verifactu/index.ts';
import { checkSignature } from './check-signature.ts';
import { huellaOf, huellaOfEvent } from './huella.ts';
import type { OfficialSchemas } from './official-schemas.ts';
import { readEvent } from './read-event.ts';
import { readRecord } from './read-record.ts';
import { findTextFaults } from './text-rules.ts';

/** @param official the authority's own schemas, which check records too */
export function makeRecordReader(official: OfficialSchemas | null): RecordReader {
  return {
    readRecord,
    readEvent,
    checkSignature,
    findTextFaults: (xml) => [...findTextFaults(xml), ...(official?.findFaults(xml) ?? [])],
    huellaOf,
    huellaOfEvent,
  };
}
