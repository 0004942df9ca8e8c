import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type App, startApp, type TestCompany } from '../../../../test/harness.ts';
import { checkIntegrity, recordingCompany } from '../../../../test/support/recording-company.ts';
import { assertRefused } from '../../../../test/support/resource-checks.ts';

async function ticket(app: App, company: TestCompany, fields: object = {}): Promise<string> {
  const body = {
    type: 'F2',
    lines: [{ description: 'Café', unit_price: 10, tax_rate: 10 }],
    options: { issue: true },
    ...fields,
  };
  return (await app.post('/v1/invoices', { key: company.live_key, body })).body.data.id;
}

const read = async (app: App, company: TestCompany, id: string) =>
  (await app.get(`/v1/invoices/${id}`, { key: company.live_key })).body.data;

async function clientOf(app: App, company: TestCompany): Promise<string> {
  const body = { name: 'Norte SL', tax_id: 'B12345674' };
  return (await app.post('/v1/clients', { key: company.live_key, body })).body.data.id;
}

async function substitute(app: App, company: TestCompany, ids: string[], fields: object = {}) {
  const client_id = await clientOf(app, company);
  return app.post('/v1/invoices/substitute-simplified', {
    key: company.live_key,
    body: { simplified_invoice_uuids: ids, client_id, ...fields },
  });
}

test('given two tickets, when substituted, then a full invoice has their lines and they are substituted', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const ids = [
    await ticket(app, acme),
    await ticket(app, acme, { lines: [{ description: 'Menú', unit_price: 20, tax_rate: 10 }] }),
  ];
  const res = await substitute(app, acme, ids);
  assert.equal(res.status, 201, res.text);
  const { data } = res.body;
  assert.deepEqual(
    [data.type, data.status, data.total, data.lines.map((l: { description: string }) => l.description)],
    ['F3', 'issued', 33, ['Café', 'Menú']],
  );
  assert.deepEqual(
    data.substituted_invoices.map((one: { id: string }) => one.id),
    ids,
  );
  for (const id of ids) {
    const one = await read(app, acme, id);
    assert.deepEqual([one.status, one.substituted_by_id, one.pending_amount], ['substituted', data.id, 0]);
    assert.deepEqual((await app.eventTypes(acme, id)).at(-1), 'invoice.simplified_substituted');
  }
  assert.deepEqual((await app.eventTypes(acme, data.id)).at(-1), 'invoice.substituted_by_complete');
  const again = await substitute(app, acme, [ids[0]!]);
  assert.deepEqual([again.status, again.body.error.code], [409, 'invalid_status_transition']);

  await app.post(`/v1/invoices/${data.id}/annul`, { key: acme.live_key });
  assert.deepEqual(
    [(await read(app, acme, ids[0]!)).status, (await read(app, acme, ids[0]!)).substituted_by_id],
    ['sent', null],
  );
});

test('given a paid ticket, when substituted, then its payment counts for the full invoice', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const id = await ticket(app, acme);
  await app.post(`/v1/invoices/${id}/payments`, {
    key: acme.live_key,
    body: { amount: 11, payment_method: 'cash' },
  });
  const res = await substitute(app, acme, [id]);
  assert.deepEqual(
    [res.body.data.status, res.body.data.pending_amount, res.body.data.total],
    ['paid', 0, 11],
  );
  assert.equal((await read(app, acme, id)).pending_amount, 0);
});

