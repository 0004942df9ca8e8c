import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type App, startApp } from '../../../../test/harness.ts';

const line = { description: 'Consultoría', unit_price: 100, tax_rate: 21 };
const agency = { name: 'Gestoría Sur', tax_id: 'B99286320' };

async function clientOf(
  app: App,
  key: string,
  body: Record<string, unknown> = { tax_id: 'A58818501' },
): Promise<string> {
  const made = await app.post('/v1/clients', { key, body: { name: 'Norte SL', ...body } });
  assert.equal(made.status, 201, made.text);
  return made.body.data.id;
}

test('given every fiscal input, when a draft is made, then it is answered, stored, edited and inherited', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const client_id = await clientOf(app, key);
  const lines = [
    { ...line, tax_rate: 10, surcharge_rate: 1.4, regime_key: '18' },
    { description: 'Obra', unit_price: 1, qualification: 'S2' },
    { description: 'Exportación', unit_price: 1, exemption_reason: 'E2', exemption_reason_text: 'Art. 21' },
    { description: 'Canarias', unit_price: 1, tax_kind: 'igic', tax_rate: 7 },
    { description: 'Timbre', unit_price: 1, tax_kind: 'other', tax_rate: 3 },
    { description: 'OSS', unit_price: 1, tax_rate: 19, regime_key: '17' },
  ];
  const asked = {
    client_id,
    lines,
    currency: 'USD',
    exchange_rate: 0.92,
    issued_by: 'third_party',
    third_party: { ...agency, tax_id: 'b-99286320' },
  };
  const made = await app.post('/v1/invoices', { key, body: asked });
  assert.equal(made.status, 201, made.text);
  const { data } = made.body;
  const fiscal = (one: typeof data) => [
    one.issued_by,
    one.third_party,
    one.no_recipient_art61d,
    one.currency,
    one.exchange_rate,
  ];
  assert.deepEqual(fiscal(data), ['third_party', agency, false, 'USD', 0.92]);
  type Line = {
    tax_kind: string;
    regime_key: string | null;
    qualification: string;
    exemption_reason: string;
    tax_rate: number;
    surcharge_rate: number;
  };
  const short = (l: Line) => [
    l.tax_kind,
    l.regime_key,
    l.qualification ?? l.exemption_reason,
    l.tax_rate,
    l.surcharge_rate,
  ];
  assert.deepEqual(data.lines.map(short), [
    ['vat', '18', 'S1', 10, 1.4],
    ['vat', '01', 'S2', 0, null],
    ['vat', '02', 'E2', null, null],
    ['igic', '01', 'S1', 7, null],
    ['other', null, 'S1', 3, null],
    ['vat', '17', 'S1', 19, null],
  ]);
  const path = `/v1/invoices/${data.id}`;
  assert.deepEqual((await app.get(path, { key })).body.data, data);
  assert.deepEqual((await app.put(path, { key, body: data })).body.data, data, 'what was got is put back');
  const seriesOf = async (code: string, document_type: string) =>
    (await app.post('/v1/series', { key, body: { code, document_type } })).body.data.id;

  const euros = await app.put(path, { key, body: { currency: 'EUR', issued_by: 'recipient' } });
  assert.deepEqual(fiscal(euros.body.data), ['recipient', null, false, 'EUR', null]);
  const series_id = await seriesOf('G', 'invoice');
  // Goods with surcharge are issued apart (RD 1619/2012, art. 16.4).
  const without_surcharge = data.lines.slice(1);
  const back = await app.put(path, {
    key,
    body: {
      currency: 'USD',
      exchange_rate: 0.9,
      issued_by: 'third_party',
      third_party: agency,
      series_id,
      lines: without_surcharge,
    },
  });
  assert.deepEqual(fiscal(back.body.data), ['third_party', agency, false, 'USD', 0.9]);

  const issued = await app.post(`${path}/issue`, { key });
  assert.equal(issued.status, 200, issued.text);
  assert.deepEqual(fiscal(issued.body.data), fiscal(back.body.data));
  assert.equal((await app.put(path, { key, body: { issued_by: 'issuer' } })).body.error.param, 'issued_by');
  const copy = await app.post(`${path}/duplicate`, { key });
  const corrective = await app.post(`${path}/corrective`, {
    key,
    body: {
      correction: { type: 'differences' },
      series_id: await seriesOf('GR', 'corrective_invoice'),
    },
  });
  for (const made_from of [copy, corrective]) {
    assert.equal(made_from.status, 201, made_from.text);
    assert.deepEqual(fiscal(made_from.body.data), fiscal(back.body.data));
    assert.deepEqual(made_from.body.data.lines.map(short), without_surcharge.map(short));
  }
});

