/** When invoices correct and replace each other, each sum counts once and can be collected. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { type App, startApp, type TestCompany } from '../../../../test/harness.ts';

const line = { description: 'Trabajo', quantity: 2, unit_price: 50, tax_rate: 21 };
const minus = { correction: { type: 'differences' }, lines: [{ quantity: -1 }] };
const plus = { correction: { type: 'differences' }, lines: [{ quantity: 1 }] };
const instead = (unit_price: number) => ({ correction: { type: 'substitution' }, lines: [{ unit_price }] });

type Desk = {
  app: App;
  acme: TestCompany;
  issue(fields?: object): Promise<string>;
  correct(id: string, body: object): Promise<string>;
  withdraw(id: string, move?: 'void' | 'annul'): Promise<void>;
  /** @returns the path of its reversal */
  pay(id: string, amount: number): Promise<string>;
  reverse(address: string): Promise<void>;
  substitute(...ids: string[]): Promise<string>;
  /** Status and pending amount. */
  stand(id: string): Promise<[string, number]>;
  events(id: string): Promise<string[]>;
};

async function desk(t: TestContext): Promise<Desk> {
  const app = await startApp(t);
  app.clock.set('2026-05-20T10:00:00Z');
  const acme = await app.given.company();
  const key = acme.live_key;
  const client = (await app.post('/v1/clients', { key, body: { name: 'Norte SL' } })).body.data.id;
  const send = async (path: string, body: object | undefined, status: number) => {
    const res = await app.post(path, { key, ...(body ? { body } : {}) });
    assert.equal(res.status, status, `${path} ${res.text}`);
    return res.body.data;
  };
  return {
    app,
    acme,
    async issue(fields = {}) {
      const body = { client_id: client, lines: [line], options: { issue: true }, ...fields };
      return (await send('/v1/invoices', body, 201)).id;
    },
    async correct(id, body) {
      return (await send(`/v1/invoices/${id}/corrective`, body, 201)).id;
    },
    async withdraw(id, move = 'void') {
      await send(`/v1/invoices/${id}/${move}`, undefined, 200);
    },
    async pay(id, amount) {
      const path = `/v1/invoices/${id}/payments`;
      return `${path}/${(await send(path, { amount, payment_method: 'direct_debit' }, 201)).id}/reversal`;
    },
    async reverse(address) {
      await send(address, { reason: 'direct_debit_return' }, 200);
    },
    async substitute(...simplified_invoice_uuids) {
      const body = { simplified_invoice_uuids, client_id: client };
      return (await send('/v1/invoices/substitute-simplified', body, 201)).id;
    },
    async stand(id) {
      const { status, pending_amount } = (await app.get(`/v1/invoices/${id}`, { key })).body.data;
      return [status, pending_amount];
    },
    events: (id) => app.eventTypes(acme, id),
  };
}

const ticket = {
  type: 'F2',
  client_id: null,
  lines: [{ description: 'Menú', unit_price: 100, tax_rate: 10 }],
};

test('given a corrective by differences of an invoice held, when it is issued, then its money is in the original alone', async (t) => {
  const d = await desk(t);
  const id = await d.issue();
  const less = await d.correct(id, minus);
  assert.deepEqual(
    [await d.stand(id), await d.stand(less)],
    [
      ['issued', 60.5],
      ['issued', 0],
    ],
  );
  const more = await d.correct(id, plus);
  assert.deepEqual(
    [await d.stand(id), await d.stand(more)],
    [
      ['issued', 121],
      ['issued', 0],
    ],
  );
  const paid = await d.app.post(`/v1/invoices/${more}/payments`, {
    key: d.acme.live_key,
    body: { amount: 60.5, payment_method: 'card' },
  });
  assert.deepEqual([paid.status, paid.body.error.param], [422, 'amount']);
});

