import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type App, startApp, type TestCompany } from '../../../../test/harness.ts';
import { asRead } from '../../../../test/support/as-read.ts';
import { assertRefused } from '../../../../test/support/resource-checks.ts';

const line = {
  description: 'Trabajo',
  quantity: 2,
  unit_price: 50,
  tax_rate: 21,
  unit: 'h',
  regime_key: '01',
};

async function client(app: App, company: TestCompany): Promise<string> {
  const body = { name: 'Norte SL', tax_id: 'B98765431' };
  return (await app.post('/v1/clients', { key: company.live_key, body })).body.data.id;
}

async function issued(app: App, company: TestCompany, fields: object = {}): Promise<string> {
  const body = { client_id: await client(app, company), lines: [line], options: { issue: true }, ...fields };
  const res = await app.post('/v1/invoices', { key: company.live_key, body });
  assert.equal(res.status, 201, res.text);
  return res.body.data.id;
}

const read = async (app: App, company: TestCompany, id: string) =>
  (await app.get(`/v1/invoices/${id}`, { key: company.live_key })).body.data;
const correct = (app: App, company: TestCompany, id: string, body: object) =>
  app.post(`/v1/invoices/${id}/corrective`, { key: company.live_key, body });
const differences = { type: 'differences', reason: 'Devolución' };

test('given an issued invoice, when part of it is corrected by differences, then its state stays and less is to pay', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const id = await issued(app, acme, { operation_on: '2026-01-15', issued_on: '2026-01-20' });
  const res = await correct(app, acme, id, { correction: differences, lines: [{ quantity: -1 }] });
  assert.equal(res.status, 201, res.text);
  const { data } = res.body;
  assert.deepEqual(
    [data.type, data.status, data.total, data.operation_on, data.correction],
    ['R1', 'issued', -60.5, '2026-01-15', differences],
  );
  assert.match(data.number, /^R\d{4}-000001$/);
  // Absent keys come from the original line.
  assert.deepEqual(
    [data.lines[0].description, data.lines[0].unit, data.lines[0].unit_price, data.lines[0].tax_rate],
    ['Trabajo', 'h', 50, 21],
  );
  const original = await read(app, acme, id);
  assert.deepEqual(
    [original.status, original.corrective_ids, original.pending_amount, original.total],
    ['issued', [data.id], 60.5, 121],
  );
  assert.deepEqual(data.corrected_invoices, [
    {
      id,
      number: original.number,
      issued_on: '2026-01-20',
      subtotal: 100,
      taxes_total: 21,
      surcharge_total: 0,
    },
  ]);
  assert.deepEqual(await app.eventTypes(acme, id), [
    'invoice.created',
    'invoice.number_assigned',
    'invoice.rectified',
  ]);
  assert.deepEqual(await app.eventTypes(acme, data.id), ['invoice.created', 'invoice.number_assigned']);
  assert.deepEqual(await read(app, acme, data.id), asRead(data));

  // The rest brings it to zero.
  const rest = await correct(app, acme, id, { correction: differences, lines: [{ quantity: -1 }] });
  assert.equal(rest.status, 201);
  assert.deepEqual(
    [(await read(app, acme, id)).status, (await read(app, acme, id)).pending_amount],
    ['rectified', 0],
  );
  assert.equal((await correct(app, acme, id, { correction: differences })).status, 409);
});

test('given no lines, when corrected by differences, then all is undone', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const id = await issued(app, acme);
  const res = await correct(app, acme, id, { correction: differences });
  assert.deepEqual([res.body.data.total, res.body.data.lines[0].quantity], [-121, -2]);
  assert.equal((await read(app, acme, id)).status, 'rectified');
});

