import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onOwnDatabase } from '../../../test/harness.ts';
import { Desk, openDesk } from '../../../test/support/client-accounts.ts';
import { countRowsRead } from '../../../test/support/rows-read.ts';
import type { Tx } from '../../kernel/operation.ts';
import type { PageRequest } from '../../kernel/page.ts';
import { readStatement } from './client-account.store.ts';

/** What is known of a table decides which plan PostgreSQL takes. */
const startAlone = onOwnDatabase();

const page: PageRequest = { limit: 3, order: { field: 'created', descending: true }, cursor: null };

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
  const walked = await app.db.read(company_id, async (tx) => {
    const told = explaining(tx);
    await readStatement(told.tx, company_id, client, page, {});
    return told.steps.filter((step) => step['Node Type'] === 'WindowAgg').map((step) => step['Actual Rows']);
  });
  assert.deepEqual(walked, [page.limit + 1]);
});

test('given correctives by substitution among thousands of invoices, when the statement is read, then of each only what it replaces is looked up', async (t) => {
  const app = await startAlone(t);
  const { live_key: key, company_id } = await app.given.company();
  const desk = new Desk(app, key);
  const client = await desk.client();
  for (let pair = 0; pair < 10; pair++) await desk.correct(await desk.sell(client), 'substitution', 2);
  const others = await desk.client('Sur SL');
  const columns = await app.sql<{ name: string }[]>`
    select quote_ident(column_name) as name from information_schema.columns
     where table_name = 'invoices' and is_generated = 'NEVER'
       and column_name not in ('id', 'number', 'series_number', 'client_id')`;
  const copied = columns.map(({ name }) => name).join(', ');
  await app.sql.unsafe(`
    insert into invoices (id, number, series_number, client_id, ${copied})
    select gen_random_uuid(), 'X-' || n, 100 + n, '${others}', ${copied}
      from (select * from invoices where settled_in_id is null limit 1) i, generate_series(1, 4000) n`);
  await app.sql`analyze invoices`;
  const { found, read } = await countRowsRead(app, company_id, 'invoices', (tx) =>
    readStatement(tx, company_id, client, page, {}),
  );
  assert.ok(found !== 'no such cursor');
  assert.deepEqual(
    found.map(({ amount, balance }) => [Number(amount), Number(balance)]),
    [
      [121, 121],
      [121, 242],
      [121, 363],
      [121, 484],
    ],
  );
  assert.ok(read <= 100, `${read} rows for 20 documents`);
});