test('given a ticket without recipient by art. 6.1.d, when issued and corrected, then its total is free and R5 keeps the mark', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const body = {
    type: 'F2',
    no_recipient_art61d: true,
    lines: [{ ...line, unit_price: 9000 }],
    options: { issue: true },
  };
  const made = await app.post('/v1/invoices', { key, body });
  assert.deepEqual([made.status, made.body.data?.no_recipient_art61d], [201, true], made.text);
  const corrective = await app.post(`/v1/invoices/${made.body.data.id}/corrective`, {
    key,
    body: { correction: { type: 'differences' } },
  });
  assert.deepEqual([corrective.body.data.type, corrective.body.data.no_recipient_art61d], ['R5', true]);
  const full = await app.post('/v1/invoices/substitute-simplified', {
    key,
    body: { simplified_invoice_uuids: [made.body.data.id], client_id: await clientOf(app, key) },
  });
  assert.equal(full.status, 409, 'brought to zero, it is no longer in force');
});

test('given such a ticket, when a full invoice takes its place, then that one has a recipient and no mark', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const ticket = (more: object) =>
    app.post('/v1/invoices', { key, body: { type: 'F2', lines: [line], options: { issue: true }, ...more } });
  const series = await app.post('/v1/series', {
    key,
    body: { code: 'D', document_type: 'simplified_invoice' },
  });
  const [marked, other] = [
    await ticket({ no_recipient_art61d: true }),
    await ticket({ issued_by: 'recipient', series_id: series.body.data.id }),
  ];
  const client_id = await clientOf(app, key);
  const substitute = (ids: string[]) =>
    app.post('/v1/invoices/substitute-simplified', {
      key,
      body: { simplified_invoice_uuids: ids, client_id },
    });
  const mixed = await substitute([marked.body.data.id, other.body.data.id]);
  assert.deepEqual([mixed.status, mixed.body.error?.param], [422, 'simplified_invoice_uuids']);
  const full = await substitute([marked.body.data.id]);
  assert.deepEqual(
    [full.status, full.body.data?.type, full.body.data?.no_recipient_art61d],
    [201, 'F3', false],
    full.text,
  );
});

// A draft refuses these, created or put.
const refusals: readonly (readonly [
  what: string,
  body: Record<string, unknown>,
  code: string,
  param: string,
  line_index?: number,
])[] = [
  [
    'a line exempt by export under the general regime',
    { lines: [line, { ...line, tax_rate: null, exemption_reason: 'E2', regime_key: '01' }] },
    'business_rule_violation',
    'lines.1.regime_key',
    1,
  ],
  [
    'a rate that is none',
    { lines: [{ ...line, tax_rate: 18 }] },
    'business_rule_violation',
    'lines.0.tax_rate',
    0,
  ],
  [
    'a rate that had lapsed on the day of the operation',
    { issued_on: '2026-01-10', operation_on: '2025-01-01', lines: [{ ...line, tax_rate: 7.5 }] },
    'business_rule_violation',
    'lines.0.tax_rate',
    0,
  ],
  [
    'reverse charge at 21',
    { lines: [{ ...line, qualification: 'S2' }] },
    'business_rule_violation',
    'lines.0.tax_rate',
    0,
  ],
  [
    'IGIC with a surcharge',
    { lines: [{ ...line, tax_kind: 'igic', surcharge_rate: 5.2 }] },
    'business_rule_violation',
    'lines.0.surcharge_rate',
    0,
  ],
  [
    'another tax with a key',
    { lines: [{ ...line, tax_kind: 'other', regime_key: '01' }] },
    'business_rule_violation',
    'lines.0.regime_key',
    0,
  ],
  [
    'IGIC without rate',
    { lines: [{ description: 'x', unit_price: 1, tax_kind: 'igic' }] },
    'missing_required_param',
    'lines.0.tax_rate',
    0,
  ],
  ['a currency without rate', { currency: 'USD', lines: [line] }, 'missing_required_param', 'exchange_rate'],
  ['euros with a rate', { exchange_rate: 1, lines: [line] }, 'business_rule_violation', 'exchange_rate'],
  [
    'a rate of zero',
    { currency: 'USD', exchange_rate: 0, lines: [line] },
    'parameter_invalid',
    'exchange_rate',
  ],
  [
    'a third party without data',
    { issued_by: 'third_party', lines: [line] },
    'missing_required_param',
    'third_party',
  ],
  [
    'a third party that does not issue',
    { third_party: agency, lines: [line] },
    'business_rule_violation',
    'third_party',
  ],
  [
    'a third party with a wrong tax id',
    { issued_by: 'third_party', third_party: { ...agency, tax_id: 'X' }, lines: [line] },
    'parameter_invalid',
    'third_party.tax_id',
  ],
  ['an issuer that is none', { issued_by: 'nobody', lines: [line] }, 'parameter_invalid', 'issued_by'],
  [
    '61d in a full invoice',
    { no_recipient_art61d: true, lines: [line] },
    'business_rule_violation',
    'no_recipient_art61d',
  ],
];
for (const [what, body, code, param, line_index] of refusals) {
  test(`given ${what}, when it is created or put, then 422 ${code} names ${param}`, async (t) => {
    const app = await startApp(t);
    const { live_key: key } = await app.given.company();
    const draft = await app.post('/v1/invoices', { key, body: { lines: [line] } });
    const path = `/v1/invoices/${draft.body.data.id}`;
    for (const res of [await app.post('/v1/invoices', { key, body }), await app.put(path, { key, body })]) {
      assert.deepEqual(
        [res.status, res.body.error?.code, res.body.error?.param, res.body.error?.line_index],
        [422, code, param, line_index],
        res.text,
      );
    }
    assert.deepEqual((await app.get(path, { key })).body, draft.body);
  });
}