test('given an issued invoice, when corrected by substitution, then the new one takes its place', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const id = await issued(app, acme);
  const res = await correct(app, acme, id, {
    correction: { type: 'substitution' },
    type: 'R4',
    lines: [{ unit_price: 40 }],
  });
  assert.deepEqual(
    [res.body.data.type, res.body.data.total, res.body.data.correction],
    ['R4', 96.8, { type: 'substitution', reason: null }],
  );
  assert.deepEqual(
    [(await read(app, acme, id)).status, (await read(app, acme, id)).pending_amount],
    ['rectified', 0],
  );
});

test('given per-line causes, when a key is left out, sent or null, then it is inherited, replaced or none', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const exempt = {
    description: 'Curso',
    unit_price: 10,
    exemption_reason: 'E1',
    exemption_reason_text: 'art. 20',
    unit: 'h',
  };
  const id = await issued(app, acme, { lines: [exempt, exempt, exempt] });
  const res = await correct(app, acme, id, {
    correction: { type: 'substitution' },
    lines: [
      {},
      { exemption_reason: 'E6', exemption_reason_text: null, unit: null },
      { exemption_reason: null, tax_rate: 21 },
      { description: 'más', unit_price: 1, tax_rate: 21 },
    ],
  });
  assert.equal(res.status, 201, res.text);
  assert.deepEqual(
    res.body.data.lines.map((l: Record<string, unknown>) => [
      l.exemption_reason,
      l.exemption_reason_text,
      l.unit,
      l.tax_rate,
    ]),
    [
      ['E1', 'art. 20', 'h', null],
      ['E6', null, null, null],
      [null, 'art. 20', 'h', 21],
      [null, null, null, 21],
    ],
  );
});

test('given regime keys, when a key is left out, sent or null, then it is inherited, replaced or the general one', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const works = { ...line, regime_key: '03' };
  const id = await issued(app, acme, { lines: [works, works, works] });
  const lines = [{ quantity: -1 }, { quantity: -1, regime_key: '01' }, { quantity: -1, regime_key: null }];
  const res = await correct(app, acme, id, { correction: differences, lines });
  assert.equal(res.status, 201, res.text);
  assert.deepEqual(
    res.body.data.lines.map((l: { regime_key: string }) => l.regime_key),
    ['03', '01', '01'],
  );
  // That of an export is inherited too where the line does not state it, and another cause is sent.
  const { tax_rate: _, regime_key: __, ...bare } = line;
  const exported = { ...bare, exemption_reason: 'E2' };
  const sale = await issued(app, acme, { lines: Array.from({ length: 6 }, () => exported) });
  const changed = await correct(app, acme, sale, {
    correction: { type: 'substitution' },
    lines: [
      {},
      { exemption_reason: 'E6' },
      { exemption_reason: 'E3' },
      { exemption_reason: 'E6', regime_key: null },
      { exemption_reason: 'E6', regime_key: '01' },
      { exemption_reason: null, tax_rate: 21 },
    ],
  });
  assert.equal(changed.status, 201, changed.text);
  assert.deepEqual(
    changed.body.data.lines.map((l: { regime_key: string }) => l.regime_key),
    ['02', '02', '02', '01', '01', '01'],
  );
});

test('given a works certificate whose tax has fallen due, when it is corrected with its key, then the refusal names the key that it takes', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const council = { name: 'Ayuntamiento', tax_id: 'P2807900B' };
  const made = await app.post('/v1/clients', { key: acme.live_key, body: council });
  const id = await issued(app, acme, {
    client_id: made.body.data.id,
    issued_on: '2026-01-15',
    operation_on: '2026-01-20',
    lines: [{ ...line, regime_key: '14' }],
  });
  const refused = await correct(app, acme, id, { correction: differences });
  assertRefused(refused, 422, 'business_rule_violation', 'operation_on');
  assert.match(refused.body.error.message, /regime_key 01/);
  const lines = [{ quantity: -2, regime_key: '01' }];
  const res = await correct(app, acme, id, { correction: differences, lines });
  assert.equal(res.status, 201, res.text);
  assert.equal((await read(app, acme, id)).pending_amount, 0);
});

