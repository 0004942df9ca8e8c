/** Filters, and a cost that does not grow with the outbox. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type App, onOwnDatabase } from '../../../../test/harness.ts';

const startApp = onOwnDatabase();

type Row = { id: string; status: string; purpose: string; document_id: string; created_at: string };

const count = 30_000;
const first_ms = Date.parse('2026-01-01T00:00:00Z');

/** One message per second: most sent, a few failed, some reminders. */
async function load(app: App, company_id: string): Promise<Row[]> {
  await app.sql.begin(async (sql) => {
    await sql.unsafe(`set local app.company = '${company_id}'`);
    await sql.unsafe(`
      insert into emails (company_id, id, purpose, document_kind, document_id, status, reason, from_name, "to", cc, subject,
                          text, html, attachments, waiting, created_at, updated_at)
      select h.company_id, (lpad(to_hex(${first_ms} + i * 1000::bigint), 12, '0') || '70008000' || lpad(to_hex(i), 12, '0'))::uuid,
             case when i % 10 = 3 then 'payment_reminder' else 'invoice' end, 'invoice',
             ('0199c4a8-0000-7000-8000-' || lpad(to_hex(i % 5000), 12, '0'))::uuid,
             case when i % 9000 = 5 then 'failed' else 'sent' end, case when i % 9000 = 5 then 'refused' end,
             'Acme', '{ana@example.com}', '{}', 'Factura', '', '', '[]', '{}',
             to_timestamp(${first_ms / 1000} + i), to_timestamp(${first_ms / 1000} + i)
        from companies h, generate_series(1, ${count}) i where h.company_id = '${company_id}'`);
  });
  await app.sql.unsafe('analyze emails');
  return app.sql<Row[]>`
    select id, status, purpose, document_id, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as created_at
      from emails where company_id = ${company_id} order by id desc`;
}

const document_id = '0199c4a8-0000-7000-8000-000000000007';

const filters: [query: Record<string, string>, fits: (row: Row) => boolean][] = [
  [{}, () => true],
  [{ status: 'failed' }, (r) => r.status === 'failed'],
  [{ status: 'queued' }, () => false],
  [{ purpose: 'payment_reminder' }, (r) => r.purpose === 'payment_reminder'],
  [{ document_id }, (r) => r.document_id === document_id],
  [{ document_id, status: 'sent' }, (r) => r.document_id === document_id && r.status === 'sent'],
  [{ status: 'failed', purpose: 'invoice' }, (r) => r.status === 'failed' && r.purpose === 'invoice'],
  [
    { status: 'sent', purpose: 'payment_reminder' },
    (r) => r.status === 'sent' && r.purpose === 'payment_reminder',
  ],
  [{ 'created[lt]': '2026-01-01T00:10:00Z' }, (r) => r.created_at < '2026-01-01T00:10:00Z'],
  [
    { 'created[gte]': '2026-01-01T00:10:00Z', 'created[lte]': '2026-01-01T01:00:00Z', status: 'failed' },
    (r) =>
      r.status === 'failed' &&
      r.created_at >= '2026-01-01T00:10:00Z' &&
      r.created_at <= '2026-01-01T01:00:00Z',
  ],
];

test('given a long outbox, when pages of any filter are read, then they are those of all rows', async (t) => {
  const app = await startApp(t);
  const { company_id, live_key: key } = await app.given.company();
  const rows = await load(app, company_id);
  for (const [query, fits] of filters) {
    const ids = rows.filter(fits).map(({ id }) => id);
    const page = async (more: Record<string, string>) => {
      const answer = await app.get('/v1/emails', { key, query: { ...query, limit: '3', ...more } });
      assert.equal(answer.status, 200, answer.text);
      return answer.body.data.map((one: { id: string }) => one.id);
    };
    const told = JSON.stringify(query);
    assert.deepEqual(await page({}), ids.slice(0, 3), told);
    const middle = Math.floor(ids.length / 2);
    if (middle < 3) continue;
    assert.deepEqual(await page({ starting_after: ids[middle - 1]! }), ids.slice(middle, middle + 3), told);
    assert.deepEqual(await page({ ending_before: ids[middle]! }), ids.slice(middle - 3, middle), told);
  }
});

test('given a sandbox whose clock was moved, when its outbox is filtered by day, then its own clock counts', async (t) => {
  const app = await startApp(t);
  app.clock.set('2026-12-01T10:00:00Z');
  const { test_key: key } = await app.given.company();
  const body = {
    type: 'F2',
    lines: [{ description: 'x', unit_price: 1, tax_rate: 21 }],
    options: { send_automatically: true, send_to: 'ana@example.com' },
  };
  const before = await app.post('/v1/invoices', { key, body });
  await app.put('/v1/sandbox/clock', { key, body: { now: '2031-05-01T10:00:00Z', frozen: true } });
  const after = await app.post('/v1/invoices', { key, body });
  const listed = async (query: Record<string, string>) =>
    (await app.get('/v1/emails', { key, query })).body.data.map((one: { id: string }) => one.id);
  const [first, second] = [before.body.data.email.id, after.body.data.email.id];
  assert.deepEqual(await listed({ 'created[gte]': '2031-05-01T00:00:00Z' }), [second]);
  assert.deepEqual(await listed({ 'created[lt]': '2031-05-01T00:00:00Z' }), [first]);
});

test('given a filter that is none, when the outbox is listed, then it is refused', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  for (const query of [
    { status: 'lost' },
    { purpose: 'spam' },
    { document_id: 'x' },
    { invoice: 'x' },
  ] as const) {
    const answer = await app.get('/v1/emails', { key, query: query as Record<string, string> });
    assert.deepEqual([answer.status, answer.body.error.code], [422, 'parameter_invalid']);
  }
});