test('given a paid ticket and the R5 that took its place, when the R5 is substituted, then the money follows, and comes back when it is annulled', async (t) => {
  const app = await startApp(t);
  const acme = await recordingCompany(app, { environment: 'live' });
  const { live_key: key } = acme;
  const id = await ticket(app, acme);
  const post = async (path: string, body: object = {}) => {
    const res = await app.post(`/v1/invoices/${path}`, { key, body });
    assert.ok(res.status < 300, res.text);
    return res.body.data;
  };
  const paid = await post(`${id}/payments`, { amount: 11, payment_method: 'cash' });
  const lines = [{ description: 'Café y tarta', unit_price: 15, tax_rate: 10 }];
  const right = await post(`${id}/corrective`, { correction: { type: 'substitution' }, lines });
  assert.deepEqual([right.type, right.total, right.pending_amount], ['R5', 16.5, 5.5]);

  const full = (await substitute(app, acme, [right.id])).body.data;

  assert.deepEqual(
    [full.type, full.total, full.paid_amount, full.pending_amount, full.substituted_invoices[0].number],
    ['F3', 16.5, 0, 5.5, right.number],
  );
  const standing = async () =>
    Promise.all(
      [id, right.id, full.id].map(async (one) => {
        const { status, pending_amount } = await read(app, acme, one);
        return [status, pending_amount];
      }),
    );
  assert.deepEqual(await standing(), [
    ['rectified', 0],
    ['substituted', 0],
    ['issued', 5.5],
  ]);
  const statement = `/v1/clients/${full.client.id}`;
  const { body: balance } = await app.get(`${statement}/balance`, { key });
  assert.equal(balance.data.balances[0].pending, 5.5);
  const rows = (await app.get(`${statement}/statement`, { key })).body.data;
  assert.equal(rows.at(-1).balance, 5.5);
  await post(`${id}/payments/${paid.id}/reversal`, { reason: 'direct_debit_return' });
  assert.equal((await read(app, acme, full.id)).pending_amount, 16.5);
  await post(`${full.id}/annul`);
  assert.deepEqual(await standing(), [
    ['rectified', 0],
    ['sent', 16.5],
    ['annulled', 0],
  ]);
  const moved = await post(`${right.id}/corrective`, { correction: { type: 'differences' } });
  const refused = await substitute(app, acme, [moved.id]);
  assertRefused(refused, 422, 'business_rule_violation', 'simplified_invoice_uuids');
  assert.equal((await checkIntegrity(app, acme)).is_intact, true);
});

test('given R5s that took the place of a ticket one after the other, when the last is substituted, then the full invoice states the day of the ticket', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const sold = await ticket(app, acme, { issued_on: '2026-01-05' });
  const instead = async (id: string) => {
    const body = { correction: { type: 'substitution' } };
    const res = await app.post(`/v1/invoices/${id}/corrective`, { key: acme.live_key, body });
    assert.equal(res.status, 201, res.text);
    return res.body.data.id as string;
  };
  const last = await instead(await instead(sold));
  const res = await substitute(app, acme, [last]);
  const { issued_on, operation_on } = await read(app, acme, sold);
  assert.deepEqual(
    [issued_on, operation_on, (await read(app, acme, last)).operation_on],
    ['2026-01-05', null, null],
  );
  assert.equal(res.body.data.operation_on, '2026-01-05', res.text);
});

test('given an id that is no ticket of the company, when substituted, then it is refused and nothing changes', async (t) => {
  const app = await startApp(t);
  const [acme, other] = [await app.given.company(), await app.given.company()];
  const mine = await ticket(app, acme);
  const theirs = await ticket(app, other);
  const foreign = await substitute(app, acme, [mine, theirs]);
  assert.deepEqual(
    [foreign.status, foreign.body.error.code, foreign.body.error.param],
    [422, 'parameter_invalid', 'simplified_invoice_uuids.1'],
  );
  assert.equal((await read(app, acme, mine)).status, 'issued');
  const twice = await substitute(app, acme, [mine, mine]);
  assert.deepEqual([twice.status, twice.body.error.param], [422, 'simplified_invoice_uuids']);
  const draft = await ticket(app, acme, { options: {} });
  assert.equal((await substitute(app, acme, [draft])).status, 409);
});

test('given tickets, when run dry, then it adds up as the real one and writes nothing', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const ids = [
    await ticket(app, acme),
    await ticket(app, acme, { lines: [{ description: 'Menú', unit_price: 20, tax_rate: 10 }] }),
  ];
  const rows = () =>
    app.sql`select (select count(*) from invoices i where i.company_id = ${acme.company_id}) as invoices,
      (select sum(next_number) from series_counters c where c.company_id = ${acme.company_id}) as numbers,
      (select count(*) from events e where e.company_id = ${acme.company_id} and type like 'invoice.%') as events`;
  const before = await rows();
  const run = await substitute(app, acme, ids, { dry_run: true });
  assert.equal(run.status, 200, run.text);
  const { id, can_issue, reasons, amounts } = run.body.data;
  assert.deepEqual([id, can_issue, reasons, amounts.total], [null, true, [], 33]);
  assert.deepEqual(await rows(), before);
  assert.equal((await read(app, acme, ids[0]!)).status, 'issued');
  const made = await substitute(app, acme, ids, { dry_run: false });
  assert.deepEqual([made.status, made.body.data.total], [201, amounts.total]);
  assert.deepEqual(
    [made.body.warning_codes, made.body.data.subtotal],
    [run.body.warning_codes, amounts.subtotal],
  );
});

