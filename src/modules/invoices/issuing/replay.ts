/**
 * Replay of an unattended checkout by `external_id` (specification, section 4): the same type and total get
 * the invoice that exists, whatever prices or defaults have changed since; another type or total is refused.
 */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { fail } from '../../../kernel/problem.ts';
import type { IssuingCall } from '../../../platform/issuing-call.ts';
import type { InvoiceBundle } from '../invoices.rows.ts';
import { present } from '../invoices.schema.ts';


/** @throws 409 idempotency_key_reused, subcode unattended_replay_mismatch */
export function checkReplay(found: { type: string; external_total: string | null }, asked: { type: string; total: string }): void {
  if (found.type === asked.type && found.external_total === asked.total) return;
  throw fail(c.idempotency_key_reused, { param: 'external_id', subcode: 'unattended_replay_mismatch' });
}

/** The answer for an invoice that already exists; with a key, it is what the key gives again. */
export async function replayExternal(plan: { replay: InvoiceBundle }, call: IssuingCall) {
  const body = { data: present(plan.replay) };
  const headers = { 'Idempotent-Replayed': 'true' };
  if (call.claim) await call.keep({ kind: 'answer', status: 200, headers, body });
  return { status: 200, body, headers };
}

