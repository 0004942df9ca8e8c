import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type App, startApp } from '../../../../test/harness.ts';
import {
  issueTicketOf,
  keepBack,
  recordingCompany,
  recordOf,
  storeAnswer,
} from '../../../../test/support/recording-company.ts';
import { assertNeedsScope, assertRefused } from '../../../../test/support/resource-checks.ts';

const path = '/v1/verifactu/records';

async function listed(app: App, key: string, query: Record<string, string>): Promise<string[]> {
  const ids: string[] = [];
  for (let starting_after: string | undefined; ; ) {
    const page = { limit: '2', ...query, ...(starting_after ? { starting_after } : {}) };
    const { status, body, text } = await app.get(path, { key, query: page });
    assert.equal(status, 200, text);
    ids.push(...body.data.map((record: { id: string }) => record.id));
    if (!body.has_more) return ids;
    starting_after = body.next_cursor;
  }
}

test('given records of every kind and state, when they are listed by each filter, then those that match come, newest first', async (t) => {
  const app = await startApp(t);
  const acme = await recordingCompany(app);
  const { key, id: company_id } = acme;
  const tickets = [];
  for (let n = 0; n < 6; n++) {
    app.clock.advance(60_000);
    tickets.push(await issueTicketOf(app, key, 10 + n));
  }
  const ids = await Promise.all(tickets.map(async (one) => (await recordOf(app, key, one.id)).id as string));
  app.clock.advance(60_000);
  await app.post(`/v1/invoices/${tickets[0]!.id}/annul`, { key, body: {} });
  const anulacion = (await recordOf(app, key, tickets[0]!.id)).id;
  const all = [...ids, anulacion].toReversed();
  const [a, b, c, d, e, f] = ids as [string, string, string, string, string, string];
  await storeAnswer(app, a, 'accepted');
  await storeAnswer(app, b, 'accepted_with_errors', '2001');
  await storeAnswer(app, c, 'rejected', '1100');
  await keepBack(app, d);
  await app.sql`update verifactu_sendings set status = 'sending' where record_id = ${e}`;
  // One kept, as in no-verifactu mode.
  await app.sql`delete from verifactu_sendings where record_id = ${f}`;
  await app.sql`update verifactu_records set mode = 'no_verifactu' where id = ${f}`;
  await app.sql`update verifactu_records set issued_on = '2026-01-10' where id = any(${[a, b]})`;
  const made = await app.sql<{ id: string; recorded_at: Date }[]>`
    select id, recorded_at from verifactu_records where company_id = ${company_id} order by position`;
  const at = (n: number) => made[n]!.recorded_at.toISOString();
  const number = tickets[0]!.number;

  const cases: [query: Record<string, string>, ids: string[]][] = [
    [{}, all],
    [{ sort: 'created' }, all.toReversed()],
    [{ status: 'accepted' }, [a]],
    [{ status: 'accepted_with_errors' }, [b]],
    [{ status: 'rejected' }, [c]],
    [{ status: 'pending' }, [anulacion, d]],
    [{ status: 'sending' }, [e]],
    [{ status: 'kept' }, [f]],
    [{ kind: 'anulacion' }, [anulacion]],
    [{ kind: 'alta' }, ids.toReversed()],
    [{ mode: 'no_verifactu' }, [f]],
    [{ mode: 'verifactu' }, all.filter((id) => id !== f)],
    [{ is_blocked: 'true' }, [d]],
    [{ is_blocked: 'false' }, all.filter((id) => id !== d)],
    [{ number }, [anulacion, a]],
    [{ number: 'NADIE' }, []],
    [{ invoice_id: tickets[0]!.id }, [anulacion, a]],
    [{ 'issued_on[lte]': '2026-01-10' }, [b, a]],
    [{ 'issued_on[gt]': '2026-01-10', kind: 'alta' }, [f, e, d, c]],
    [{ 'created[gte]': at(2) }, all.slice(0, 5)],
    [{ 'created[gt]': at(2) }, all.slice(0, 4)],
    [{ 'created[lt]': at(2) }, [b, a]],
    [{ 'created[lte]': at(2) }, [c, b, a]],
    [{ 'created[gte]': at(1), 'created[lt]': at(3), sort: 'created' }, [b, c]],
    [{ 'created[gt]': at(6) }, []],
    [{ 'created[lt]': at(0) }, []],
    [{ 'created[gte]': at(2), kind: 'alta', is_blocked: 'false' }, [f, e, c]],
    [{ status: 'pending', kind: 'anulacion', number }, [anulacion]],
    [{ status: 'kept', mode: 'verifactu' }, []],
  ];
  for (const [query, expected] of cases)
    assert.deepEqual(await listed(app, key, query), expected, JSON.stringify(query));

  // Nothing can be sent: exactly the waiting records are blocked.
  await app.sql`update verifactu_settings set block_reason = 'aeat_4112' where company_id = ${company_id}`;
  assert.deepEqual(await listed(app, key, { is_blocked: 'true' }), [anulacion, e, d]);
  assert.deepEqual(await listed(app, key, { is_blocked: 'false' }), [f, c, b, a]);
  assert.deepEqual(await listed(app, key, { is_blocked: 'false', kind: 'alta', sort: 'created' }), [
    a,
    b,
    c,
    f,
  ]);
});

test('given a page and its record, when both are read, then they are the same', async (t) => {
  const app = await startApp(t);
  const { key } = await recordingCompany(app);
  await issueTicketOf(app, key);
  const [record] = (await app.get(path, { key })).body.data;
  const read = await app.get(`${path}/${record.id}`, { key });
  assert.deepEqual(read.body.data, record);
});

test('given wrong parameters, when records are listed, then each is named', async (t) => {
  const app = await startApp(t);
  const company = await recordingCompany(app, { environment: 'live' });
  const { key } = company;
  for (const [query, code, param] of [
    [{ status: 'draft' }, 'parameter_invalid', 'status'],
    [{ is_blocked: 'sí' }, 'parameter_invalid', 'is_blocked'],
    [{ invoice_id: 'x' }, 'parameter_invalid', 'invoice_id'],
    [{ 'created[gte]': 'ayer' }, 'parameter_invalid', 'created[gte]'],
    [{ sort: 'number' }, 'parameter_invalid', 'sort'],
    [{ limit: '101' }, 'parameter_invalid', 'limit'],
    [{ colour: 'red' }, 'parameter_invalid', 'colour'],
    [{ starting_after: 'x' }, 'parameter_invalid_cursor', 'starting_after'],
  ] as const) {
    assertRefused(await app.get(path, { key, query }), 422, code, param);
  }
  await assertNeedsScope(app, company, 'verifactu:read', 'GET', path);
});

test("given another company's records, when records are listed, then none of them comes", async (t) => {
  const app = await startApp(t);
  const [acme, other] = [await recordingCompany(app), await recordingCompany(app)];
  const ticket = await issueTicketOf(app, other.key);
  for (const query of [{}, { invoice_id: ticket.id }, { number: ticket.number }, { status: 'pending' }])
    assert.deepEqual((await app.get(path, { key: acme.key, query })).body.data, []);
});