test('given all that refuses a full invoice of tickets, when run dry, then every reason is told, the first as the real call tells it', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const cafe = await ticket(app, acme);
  const draft = await ticket(app, acme, { options: { issue: false } });
  const dollars = await ticket(app, acme, { currency: 'USD', exchange_rate: 1.1 });
  const full = await ticket(app, acme, { type: 'F1', client_id: await clientOf(app, acme) });
  const others = await ticket(app, await app.given.company());
  const param = 'simplified_invoice_uuids';
  const cases: [ids: string[], fields: object, told: unknown[][], is_counted: boolean][] = [
    [[others], {}, [['parameter_invalid', `${param}.0`]], false],
    [
      [cafe, others, draft, dollars, full],
      { issued_on: '2199-01-01' },
      [
        ['parameter_invalid', `${param}.1`],
        ['invalid_status_transition', param],
        ['business_rule_violation', param],
        ['business_rule_violation', param],
        ['business_rule_violation', 'issued_on'],
      ],
      false,
    ],
    [[cafe], { issued_on: '2199-01-01' }, [['business_rule_violation', 'issued_on']], true],
  ];
  for (const [ids, fields, told, is_counted] of cases) {
    const { status, text, body } = await substitute(app, acme, ids, { dry_run: true, ...fields });
    assert.equal(status, 200, text);
    const { can_issue, reasons, amounts } = body.data;
    assert.deepEqual(
      [
        can_issue,
        reasons.map((one: { code: string; param: string }) => [one.code, one.param]),
        amounts !== null,
      ],
      [false, told, is_counted],
    );
    const { error } = (await substitute(app, acme, ids, fields)).body;
    assert.deepEqual([error.code, error.param], told[0]);
  }
  assert.equal((await read(app, acme, cafe)).status, 'issued');
});

test('given tickets, when the full invoice is dated before one of them, then it is refused and they stay', async (t) => {
  const app = await startApp(t);
  app.clock.set('2026-06-15T10:00:00Z');
  const acme = await app.given.company();
  const ids = [
    await ticket(app, acme, { issued_on: '2026-06-01' }),
    await ticket(app, acme, { issued_on: '2026-06-10' }),
  ];
  const early = await substitute(app, acme, ids, { issued_on: '2026-06-09' });
  assertRefused(early, 422, 'business_rule_violation', 'issued_on');
  assert.equal((await read(app, acme, ids[0]!)).status, 'issued');
  assert.equal((await substitute(app, acme, ids, { issued_on: '2026-06-10' })).status, 201);
});

test('given tickets with more lines than an invoice has, when substituted, then it is refused and they stay', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const many = (length: number) =>
    ticket(app, acme, {
      lines: Array.from({ length }, () => ({ description: 'Café', unit_price: 1, tax_rate: 10 })),
    });
  const [long, short, one] = [await many(300), await many(200), await many(1)];
  const refused = await substitute(app, acme, [long, short, one]);
  assertRefused(refused, 422, 'business_rule_violation', 'simplified_invoice_uuids');
  assert.match(refused.body.error.message, /más de 500 líneas/);
  assert.equal((await read(app, acme, long)).status, 'issued');
  const whole = await substitute(app, acme, [long, short]);
  assert.deepEqual([whole.status, whole.body.data?.lines.length], [201, 500], whole.text.slice(0, 300));
});

type TicketLine = {
  unit_price: number;
  tax_rate: number;
  quantity?: number;
  discount_percent?: number;
  surcharge_rate?: number;
};
type Tickets = { prices_include_tax: boolean; tickets: TicketLine[][] };

