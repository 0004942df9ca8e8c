import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../test/harness.ts';
import { given } from '../../../test/support/recurrences.ts';
import { watchStatements } from '../../../test/support/statements.ts';
import { type CompanionKind, groupByKind } from './companions.ts';

const kind = (name: string): CompanionKind => ({ name, lock: async () => [], write: () => [] });

test('companions are grouped by kind, and kinds stand in the order of their names', () => {
  const [invoice, note, quote] = [kind('invoice'), kind('delivery_note'), kind('quote')];
  const mixed = [quote, invoice, quote, note].map((kind, i) => ({ kind, i }));
  const groups = groupByKind(mixed).map(([{ name }, rows]) => [name, rows.map(({ i }) => i)]);
  assert.deepEqual(groups, [
    ['delivery_note', [3]],
    ['invoice', [1]],
    ['quote', [0, 2]],
  ]);
});

test('given a recurrence that issues, when it makes an invoice, then head, counter and recurrence are locked in this order', async (t) => {
  const app = await startApp(t);
  const { create, key } = await given(app, new Date().toISOString());
  const starts_on = `${new Date().getUTCFullYear() + 1}-01-31`;
  const { id } = await create({ starts_on, auto_issue: true });
  const send = await watchStatements(t, app, key);
  const sent = await send(`/v1/recurring_invoices/${id}/emit`, {});
  const locks = sent.filter((text) => /\bfor (no key )?update\b|update series_counters/.test(text));
  const at = ['issuing_heads', 'series_counters', 'recurring_invoices'].map((table) =>
    locks.findIndex((text) => new RegExp(`\\b${table}\\b`).test(text)),
  );
  assert.deepEqual(
    at.toSorted((a, b) => a - b),
    at,
    locks.join('\n'),
  );
  assert.ok(!at.includes(-1), locks.join('\n'));
});
