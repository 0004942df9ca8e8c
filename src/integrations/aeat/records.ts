import type { RecordPort } from '../../modules/verifactu/index.ts';
import { writeEvent } from './event-text.ts';
import { huellaOf, huellaOfEvent } from './huella.ts';
import type { OfficialSchemas } from './official-schemas.ts';
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
    findSchemaFaults,
    findOfficialFaults: (xml) => official?.findFaults(xml) ?? [],
    huellaOf,
    huellaOfEvent,
    // The library that reads XML takes a tenth of a start.
    reader: async () => (await import('./record-reader.ts')).makeRecordReader(official),
  };
}
