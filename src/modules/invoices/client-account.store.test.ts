import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDesk } from '../../../test/support/client-accounts.ts';
import type { Tx } from '../../kernel/operation.ts';
import type { PageRequest } from '../../kernel/page.ts';
import { readStatement } from './client-account.store.ts';

type Step = Record<string, unknown> & { Plans?: Step[] };

const stepsOf = (step: Step): Step[] => [step, ...(step.Plans ?? []).flatMap(stepsOf)];

/** A transaction that has the one statement explained, and the steps of its plan. */
function explaining(tx: Tx): { tx: Tx; steps: Step[] } {
  const steps: Step[] = [];
  const told = (strings: TemplateStringsArray, ...values: never[]) => {
    if (!strings[0]!.trimStart().startsWith('with ')) return tx(strings, ...values);
    const [first, ...rest] = strings;
    const texts = [`explain (analyze, timing off, format json) ${first}`, ...rest];
    const explained = tx<{ 'QUERY PLAN': { Plan: Step }[] }[]>(
      Object.assign(texts, { raw: texts }),
      ...values,
    );
    return explained.then(([row]) => {
      steps.push(...stepsOf(row!['QUERY PLAN'][0]!.Plan));
      return [{ is_known: true, id: null }];
    });
  };
  return { tx: Object.assign(told, tx) as unknown as Tx, steps };
}

test('given a client of many invoices, when a page of the statement is read, then balances are walked through the page alone', async (t) => {
  const { app, desk } = await openDesk(t);
  const client = await desk.client();
  for (let day = 1; day <= 9; day++) await desk.sell(client, { issued_on: `2026-05-0${day}` });
  const [{ company_id }] = await app.sql<[{ company_id: string }]>`
    select company_id from invoices where client_id = ${client} limit 1`;
  const page: PageRequest = { limit: 3, order: { field: 'created', descending: true }, cursor: null };
  const walked = await app.db.read(company_id, async (tx) => {
    const told = explaining(tx);
    await readStatement(told.tx, company_id, client, page, {});
    return told.steps.filter((step) => step['Node Type'] === 'WindowAgg').map((step) => step['Actual Rows']);
  });
  assert.deepEqual(walked, [page.limit + 1]);
});
