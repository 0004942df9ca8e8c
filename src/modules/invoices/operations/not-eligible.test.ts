/**
 * With VeriFactu on, every issuing operation names the fault that would make the record invalid. It takes no number, and a draft
 * stays a draft (ADR 13).
 */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { type Answer, type App, startApp } from '../../../../test/harness.ts';
import { yearAt } from '../../../../test/support/this-year.ts';

const line = { description: 'Trabajo', unit_price: 100, tax_rate: 21 };
const good = { name: 'Norte SL', tax_id: 'B99286320' };
const long = 'x'.repeat(121);
/** The present of the tests whose cases name a year, because a year may end while they run. */
const loaded_at = new Date();
const this_year = yearAt(loaded_at);

type Desk = { app: App; key: string; company_id: string; client_id: string };

type Case = {
  name: string;
  param: string;
  line_index?: number;
  /** Changed before VeriFactu is on. */
  company?: object;
  client?: object | null;
  /** An older row may have values that today's checks refuse. */
  stored_client?: { name?: string; alternative_id?: object };
  invoice?: object;
  /** A business rule also refuses it while VeriFactu is off. */
  is_rule?: true;
};

const cases: Case[] = [
  { name: 'a client whose name is too long', param: 'client_id', stored_client: { name: long } },
  { name: 'a client without a name', param: 'client_id', stored_client: { name: ' ' } },
  { name: 'a tax id that is no Spanish one, and no country', param: 'client_id', client: { name: 'Uno' } },
  {
    name: 'a foreign identification of 21 characters',
    param: 'client_id',
    stored_client: {
      alternative_id: { type: 'tax_id_foreign', value: 'X'.repeat(21), country_code: 'US' },
    },
  },
  {
    name: 'a country that the authority does not accept',
    param: 'client_id',
    client: { name: 'Far Ltd', alternative_id: { type: 'tax_id_foreign', value: 'X1', country_code: 'AX' } },
  },
  { name: 'a complete invoice without client', param: 'client_id', client: null, is_rule: true },
  { name: 'a company whose name is too long', param: 'company_name', company: { name: long } },
  {
    name: 'thirteen rows of breakdown',
    param: 'lines',
    invoice: {
      lines: [
        ...['01', '03', '05', '07'].flatMap((regime_key) =>
          [21, 10, 4].map((tax_rate) => ({ ...line, regime_key, tax_rate })),
        ),
        { ...line, regime_key: '11' },
      ],
    },
  },
  {
    name: 'an amount in euros beyond twelve digits',
    param: 'lines',
    invoice: { currency: 'KWD', exchange_rate: 1000, lines: [{ ...line, unit_price: 800_000_000_000 }] },
  },
  {
    name: 'a total in euros beyond twelve digits',
    param: 'total',
    invoice: {
      currency: 'KWD',
      exchange_rate: 1.2,
      lines: [
        { ...line, unit_price: 400_000_000_000 },
        { ...line, unit_price: 400_000_000_000, tax_rate: 10 },
      ],
    },
  },
  {
    name: 'a ticket above 3,000',
    param: 'total',
    client: null,
    invoice: { type: 'F2', lines: [{ ...line, unit_price: 2500 }] },
    is_rule: true,
  },
  {
    name: 'a simplified invoice with its recipient above 3,000',
    param: 'total',
    invoice: { type: 'F2', lines: [{ ...line, unit_price: 2500 }] },
    is_rule: true,
  },
  {
    name: 'the number of an invoice corrected elsewhere with a sign that is not admitted',
    param: 'original_invoice_id',
    invoice: {
      type: 'R1',
      correction: { type: 'differences' },
      corrected_invoices: [{ number: 'A<1>', issued_on: '2025-11-03' }],
    },
  },
  {
    name: 'the number of a ticket substituted elsewhere with a sign that is not admitted',
    param: 'simplified_invoice_uuids',
    invoice: { type: 'F3', substituted_invoices: [{ number: 'A"1"', issued_on: '2025-11-03' }] },
  },
  {
    name: 'regime 06, whose record wants the base at cost',
    param: 'lines',
    line_index: 1,
    invoice: { lines: [line, { ...line, regime_key: '06' }] },
  },
  {
    name: 'the rate of another country under the one-stop shop',
    param: 'lines',
    line_index: 0,
    invoice: { lines: [{ ...line, regime_key: '17', tax_rate: 19 }] },
  },
  {
    name: 'a surcharge at rate 0, of which nobody says what the authority takes',
    param: 'lines',
    line_index: 1,
    invoice: {
      lines: [
        { ...line, surcharge_rate: 5.2 },
        { ...line, tax_rate: 0, surcharge_rate: 0.26 },
      ],
    },
  },
  {
    name: 'a client whose name has a character that no XML can hold',
    param: 'client_id',
    // Stored before such names were refused.
    stored_client: { name: 'Norte\u0001SL' },
  },
  {
    name: 'a company whose name has such a character',
    param: 'company_name',
    company: { name: 'Acme\uffffSL' },
  },
  {
    name: 'an operation of more than twenty years ago',
    param: 'operation_on',
    invoice: { operation_on: '2005-01-01' },
  },
  {
    name: 'a continuous supply beyond the end of next year',
    param: 'operation_on',
    invoice: { operation_on: `${this_year + 2}-01-01`, lines: [{ ...line, regime_key: '15' }] },
  },
  {
    name: 'an operation after its issue of which only the first line is a continuous supply',
    param: 'operation_on',
    invoice: {
      operation_on: `${this_year + 1}-12-31`,
      lines: [
        { ...line, regime_key: '15' },
        { ...line, regime_key: '01' },
      ],
    },
  },
];

