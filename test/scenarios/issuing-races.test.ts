/**
 * Changes between an invoice's preparation and its commit (docs/request-path.md). A lock stops the issue at the
 * company's head or at its last writes.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Answer, type App, randomTaxId, startApp, type TestCompany } from '../harness.ts';
import { breakTable } from '../support/broken-tables.ts';
import { type HeldLock, holdLock, waitersOf } from '../support/held-lock.ts';
import { assertRefused, create } from '../support/resource-checks.ts';
import { until } from '../support/worker-place.ts';

const lines = [{ description: 'x', unit_price: 10, tax_rate: 21 }];

type Invoice = { id: string; number: string | null; status: string; series: { id: string }; total: number };

/** Every issue of the company locks this row first. */
function holdHead(t: TestContext, app: App, company: TestCompany): Promise<HeldLock> {
  return holdLock(
    t,
    app,
    (sql) => sql`
    select 1 from issuing_heads where company_id = ${company.company_id} for update`,
  );
}

async function duringIssue(
  t: TestContext,
  app: App,
  company: TestCompany,
  call: () => Promise<Answer>,
  meanwhile: () => Promise<unknown>,
): Promise<Answer> {
  const head = await holdHead(t, app, company);
  const calling = call();
  await until(async () => (await waitersOf(app)) > 0);
  await meanwhile();
  await head.release();
  return calling;
}

async function numbers(app: App, company: TestCompany): Promise<(string | null)[]> {
  const { body } = await app.get('/v1/invoices', {
    key: company.live_key,
    query: { sort: 'number', limit: '100' },
  });
  return body.data.flatMap((i: Invoice) => i.number ?? []);
}

test('given the client is deleted while its invoice is being issued, then the issue is refused and no number is lost', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const client = await create(app, '/v1/clients', key, { name: 'Librería Norte' });
  const body = { client_id: client.id, lines, options: { issue: true } };
  const refused = await duringIssue(
    t,
    app,
    acme,
    () => app.post('/v1/invoices', { key, body }),
    async () => {
      assert.equal((await app.delete(`/v1/clients/${client.id}`, { key })).status, 200);
    },
  );
  assertRefused(refused, 422, 'parameter_invalid', 'client_id');
  const first = await create<Invoice>(app, '/v1/invoices', key, {
    type: 'F2',
    lines,
    options: { issue: true },
  });
  const other = await create<Invoice>(app, '/v1/clients', key, { name: 'X' });
  const next = await create<Invoice>(app, '/v1/invoices', key, {
    client_id: other.id,
    lines,
    options: { issue: true },
  });
  assert.match(String(first.number), /-000001$/);
  assert.match(String(next.number), /-000001$/);
});

test('given a product deleted while its draft is stored, then the draft keeps its line and can be edited and issued', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const client = await create(app, '/v1/clients', key, { name: 'Librería Norte' });
  const make = async () => {
    const product = await create(app, '/v1/products', key, { name: 'Mesa', unit_price: 10, unit: 'ud' });
    // The new draft's foreign key waits for the client's row.
    const held = await holdLock(
      t,
      app,
      (sql) =>
        sql`select 1 from contacts where company_id = ${acme.company_id} and id = ${client.id} for update`,
    );
    const storing = app.post('/v1/invoices', {
      key,
      body: { client_id: client.id, lines: [{ product_id: product.id, tax_rate: 21 }] },
    });
    await until(async () => (await waitersOf(app)) > 0);
    assert.equal((await app.delete(`/v1/products/${product.id}`, { key })).status, 200);
    assert.equal((await app.get(`/v1/products/${product.id}`, { key })).status, 404);
    await held.release();
    const stored = await storing;
    assert.equal(stored.status, 201, stored.text);
    return { product_id: product.id, draft: stored.body.data };
  };
  const { product_id, draft } = await make();
  const path = `/v1/invoices/${draft.id}`;
  const edited = await app.put(path, { key, body: { lines: [{ ...draft.lines[0], quantity: 2 }] } });
  assert.equal(edited.status, 200, edited.text);
  const { product, description, unit, unit_price, total } = edited.body.data.lines[0];
  assert.deepEqual([product, description, unit, unit_price, total], [null, 'Mesa', 'ud', 10, 24.2]);
  assertRefused(
    await app.put(path, { key, body: { lines: [...edited.body.data.lines, { product_id, tax_rate: 21 }] } }),
    422,
    'parameter_invalid',
    'lines.1.product_id',
  );
  for (const one of [draft, (await make()).draft]) {
    const issued = await app.post(`/v1/invoices/${one.id}/issue`, { key });
    assert.equal(issued.status, 200, issued.text);
    const correction = { type: 'differences' };
    const corrective = await app.post(`/v1/invoices/${one.id}/corrective`, { key, body: { correction } });
    assert.equal(corrective.body.data?.total, -issued.body.data.total, corrective.text);
  }
});