const cents = (amount: number) => Math.round(amount * 100);
const sums = ['subtotal', 'discount_total', 'taxes_total', 'surcharge_total', 'total', 'amount_due'] as const;
type Sums = Record<(typeof sums)[number], number>;
const added = (all: readonly Sums[]) =>
  sums.map((name) => all.reduce((sum, one) => sum + cents(one[name]), 0));

/** Sells and pays each, then has one full invoice of them all. */
async function payThenSubstitute(app: App, company: TestCompany, { prices_include_tax, tickets }: Tickets) {
  const paid = [];
  for (const lines of tickets) {
    const body = {
      type: 'F2',
      prices_include_tax,
      lines: lines.map((line) => ({ description: 'Café', ...line })),
      payment: { method: 'cash' },
    };
    const res = await app.post('/v1/invoices', { key: company.live_key, body });
    assert.deepEqual([res.status, res.body.data?.status], [201, 'paid'], res.text);
    paid.push(res.body.data);
  }
  const res = await substitute(
    app,
    company,
    paid.map(({ id }) => id),
  );
  assert.equal(res.status, 201, res.text);
  return { paid, full: res.body.data };
}

const paidTickets: [string, Tickets, rows: [base: number, tax: number, surcharge: number][]][] = [
  [
    'each rounded its tax up',
    {
      prices_include_tax: false,
      tickets: [[{ unit_price: 1.15, tax_rate: 10 }], [{ unit_price: 1.15, tax_rate: 10 }]],
    },
    [[2.3, 0.24, 0]],
  ],
  [
    'each rounded its tax down',
    {
      prices_include_tax: false,
      tickets: [
        [{ unit_price: 0.02, tax_rate: 21 }],
        [{ unit_price: 0.02, tax_rate: 21 }],
        [{ unit_price: 0.02, tax_rate: 21 }],
      ],
    },
    [[0.06, 0, 0]],
  ],
  [
    'their prices hold the tax',
    {
      prices_include_tax: true,
      tickets: [[{ unit_price: 10, tax_rate: 21 }], [{ unit_price: 10, tax_rate: 21 }]],
    },
    [[16.52, 3.48, 0]],
  ],
  [
    'their rates and surcharges are mixed',
    {
      prices_include_tax: false,
      tickets: [
        [
          { unit_price: 1.15, tax_rate: 10, surcharge_rate: 1.4 },
          { unit_price: 1.15, tax_rate: 10, surcharge_rate: 1.4 },
          { unit_price: 3.03, tax_rate: 21, surcharge_rate: 5.2, discount_percent: 5 },
        ],
        [
          { unit_price: 3.03, tax_rate: 21, surcharge_rate: 5.2, discount_percent: 5 },
          { unit_price: 1.15, tax_rate: 10, surcharge_rate: 1.4 },
        ],
      ],
    },
    [
      [3.45, 0.35, 0.05],
      [5.76, 1.2, 0.3],
    ],
  ],
];

for (const [what, tickets, rows] of paidTickets) {
  test(`given paid tickets, when ${what}, then the full invoice is their sum to the cent, its corrective undoes it and its copy repeats it`, async (t) => {
    const app = await startApp(t);
    const acme = await recordingCompany(app);
    const company = { live_key: acme.key } as TestCompany;
    const { paid, full } = await payThenSubstitute(app, company, tickets);
    const rowsOf = ({
      tax_breakdown,
    }: {
      tax_breakdown: { base: number; tax: number; surcharge: number }[];
    }) => tax_breakdown.map(({ base, tax, surcharge }) => [base, tax, surcharge]);
    assert.deepEqual(rowsOf(full), rows);
    assert.deepEqual(added([full]), added(paid));
    assert.deepEqual([full.status, full.pending_amount], ['paid', 0]);
    assert.deepEqual(
      full.lines.map(({ total }: { total: number }) => total),
      paid.flatMap(({ lines }) => lines.map(({ total }: { total: number }) => total)),
    );

    const undone = await app.post(`/v1/invoices/${full.id}/corrective`, {
      key: acme.key,
      body: { correction: { type: 'differences', reason: 'Devolución' } },
    });
    assert.equal(undone.status, 201, undone.text);
    assert.equal(cents(undone.body.data.total), -cents(full.total));
    assert.equal((await read(app, company, full.id)).status, 'rectified');

    const copy = await app.post(`/v1/invoices/${full.id}/duplicate`, { key: acme.key });
    const issued = await app.post(`/v1/invoices/${copy.body.data.id}/issue`, { key: acme.key });
    assert.deepEqual([issued.status, issued.body.data?.total], [200, full.total], issued.text);
    const check = await checkIntegrity(app, acme);
    assert.deepEqual(check.faults, []);
  });
}