test('given fewer lines than the original, when corrected, then only those are in the corrective', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const id = await issued(app, acme, { lines: [line, { ...line, description: 'Otro', tax_rate: 10 }] });
  const res = await correct(app, acme, id, { correction: differences, lines: [{ quantity: -1 }] });
  assert.equal(res.status, 201, res.text);
  const { lines, total } = res.body.data;
  assert.deepEqual(
    [lines.map((l: { description: string }) => l.description), total, (await read(app, acme, id)).status],
    [['Trabajo'], -60.5, 'issued'],
  );
});

const typeCases: [string, object, string | undefined, number, string][] = [
  ['a full invoice without a type asked for', {}, undefined, 201, 'R1'],
  ['a full invoice and R3', {}, 'R3', 201, 'R3'],
  ['a full invoice and R5', {}, 'R5', 422, 'business_rule_violation'],
  ['an anonymous simplified one', { type: 'F2', client_id: null }, undefined, 201, 'R5'],
  [
    'an anonymous simplified one and R1',
    { type: 'F2', client_id: null },
    'R1',
    422,
    'business_rule_violation',
  ],
  ['a qualified simplified one', { type: 'F2' }, undefined, 201, 'R1'],
  ['a qualified simplified one and R5', { type: 'F2' }, 'R5', 422, 'business_rule_violation'],
];
for (const [name, fields, type, status, expected] of typeCases) {
  test(`given ${name}, when corrected, then ${expected} (rule 7)`, async (t) => {
    const app = await startApp(t);
    const acme = await app.given.company();
    const id = await issued(app, acme, fields);
    const res = await correct(app, acme, id, { correction: differences, ...(type ? { type } : {}) });
    assert.equal(res.status, status, res.text);
    assert.equal(status === 201 ? res.body.data.type : res.body.error.code, expected);
    if (status === 201) assert.equal(res.body.data.series.code, expected === 'R5' ? 'RS' : 'R');
    else assert.equal(res.body.error.param, 'type');
  });
}

test('given a paid invoice corrected by differences, when it is brought to zero, then what was paid is owed', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const id = await issued(app, acme);
  await app.post(`/v1/invoices/${id}/payments`, {
    key: acme.live_key,
    body: { amount: 121, payment_method: 'card' },
  });
  const half = await correct(app, acme, id, { correction: differences, lines: [{ quantity: -1 }] });
  assert.deepEqual(
    [(await read(app, acme, id)).status, (await read(app, acme, id)).pending_amount],
    ['paid', -60.5],
  );
  const annulled = await app.post(`/v1/invoices/${half.body.data.id}/annul`, { key: acme.live_key });
  assert.equal(annulled.status, 200, annulled.text);
  assert.deepEqual(
    [(await read(app, acme, id)).status, (await read(app, acme, id)).pending_amount],
    ['paid', 0],
  );
});

test('given an invoice with a corrective in force, when annulled, then 409 until the corrective is withdrawn', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const id = await issued(app, acme);
  const made = await correct(app, acme, id, { correction: differences });
  assert.equal((await app.post(`/v1/invoices/${id}/annul`, { key: acme.live_key })).status, 409);
  await app.post(`/v1/invoices/${made.body.data.id}/void`, { key: acme.live_key });
  assert.equal((await read(app, acme, id)).status, 'sent');
  assert.equal((await app.post(`/v1/invoices/${id}/annul`, { key: acme.live_key })).status, 200);
});