test('given a positive corrective past its due day, when the day turns, then only its original is overdue', async (t) => {
  const d = await desk(t);
  const id = await d.issue({ due_on: '2026-05-25' });
  const key = d.acme.test_key;
  assert.ok(key && id);
  const terms = { payment_preferences: { method: 'bank_transfer', terms_days: 5 } };
  const client = (await d.app.post('/v1/clients', { key, body: { name: 'Sur SL', ...terms } })).body.data.id;
  await d.app.put('/v1/sandbox/clock', { key, body: { now: '2027-05-20T10:00:00Z', frozen: true } });
  const body = { client_id: client, lines: [line], options: { issue: true } };
  const original = (await d.app.post('/v1/invoices', { key, body })).body.data;
  const more = await d.app.post(`/v1/invoices/${original.id}/corrective`, { key, body: plus });
  assert.equal(more.status, 201, more.text);
  await d.app.put('/v1/sandbox/clock', { key, body: { now: '2027-06-20T10:00:00Z', frozen: true } });
  const states = [];
  for (const one of [original.id, more.body.data.id])
    states.push((await d.app.get(`/v1/invoices/${one}`, { key })).body.data.status);
  assert.deepEqual(states, ['overdue', 'issued']);
});

test('given an invoice partly paid, when the rest is corrected away, then it is paid and the event says so', async (t) => {
  const d = await desk(t);
  const id = await d.issue();
  await d.pay(id, 60.5);
  const less = await d.correct(id, minus);
  assert.deepEqual(await d.stand(id), ['paid', 0]);
  assert.deepEqual((await d.events(id)).slice(-2), ['invoice.rectified', 'invoice.paid']);
  await d.withdraw(less);
  assert.deepEqual(await d.stand(id), ['sent', 60.5]);
  assert.equal((await d.events(id)).at(-1), 'invoice.updated');
});

test('given a paid invoice, when a corrective adds to it, then it is open again and the rest can be collected', async (t) => {
  const d = await desk(t);
  const id = await d.issue();
  await d.pay(id, 121);
  await d.correct(id, plus);
  assert.deepEqual(await d.stand(id), ['sent', 60.5]);
  await d.pay(id, 60.5);
  assert.deepEqual(await d.stand(id), ['paid', 0]);
});

test('given a paid invoice past its due day, when a corrective adds to it, then it is overdue and the event tells', async (t) => {
  const d = await desk(t);
  const id = await d.issue({ due_on: '2026-05-25' });
  await d.pay(id, 121);
  d.app.clock.set('2026-05-26T10:00:00Z');
  await d.correct(id, plus);
  assert.deepEqual(await d.stand(id), ['overdue', 60.5]);
  assert.deepEqual((await d.events(id)).slice(-2), ['invoice.rectified', 'invoice.overdue']);
});

test('given an overdue invoice, when it is corrected below zero, then it is overdue no more', async (t) => {
  const d = await desk(t);
  const id = await d.issue({ issued_on: '2026-05-01', due_on: '2026-05-10' });
  assert.deepEqual(await d.stand(id), ['overdue', 121]);
  await d.correct(id, { correction: { type: 'differences' }, lines: [{ quantity: -3 }] });
  assert.deepEqual(await d.stand(id), ['sent', -60.5]);
});

test('given differences and then a substitution, when the first is withdrawn, then the original stays replaced', async (t) => {
  const d = await desk(t);
  const id = await d.issue();
  const a = await d.correct(id, minus);
  const b = await d.correct(id, instead(40));
  assert.deepEqual(
    [await d.stand(id), await d.stand(b)],
    [
      ['rectified', 0],
      ['issued', 96.8],
    ],
  );
  await d.withdraw(a);
  assert.deepEqual(
    [await d.stand(id), await d.stand(b)],
    [
      ['rectified', 0],
      ['issued', 96.8],
    ],
  );
  assert.deepEqual(await d.stand(a), ['voided', 0]);
  await d.withdraw(b);
  assert.deepEqual(await d.stand(id), ['sent', 121]);
});

test('given differences and then a substitution, when the second is withdrawn, then the first is in force again', async (t) => {
  const d = await desk(t);
  const id = await d.issue();
  await d.correct(id, minus);
  const b = await d.correct(id, instead(40));
  await d.withdraw(b, 'annul');
  assert.deepEqual(
    [await d.stand(id), await d.stand(b)],
    [
      ['sent', 60.5],
      ['annulled', 0],
    ],
  );
  assert.deepEqual((await d.events(id)).slice(-2), ['invoice.rectified', 'invoice.updated']);
});