const works = { ...line, regime_key: '14' };
// A draft accepts these; issuing refuses them.
const issueRefusals: readonly (readonly [
  what: string,
  client: Record<string, unknown> | null,
  body: Record<string, unknown>,
  param: string,
  line_index?: number,
])[] = [
  ['a ticket above the ceiling', null, { type: 'F2', lines: [{ ...line, unit_price: 2479.35 }] }, 'total'],
  ['a qualified one above it', {}, { type: 'F2', lines: [{ ...line, unit_price: 2479.35 }] }, 'total'],
  [
    'one above it in dollars',
    null,
    { type: 'F2', currency: 'USD', exchange_rate: 2, lines: [{ ...line, unit_price: 1300 }] },
    'total',
  ],
  [
    'the corrective of an anonymous ticket, with a client',
    {},
    {
      type: 'R5',
      correction: { type: 'differences' },
      corrected_invoices: [{ number: 'S1', issued_on: '2026-01-10' }],
      lines: [line],
    },
    'client_id',
  ],
  [
    'reverse charge without recipient',
    null,
    { type: 'F2', lines: [line, { ...line, tax_rate: 0, qualification: 'S2' }] },
    'lines.1.qualification',
    1,
  ],
  [
    'works for a company',
    { tax_id: 'A58818501' },
    { operation_on: '2199-01-01', lines: [works] },
    'client_id',
    0,
  ],
  ['works without a later operation', { tax_id: 'P2807900B' }, { lines: [line, works] }, 'operation_on', 1],
  [
    'an intra-community delivery by NIF',
    { tax_id: 'A58818501' },
    { lines: [{ ...line, tax_rate: null, exemption_reason: 'E5' }] },
    'client_id',
    0,
  ],
];
for (const [what, client, body, param, line_index] of issueRefusals) {
  test(`given ${what}, when it is issued, then 422 names ${param}, and the dry run says the same`, async (t) => {
    const app = await startApp(t);
    const { live_key: key } = await app.given.company();
    const asked = client ? { client_id: await clientOf(app, key, client), ...body } : body;
    const draft = await app.post('/v1/invoices', { key, body: asked });
    assert.equal(draft.status, 201, draft.text);
    const issue = await app.post(`/v1/invoices/${draft.body.data.id}/issue`, { key });
    const at_once = await app.post('/v1/invoices', { key, body: { ...asked, options: { issue: true } } });
    for (const res of [issue, at_once]) {
      assert.deepEqual(
        [res.status, res.body.error?.code, res.body.error?.param, res.body.error?.line_index],
        [422, 'business_rule_violation', param, line_index],
        res.text,
      );
    }
    const can = await app.post(`/v1/invoices/${draft.body.data.id}/can-issue`, { key });
    const dry = await app.post('/v1/invoices', { key, body: { ...asked, options: { dry_run: true } } });
    for (const { body: answer } of [can, dry]) {
      assert.deepEqual(
        answer.data.reasons.map((r: { param: string; line_index: number | null }) => [
          r.param,
          r.line_index ?? undefined,
        ]),
        [[param, line_index]],
      );
    }
  });
}

test('given many fiscal faults, when it is a dry run, then each has its reason', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const body = {
    type: 'F2',
    issued_by: 'third_party',
    currency: 'USD',
    exchange_rate: 2,
    no_recipient_art61d: true,
    client_id: await clientOf(app, key),
    lines: [{ ...line, tax_rate: 18 }, line, { ...line, surcharge_rate: 1.4 }],
    options: { dry_run: true },
  };
  const res = await app.post('/v1/invoices', { key, body });
  const params = res.body.data.reasons.map((r: { param: string }) => r.param);
  assert.deepEqual(params.sort(), [
    'client_id',
    'lines.0.tax_rate',
    'lines.2.surcharge_rate',
    'series_id',
    'third_party',
  ]);
});

