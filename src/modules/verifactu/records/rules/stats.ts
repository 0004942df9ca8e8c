import type { StatsRow } from '../stats.store.ts';
import type { RecordStatus } from './record-block.ts';

export type Stats = {
  records_count: number;
  by_status: Record<RecordStatus, number>;
  pending_incident_count: number;
  blocked_incident_count: number;
  rejected_open_count: number;
};

/** @param block by `companyBlock`; it blocks all that waits */
export function statsOf(row: Omit<StatsRow, 'oldest_at'>, block: string | null): Stats {
  const { made, kept, pending, sending, accepted_with_errors, rejected } = row;
  const waiting = pending + sending;
  return {
    records_count: made,
    by_status: {
      pending,
      sending,
      accepted: made - kept - waiting - accepted_with_errors - rejected,
      accepted_with_errors,
      rejected,
      kept,
    },
    pending_incident_count: block === null ? row.late : 0,
    blocked_incident_count: block === null ? row.held_back : waiting,
    rejected_open_count: row.rejected_open,
  };
}