test('given a due day that has passed, when a substitution is withdrawn, then its original is overdue and the events tell', async (t) => {
  const d = await desk(t);
  const id = await d.issue({ due_on: '2026-05-25' });
  const b = await d.correct(id, instead(40));
  d.app.clock.set('2026-05-26T10:00:00Z');
  await d.withdraw(b);
  assert.deepEqual(await d.stand(id), ['overdue', 121]);
  assert.deepEqual((await d.events(id)).slice(-2), ['invoice.updated', 'invoice.overdue']);
});

test('given a paid invoice, when it is substituted by a corrective, then what was paid counts for the corrective', async (t) => {
  const d = await desk(t);
  const id = await d.issue();
  const address = await d.pay(id, 121);
  const b = await d.correct(id, instead(60));
  assert.deepEqual(
    [await d.stand(id), await d.stand(b)],
    [
      ['rectified', 0],
      ['issued', 24.2],
    ],
  );
  await d.reverse(address);
  assert.deepEqual(
    [await d.stand(id), await d.stand(b)],
    [
      ['rectified', 0],
      ['issued', 145.2],
    ],
  );
  assert.equal((await d.events(b)).at(-1), 'invoice.updated');
  const full = await d.issue();
  await d.pay(full, 121);
  const cheaper = await d.correct(full, instead(40));
  assert.deepEqual(await d.stand(cheaper), ['paid', -24.2]);
  assert.equal((await d.events(cheaper)).at(-1), 'invoice.paid');
  await d.withdraw(cheaper);
  assert.deepEqual(await d.stand(full), ['paid', 0]);
});

test('given a corrective of a corrective, when it is issued and withdrawn, then it moves the invoice that holds the money', async (t) => {
  const d = await desk(t);
  const id = await d.issue();
  const a = await d.correct(id, minus);
  const undo = await d.correct(a, { correction: { type: 'differences' } });
  assert.deepEqual(
    [await d.stand(id), await d.stand(a), await d.stand(undo)],
    [
      ['issued', 121],
      ['rectified', 0],
      ['issued', 0],
    ],
  );
  assert.equal((await d.events(id)).at(-1), 'invoice.updated');
  await d.withdraw(undo);
  assert.deepEqual(
    [await d.stand(id), await d.stand(a)],
    [
      ['issued', 60.5],
      ['sent', 0],
    ],
  );
  const right = await d.correct(a, { correction: { type: 'substitution' }, lines: [{ quantity: -2 }] });
  assert.deepEqual(
    [await d.stand(id), await d.stand(a), await d.stand(right)],
    [
      ['rectified', 0],
      ['rectified', 0],
      ['issued', 0],
    ],
  );
  await d.withdraw(right);
  assert.deepEqual(
    [await d.stand(id), await d.stand(a)],
    [
      ['sent', 60.5],
      ['sent', 0],
    ],
  );
});

test('given correctives that come to nothing, when the invoice is annulled, then 409 while one is in force', async (t) => {
  const d = await desk(t);
  const id = await d.issue();
  const made = [await d.correct(id, minus), await d.correct(id, plus)];
  const key = d.acme.live_key;
  for (const one of made) {
    assert.equal((await d.app.post(`/v1/invoices/${id}/annul`, { key })).status, 409);
    const can = (await d.app.get(`/v1/invoices/${id}/can-annul`, { key })).body.data;
    assert.deepEqual([can.can_annul, can.reasons.length], [false, 1]);
    await d.withdraw(one);
  }
  await d.withdraw(id, 'annul');
  assert.deepEqual(await d.stand(id), ['annulled', 0]);
});