test('given works for a public body, when they are issued before the operation, then they are accepted', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const body = {
    client_id: await clientOf(app, key, { tax_id: 'P2807900B' }),
    operation_on: '2199-01-01',
    lines: [works],
    options: { issue: true },
  };
  const res = await app.post('/v1/invoices', { key, body });
  assert.deepEqual([res.status, res.body.data?.operation_on], [201, '2199-01-01'], res.text);
});

test('given a temporary rate, when its days are over, then a draft is refused and a corrective says of which day it is', async (t) => {
  const app = await startApp(t);
  app.clock.set('2024-12-20T10:00:00Z');
  const { live_key: key } = await app.given.company();
  const body = {
    type: 'F2',
    lines: [
      { ...line, tax_rate: 21, surcharge_rate: 5.2 },
      { ...line, tax_rate: 7.5, surcharge_rate: 1 },
    ],
  };
  const draft = await app.post('/v1/invoices', { key, body });
  const issued = await app.post('/v1/invoices', { key, body: { ...body, options: { issue: true } } });
  assert.deepEqual([draft.status, issued.status], [201, 201], issued.text);

  app.clock.set('2025-01-02T10:00:00Z');
  const late = await app.post(`/v1/invoices/${draft.body.data.id}/issue`, { key });
  assert.deepEqual(
    [late.status, late.body.error?.param, late.body.error?.line_index],
    [422, 'lines.1.tax_rate', 1],
    late.text,
  );
  await app.put(`/v1/invoices/${draft.body.data.id}`, { key, body: { operation_on: '2024-12-20' } });
  assert.equal((await app.post(`/v1/invoices/${draft.body.data.id}/issue`, { key })).status, 200);

  const corrective = await app.post(`/v1/invoices/${issued.body.data.id}/corrective`, {
    key,
    body: { correction: { type: 'differences' } },
  });
  assert.deepEqual(
    [corrective.status, corrective.body.data?.operation_on],
    [201, '2024-12-20'],
    corrective.text,
  );
  const plain = await app.post('/v1/invoices', {
    key,
    body: { type: 'F2', lines: [line], options: { issue: true } },
  });
  const of_plain = await app.post(`/v1/invoices/${plain.body.data.id}/corrective`, {
    key,
    body: { correction: { type: 'differences' } },
  });
  assert.equal(of_plain.body.data.operation_on, null, 'a rate in force needs no day');
});

test('given a stored line, when its exemption, qualification or kind changes, then what followed from the old one goes', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const made = await app.post('/v1/invoices', { key, body: { lines: [line] } });
  const { id } = made.body.data.lines[0];
  const put = async (change: Record<string, unknown>) => {
    const res = await app.put(`/v1/invoices/${made.body.data.id}`, {
      key,
      body: { lines: [{ id, ...change }] },
    });
    const l = res.body.data?.lines[0];
    return l
      ? [l.tax_kind, l.regime_key, l.qualification ?? l.exemption_reason, l.tax_rate]
      : [res.body.error.code, res.body.error.param];
  };
  assert.deepEqual(await put({ exemption_reason: 'E2' }), ['vat', '02', 'E2', null]);
  assert.deepEqual(await put({ tax_rate: 10 }), ['business_rule_violation', 'lines.0.tax_rate']);
  assert.deepEqual(await put({ exemption_reason: null, tax_rate: 10 }), ['vat', '01', 'S1', 10]);
  assert.deepEqual(await put({ qualification: 'S2' }), ['vat', '01', 'S2', 0]);
  assert.deepEqual(await put({ qualification: 'N2', regime_key: '08' }), ['vat', '08', 'N2', null]);
  assert.deepEqual(await put({ tax_rate: 21 }), ['business_rule_violation', 'lines.0.tax_rate']);
  const taxed = { qualification: null, tax_rate: 21 };
  assert.deepEqual(await put(taxed), ['business_rule_violation', 'lines.0.regime_key']);
  assert.deepEqual(await put({ tax_kind: 'igic' }), ['missing_required_param', 'lines.0.tax_rate']);
  assert.deepEqual(await put({ tax_kind: 'igic', tax_rate: 7 }), ['igic', '01', 'S1', 7]);
  assert.deepEqual(await put({ tax_kind: 'other', tax_rate: 7 }), ['other', null, 'S1', 7]);
});