type Parties = Pick<Case, 'company' | 'client' | 'stored_client'>;

async function desk(t: TestContext, { company, client = good, stored_client }: Parties): Promise<Desk> {
  const app = await startApp(t);
  app.clock.set(loaded_at);
  const acme = await app.given.company();
  const key = acme.test_key;
  if (company) assert.equal((await app.put('/v1/account/company', { key, body: company })).status, 200);
  const made = client && (await app.post('/v1/clients', { key, body: client }));
  if (made) assert.equal(made.status, 201, made.text);
  if (made && stored_client) {
    const { name, alternative_id } = stored_client;
    const id = made.body.data.id;
    if (name !== undefined) await app.sql`update contacts set name = ${name} where id = ${id}`;
    if (alternative_id)
      await app.sql`update contacts set alternative_id = ${JSON.stringify(alternative_id)}::text::jsonb where id = ${id}`;
  }
  return { app, key, company_id: acme.sandbox_company_id, client_id: made ? made.body.data.id : null };
}

async function turnOn({ app, key }: Desk): Promise<void> {
  const on = await app.put('/v1/verifactu/settings', { key, body: { enabled: true } });
  assert.equal(on.status, 200, on.text);
}

const bodyOf = (d: Desk, one: Case) => ({ client_id: d.client_id, lines: [line], ...one.invoice });

function assertNotEligible(answer: Answer, { param, line_index }: Case): void {
  const { code, type, param: named, line_index: at } = answer.body.error;
  assert.deepEqual(
    [answer.status, code, type, named, at],
    [422, 'verifactu_not_eligible', 'invalid_request_error', param, line_index],
  );
}

async function assertNothingNumbered({ app, company_id }: Desk): Promise<void> {
  const [row] = await app.sql<{ numbered: number; counters: number; records: number }[]>`
    select (select count(*)::int from invoices where company_id = ${company_id} and number is not null) as numbered,
           (select count(*)::int from series_counters where company_id = ${company_id}) as counters,
           (select count(*)::int from verifactu_records where company_id = ${company_id}) as records`;
  assert.deepEqual({ ...row }, { numbered: 0, counters: 0, records: 0 });
}

