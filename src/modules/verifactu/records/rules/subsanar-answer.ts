/** What `subsanar` answers in each version (decisions, section 8). Pure. */
import { isAtLeast } from '../../../../kernel/versions.ts';

/** Since this version `data.id` is the new record's. */
const newIdSince = '2026-10-01';

/** Before: `data` had the id of the record that was mended, and `new_record_id` that of the new one. */
export function subsanarAnswer<R extends { id: string }>(
  version: string,
  mended_id: string,
  record: R,
): R & { new_record_id?: string } {
  if (isAtLeast(version, newIdSince)) return record;
  return { ...record, id: mended_id, new_record_id: record.id };
}
