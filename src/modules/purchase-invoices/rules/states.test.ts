/** What each stage of a purchase allows, and the status that follows from the row. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { purchaseMoves, purchaseStates, type Stage, stageOf } from './states.ts';
import { type PurchaseStatus, type Standing, statusOf } from './status.ts';

const allowed: Record<Stage, string> = {
  draft: 'edit_content edit_labels delete mark_received',
  open: 'edit_content edit_labels mark_accounted pay cancel',
  paid_into: 'edit_labels mark_accounted pay reverse_payment',
  accounted: 'edit_labels mark_received pay cancel',
  accounted_and_paid_into: 'edit_labels mark_received pay reverse_payment',
  cancelled: 'edit_labels',
};

for (const [stage, moves] of Object.entries(allowed) as [Stage, string][])
  test(`${stage} allows ${moves}`, () => {
    const found = purchaseMoves.filter((move) => typeof purchaseStates.peek(stage, move) === 'string');
    assert.deepEqual(found.join(' '), moves);
  });

const row = (more: Partial<Standing>): Standing => ({
  number: 'C2026-000001',
  amount_due: '121.00',
  paid_amount: '0.00',
  accounted_at: null,
  cancelled_at: null,
  ...more,
});
const at = '2026-01-12T10:00:00.000Z';
const rows: [Partial<Standing>, PurchaseStatus, Stage][] = [
  [{ number: null }, 'draft', 'draft'],
  [{}, 'received', 'open'],
  [{ paid_amount: '1.00' }, 'received', 'paid_into'],
  [{ paid_amount: '121.00' }, 'paid', 'paid_into'],
  [{ amount_due: '0.00' }, 'paid', 'open'],
  [{ amount_due: '-5.00' }, 'received', 'open'],
  [{ amount_due: '-5.00', paid_amount: '-5.00' }, 'paid', 'paid_into'],
  [{ accounted_at: at }, 'accounted', 'accounted'],
  [{ accounted_at: at, paid_amount: '1.00' }, 'accounted', 'accounted_and_paid_into'],
  [{ accounted_at: at, paid_amount: '121.00' }, 'paid', 'accounted_and_paid_into'],
  [{ cancelled_at: at, accounted_at: at }, 'cancelled', 'cancelled'],
];

for (const [more, status, stage] of rows)
  test(`${JSON.stringify(more)} is ${status}, and stands ${stage}`, () => {
    assert.deepEqual([statusOf(row(more)), stageOf(row(more))], [status, stage]);
  });
