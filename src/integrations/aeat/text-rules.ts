import { FaultList } from './field-rules.ts';
import { readRecord } from './read-record.ts';
import { schemaFaultsOf, tellFault, tellUnread } from './schema-rules.ts';

/** What of a record's text breaks the schema, in the form of findSchemaFaults. */
export function findTextFaults(xml: string): string[] {
  try {
    const read = readRecord(xml);
    const faults = schemaFaultsOf(read);
    // For a value the huella is computed; a text has its own.
    const own = new FaultList();
    own.huella('Huella', read.huella);
    return [...faults, ...own.faults].map(tellFault);
  } catch (error) {
    return [tellUnread(error)];
  }
}