for (const one of cases) {
  test(`given ${one.name}, when issued in any way with VeriFactu on, then it is not eligible by ${one.param}`, async (t) => {
    const d = await desk(t, one);
    await turnOn(d);
    const { app, key } = d;
    const body = bodyOf(d, one);
    const draft = await app.post('/v1/invoices', { key, body });
    assert.equal(draft.status, 201, draft.text);
    const { id } = draft.body.data;

    for (const options of [{ issue: true }, { register_verifactu: true }, { wait_for_pdf: true }])
      assertNotEligible(await app.post('/v1/invoices', { key, body: { ...body, options } }), one);
    for (const [move, sent] of [
      ['issue', undefined],
      ['send', { to: ['ana@example.com'] }],
      ['mark-sent', undefined],
    ] as const) {
      const answer = await app.post(`/v1/invoices/${id}/${move}`, { key, ...(sent ? { body: sent } : {}) });
      assertNotEligible(answer, one);
    }

    const dry = await app.post('/v1/invoices', { key, body: { ...body, options: { dry_run: true } } });
    const can = await app.post(`/v1/invoices/${id}/can-issue`, { key });
    for (const { body: told } of [dry, can]) {
      const { can_issue, reasons } = told.data;
      const [reason, ...more] = reasons.filter((r: { param: string }) => r.param === one.param);
      assert.deepEqual(
        [can_issue, reason?.code, reason?.line_index, more.length],
        [false, 'verifactu_not_eligible', one.line_index ?? null, 0],
      );
    }

    const invoices = [{ ...body, options: { issue: true } }, body];
    const bulk = (await app.post('/v1/invoices/bulk-create', { key, body: { invoices } })).body.data;
    const [failure] = bulk.failures;
    assert.deepEqual(
      [bulk.successful, bulk.failed, failure.index, failure.error_code, failure.param, failure.line_index],
      [1, 1, 0, 'verifactu_not_eligible', one.param, one.line_index ?? null],
    );

    assert.equal((await app.get(`/v1/invoices/${id}`, { key })).body.data.status, 'draft');
    await assertNothingNumbered(d);
  });

  const expected = one.is_rule ? 'a business rule refuses it' : 'it is issued';
  test(`given ${one.name}, when issued with VeriFactu off, then ${expected}`, async (t) => {
    const d = await desk(t, one);
    const body = { ...bodyOf(d, one), options: { issue: true } };
    const answer = await d.app.post('/v1/invoices', { key: d.key, body });
    if (!one.is_rule) return assert.equal(answer.status, 201, answer.text);
    const { code, param } = answer.body.error;
    assert.deepEqual([answer.status, code, param], [422, 'business_rule_violation', one.param]);
  });
}

test('given a description with characters outside XML, when issued, then the record omits them and is not delayed', async (t) => {
  const d = await desk(t, {});
  await turnOn(d);
  const body = {
    client_id: d.client_id,
    lines: [{ ...line, description: 'Trabajo\uffff\u0001a\ufffemedida' }],
  };
  const issued = await d.app.post('/v1/invoices', {
    key: d.key,
    body: { ...body, options: { issue: true } },
  });
  assert.equal(issued.status, 201, issued.text);
  const record = (await d.app.get(`/v1/invoices/${issued.body.data.id}/verifactu`, { key: d.key })).body.data;
  assert.deepEqual([record.status, record.aeat_error_code], ['pending', null]);
  const { text } = await d.app.get(`/v1/verifactu/records/${record.id}/xml`, { key: d.key });
  assert.match(text, /<sf:DescripcionOperacion>Trabajo a medida<\/sf:DescripcionOperacion>/);
});

test('given an original that fits no record, when corrected or substituted, then it is not eligible and the original stands', async (t) => {
  const d = await desk(t, { stored_client: { name: long } });
  const { app, key } = d;
  const options = { issue: true };
  const full = await app.post('/v1/invoices', {
    key,
    body: { client_id: d.client_id, lines: [line], options },
  });
  const ticket = await app.post('/v1/invoices', { key, body: { type: 'F2', lines: [line], options } });
  await turnOn(d);
  const one = { name: '', param: 'client_id' };
  const { id } = full.body.data;
  const correction = { type: 'differences' };
  assertNotEligible(await app.post(`/v1/invoices/${id}/corrective`, { key, body: { correction } }), one);
  const body = { simplified_invoice_uuids: [ticket.body.data.id], client_id: d.client_id };
  assertNotEligible(await app.post('/v1/invoices/substitute-simplified', { key, body }), one);
  for (const stored of [full, ticket]) {
    const now = (await app.get(`/v1/invoices/${stored.body.data.id}`, { key })).body.data;
    assert.deepEqual([now.status, now.corrective_ids, now.substituted_by_id], ['issued', [], null]);
  }
});