for (const [name, correctAgain] of [
  ['a corrective', []],
  ['a corrective of its corrective', [minus]],
  ['what is in the place of its corrective', [instead(40)]],
] as const) {
  test(`given a substituted ticket, when ${name} is withdrawn, then 409 until its full invoice is, and can-annul says so`, async (t) => {
    const d = await desk(t);
    const id = await d.issue({ ...ticket, lines: [{ ...line, quantity: 5 }] });
    let last = await d.correct(id, minus);
    for (const body of correctAgain) last = await d.correct(last, body);
    const full = await d.substitute(id);
    const before = [await d.stand(id), await d.stand(full)];
    const key = d.acme.live_key;
    const can = async () => (await d.app.get(`/v1/invoices/${last}/can-annul`, { key })).body.data;
    const refused = await can();
    assert.deepEqual([refused.can_annul, refused.reasons.length], [false, 1]);
    for (const move of ['void', 'annul'])
      assert.equal((await d.app.post(`/v1/invoices/${last}/${move}`, { key })).status, 409);
    assert.deepEqual([await d.stand(id), await d.stand(full)], before);
    await d.withdraw(full);
    assert.equal((await can()).can_annul, true);
    await d.withdraw(last, 'annul');
  });
}

test('given a corrected and partly paid ticket, when it is substituted, then what is left of it is left of the full invoice', async (t) => {
  const d = await desk(t);
  const id = await d.issue(ticket);
  const a = await d.correct(id, { correction: { type: 'differences' }, lines: [{ quantity: -0.5 }] });
  await d.pay(id, 20);
  const full = await d.substitute(id);
  assert.deepEqual(
    [await d.stand(id), await d.stand(a), await d.stand(full)],
    [
      ['substituted', 0],
      ['issued', 0],
      ['issued', 35],
    ],
  );
  await d.withdraw(full);
  assert.deepEqual(
    [await d.stand(id), await d.stand(full)],
    [
      ['sent', 35],
      ['voided', 0],
    ],
  );
  assert.equal((await d.events(id)).at(-1), 'invoice.updated');
});

test('given a substituted ticket, when its direct debit is returned, then the full invoice is to pay again', async (t) => {
  const d = await desk(t);
  const [id, other] = [await d.issue(ticket), await d.issue(ticket)];
  const address = await d.pay(id, 110);
  await d.pay(other, 110);
  const full = await d.substitute(id, other);
  assert.deepEqual(await d.stand(full), ['paid', 0]);
  await d.reverse(address);
  assert.deepEqual(
    [await d.stand(id), await d.stand(full)],
    [
      ['substituted', 0],
      ['sent', 110],
    ],
  );
  assert.equal((await d.events(full)).at(-1), 'invoice.updated');
  await d.pay(full, 110);
  assert.deepEqual(await d.stand(full), ['paid', 0]);
  // A substitution of the full invoice: payments move along, and return when it is withdrawn.
  const next = await d.issue(ticket);
  const paid = await d.pay(next, 110);
  const again = await d.substitute(next);
  const right = await d.correct(again, instead(150));
  assert.deepEqual(
    [await d.stand(again), await d.stand(right)],
    [
      ['rectified', 0],
      ['issued', 55],
    ],
  );
  await d.reverse(paid);
  assert.deepEqual(
    [await d.stand(again), await d.stand(right)],
    [
      ['rectified', 0],
      ['issued', 165],
    ],
  );
  await d.withdraw(right);
  assert.deepEqual(await d.stand(again), ['sent', 110]);
});

for (const move of ['void', 'annul'] as const) {
  test(`given an issued invoice, when it is withdrawn by ${move}, then nothing is left to pay`, async (t) => {
    const d = await desk(t);
    const id = await d.issue();
    await d.withdraw(id, move);
    assert.equal((await d.stand(id))[1], 0);
  });
}