test('given the draft is deleted while it is being issued, then the issue finds nothing', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const draft = await create(app, '/v1/invoices', key, { type: 'F2', lines });
  const answer = await duringIssue(
    t,
    app,
    acme,
    () => app.post(`/v1/invoices/${draft.id}/issue`, { key }),
    async () => {
      assert.equal((await app.delete(`/v1/invoices/${draft.id}`, { key })).status, 200);
    },
  );
  assertRefused(answer, 404, 'resource_not_found');
  assert.deepEqual(await numbers(app, acme), []);
});

test('given the draft is edited while it is being issued, then what is issued is the edited one, whole', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const draft = await create(app, '/v1/invoices', key, { type: 'F2', lines });
  const edited = { lines: [{ description: 'y', unit_price: 20, tax_rate: 10 }] };
  const answer = await duringIssue(
    t,
    app,
    acme,
    () => app.post(`/v1/invoices/${draft.id}/issue`, { key }),
    async () => {
      assert.equal((await app.put(`/v1/invoices/${draft.id}`, { key, body: edited })).status, 200);
    },
  );
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.body.data.total, 22);
  assert.deepEqual((await app.get(`/v1/invoices/${draft.id}`, { key })).body, answer.body);
});

test('given the company changes its name while an invoice is prepared, then the invoice carries the new one', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const body = { type: 'F2', lines, options: { issue: true } };
  const answer = await duringIssue(
    t,
    app,
    acme,
    () => app.post('/v1/invoices', { key, body }),
    async () => {
      assert.equal(
        (await app.put('/v1/account/company', { key, body: { name: 'Acme Dos SL' } })).status,
        200,
      );
    },
  );
  assert.equal(answer.status, 201, answer.text);
  const [row] =
    await app.sql`select issuer_snapshot->>'name' as name from invoices where id = ${answer.body.data.id}`;
  assert.equal(row?.name, 'Acme Dos SL');
});

test('given an issue that is not committed, when the company changes its tax id, then the change waits and is refused', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  // The issue stops at its last writes.
  const events = await holdLock(t, app, (sql) => sql`lock table events in share mode`);
  const issuing = app.post('/v1/invoices', { key, body: { type: 'F2', lines, options: { issue: true } } });
  await until(async () => (await waitersOf(app)) === 1);
  const changing = app.put('/v1/account/company', { key, body: { tax_id: randomTaxId() } });
  const renaming = app.put('/v1/account/company', { key, body: { phone: '+34 910 000 000' } });
  await until(async () => (await waitersOf(app)) >= 2);
  await events.release();
  assert.equal((await issuing).status, 201);
  assertRefused(await changing, 422, 'business_rule_violation', 'tax_id');
  assert.equal((await renaming).status, 200);
});

test('given a series is reshaped while its first invoice is issued, then the number has the new shape', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const series = await create(app, '/v1/series', key, { code: 'B', document_type: 'simplified_invoice' });
  const body = { type: 'F2', series_id: series.id, lines, options: { issue: true } };
  const shape = { format: '{code}{yy}-{number:3}', next_number: 40 };
  const answer = await duringIssue(
    t,
    app,
    acme,
    () => app.post('/v1/invoices', { key, body }),
    async () => {
      const changed = await app.put(`/v1/series/${series.id}`, { key, body: shape });
      assert.equal(changed.status, 200, changed.text);
    },
  );
  assert.match(answer.body.data.number, /^B\d\d-040$/);
});