test('given a tax deleted since, when an invoice with it is corrected, then the lines have what the original took from it', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const tax = await app.post('/v1/taxes', { key, body: { name: 'IVA reducido', kind: 'vat', rate: 10 } });
  for (const lines of [undefined, [{ quantity: -1 }]]) {
    const id = await issued(app, acme, {
      lines: [{ description: 'Trabajo', unit_price: 50, taxes_id: tax.body.data.id }],
    });
    if (lines) assert.equal((await app.delete(`/v1/taxes/${tax.body.data.id}`, { key })).status, 200);
    const res = await correct(app, acme, id, { correction: differences, ...(lines ? { lines } : {}) });
    assert.equal(res.status, 201, res.text);
    assert.deepEqual([res.body.data.total, res.body.data.lines[0].tax_rate], [-55, 10]);
  }
});

test('given a draft or another company’s invoice, when corrected, then 409 or not found', async (t) => {
  const app = await startApp(t);
  const [acme, other] = [await app.given.company(), await app.given.company()];
  const id = await issued(app, acme, { options: {} });
  assert.equal((await correct(app, acme, id, { correction: differences })).status, 409);
  assert.equal((await correct(app, other, id, { correction: differences })).status, 404);
});

test('given an original that the service does not hold, when a corrective of it is made, then it is named by number and date', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const body = {
    type: 'R1',
    client_id: await client(app, acme),
    lines: [{ ...line, quantity: -1 }],
    options: { issue: true },
  };
  const create = (fields: object) =>
    app.post('/v1/invoices', { key: acme.live_key, body: { ...body, ...fields } });
  const missing = await create({});
  assert.deepEqual(
    [missing.status, missing.body.error.code, missing.body.error.param],
    [422, 'missing_required_param', 'correction'],
  );
  const unnamed = await create({ correction: differences });
  assert.deepEqual(
    [unnamed.body.error.code, unnamed.body.error.param],
    ['missing_required_param', 'corrected_invoices'],
  );
  const corrected_invoices = [{ number: 'A/2025/17', issued_on: '2025-11-03' }];
  const amounts = await create({ correction: { type: 'substitution' }, corrected_invoices });
  assert.deepEqual(
    [amounts.body.error.code, amounts.body.error.param],
    ['missing_required_param', 'corrected_invoices.0.subtotal'],
  );
  const made = await create({ correction: differences, corrected_invoices });
  assert.equal(made.status, 201, made.text);
  assert.deepEqual(made.body.data.corrected_invoices, [
    { id: null, ...corrected_invoices[0], subtotal: null, taxes_total: null, surcharge_total: null },
  ]);
  const future = [{ number: 'A/2199/1', issued_on: '2199-01-01' }];
  const later = await create({
    correction: differences,
    corrected_invoices: [...corrected_invoices, ...future],
  });
  assert.deepEqual(
    [later.status, later.body.error?.code, later.body.error?.param],
    [422, 'business_rule_violation', 'corrected_invoices.1.issued_on'],
  );
  const replaced = await app.post('/v1/invoices', {
    key: acme.live_key,
    body: { type: 'F3', client_id: body.client_id, lines: [line], substituted_invoices: future },
  });
  assert.deepEqual([replaced.status, replaced.body.error?.param], [422, 'substituted_invoices.0.issued_on']);
  // By substitution the amounts of an invoice that is named twice would count twice in the record.
  const amounted = { number: 'A/2025/17', issued_on: '2025-11-03', subtotal: 100, taxes_total: 21 };
  const other = { ...amounted, issued_on: '2025-11-04' };
  const twice = await create({
    correction: { type: 'substitution' },
    corrected_invoices: [amounted, other, { ...amounted, subtotal: 50 }],
  });
  assert.deepEqual(
    [twice.status, twice.body.error?.code, twice.body.error?.param],
    [422, 'business_rule_violation', 'corrected_invoices.2.number'],
  );
  const plain = await create({ type: 'F1', correction: differences });
  assert.deepEqual([plain.status, plain.body.error.param], [422, 'correction']);
});

