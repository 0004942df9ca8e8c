/** The audit log knows when a secret was replaced; the one before works for a day from then. */
import { useState } from 'react';
import { useRead } from '../../app/reading.ts';
import { listAuditLog } from './calls.ts';

const hour_ms = 3_600_000;
const grace_ms = 24 * hour_ms;

/** Null without a previous secret that still works. */
export function usePreviousSecretHours(key_id: string): number | null {
  const [now] = useState(Date.now);
  const since = new Date(now - grace_ms).toISOString();
  const query = { action: 'api_key.rotated', 'created[gte]': since, limit: 100 };
  const read = useRead(listAuditLog, { query });
  const last = read.data?.data.find(({ target }) => target.id === key_id);
  if (!last) return null;
  const left = Date.parse(last.created_at) + grace_ms - now;
  return left <= 0 ? null : Math.min(Math.ceil(left / hour_ms), 24);
}
