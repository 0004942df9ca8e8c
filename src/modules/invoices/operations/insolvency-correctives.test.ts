/** Correctives for an insolvent or failing client (R2, R3) give the tax back, and leave the base owed (ADR 103). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startOnce } from '../../../../test/harness.ts';
import { Desk } from '../../../../test/support/client-accounts.ts';

const start = startOnce({});

const work = { description: 'Obra', unit_price: 1000, tax_rate: 21 };
const differences = { type: 'differences' };

async function given() {
  const app = await start();
  app.clock.set('2026-05-20T10:00:00Z');
  const desk = new Desk(app, (await app.given.company()).live_key);
  const client = await desk.client();
  const sell = (fields: object = {}) =>
    desk.sell(client, { lines: [work], issued_on: '2026-05-01', due_on: '2026-05-10', ...fields });
  const read = async (id: string) => (await app.get(`/v1/invoices/${id}`, { key: desk.key })).body.data;
  const left = async (id: string) => {
    const { status, pending_amount } = await read(id);
    return [status, pending_amount];
  };
  const answer = async (id: string, body: object = {}) => {
    const res = await app.post(`/v1/invoices/${id}/corrective`, {
      key: desk.key,
      body: { correction: differences, type: 'R3', ...body },
    });
    assert.equal(res.status, 201, res.text);
    return res.body;
  };
  const correct = async (id: string, body: object = {}): Promise<string> => (await answer(id, body)).data.id;
  const part = (unit_price: number) => ({ lines: [{ ...work, unit_price }] });
  const withdraw = (id: string) => desk.make(`/v1/invoices/${id}/annul`, {}, 200);
  return { app, desk, client, sell, read, left, answer, correct, part, withdraw };
}

test('given an overdue invoice, when its tax is recovered as a bad debt, then its base stays to be paid', async () => {
  const { app, desk, client, sell, read, left, correct, part, withdraw } = await given();
  const id = await sell();
  const made = await correct(id);
  const { data: events } = (
    await app.get('/v1/events', { key: desk.key, query: { type: 'invoice.rectified' } })
  ).body;
  assert.equal(events.length, 1);
  const bad = await read(made);
  assert.deepEqual(
    [bad.subtotal, bad.taxes_total, bad.total, bad.amount_due, bad.pending_amount, bad.status],
    [-1000, -210, -1210, -1210, 0, 'issued'],
  );
  assert.deepEqual(Object.keys(bad.corrected_invoices[0]).sort(), [
    'id',
    'issued_on',
    'number',
    'subtotal',
    'surcharge_total',
    'taxes_total',
  ]);
  assert.deepEqual(await left(id), ['overdue', 1000]);
  const lists = await app.get('/v1/invoices', {
    key: desk.key,
    query: { 'pending_amount[gte]': '1000', 'pending_amount[lte]': '1000' },
  });
  assert.deepEqual(
    lists.body.data.map((one: { id: string }) => one.id),
    [id],
  );
  const reminded = await app.post(`/v1/invoices/${id}/send-reminder`, {
    key: desk.key,
    body: { to: ['pagos@example.com'] },
  });
  assert.equal(reminded.status, 200, reminded.text);
  await desk.holds(client);

  // The estate pays a part. A recipient who is no business pays its tax with it.
  await desk.pay(id, 300);
  const more = await correct(id, part(100));
  assert.deepEqual(await left(id), ['overdue', 721]);
  await desk.holds(client);
  await withdraw(more);
  assert.deepEqual(await left(id), ['overdue', 700]);
  await withdraw(made);
  assert.deepEqual(await left(id), ['overdue', 910]);
  await desk.holds(client);
  const again = await correct(id, { type: 'R2' });
  await desk.pay(id, 700);
  assert.deepEqual(await left(id), ['paid', 0]);
  await withdraw(again);
  assert.deepEqual(await left(id), ['overdue', 210]);
  await desk.holds(client);
});

test('given a retention, a surcharge or prices with tax, when the tax is recovered, then tax and surcharge alone leave the debt', async () => {
  const { desk, client, sell, left, correct } = await given();
  for (const [fields, rest] of [
    [{ lines: [{ ...work, retention_rate: 15 }] }, 850],
    [{ lines: [{ ...work, surcharge_rate: 5.2, kind: 'good' }] }, 1000],
    [{ prices_include_tax: true, lines: [{ ...work, unit_price: 121 }] }, 100],
    [{ lines: [{ ...work, tax_rate: 0, exemption_reason: 'E1' }] }, 1000],
  ] as const) {
    const id = await sell(fields);
    await correct(id);
    assert.deepEqual(await left(id), ['overdue', rest]);
  }
  await desk.holds(client);
});

test('given a recovered tax, when its corrective is itself corrected, then the tax alone comes back', async () => {
  const { desk, client, sell, left, correct, withdraw } = await given();
  const id = await sell();
  const made = await correct(id);
  const back = await correct(made, { type: 'R1' });
  assert.deepEqual(
    [await left(id), await left(made)],
    [
      ['overdue', 1210],
      ['rectified', 0],
    ],
  );
  await desk.holds(client);
  await withdraw(back);
  assert.deepEqual(await left(id), ['overdue', 1000]);
  const instead = await correct(made, {
    type: 'R4',
    correction: { type: 'substitution' },
    lines: [{ unit_price: 500 }],
  });
  assert.deepEqual(await left(id), ['overdue', 1105]);
  await desk.holds(client);
  await correct(instead, { type: 'R1', lines: [{ quantity: 1, unit_price: -100 }] });
  assert.deepEqual(await left(id), ['overdue', 1084]);
  await desk.holds(client);
});

test('given a recovered tax, when another corrective undoes more than was invoiced, then it warns although something is left', async () => {
  const { sell, left, answer, correct, part } = await given();
  const id = await sell();
  const first = await answer(id, part(-600));
  const rest = await answer(id, part(-400));
  const codes = ({ warning_codes = [] }: { warning_codes?: string[] }) =>
    warning_codes.includes('original_overcorrected');
  assert.deepEqual([codes(first), codes(rest)], [false, false]);
  const beyond = await answer(id, { type: 'R4', ...part(-100) });
  assert.equal(codes(beyond), true, JSON.stringify(beyond.warning_codes));
  assert.deepEqual(await left(id), ['overdue', 879]);
  const paid_back = await sell();
  await correct(paid_back);
  // What was given back of the recovered tax undoes it, and no more.
  assert.equal(codes(await answer(paid_back, part(1000))), false);
  assert.deepEqual(await left(paid_back), ['overdue', 1210]);
});

test('given a ticket whose tax was recovered, when a full invoice replaces it, then its base is to be paid in that one', async () => {
  const { desk, client, sell, left, correct, part, withdraw } = await given();
  const ticket = await sell({ type: 'F2' });
  const made = await correct(ticket);
  const body = { simplified_invoice_uuids: [ticket], client_id: client };
  const full: string = (await desk.make('/v1/invoices/substitute-simplified', body)).id;
  assert.deepEqual(
    [await left(ticket), await left(made), await left(full)],
    [
      ['substituted', 0],
      ['issued', 0],
      ['issued', 1000],
    ],
  );
  await desk.holds(client);
  const more = await correct(full, part(100));
  assert.deepEqual(await left(full), ['issued', 1021]);
  await desk.holds(client);
  await withdraw(more);
  await withdraw(full);
  assert.deepEqual(await left(ticket), ['overdue', 1000]);
  await desk.holds(client);
});

test('given one by substitution, or for another cause, then the whole amount leaves the debt as before', async () => {
  const { desk, client, sell, left, correct, part } = await given();
  const replaced = await sell();
  const right = await correct(replaced, { correction: { type: 'substitution' }, ...part(400) });
  assert.deepEqual(
    [await left(replaced), await left(right)],
    [
      ['rectified', 0],
      ['issued', 484],
    ],
  );
  const undone = await sell();
  await correct(undone, { type: 'R4' });
  assert.deepEqual(await left(undone), ['rectified', 0]);
  const recovered = await sell();
  const made = await correct(recovered);
  const whole = await correct(recovered, { type: 'R1', correction: { type: 'substitution' }, ...part(1000) });
  assert.deepEqual(
    [await left(recovered), await left(made), await left(whole)],
    [
      ['rectified', 0],
      ['issued', 0],
      ['issued', 1210],
    ],
  );
  await desk.holds(client);
});

test('given a corrective of before, which took its whole amount off, when it is withdrawn or undone, then the whole comes back', async () => {
  const { app, desk, client, sell, left, correct, withdraw } = await given();
  for (const undo of [
    withdraw,
    (made: string) => correct(made),
    (made: string) => correct(made, { type: 'R1' }),
  ]) {
    const id = await sell();
    const made = await correct(id);
    await app.sql`update invoices set corrected_amount = 0, corrected_invoices = corrected_invoices #- '{0,debt}' where id = ${made}`;
    await app.sql`update invoices set corrected_amount = -1210, status = 'rectified' where id = ${id}`;
    await desk.holds(client);
    await undo(made);
    assert.deepEqual(await left(id), ['overdue', 1210]);
    await desk.holds(client);
  }
});

test('given an original that the service does not hold, then its tax alone is owed to the client', async () => {
  const { desk, client, left, correct, withdraw } = await given();
  const bad = {
    type: 'R3',
    correction: differences,
    corrected_invoices: [{ number: 'A-1', issued_on: '2025-01-10' }],
    lines: [{ ...work, quantity: -1 }],
  };
  const draft = (await desk.make('/v1/invoices', { ...bad, client_id: client })).id;
  await desk.make(`/v1/invoices/${draft}/issue`, {}, 200);
  assert.deepEqual(await left(draft), ['issued', -210]);
  const at_once = await desk.sell(client, bad);
  assert.deepEqual(await left(at_once), ['issued', -210]);
  await desk.holds(client);
  await correct(at_once);
  assert.deepEqual(await left(at_once), ['rectified', 0]);
  await desk.holds(client);
  await desk.pay(draft, -210);
  assert.deepEqual(await left(draft), ['paid', 0]);
  const other = await desk.sell(client, bad);
  await withdraw(other);
  assert.deepEqual(await left(other), ['annulled', 0]);
  await desk.holds(client);
});