test('given invoices whose number is not admitted, when corrected or substituted, then it is told and they stand', async (t) => {
  const d = await desk(t, {});
  const { app, key } = d;
  const create = async (fields: object) => {
    const body = { lines: [line], options: { issue: true }, ...fields };
    return (await app.post('/v1/invoices', { key, body })).body.data.id;
  };
  const [original, ticket] = [await create({ client_id: d.client_id }), await create({ type: 'F2' })];
  // Today's series refuse the sign; an older invoice may have it.
  await app.sql`update invoices set number = number || '<>' where company_id = ${d.company_id}`;
  await turnOn(d);
  const corrected = await app.post(`/v1/invoices/${original}/corrective`, {
    key,
    body: { correction: { type: 'differences' } },
  });
  assertNotEligible(corrected, { name: '', param: 'original_invoice_id' });
  const body = { simplified_invoice_uuids: [ticket], client_id: d.client_id };
  const substituted = await app.post('/v1/invoices/substitute-simplified', { key, body });
  assertNotEligible(substituted, { name: '', param: 'simplified_invoice_uuids' });
  for (const id of [original, ticket])
    assert.equal((await app.get(`/v1/invoices/${id}`, { key })).body.data.status, 'issued');
});

test('given a company without a name, when issued with VeriFactu on, then a business rule refuses it', async (t) => {
  const d = await desk(t, {});
  await turnOn(d);
  await d.app.sql`update companies set name = null where company_id = ${d.company_id}`;
  const body = { client_id: d.client_id, lines: [line], options: { issue: true } };
  const answer = await d.app.post('/v1/invoices', { key: d.key, body });
  const { code, param } = answer.body.error;
  assert.deepEqual([answer.status, code, param], [422, 'business_rule_violation', 'company_name']);
  const dry = { ...body, options: { dry_run: true } };
  const { reasons } = (await d.app.post('/v1/invoices', { key: d.key, body: dry })).body.data;
  assert.deepEqual(
    reasons.map((reason: { code: string; param: string }) => [reason.code, reason.param]),
    [['business_rule_violation', 'company_name']],
  );
});

test('given VeriFactu on, when a corrective of simplified invoices has a client, then its type is what does not fit', async (t) => {
  const app = await startApp(t);
  app.clock.set(loaded_at);
  const { live_key: key } = await app.given.company();
  const client_id = (await app.post('/v1/clients', { key, body: good })).body.data.id;
  const ticket = { type: 'F2', client_id, lines: [line], options: { issue: true } };
  const qualified = (await app.post('/v1/invoices', { key, body: ticket })).body.data;
  assert.equal((await app.put('/v1/verifactu/settings', { key, body: { enabled: true } })).status, 200);
  const corrected_invoices = [{ number: 'T-1', issued_on: `${this_year - 1}-12-01` }];
  const correction = { type: 'differences' };
  const body = { type: 'R5', client_id, correction, corrected_invoices, lines: [line] };
  const draft = (await app.post('/v1/invoices', { key, body })).body.data;
  const refused = [
    await app.post('/v1/invoices', { key, body: { ...body, options: { issue: true } } }),
    await app.post(`/v1/invoices/${draft.id}/issue`, { key }),
    await app.post(`/v1/invoices/${qualified.id}/corrective`, { key, body: { correction, type: 'R5' } }),
  ];
  for (const { status, body: answer } of refused)
    assert.deepEqual(
      [status, answer.error?.code, answer.error?.param],
      [422, 'verifactu_not_eligible', 'type'],
    );
  const can = await app.post(`/v1/invoices/${draft.id}/can-issue`, { key });
  assert.deepEqual(
    can.body.data.reasons.map((reason: { code: string; param: string }) => [reason.code, reason.param]),
    [['verifactu_not_eligible', 'type']],
  );
  await app.put(`/v1/invoices/${draft.id}`, { key, body: { client_id: null } });
  assert.equal((await app.post(`/v1/invoices/${draft.id}/issue`, { key })).status, 200);
});