test('given a return among tickets, when the sum of their taxes has not the sign of its base, then the tax is rounded anew', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const of = (quantity: number, unit_price: number) =>
    ticket(app, acme, { lines: [{ description: 'Bolsa', quantity, unit_price, tax_rate: 21 }] });
  // Nothing is charged on two cents, and one is given back on three.
  const ids = [await of(1, 0.02), await of(1, 0.02), await of(1, 0.02), await of(-1, 0.03)];
  const { body } = await substitute(app, acme, ids);
  const rowsOf = (invoice: { tax_breakdown: { base: number; tax: number }[] }) =>
    invoice.tax_breakdown.map(({ base, tax }) => [base, tax]);
  assert.deepEqual(rowsOf(body.data), [[0.03, 0.01]]);
  const nothing = await substitute(app, acme, [await of(1, 0.03), await of(1, 0.03), await of(-1, 0.06)]);
  assert.deepEqual(rowsOf(nothing.body.data), [[0, 0]]);
  const kept = await substitute(app, acme, [await of(1, 0.03), await of(1, 0.03), await of(-1, 0.02)]);
  assert.deepEqual(rowsOf(kept.body.data), [[0.04, 0.02]]);
});

test('given tickets that are copies of a full invoice of tickets, when substituted, then the sum is theirs', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const lines = [{ description: 'Café', unit_price: 1.15, tax_rate: 10 }];
  const first = await substitute(app, acme, [
    await ticket(app, acme, { lines }),
    await ticket(app, acme, { lines }),
  ]);
  assert.equal(first.body.data?.total, 2.54, first.text);
  const again = async () => {
    const { id } = (await app.post(`/v1/invoices/${first.body.data.id}/duplicate`, { key })).body.data;
    const body = { type: 'F2', client_id: null };
    assert.equal((await app.put(`/v1/invoices/${id}`, { key, body })).status, 200);
    const issued = await app.post(`/v1/invoices/${id}/issue`, { key });
    assert.deepEqual([issued.status, issued.body.data?.total], [200, 2.54], issued.text);
    return id;
  };
  const full = await substitute(app, acme, [await again(), await again()]);
  assert.equal(full.body.data?.total, 5.08, full.text);
  const marks = await app.sql`
    select details->>'rounded_with' as mark from invoice_lines where invoice_id = ${full.body.data.id} order by position`;
  assert.deepEqual(
    marks.map(({ mark }) => mark),
    ['1', '2', '3', '4'],
    'a mark does not grow with what was replaced before',
  );
});

test('given any paid tickets, when substituted, then the full invoice is their sum and no cent is open', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const line = fc.record({
    unit_price: fc.integer({ min: 1, max: 5000 }).map((units) => units / 100),
    quantity: fc.integer({ min: 1, max: 9 }),
    tax_rate: fc.constantFrom(21, 10, 4, 0),
    discount_percent: fc.constantFrom(0, 5, 33.33),
  });
  const tickets = fc.array(fc.array(line, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(fc.record({ prices_include_tax: fc.boolean(), tickets }), async (sold) => {
      const { paid, full } = await payThenSubstitute(app, acme, sold);
      assert.deepEqual(added([full]), added(paid));
      assert.deepEqual([full.status, full.pending_amount], ['paid', 0]);
      assert.equal(
        full.tax_breakdown.reduce((sum: number, row: { tax: number }) => sum + cents(row.tax), 0),
        cents(full.taxes_total),
      );
    }),
    { numRuns: 20, endOnFailure: true },
  );
});