test('given two correctives at once for one invoice, when both commit, then neither is lost', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const id = await issued(app, acme, { lines: [{ ...line, quantity: 10 }] });
  const all = await Promise.all(
    Array.from({ length: 8 }, () =>
      correct(app, acme, id, { correction: differences, lines: [{ quantity: -1 }] }),
    ),
  );
  assert.ok(
    all.every((r) => r.status === 201),
    all.map((r) => r.text).join('\n'),
  );
  const original = await read(app, acme, id);
  assert.deepEqual([original.corrective_ids.length, original.pending_amount], [8, 121]);
});

// The original's line, the line of its corrective, and what the corrective says: cause or qualification and rate, or the param.
const inherited = [
  ['exempt', { exemption_reason: 'E1', tax_rate: 0 }, { tax_rate: 0 }, ['E1', null]],
  ['exempt', { exemption_reason: 'E1' }, { tax_rate: null }, ['E1', null]],
  ['exempt by its tax', { by_tax: true, tax_rate: 0 }, { tax_rate: 0 }, ['E1', null]],
  ['exempt', { exemption_reason: 'E1', tax_rate: 0 }, { tax_rate: 21 }, 'lines.0.tax_rate'],
  ['exempt', { exemption_reason: 'E1' }, { exemption_reason: null, tax_rate: 0 }, ['S1', 0]],
  ['exempt', { exemption_reason: 'E1' }, { exemption_reason: null, tax_rate: 21 }, ['S1', 21]],
  ['not subject', { qualification: 'N2', tax_rate: 0 }, { tax_rate: 0 }, ['N2', null]],
  ['not subject', { qualification: 'N2' }, { tax_rate: 21 }, 'lines.0.tax_rate'],
  ['not subject', { qualification: 'N2' }, { qualification: 'S1', tax_rate: 21 }, ['S1', 21]],
  ['reverse charge', { qualification: 'S2' }, { tax_rate: 0 }, ['S2', 0]],
  ['reverse charge', { qualification: 'S2' }, { tax_rate: 21 }, 'lines.0.tax_rate'],
  ['taxed', { tax_rate: 21 }, { tax_rate: 10 }, ['S1', 10]],
] as const;

for (const operation of ['a corrective', 'a draft line that is changed'] as const) {
  test(`given lines without tax, when ${operation} repeats the rate 0 or sends another, then no cause is lost in silence`, async (t) => {
    const app = await startApp(t);
    const acme = await app.given.company();
    const key = acme.live_key;
    const tax = await app.post('/v1/taxes', {
      key,
      body: { name: 'Exenta', kind: 'vat', exemption_reason: 'E1' },
    });
    for (const [what, { by_tax, ...said }, sent, expected] of inherited as readonly (readonly [
      string,
      { by_tax?: boolean },
      object,
      string | readonly unknown[],
    ])[]) {
      const own = { description: 'Curso', unit_price: 10, ...said };
      const lines = [by_tax ? { ...own, taxes_id: tax.body.data.id } : own];
      const answer =
        operation === 'a corrective'
          ? await correct(app, acme, await issued(app, acme, { lines }), {
              correction: { type: 'substitution' },
              lines: [sent],
            })
          : await changed(app, key, lines, sent);
      const [first] = answer.body.data?.lines ?? [];
      assert.deepEqual(
        first ? [first.exemption_reason ?? first.qualification, first.tax_rate] : answer.body.error.param,
        expected,
        `${what}: ${JSON.stringify(sent)}`,
      );
    }
  });
}

async function changed(app: App, key: string, lines: readonly object[], sent: object) {
  const draft = (await app.post('/v1/invoices', { key, body: { lines } })).body.data;
  const body = { lines: [{ id: draft.lines[0].id, ...sent }] };
  return app.put(`/v1/invoices/${draft.id}`, { key, body });
}

