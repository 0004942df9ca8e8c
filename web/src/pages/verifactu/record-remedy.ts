import type { VfRecord } from './calls.ts';

export type Remedy = 'block' | 'subsanar' | 'annul' | 'check_annulled' | 'with_errors' | 'nothing';

/** The agency took the record as it is, and a new one would say the same. */
const harmlessCodes: ReadonlySet<string | null> = new Set(['2004', '2009']);

/**
 * What to do about a record. Null where nothing is wrong with it. Of one that is rejected and cannot be mended its page looks whether a later
 * one stands in its place.
 */
export function remedyOf({
  kind,
  is_blocked,
  status,
  can_subsanar,
  aeat_error_code,
}: Pick<VfRecord, 'kind' | 'is_blocked' | 'status' | 'can_subsanar' | 'aeat_error_code'>): Remedy | null {
  if (is_blocked) return 'block';
  if (status === 'rejected') {
    if (can_subsanar) return 'subsanar';
    // A corrective would rectify an invoice that the agency does not have.
    return kind === 'alta' ? 'annul' : 'check_annulled';
  }
  if (status !== 'accepted_with_errors' || !can_subsanar) return null;
  return harmlessCodes.has(aeat_error_code) ? 'nothing' : 'with_errors';
}
