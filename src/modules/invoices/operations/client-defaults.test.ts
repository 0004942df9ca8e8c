/** What a line takes from its client: tax, rate, retention and discount, and the taxation that its regime decides. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type App, startApp } from '../../../../test/harness.ts';
import { assertRefused, create } from '../../../../test/support/resource-checks.ts';

type Json = Record<string, unknown>;
type Draft = { id: string; lines: (Json & { id: string })[] };

const line = { description: 'Mesa', unit_price: 100 };
const french = { name: 'Société Exemple', vat_id: 'FR40303265045' };

async function given(app: App) {
  const company = await app.given.company();
  const { live_key: key } = company;
  const client = async (fields: Json) =>
    (await create(app, '/v1/clients', key, { name: 'Norte', ...fields })).id;
  const tax = async (fields: Json) =>
    (await create(app, '/v1/taxes', key, { name: 'IVA', kind: 'vat', ...fields })).id;
  const product = async (fields: Json) =>
    (await create(app, '/v1/products', key, { name: 'Silla', unit_price: 100, ...fields })).id;
  const invoice = (body: Json) => create<Draft>(app, '/v1/invoices', key, body);
  const issue = (id: string) => app.post(`/v1/invoices/${id}/issue`, { key });
  return { company, key, client, tax, product, invoice, issue };
}

const taxed = ({ lines }: Draft) =>
  lines.map((one) => [one.exemption_reason ?? one.qualification, one.tax_rate, one.regime_key]);

test('given regimes, when a line says nothing of its tax, then the regime decides, though its product has a tax', async (t) => {
  const app = await startApp(t);
  const { client, tax, product, invoice } = await given(app);
  const taxes_id = await tax({ rate: 21 });
  const table = await product({ kind: 'good', taxes_id });
  const work = await product({ kind: 'service', taxes_id });
  const lines = [{ product_id: table }, { product_id: work }, { ...line, tax_rate: 0 }];
  const company = await app.given.company();
  assert.ok(company);
  for (const [regime, expected] of [
    [
      'general',
      [
        ['S1', 21, '01'],
        ['S1', 21, '01'],
        ['S1', 0, '01'],
      ],
    ],
    [
      'intra_community',
      [
        ['E5', null, '01'],
        ['N2', null, '01'],
        ['E5', null, '01'],
      ],
    ],
    [
      'export',
      [
        ['E2', null, '02'],
        ['N2', null, '01'],
        ['E2', null, '02'],
      ],
    ],
    [
      'exempt',
      [
        ['E6', null, '01'],
        ['E6', null, '01'],
        ['E6', null, '01'],
      ],
    ],
    [
      'reverse_charge',
      [
        ['S2', 0, '01'],
        ['S2', 0, '01'],
        ['S2', 0, '01'],
      ],
    ],
  ] as const) {
    const client_id = await client({ ...french, preferred_operation_regime: regime });
    assert.deepEqual(taxed(await invoice({ client_id, lines })), expected, regime);
  }
});

test('given an intra-community client, when the company has a default VAT, then it is not charged', async (t) => {
  const app = await startApp(t);
  const { key, client, invoice } = await given(app);
  await app.put('/v1/account/company', { key, body: { default_vat: { invoice: 21 } } });
  const client_id = await client({ ...french, preferred_operation_regime: 'intra_community' });
  assert.deepEqual(taxed(await invoice({ client_id, lines: [line] })), [['E5', null, '01']]);
  const said = [
    { ...line, tax_rate: 21 },
    { ...line, qualification: null },
    { ...line, exemption_reason: 'E6' },
  ];
  assert.deepEqual(taxed(await invoice({ client_id, lines: said })), [
    ['S1', 21, '01'],
    ['S1', 21, '01'],
    ['E6', null, '01'],
  ]);
});

test('given rates and taxes of product, client and company, when lines say less and less, then each is asked in turn', async (t) => {
  const app = await startApp(t);
  const { key, client, tax, product, invoice } = await given(app);
  const [four, ten, exempt] = [
    await tax({ rate: 4 }),
    await tax({ rate: 10 }),
    await tax({ exemption_reason: 'E1' }),
  ];
  const [with_tax, without] = [await product({ taxes_id: four }), await product({})];
  const lines = [{ product_id: with_tax, tax_rate: 21 }, { product_id: with_tax }, { product_id: without }];
  const rates = async (fields: Json) => {
    const draft = await invoice({ client_id: await client(fields), lines });
    return draft.lines.map((one) => one.tax_rate ?? one.exemption_reason);
  };
  await app.put('/v1/account/company', { key, body: { default_vat: { invoice: 21 } } });
  assert.deepEqual(await rates({ default_taxes_id: ten, default_vat_rate: 0 }), [21, 4, 10]);
  assert.deepEqual(await rates({ default_vat_rate: 0 }), [21, 4, 0]);
  assert.deepEqual(await rates({ default_taxes_id: exempt }), [21, 4, 'E1']);
  assert.deepEqual(await rates({}), [21, 4, 21]);
  const fields = { preferred_operation_regime: 'exempt', default_taxes_id: exempt };
  assert.deepEqual(await rates(fields), [21, 'E1', 'E1'], "an exempt client's tax names the cause");
});

test('given a product whose tax is exempt, when a line repeats the rate 0, then it stays exempt', async (t) => {
  const app = await startApp(t);
  const { tax, product, invoice } = await given(app);
  const product_id = await product({ taxes_id: await tax({ exemption_reason: 'E1' }) });
  const lines = [
    { product_id, tax_rate: 0 },
    { product_id, tax_rate: 21 },
  ];
  assert.deepEqual(taxed(await invoice({ lines })), [
    ['E1', null, '01'],
    ['S1', 21, '01'],
  ]);
});

test('given version 2026-06-01, when a line has no tax, then neither client nor company is asked for a rate', async (t) => {
  const app = await startApp(t);
  const { key, client } = await given(app);
  const body = { client_id: await client({ default_vat_rate: 21 }), lines: [line] };
  const headers = { 'service-version': '2026-06-01' };
  const answer = await app.post('/v1/invoices', { key, headers, body });
  assertRefused(answer, 422, 'missing_required_param', 'lines.0.tax_rate');
});

test('given a discount and a retention of the client, when a line says nothing of them, then it has them, and null is none', async (t) => {
  const app = await startApp(t);
  const { key, client, invoice } = await given(app);
  const client_id = await client({ default_discount: 10, default_retention_rate: 15 });
  const own = { ...line, tax_rate: 21 };
  const draft = await invoice({
    client_id,
    lines: [
      own,
      { ...own, discount_percent: 5, retention_rate: 7 },
      { ...own, discount_percent: null, retention_rate: null },
    ],
  });
  const told = (of: Draft) => of.lines.map((one) => [one.discount_percent, one.retention_rate]);
  assert.deepEqual(told(draft), [
    [10, 15],
    [5, 7],
    [null, null],
  ]);
  const [first, , last] = draft.lines;
  const put = await app.put(`/v1/invoices/${draft.id}`, {
    key,
    body: { lines: [{ id: first!.id, discount_percent: null }, { id: last!.id }, own] },
  });
  assert.deepEqual(told(put.body.data), [
    [null, 15],
    [null, null],
    [10, 15],
  ]);
});

test('given a draft, when its client changes later, then an edit, a copy and a corrective keep what is stored', async (t) => {
  const app = await startApp(t);
  const { key, client, invoice, issue } = await given(app);
  const client_id = await client({ ...french });
  const own = { ...line, tax_rate: 21 };
  const draft = await invoice({ client_id, lines: [own] });
  const changed = {
    preferred_operation_regime: 'intra_community',
    default_discount: 50,
    default_retention_rate: 15,
  };
  await app.put(`/v1/clients/${client_id}`, { key, body: changed });
  const told = (of: Draft) =>
    of.lines.map((one) => [
      one.exemption_reason ?? one.qualification,
      one.tax_rate,
      one.discount_percent,
      one.retention_rate,
    ]);
  const edited = await app.put(`/v1/invoices/${draft.id}`, { key, body: { notes: 'x' } });
  assert.deepEqual(told(edited.body.data), [['S1', 21, null, null]]);
  const copy = await app.post(`/v1/invoices/${draft.id}/duplicate`, { key });
  assert.deepEqual(told(copy.body.data), [['S1', 21, null, null]]);
  assert.equal((await issue(draft.id)).status, 200);
  const corrective = await app.post(`/v1/invoices/${draft.id}/corrective`, {
    key,
    body: { correction: { type: 'substitution' }, lines: [{ unit_price: 90 }, line] },
  });
  assert.deepEqual(
    told(corrective.body.data),
    [
      ['S1', 21, null, null],
      ['E5', null, 50, 15],
    ],
    'a line more says nothing',
  );
});

for (const regime of ['intra_community', 'export', 'exempt', 'reverse_charge'] as const) {
  test(`given a draft to a client of the regime ${regime}, when another takes its place, then what the lines did not say of their tax follows`, async (t) => {
    const app = await startApp(t);
    const { key, client, tax, product, invoice, issue } = await given(app);
    const product_id = await product({ kind: 'good', taxes_id: await tax({ rate: 10 }) });
    const special = await client({ ...french, preferred_operation_regime: regime });
    const plain = await client({ ...french, default_vat_rate: 21 });
    const said = { ...line, exemption_reason: 'E1' };
    const lines = [line, { ...line, tax_rate: 0, kind: 'service' }, { product_id }, said];
    const taxes_now = [
      ['S1', 21, '01'],
      ['S1', 21, '01'],
      ['S1', 10, '01'],
      ['E1', null, '01'],
    ];
    const before = await invoice({ client_id: special, lines });
    const put = async (id: string, body: object) => {
      const answer = await app.put(`/v1/invoices/${id}`, { key, body });
      assert.equal(answer.status, 200, answer.text);
      return answer.body.data as Draft;
    };
    for (const more of [{}, { lines: before.lines }, { lines: before.lines.map(({ id }) => ({ id })) }]) {
      const { id } = await invoice({ client_id: special, lines });
      const own = await put(id, { notes: 'x' });
      assert.deepEqual(taxed(own), taxed(before), 'its own client changes nothing');
      const sent =
        'lines' in more ? { lines: more.lines.map((one, at) => ({ ...one, id: own.lines[at]!.id })) } : {};
      const moved = await put(id, { client_id: plain, ...sent });
      assert.deepEqual(taxed(moved), taxes_now);
      assert.deepEqual(taxed(await put(id, { notes: 'y' })), taxes_now);
      assert.deepEqual(taxed(await put(id, { client_id: special })), taxed(before), 'and back');
      assert.deepEqual(taxed(await put(id, { client_id: plain })), taxes_now);
      assert.equal((await issue(id)).status, 200);
    }
    const { id, lines: stored } = await invoice({ client_id: special, lines: [line] });
    const other = { id: stored[0]!.id, exemption_reason: 'E3', qualification: null, regime_key: '02' };
    const stated = await put(id, { client_id: plain, lines: [other] });
    assert.deepEqual(taxed(stated), [['E3', null, '02']], 'what comes with the client is said');
    const fresh = await invoice({ client_id: special, lines: [line] });
    const ten = { id: fresh.lines[0]!.id, tax_rate: 10 };
    assert.deepEqual(taxed(await put(fresh.id, { client_id: plain, lines: [ten] })), [['S1', 10, '01']]);
    assert.deepEqual(taxed(await put(fresh.id, { client_id: special })), [['S1', 10, '01']], 'it was said');
    await put(id, { client_id: special });
    assert.deepEqual(taxed(await put(id, { client_id: plain })), [['E3', null, '02']]);
  });
}

test('given a draft whose lines say a rate or sell a variant with a tax of its own, when another client takes its place, then they keep it', async (t) => {
  const app = await startApp(t);
  const { key, client, tax, product, invoice } = await given(app);
  const [ten, four] = [await tax({ rate: 10 }), await tax({ rate: 4 })];
  const product_id = await product({
    kind: 'good',
    taxes_id: ten,
    variants: [{ name: 'Libro', taxes_id: four }],
  });
  const { variants } = (await app.get(`/v1/products/${product_id}`, { key })).body.data;
  const [plain, special] = [
    await client({ default_vat_rate: 21 }),
    await client({ ...french, preferred_operation_regime: 'intra_community' }),
  ];
  const lines = [
    { ...line, tax_rate: 21 },
    { ...line, taxes_id: ten },
    { product_id, variant_id: variants[0].id },
    line,
  ];
  const { id } = await invoice({ client_id: plain, lines });
  for (const [client_id, last] of [
    [special, ['E5', null, '01']],
    [plain, ['S1', 21, '01']],
  ] as const) {
    const { body } = await app.put(`/v1/invoices/${id}`, { key, body: { client_id } });
    assert.deepEqual(taxed(body.data), [['S1', 21, '01'], ['S1', 10, '01'], ['S1', 4, '01'], last]);
  }
});

for (const [what, fields, kind, is_refused] of [
  ['a VAT number of another state', { vat_id: 'FR40303265045' }, 'good', false],
  [
    'a VAT number as its alternative id',
    { alternative_id: { type: 'vat_id', value: 'FR40303265045' } },
    'good',
    false,
  ],
  ['nothing', {}, 'good', true],
  ['nothing, for a service', {}, 'service', true],
  ['a passport', { alternative_id: { type: 'passport', value: 'X1', country_code: 'FR' } }, 'good', true],
  ['a Spanish VAT number', { vat_id: 'ESA58818501' }, 'good', true],
  ['a Spanish VAT number, for a service', { vat_id: 'ESA58818501' }, 'service', true],
] as const) {
  test(`given an intra-community client with ${what}, when it is issued, then ${is_refused ? 'its VAT number is asked for' : 'it is issued'}`, async (t) => {
    const app = await startApp(t);
    const { key, client, invoice, issue } = await given(app);
    const client_id = await client({ ...fields, preferred_operation_regime: 'intra_community' });
    const draft = await invoice({ client_id, lines: [{ ...line, kind }] });
    const dry = await app.post(`/v1/invoices/${draft.id}/can-issue`, { key });
    assert.equal(dry.body.data.can_issue, !is_refused, dry.text);
    const answer = await issue(draft.id);
    if (!is_refused) return assert.equal(answer.status, 200, answer.text);
    assertRefused(answer, 422, 'business_rule_violation', 'client_id');
    assert.match(answer.body.error.message, /NIF-IVA/);
  });
}

for (const vat_id of [null, 'FR40303265045']) {
  test(`given a client that owes the tax itself, when it has ${vat_id ? 'a VAT number' : 'no identification'}, then it is ${vat_id ? 'issued' : 'asked for one'}`, async (t) => {
    const app = await startApp(t);
    const { key, client, invoice, issue } = await given(app);
    const client_id = await client({ vat_id, preferred_operation_regime: 'reverse_charge' });
    const draft = await invoice({ client_id, lines: [line] });
    const dry = await app.post(`/v1/invoices/${draft.id}/can-issue`, { key });
    assert.equal(dry.body.data.can_issue, vat_id !== null, dry.text);
    const answer = await issue(draft.id);
    if (vat_id) assert.equal(answer.status, 200, answer.text);
    else assertRefused(answer, 422, 'business_rule_violation', 'client_id');
  });
}

test('given a service, when it is said to be an intra-community delivery, then it is refused: that is of goods', async (t) => {
  const app = await startApp(t);
  const { key } = await given(app);
  const body = { lines: [{ ...line, kind: 'service', exemption_reason: 'E5' }] };
  const answer = await app.post('/v1/invoices', { key, body });
  assertRefused(answer, 422, 'business_rule_violation', 'lines.0.exemption_reason');
});

test('given an external id, when null is sent where nothing was, then it is another invoice, since the client decided before', async (t) => {
  const app = await startApp(t);
  const { key, client } = await given(app);
  const client_id = await client({ default_discount: 10, default_retention_rate: 15 });
  const post = (external_id: string, fields: Json) =>
    app.post('/v1/invoices', {
      key,
      body: { client_id, external_id, lines: [{ ...line, tax_rate: 21, ...fields }] },
    });
  const made = await post('p-1', {});
  assert.equal(made.status, 201, made.text);
  assert.equal((await post('p-1', {})).body.data.id, made.body.data.id);
  assertRefused(await post('p-1', { discount_percent: null }), 409, 'idempotency_key_reused', 'external_id');
  const free = await post('p-2', { discount_percent: null, retention_rate: null });
  assert.equal(free.body.data.total, 121, free.text);
  assertRefused(await post('p-2', {}), 409, 'idempotency_key_reused', 'external_id');
});

test('given a company of the Canary Islands or Ceuta, when its lines name no tax, then they have IGIC or IPSI, at the rates of client and company', async (t) => {
  const app = await startApp(t);
  const { key, client, tax, product, invoice, issue } = await given(app);
  const setKind = (tax_kind: string, invoice_rate: number) =>
    app.put('/v1/account/company', { key, body: { default_vat: { tax_kind, invoice: invoice_rate } } });
  const vat = await product({ taxes_id: await tax({ rate: 21 }) });
  const kinds = ({ lines }: Draft) =>
    lines.map((one) => [one.tax_kind, one.exemption_reason ?? one.qualification, one.tax_rate]);
  const made = async (fields: Json, lines: Json[]) => {
    const draft = await invoice({ client_id: await client(fields), lines });
    return { draft, kinds: kinds(draft) };
  };
  const services = [line, { ...line, kind: 'service' }];
  for (const [kind, rate, exempt] of [
    ['igic', 7, 'E8'],
    ['ipsi', 4, 'E6'],
  ] as const) {
    assert.equal((await setKind(kind, rate)).status, 200);
    const plain = await made({ tax_id: 'A58818501' }, [line, { product_id: vat }, { ...line, tax_rate: 21 }]);
    assert.deepEqual(plain.kinds, [[kind, 'S1', rate], ...[21, 21].map((one) => ['vat', 'S1', one])]);
    const issued = await issue(plain.draft.id);
    assert.equal(issued.status, 200, issued.text);
    const rows = issued.body.data.tax_breakdown.map((row: Json) => [row.tax_kind, row.base, row.tax]);
    assert.deepEqual(rows, [
      [kind, 100, rate],
      ['vat', 200, 42],
    ]);
    assert.deepEqual((await made({ default_vat_rate: 3 }, [line])).kinds, [[kind, 'S1', 3]]);
    // The surcharge is of VAT, and all other places are abroad.
    assert.deepEqual((await made({ is_surcharge_subject: true }, [line])).kinds, [[kind, 'S1', rate]]);
    for (const [regime, good, service] of [
      ['intra_community', 'E2', 'N2'],
      ['export', 'E2', 'N2'],
      ['exempt', exempt, exempt],
    ]) {
      const { draft, kinds: found } = await made({ ...french, preferred_operation_regime: regime }, services);
      assert.deepEqual(found, [
        [kind, good, null],
        [kind, service, null],
      ]);
      const answer = await issue(draft.id);
      assert.equal(answer.status, 200, answer.text);
    }
    const owes = await made({ preferred_operation_regime: 'reverse_charge' }, [line]);
    assert.deepEqual(owes.kinds, [[kind, 'S2', 0]]);
    // Without a rate nothing says that it is of VAT. Many people send 0 for no rate.
    const untaxed = await made({ tax_id: 'A58818501' }, [
      { ...line, exemption_reason: 'E1' },
      { ...line, exemption_reason: 'E1', tax_rate: 0 },
      { ...line, exemption_reason: 'E1', tax_kind: 'vat' },
      { ...line, qualification: 'N1' },
      { ...line, qualification: 'S2' },
      { ...line, tax_rate: 0 },
    ]);
    assert.deepEqual(untaxed.kinds, [
      [kind, 'E1', null],
      [kind, 'E1', null],
      ['vat', 'E1', null],
      [kind, 'N1', null],
      [kind, 'S2', 0],
      ['vat', 'S1', 0],
    ]);
    const answer = await issue(untaxed.draft.id);
    assert.equal(answer.status, 200, answer.text);
  }
});
