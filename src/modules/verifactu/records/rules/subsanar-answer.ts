/** The answer of `subsanar` by version (docs/changelog.md). */
import { isAtLeast } from '../../../../kernel/versions.ts';

/** Since this version `data.id` is the new record's id. */
export const newIdSince = '2026-10-01';

/** Earlier, `data.id` was the mended record's id, and `new_record_id` the new one's. */
export function subsanarAnswer<R extends { id: string }>(
  version: string,
  mended_id: string,
  record: R,
): R & { new_record_id?: string } {
  if (isAtLeast(version, newIdSince)) return record;
  return { ...record, id: mended_id, new_record_id: record.id };
}