test('given correctives and their correctives, when one by substitution replaces an invoice, then it rectifies what is in force', async (t) => {
  const d = await desk(t);
  const rectifies = async (id: string) => {
    const { data } = (await d.app.get(`/v1/invoices/${id}`, { key: d.acme.live_key })).body;
    return data.corrected_invoices.map(({ id, subtotal }: { id: string; subtotal: number }) => [
      id,
      subtotal,
    ]);
  };
  const id = await d.issue();
  const less = await d.correct(id, minus);
  // A corrective of the corrective, then another in its place.
  await d.correct(less, { correction: { type: 'differences' }, lines: [{ quantity: 1, unit_price: 10 }] });
  const less_again = await d.correct(less, instead(30));
  assert.deepEqual(await rectifies(less_again), [[less, -40]]);
  await d.correct(less_again, {
    correction: { type: 'differences' },
    lines: [{ quantity: 1, unit_price: 5 }],
  });
  const once = await d.correct(id, instead(45));
  assert.deepEqual(await rectifies(once), [[id, 100 - 30 + 5]]);
  await d.correct(once, plus);
  const twice = await d.correct(once, instead(20));
  assert.deepEqual(await rectifies(twice), [[once, 90 + 45]]);
  // What was withdrawn is not in force.
  await d.withdraw(twice);
  assert.deepEqual(await rectifies(await d.correct(once, instead(20))), [[once, 90 + 45]]);
  // One by differences says what its original says.
  assert.deepEqual(await rectifies(less), [[id, 100]]);
});

test('given corrected tickets, when the full invoice in their place is replaced, then their corrections are rectified with it', async (t) => {
  const d = await desk(t);
  const first = await d.issue(ticket);
  const less = { correction: { type: 'differences' }, lines: [{ quantity: -1, unit_price: 30 }] };
  await d.correct(first, less);
  const full = await d.substitute(first, await d.issue(ticket));
  await d.correct(full, less);
  const last = await d.correct(full, instead(80));
  const { data } = (await d.app.get(`/v1/invoices/${last}`, { key: d.acme.live_key })).body;
  const [{ subtotal, taxes_total }] = data.corrected_invoices;
  assert.deepEqual([subtotal, taxes_total], [200 - 30 - 30, 14]);
});

for (const [given, unit_price, status] of [
  ['by more', 50, 'issued'],
  ['by nothing', 0, 'sent'],
] as const)
  test(`given an invoice of nothing that was corrected ${given}, when that is withdrawn, then it is in force and can be withdrawn`, async (t) => {
    const { issue, correct, withdraw, stand } = await desk(t);
    const free = await issue({ lines: [{ ...line, unit_price: 0 }] });
    const lines = [{ ...line, unit_price }];
    await withdraw(await correct(free, { correction: { type: 'differences' }, lines }));
    assert.deepEqual(await stand(free), [status, 0]);
    await withdraw(free);
    assert.deepEqual(await stand(free), ['voided', 0]);
  });

test('given an invoice of nothing with two correctives, when the one of an amount is withdrawn, then it is rectified until the other is too', async (t) => {
  const { issue, correct, withdraw, stand } = await desk(t);
  const free = await issue({ lines: [{ ...line, unit_price: 0 }] });
  const by = (unit_price: number) => ({
    correction: { type: 'differences' },
    lines: [{ ...line, unit_price }],
  });
  const more = await correct(free, by(50));
  const nothing = await correct(free, by(0));
  assert.deepEqual(await stand(free), ['issued', 121]);
  await withdraw(more);
  assert.deepEqual(await stand(free), ['rectified', 0]);
  await withdraw(nothing);
  assert.deepEqual(await stand(free), ['sent', 0]);
});

test('given a full invoice that the correctives of its tickets leave nothing of, when its own is withdrawn, then it is in force', async (t) => {
  const { issue, correct, withdraw, substitute, stand } = await desk(t);
  const sold = await issue(ticket);
  const less = [{ description: 'Menú', quantity: -1, unit_price: 50, tax_rate: 10 }];
  await correct(sold, { correction: { type: 'differences' }, lines: less });
  const returned = await issue({ ...ticket, lines: less });
  const full = await substitute(sold, returned);
  assert.deepEqual(await stand(full), ['issued', 0]);
  const nothing = { correction: { type: 'differences' }, lines: [{ ...line, unit_price: 0 }] };
  for (const body of [nothing, instead(10)]) {
    await withdraw(await correct(full, body));
    assert.deepEqual(await stand(full), ['sent', 0]);
  }
  await withdraw(full);
  assert.deepEqual(await stand(full), ['voided', 0]);
});
