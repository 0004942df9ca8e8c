/** Invoices that name stored ones by number and day: what takes their place is settled as by its own operation (ADR 14). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startOnce } from '../../../../test/harness.ts';
import { Desk, line } from '../../../../test/support/client-accounts.ts';
import { assertRefused } from '../../../../test/support/resource-checks.ts';

const start = startOnce({});
const issue = { options: { issue: true } };

type Named = { number: string; issued_on: string; subtotal?: number; taxes_total?: number };

async function given() {
  const app = await start();
  app.clock.set('2026-05-20T10:00:00Z');
  const company = await app.given.company();
  const desk = new Desk(app, company.live_key);
  const client_id = await desk.client();
  const read = async (id: string) => (await app.get(`/v1/invoices/${id}`, { key: desk.key })).body.data;
  const name = async (id: string): Promise<Named> => {
    const { number, issued_on } = await read(id);
    return { number, issued_on };
  };
  const ticket = (fields: object = {}) => desk.sell(null, { type: 'F2', ...fields });
  const full = (named: readonly Named[], fields: object = {}) => ({
    type: 'F3',
    client_id,
    lines: [line],
    substituted_invoices: named,
    ...issue,
    ...fields,
  });
  const inPlace = (named: readonly Named[], fields: object = {}) => ({
    type: 'R1',
    client_id,
    lines: [{ ...line, unit_price: 80 }],
    correction: { type: 'substitution' },
    corrected_invoices: named.map((one) => ({ subtotal: 100, taxes_total: 21, ...one })),
    ...issue,
    ...fields,
  });
  const post = (body: object, path = '/v1/invoices') => app.post(path, { key: desk.key, body });
  const withdraw = (id: string) => desk.make(`/v1/invoices/${id}/annul`, {}, 200);
  return { app, company, desk, client_id, read, name, ticket, full, inPlace, post, withdraw };
}

test('given stored tickets, when a full invoice names their numbers, then it takes their place once', async () => {
  const { app, company, desk, client_id, read, name, ticket, full, post, withdraw } = await given();
  const [paid, unpaid] = [await ticket(), await ticket()];
  await desk.pay(paid, 121);
  const elsewhere = { number: 'CAJA-7', issued_on: '2025-12-01' };
  const stored = [await name(paid), await name(unpaid)];
  const other_day = { ...stored[0]!, issued_on: '2026-01-01' };
  const named = [...stored, elsewhere, other_day];
  const body = full(named, { lines: [{ ...line, quantity: 2 }] });
  const made = await post(body);
  assert.equal(made.status, 201, made.text);
  const { id, status, total, pending_amount, substituted_invoices } = made.body.data;
  assert.deepEqual([status, total, pending_amount], ['issued', 242, 121]);
  assert.deepEqual(
    substituted_invoices.map((one: { id: string; subtotal: number }) => [one.id, one.subtotal]),
    [
      [paid, 100],
      [unpaid, 100],
      [null, null],
      [null, null],
    ],
  );
  for (const one of [paid, unpaid]) {
    const was = await read(one);
    assert.deepEqual([was.status, was.substituted_by_id, was.pending_amount], ['substituted', id, 0]);
    assert.equal((await app.eventTypes(company, one)).at(-1), 'invoice.simplified_substituted');
  }
  assert.equal((await app.eventTypes(company, id)).at(-1), 'invoice.substituted_by_complete');
  await desk.holds(client_id);
  const again = await post(full([stored[1]!]));
  assertRefused(again, 409, 'invalid_status_transition', 'substituted_invoices.0.number');
  const dry = await post({ ...full([stored[1]!]), options: { issue: true, dry_run: true } });
  assert.equal(dry.body.data.reasons[0].param, 'substituted_invoices.0.number');
  await withdraw(id);
  assert.deepEqual([(await read(paid)).status, (await read(unpaid)).pending_amount], ['paid', 121]);
});

test('given a draft that names a ticket, when it is issued, then it takes its place, and one that came too late is refused', async () => {
  const { app, desk, read, name, ticket, full, post } = await given();
  const id = await ticket();
  const draft = () => desk.make('/v1/invoices', full([], { substituted_invoices: named, options: {} }));
  const named = [await name(id)];
  const [first, second] = [await draft(), await draft()];
  assert.equal((await read(id)).status, 'issued');
  const both = await Promise.all(
    [first, second].map((one) => app.post(`/v1/invoices/${one.id}/issue`, { key: desk.key })),
  );
  assert.deepEqual(both.map((one) => one.status).sort(), [200, 409]);
  const winner = both.find((one) => one.status === 200)?.body.data.id;
  assert.deepEqual([(await read(id)).substituted_by_id, (await read(winner)).type], [winner, 'F3']);
  const bulk_ticket = await ticket();
  const twice = full([await name(bulk_ticket)]);
  const bulk = await post({ invoices: [twice, twice] }, '/v1/invoices/bulk-create');
  assert.deepEqual(
    [bulk.body.data.successful, bulk.body.data.failures[0]?.param, bulk.body.data.failures[0]?.error_code],
    [1, 'substituted_invoices.0.number', 'invalid_status_transition'],
  );
});

test('given a paid ticket, when its full invoice is made with a payment, then the money counts once', async () => {
  const { desk, client_id, read, name, ticket, full, post } = await given();
  const id = await ticket({ payment: { method: 'cash' } });
  const made = await post(full([await name(id)], { payment: { method: 'cash' }, external_id: 'F-1' }));
  assert.equal(made.status, 201, made.text);
  const { status, paid_amount, pending_amount, payments } = made.body.data;
  assert.deepEqual([status, paid_amount, pending_amount, payments.detail], ['paid', 0, 0, []]);
  const again = await post(full([await name(id)], { payment: { method: 'cash' }, external_id: 'F-1' }));
  assert.deepEqual([again.status, again.body.data?.id], [200, made.body.data.id]);
  assert.equal((await read(id)).paid_amount, 121);
  await desk.holds(client_id);
});

test('given what no full invoice replaces, when one names its number, then it is refused or left as it was', async () => {
  const { desk, client_id, read, name, ticket, full, post, withdraw } = await given();
  const whole = await desk.sell(client_id);
  const refused = await post(full([await name(whole)]));
  assertRefused(refused, 422, 'business_rule_violation', 'substituted_invoices.0.number');
  const gone = await ticket();
  await withdraw(gone);
  assertRefused(await post(full([await name(gone)])), 409, 'invalid_status_transition');
  // The ticket with its return, as one: the caller says what is left.
  const id = await ticket({ lines: [{ ...line, quantity: 2 }] });
  const returned = await desk.correct(id, 'differences', -1);
  const made = await post(full([await name(id), await name(returned)]));
  assert.equal(made.status, 201, made.text);
  assert.deepEqual([made.body.data.pending_amount, (await read(id)).status], [121, 'issued']);
  // Alone, the ticket takes its return along.
  const both = await post(full([await name(id)], { lines: [{ ...line, quantity: 2 }] }));
  assert.deepEqual([both.body.data.pending_amount, (await read(id)).status], [121, 'substituted']);
  const foreign = await ticket({ currency: 'USD', exchange_rate: 0.9 });
  const in_euros = await post(full([await name(foreign)]));
  assert.deepEqual([in_euros.status, (await read(foreign)).status], [201, 'issued']);
});

test('given stored invoices, when a corrective by substitution names their numbers, then it takes their place once', async () => {
  const { desk, client_id, read, name, inPlace, post, withdraw } = await given();
  const [first, second] = [await desk.sell(client_id), await desk.sell(client_id)];
  await desk.pay(first, 50);
  const named = [await name(first), await name(second)];
  const made = await post(inPlace(named, { lines: [{ ...line, quantity: 2, unit_price: 80 }] }));
  assert.equal(made.status, 201, made.text);
  const { id, pending_amount, corrected_invoices } = made.body.data;
  assert.deepEqual(
    [pending_amount, corrected_invoices.map((one: { id: string }) => one.id)],
    [143.6, [first, second]],
  );
  for (const one of [first, second]) {
    const was = await read(one);
    assert.deepEqual([was.status, was.pending_amount, was.corrective_ids], ['rectified', 0, [id]]);
  }
  await desk.holds(client_id);
  assertRefused(await post(inPlace(named)), 409, 'invalid_status_transition', 'corrected_invoices.0.number');
  await withdraw(id);
  const open = [await read(first), await read(second)].map((one) => [one.status, one.pending_amount]);
  assert.deepEqual(open, [
    ['sent', 71],
    ['sent', 121],
  ]);
  await desk.holds(client_id);
});

test('given a stored invoice, when a corrective by differences names its number, then each keeps its own money', async () => {
  const { desk, client_id, read, name, post, inPlace } = await given();
  const id = await desk.sell(client_id);
  const back = inPlace([await name(id)], {
    correction: { type: 'differences' },
    lines: [{ ...line, quantity: -1 }],
  });
  const made = await post(back);
  assert.equal(made.status, 201, made.text);
  assert.deepEqual([made.body.data.pending_amount, (await read(id)).pending_amount], [-121, 121]);
  await desk.pay(made.body.data.id, -121);
  await desk.holds(client_id);
  // One in another client's name leaves the first one's account alone.
  const other = (await desk.make('/v1/clients', { name: 'Sur SL', tax_id: 'B12345674' })).id;
  const moved = await post(inPlace([await name(id)], { client_id: other }));
  assert.deepEqual([moved.status, (await read(id)).status], [201, 'issued']);
});