test('given an exempt line sent with the rate 0, when its corrective repeats it, then the record says E1', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const exempt = { description: 'Curso', unit_price: 100, tax_rate: 0, exemption_reason: 'E1' };
  const id = await issued(app, acme, { lines: [exempt] });
  const { exemption_reason: _, ...again } = exempt;
  const res = await correct(app, acme, id, {
    correction: differences,
    lines: [{ ...again, unit_price: -20 }],
  });
  assert.deepEqual(
    res.body.data.tax_breakdown.map((row: Record<string, unknown>) => [
      row.qualification,
      row.exemption_reason,
      row.tax_rate,
      row.base,
    ]),
    [[null, 'E1', null, -20]],
  );
});

test("given a line as the original's GET shows it, when it is sent with its id, then the refusal says to leave the id out", async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const id = await issued(app, acme);
  const [shown] = (await read(app, acme, id)).lines;
  const res = await correct(app, acme, id, {
    correction: differences,
    lines: [{ id: shown.id, quantity: -1 }],
  });
  assert.deepEqual(
    [res.status, res.body.error.param, res.body.error.errors[0].message],
    [422, 'lines.0.id', 'Las líneas de un documento nuevo no llevan id: quítelo.'],
  );
});

test('given an invoice, when its corrective is dated before it, then it is refused and no number is spent', async (t) => {
  const app = await startApp(t);
  app.clock.set('2026-06-15T10:00:00Z');
  const acme = await app.given.company();
  const id = await issued(app, acme, { issued_on: '2026-06-10' });
  for (const type of ['differences', 'substitution']) {
    const res = await correct(app, acme, id, { correction: { type }, issued_on: '2026-06-09' });
    assertRefused(res, 422, 'business_rule_violation', 'issued_on');
  }
  assert.deepEqual((await read(app, acme, id)).corrective_ids, []);
  const same_day = await correct(app, acme, id, { correction: differences, issued_on: '2026-06-10' });
  assert.deepEqual([same_day.status, same_day.body.data?.number], [201, 'R2026-000001'], same_day.text);
});

test('given stated originals, when a corrective or a full invoice is dated before one of them, then issue and dry run refuse it', async (t) => {
  const app = await startApp(t);
  app.clock.set('2026-06-15T10:00:00Z');
  const { live_key: key, ...acme } = await app.given.company();
  const client_id = await client(app, { live_key: key, ...acme });
  const amounts = { subtotal: 100, taxes_total: 21 };
  const named = ['2026-05-01', '2026-06-10'].map((day) => ({ number: day, issued_on: day, ...amounts }));
  const early = { client_id, issued_on: '2026-06-09', lines: [line] };
  const referring = [
    { type: 'R1', correction: differences, corrected_invoices: named },
    { type: 'R1', correction: { type: 'substitution' }, corrected_invoices: named },
    { type: 'F3', substituted_invoices: named },
  ];
  const paths: string[] = [];
  for (const refers of referring) {
    const body = { ...early, ...refers };
    const at_once = await app.post('/v1/invoices', { key, body: { ...body, options: { issue: true } } });
    assertRefused(at_once, 422, 'business_rule_violation', 'issued_on');
    const dry = await app.post('/v1/invoices', { key, body: { ...body, options: { dry_run: true } } });
    const paramsOf = (answer: typeof dry) =>
      answer.body.data.reasons.map((reason: { param: string }) => reason.param);
    assert.deepEqual(paramsOf(dry), ['issued_on'], dry.text);
    // A draft is accepted as it is, since its day may still change.
    const draft = (await app.post('/v1/invoices', { key, body })).body.data;
    const path = `/v1/invoices/${draft.id}`;
    assert.deepEqual(paramsOf(await app.post(`${path}/can-issue`, { key })), ['issued_on']);
    assertRefused(await app.post(`${path}/issue`, { key }), 422, 'business_rule_violation', 'issued_on');
    paths.push(path);
  }
  for (const path of paths) {
    await app.put(path, { key, body: { issued_on: '2026-06-10' } });
    assert.equal((await app.post(`${path}/issue`, { key })).status, 200);
  }
});
