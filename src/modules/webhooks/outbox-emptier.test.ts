import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { silentLog } from '../../../test/support/worker-place.ts';
import type { Database } from '../../platform/db.ts';
import { systemClock } from '../../platform/clock.ts';
import { OutboxEmptier } from './outbox-emptier.ts';

/** Companies are named by owner and number; each transaction waits for `end`. */
function emptying(companies_max: number, transactions: Record<string, number>) {
  const begun: string[] = [];
  const open: (() => void)[] = [];
  const db = {
    shares: { ownerOf: (company_id: string) => company_id[0]! },
    async transaction(company_id: string) {
      begun.push(company_id);
      const left = (transactions[company_id] ?? 1) - 1;
      transactions[company_id] = left;
      await new Promise<void>((resolve) => open.push(resolve));
      return { fed: [], dues: [], is_more: left > 0 };
    },
  } as unknown as Database;
  const emptier = new OutboxEmptier({
    db,
    clock: systemClock,
    log: silentLog,
    companies_max,
    leaseForMore: () => undefined,
    onFed: () => undefined,
    onPlaceFree: () => undefined,
  });
  const end = async () => {
    open.shift()?.();
    await turn();
  };
  return { emptier, begun, end };
}

test('given a company with many events, when another has some, then they take turns', async () => {
  const { emptier, begun, end } = emptying(1, { a1: 4, b1: 2, c1: 1 });
  for (const company of ['a1', 'b1', 'c1']) emptier.empty(company);
  for (let i = 0; i < 8; i++) await end();
  assert.deepEqual(begun, ['a1', 'b1', 'c1', 'a1', 'b1', 'a1', 'a1']);
  assert.ok(emptier.is_quiet);
});

test('given many companies of one owner, when a stranger has events, then a place is free for it', async () => {
  const { emptier, begun, end } = emptying(4, {});
  for (const company of ['a1', 'a2', 'a3', 'a4', 'a5', 'b1']) emptier.empty(company);
  assert.deepEqual(begun, ['a1', 'a2', 'b1']);
  for (let i = 0; i < 6; i++) await end();
  assert.deepEqual(begun, ['a1', 'a2', 'b1', 'a3', 'a4', 'a5']);
  assert.ok(emptier.is_quiet);
});

test('given a company that is being emptied, when it has more events, then it is emptied once more', async () => {
  const { emptier, begun, end } = emptying(2, {});
  emptier.empty('a1');
  emptier.empty('a1');
  emptier.empty('a1');
  for (let i = 0; i < 3; i++) await end();
  assert.deepEqual(begun, ['a1', 'a1']);
});