test('given a change of a series that is not committed, when its first invoice is issued, then it waits for the change', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const series = await create(app, '/v1/series', key, { code: 'B', document_type: 'simplified_invoice' });
  // The locks of update_series: raise the company's version, lock and rewrite the series.
  const change = await holdLock(t, app, async (sql) => {
    await sql`update companies set settings_version = settings_version + 1 where company_id = ${acme.company_id}`;
    await sql`select 1 from series where id = ${series.id} for update`;
    await sql`update series set first_number = 70 where id = ${series.id}`;
  });
  const issuing = app.post('/v1/invoices', {
    key,
    body: { type: 'F2', series_id: series.id, lines, options: { issue: true } },
  });
  await until(async () => (await waitersOf(app)) === 1);
  await change.release('commit');
  const answer = await issuing;
  assert.equal(answer.status, 201, answer.text);
  assert.match(answer.body.data.number, /70$/);
});

test('given one draft issued by two instances at once, then one issues it and the other is refused', async (t) => {
  const one = await startApp(t, { fresh: true });
  const two = await startApp(t, { fresh: true });
  const acme = await one.given.company();
  const key = acme.live_key;
  for (let round = 1; round <= 5; round++) {
    const { id } = await create(one, '/v1/invoices', key, { type: 'F2', lines });
    const answers = await Promise.all(
      [one, two, one, two].map((app) => app.post(`/v1/invoices/${id}/issue`, { key })),
    );
    assert.deepEqual(answers.map((a) => a.status).sort(), [200, 409, 409, 409]);
    assert.equal((await numbers(one, acme)).length, round);
  }
});

test('given one external_id by two instances at once, then there is one invoice and each is answered with it', async (t) => {
  const one = await startApp(t, { fresh: true });
  const two = await startApp(t, { fresh: true });
  const acme = await one.given.company();
  for (const issue of [true, false]) {
    const body = { type: 'F2', lines, external_id: `PED-${issue}`, options: { issue } };
    const answers = await Promise.all(
      [one, two, one, two, one, two].map((app) => app.post('/v1/invoices', { key: acme.live_key, body })),
    );
    assert.deepEqual(answers.map((a) => a.status).sort(), [200, 200, 200, 200, 200, 201]);
    assert.equal(new Set(answers.map((a) => a.body.data.id)).size, 1);
  }
});

test('given the day turns between preparation and commit, then a date that was not asked for is the new day', async (t) => {
  const evening = await startApp(t, { fresh: true });
  const morning = await startApp(t, { fresh: true });
  evening.clock.set('2026-11-21T22:59:59.000Z');
  morning.clock.set('2026-11-21T23:00:01.000Z');
  const acme = await evening.given.company();
  const key = acme.live_key;
  const body = { type: 'F2', lines, options: { issue: true } };
  const head = await holdHead(t, evening, acme);
  // The first call holds its process's queue. The second is prepared behind it. The other process comes between them.
  const first = evening.post('/v1/invoices', { key, body });
  await until(async () => (await waitersOf(evening)) === 1);
  const late = evening.post('/v1/invoices', { key, body });
  await evening.get('/v1/invoices', { key });
  const between = morning.post('/v1/invoices', { key, body });
  await until(async () => (await waitersOf(evening)) === 2);
  evening.clock.set('2026-11-21T23:00:02.000Z');
  await head.release();
  const [, second, last] = [await first, await between, await late].map((answer) => {
    assert.equal(answer.status, 201, answer.text);
    return { number: String(answer.body.data.number), issued_on: String(answer.body.data.issued_on) };
  });
  assert.equal(second!.issued_on, '2026-11-22');
  // PostgreSQL may give the head to the late call first. That call then keeps its own day.
  assert.equal(last!.issued_on, last!.number > second!.number ? '2026-11-22' : '2026-11-21');
});

