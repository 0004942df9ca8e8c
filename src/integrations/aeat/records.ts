import type { RecordPort } from '../../modules/verifactu/index.ts';
import { checkSignature } from './check-signature.ts';
import { writeEvent } from './event-text.ts';
import { huellaOf, huellaOfEvent } from './huella.ts';
import type { OfficialSchemas } from './official-schemas.ts';
import { readEvent } from './read-event.ts';
import { readRecord } from './read-record.ts';
import { writeRecord } from './record-text.ts';
import { findSchemaFaults } from './schema-rules.ts';
import { sign } from './signature.ts';

/**
 * Implements the port of records and events.
 * @param official the authority's own schemas, which check records too
 */
export function makeRecords(official: OfficialSchemas | null): RecordPort {
  return {
    writeRecord,
    writeEvent,
    sign,
    readRecord,
    readEvent,
    checkSignature,
    findSchemaFaults: (record) => {
      const own = findSchemaFaults(record);
      return typeof record === 'string' && official !== null ? [...own, ...official.findFaults(record)] : own;
    },
    findOfficialFaults: (xml) => official?.findFaults(xml) ?? [],
    huellaOf,
    huellaOfEvent,
  };
}