test('given a process whose clock is a second behind, when another has issued on the new day, then it issues once its own day turns', async (t) => {
  const behind = await startApp(t, { fresh: true });
  const ahead = await startApp(t, { fresh: true });
  behind.clock.set('2026-12-31T22:59:59.500Z');
  ahead.clock.set('2026-12-31T23:00:00.500Z');
  const acme = await behind.given.company();
  const key = acme.live_key;
  const body = { type: 'F2', lines, options: { issue: true } };
  assert.equal((await ahead.post('/v1/invoices', { key, body })).status, 201);
  const head = await holdHead(t, behind, acme);
  const calling = behind.post('/v1/invoices', { key, body });
  await until(async () => (await waitersOf(behind)) === 1);
  // Gets the head when the first attempt has ended.
  const holding = holdHead(t, behind, acme);
  await head.release();
  const again = await holding;
  behind.clock.set('2026-12-31T23:00:00.600Z');
  await again.release();
  const answer = await calling;
  assert.equal(answer.status, 201, answer.text);
  assert.deepEqual([answer.body.data.number, answer.body.data.issued_on], ['S2027-000002', '2027-01-01']);
});

test('given a clock that was an hour ahead, when it is right again, then what goes back in its series is refused', async (t) => {
  const app = await startApp(t);
  app.clock.set('2026-12-31T23:30:00Z');
  const { live_key: key } = await app.given.company();
  const issue = () =>
    app.post('/v1/invoices', { key, body: { type: 'F2', lines, options: { issue: true } } });
  assert.equal((await issue()).status, 201);
  app.clock.set('2026-12-31T22:30:00Z');
  assertRefused(await issue(), 422, 'business_rule_violation', 'issued_on');
});

test('given a member of a group that cannot be written, then the others are issued, once each, without a gap', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const mend = await breakTable(app, 'invoices', acme.company_id, { only: "new.description = 'broken'" });
  const head = await holdHead(t, app, acme);
  const make = (description: string) =>
    app.post('/v1/invoices', {
      key,
      body: { type: 'F2', description, lines, options: { issue: true } },
      expects_fault: true,
    });
  const calls = ['first', 'a', 'b', 'broken', 'c', 'd', 'broken', 'e'].map(make);
  await until(async () => (await waitersOf(app)) === 1);
  await head.release();
  const answers = await Promise.all(calls);
  await mend();
  assert.deepEqual(answers.map((a) => a.status).sort(), [201, 201, 201, 201, 201, 201, 500, 500]);
  const last = await create<Invoice>(app, '/v1/invoices', key, {
    type: 'F2',
    lines,
    options: { issue: true },
  });
  assert.match(String(last.number), /-000007$/);
  assert.equal(new Set(await numbers(app, acme)).size, 7);
  for (const answer of answers.filter((a) => a.status === 201)) {
    const types = await app.eventTypes(acme, answer.body.data.id);
    assert.equal(new Set(types).size, types.length, types.join());
  }
  const consumed = await app.eventTypes(acme, last.series.id);
  assert.equal(consumed.filter((type) => type === 'series.number_consumed').length, 7);
});

test('given the head of a company is held for long, then those who wait are refused together, not one after the other', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  // A lock timeout.
  const mend = await breakTable(app, 'issuing_heads', acme.company_id, { code: '55P03' });
  const key = acme.live_key;
  const answers = await Promise.all(
    Array.from({ length: 8 }, () =>
      app.post('/v1/invoices', { key, body: { type: 'F2', lines, options: { issue: true } } }),
    ),
  );
  await mend();
  for (const answer of answers) assertRefused(answer, 409, 'resource_locked');
  assert.equal(
    (await app.post('/v1/invoices', { key, body: { type: 'F2', lines, options: { issue: true } } })).status,
    201,
  );
});

test('given ten payments of the whole amount at once, then one is registered', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const { id, total } = await create<Invoice>(app, '/v1/invoices', key, {
    type: 'F2',
    lines,
    options: { issue: true },
  });
  const body = { amount: total, payment_method: 'cash' };
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => app.post(`/v1/invoices/${id}/payments`, { key, body })),
  );
  assert.equal(answers.filter((a) => a.status === 201).length, 1);
  for (const answer of answers.filter((a) => a.status !== 201))
    assertRefused(answer, 422, 'business_rule_violation', 'amount');
});
