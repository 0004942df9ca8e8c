/** A dry run of a corrective: what it would add up to, and every reason against it. And which line of the original a line is. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type App, startOnce } from '../../../../test/harness.ts';

const start = startOnce({});

const lines = [
  { description: 'Mesa', quantity: 2, unit_price: 50, tax_rate: 21, unit: 'ud' },
  { description: 'Curso', quantity: 1, unit_price: 30, exemption_reason: 'E1', retention_rate: 15 },
  { description: 'Silla', quantity: 4, unit_price: 33.33, tax_rate: 10, discount_percent: 5 },
];

async function given(app: App, fields: object = {}) {
  const company = await app.given.company();
  const { live_key: key } = company;
  const made = async (path: string, body: object) => {
    const answer = await app.post(path, { key, body });
    assert.equal(answer.status, 201, answer.text);
    return answer.body.data;
  };
  const client = await made('/v1/clients', { name: 'Norte SL', tax_id: 'B98765431' });
  const body = { client_id: client.id, lines, options: { issue: true }, ...fields };
  const original = await made('/v1/invoices', body);
  const correct = (asked: object, id: string = original.id) =>
    app.post(`/v1/invoices/${id}/corrective`, { key, body: { correction: differences, ...asked } });
  const dry = async (asked: object, id?: string) => {
    const answer = await correct({ ...asked, dry_run: true }, id);
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data;
  };
  return { app, key, company, made, original, correct, dry, ids: idsOf(original) };
}

const differences = { type: 'differences' };
const idsOf = ({ lines }: { lines: { id: string }[] }) => lines.map(({ id }) => id);
const sumNames = [
  'subtotal',
  'discount_total',
  'taxes_total',
  'surcharge_total',
  'retention_total',
  'total',
  'amount_due',
] as const;
const sumsOf = (of: Record<string, unknown>) => Object.fromEntries(sumNames.map((name) => [name, of[name]]));

type Asked = (ids: string[]) => object;

/** What is asked, the concepts of the corrective and its total, worked out by hand. */
const accepted: [what: string, asked: Asked, concepts: string[], total: number][] = [
  ['nothing but the way', () => ({}), ['Mesa', 'Curso', 'Silla'], -290.32],
  ['a line by its place', () => ({ lines: [{ quantity: -1 }] }), ['Mesa'], -60.5],
  [
    'the last line by its id',
    ([, , c]) => ({ lines: [{ original_line_id: c, quantity: -1 }] }),
    ['Silla'],
    -34.83,
  ],
  [
    'the id in upper case',
    ([, , c]) => ({ lines: [{ original_line_id: c!.toUpperCase(), quantity: -4 }] }),
    ['Silla'],
    -139.32,
  ],
  [
    'two lines in another order',
    ([a, b]) => ({
      lines: [
        { original_line_id: b, quantity: -1 },
        { original_line_id: a, quantity: -2 },
      ],
    }),
    ['Curso', 'Mesa'],
    -151,
  ],
  [
    'one line in two parts, and one by its place',
    ([, , c]) => ({
      lines: [
        { original_line_id: c, quantity: -1 },
        { original_line_id: c, quantity: -1, description: 'Silla rota', unit_price: 10, discount_percent: 0 },
        { quantity: -2 },
      ],
    }),
    ['Silla', 'Silla rota', 'Silla'],
    // 2 of 33.33 less 5 % are 63.33, 1 is 31.66; with 10.00 the base is 104.99.
    -115.49,
  ],
  [
    'a line of none beside one of the original',
    ([a]) => ({
      lines: [
        { original_line_id: null, description: 'Portes', unit_price: 5, tax_rate: 21 },
        { original_line_id: a, quantity: -1 },
      ],
    }),
    ['Portes', 'Mesa'],
    -54.45,
  ],
  [
    'a substitution of one line',
    ([a]) => ({ correction: { type: 'substitution' }, lines: [{ original_line_id: a, unit_price: 40 }] }),
    ['Mesa'],
    96.8,
  ],
];

for (const [what, asked, concepts, total] of accepted)
  test(`given ${what}, when a corrective is run dry, then it adds up as the real one, and writes nothing`, async () => {
    const { app, key, company, original, correct, dry, ids } = await given(await start());
    const rows = () =>
      app.sql`select (select count(*) from invoices i where i.company_id = ${company.company_id}) as invoices,
        (select sum(next_number) from series_counters c where c.company_id = ${company.company_id}) as numbers,
        (select count(*) from events e where e.company_id = ${company.company_id}) as events`;
    const before = await rows();
    const run = await dry(asked(ids));
    assert.deepEqual([run.object, run.id, run.can_issue, run.reasons], ['dry_run', null, true, []]);
    assert.equal(run.amounts.total, total);
    assert.deepEqual(await rows(), before);
    assert.deepEqual((await app.get(`/v1/invoices/${original.id}`, { key })).body.data.corrective_ids, []);

    const made = await correct(asked(ids));
    assert.equal(made.status, 201, made.text);
    assert.deepEqual(sumsOf(made.body.data), run.amounts);
    assert.deepEqual(
      made.body.data.lines.map(({ description }: { description: string }) => description),
      concepts,
    );
  });

type Reason = { code: string; param: string | null; line_index: number | null };
const told = (reasons: Reason[]) => reasons.map(({ code, param, line_index }) => [code, param, line_index]);
const otherId = '01900000-0000-7000-8000-000000000000';

/** What is asked, the reasons, and whether the lines could be added up. */
const refused: [what: string, asked: object, reasons: unknown[][], is_counted: boolean][] = [
  [
    'a line that the original does not have',
    { lines: [{ quantity: -1 }, { original_line_id: otherId }] },
    [['parameter_invalid', 'lines.1.original_line_id', 1]],
    false,
  ],
  [
    'a rate beside an exemption',
    { lines: [{ quantity: -1 }, { quantity: -1, tax_rate: 21 }] },
    [['business_rule_violation', 'lines.1.tax_rate', 1]],
    false,
  ],
  ['a type of other invoices', { type: 'R5' }, [['business_rule_violation', 'type', null]], true],
  ['a day to come', { issued_on: '2199-01-01' }, [['business_rule_violation', 'issued_on', null]], true],
  ['an unknown series', { series_id: otherId }, [['parameter_invalid', 'series_id', null]], true],
  [
    'all of it at once',
    {
      type: 'R5',
      issued_on: '2199-01-01',
      original_invoice_id: otherId,
      lines: [{ id: otherId, quantity: -1, tax_kind: 'igic', tax_rate: 22 }, { tax_rate: 21 }],
    },
    [
      ['parameter_invalid', 'original_invoice_id', null],
      ['parameter_invalid', 'lines.0.id', 0],
      ['business_rule_violation', 'type', null],
      ['business_rule_violation', 'lines.1.tax_rate', 1],
      ['business_rule_violation', 'issued_on', null],
    ],
    false,
  ],
];

for (const [what, asked, reasons, is_counted] of refused)
  test(`given ${what}, when a corrective is run dry, then every reason is told, the first as the real call tells it`, async () => {
    const { correct, dry } = await given(await start());
    const run = await dry(asked);
    assert.deepEqual([run.can_issue, told(run.reasons)], [false, reasons]);
    assert.equal(run.amounts !== null, is_counted);
    const { status, body } = await correct(asked);
    assert.ok(status === 422, `${status}`);
    assert.deepEqual(told([{ line_index: null, ...body.error }]), [reasons[0]]);
  });

test('given originals that cannot be corrected, when run dry, then the refusal of the real call is among the reasons', async () => {
  const of = await given(await start());
  const { app, key, correct, dry, original } = of;
  const draft = await of.made('/v1/invoices', { client_id: original.client.id, lines });
  await correct({ correction: { type: 'substitution' } });
  const withdrawn = await of.made('/v1/invoices', {
    type: 'F2',
    lines: [lines[0]],
    options: { issue: true },
  });
  await app.post(`/v1/invoices/${withdrawn.id}/void`, { key });
  for (const id of [draft.id, original.id, withdrawn.id])
    for (const type of ['differences', 'substitution']) {
      const asked = { correction: { type } };
      const run = await dry(asked, id);
      assert.deepEqual(
        [run.can_issue, told(run.reasons)],
        [false, [['invalid_status_transition', null, null]]],
      );
      assert.equal((await correct(asked, id)).body.error.code, 'invalid_status_transition');
    }
});

test('given an external id, when run dry, then the corrective that is there is told, or that another was asked for', async () => {
  const { correct, dry, ids } = await given(await start());
  const asked = { external_id: 'dev-1', lines: [{ original_line_id: ids[2], quantity: -1 }] };
  assert.equal((await dry(asked)).id, null);
  const made = await correct(asked);
  assert.equal(made.status, 201, made.text);
  const again = await dry(asked);
  assert.deepEqual(
    [again.id, again.can_issue, again.amounts],
    [made.body.data.id, true, sumsOf(made.body.data)],
  );
  assert.equal((await correct(asked)).status, 200);
  // The same quantity of another line is another request.
  const other = { ...asked, lines: [{ original_line_id: ids[0], quantity: -1 }] };
  assert.deepEqual(told((await dry(other)).reasons), [['idempotency_key_reused', 'external_id', null]]);
  assert.equal((await correct(other)).status, 409);
});

test("given another company's line or invoice, when it is named, then it is none of the original's", async () => {
  const app = await start();
  const [ours, theirs] = [await given(app), await given(app)];
  const answer = await ours.correct({ lines: [{ original_line_id: theirs.ids[0], quantity: -1 }] });
  assert.deepEqual(
    [answer.status, answer.body.error.param, answer.body.error.line_index],
    [422, 'lines.0.original_line_id', 0],
  );
  assert.equal((await ours.correct({ dry_run: true }, theirs.original.id)).status, 404);
});

/** What was corrected before, what is asked, and whether more is undone than was invoiced. */
const undone: [what: string, before: object[], asked: object, is_too_much: boolean][] = [
  ['nothing before', [], {}, false],
  ['a part before', [{ lines: [{ quantity: -1 }] }], {}, false],
  [
    'all but a part before, and the whole by its lines',
    [{ lines: [{ quantity: -1 }] }],
    { lines: [{ quantity: -2 }, { quantity: -1 }, { quantity: -4 }] },
    true,
  ],
  ['a part before, and a part now', [{ lines: [{ quantity: -1 }] }], { lines: [{ quantity: -1 }] }, false],
  ['more invoiced before', [{ lines: [{ quantity: 1 }] }], {}, false],
  ['three mesas of two', [], { lines: [{ quantity: -3 }, { quantity: -1 }, { quantity: -4 }] }, true],
  [
    'a part before, by substitution',
    [{ lines: [{ quantity: -1 }] }],
    { correction: { type: 'substitution' } },
    false,
  ],
];

for (const [what, before, asked, is_too_much] of undone)
  test(`given ${what}, when it is corrected, then a warning says that more is undone than was invoiced: ${is_too_much}`, async () => {
    const { correct } = await given(await start());
    for (const body of before) assert.equal((await correct(body)).status, 201);
    for (const more of [{ dry_run: true }, {}]) {
      const { body } = await correct({ ...asked, ...more });
      const codes: string[] = body.warning_codes ?? [];
      assert.equal(codes.includes('original_overcorrected'), is_too_much, JSON.stringify(body.warnings));
      assert.equal(body.warnings?.length ?? 0, codes.length);
    }
  });

test('given a corrective of a return, when it is corrected beyond zero, then a warning says so too', async () => {
  const { correct } = await given(await start());
  const { body } = await correct({ lines: [{ quantity: -1 }] });
  const back = await correct({ lines: [{ quantity: 0.5 }] }, body.data.id);
  assert.ok(!back.body.warning_codes?.includes('original_overcorrected'));
  const beyond = await correct({ lines: [{ quantity: 3 }] }, body.data.id);
  assert.ok(beyond.body.warning_codes.includes('original_overcorrected'), beyond.text);
});

/** What was corrected before, the original's own fields, and which of those correctives is annulled. */
const partly: [what: string, before: object[], fields?: object, annulled?: number][] = [
  ['one part', [{ lines: [{ quantity: -1 }] }]],
  ['parts that are rounded', [-1, -2, -1].map((quantity) => ({ lines: [{}, {}, { quantity }].slice(2) }))],
  [
    'something that was not there',
    [{ lines: [{ original_line_id: null, description: 'Portes', unit_price: 5, tax_rate: 4 }] }],
  ],
  ['more than was invoiced', [{ lines: [{ quantity: -3 }, { quantity: -1 }, { quantity: -4 }] }]],
  ['a part, annulled since', [{ lines: [{ quantity: -1 }] }, { lines: [{ quantity: 2 }] }], {}, 0],
  [
    'parts of prices with taxes',
    [1, 2, 3].map((quantity) => ({ lines: [{ quantity: -quantity }] })),
    {
      prices_include_tax: true,
      lines: [{ description: 'Lápiz', quantity: 7, unit_price: 0.99, tax_rate: 21 }],
    },
  ],
];

for (const [what, before, fields, annulled] of partly)
  test(`given ${what} corrected before, when nothing but the way is said, then what is in force is undone, to the cent`, async () => {
    const { app, key, original, correct, dry } = await given(await start(), fields);
    const made: { id: string; total: number }[] = [];
    for (const body of before) {
      const answer = await correct(body);
      assert.equal(answer.status, 201, answer.text);
      made.push(answer.body.data);
    }
    if (annulled !== undefined) {
      const [gone] = made.splice(annulled, 1);
      assert.equal((await app.post(`/v1/invoices/${gone?.id}/annul`, { key })).status, 200);
    }
    const in_force = [original, ...made].reduce((sum, { total }) => sum + Math.round(total * 100), 0);
    assert.equal((await dry({})).amounts.total, -in_force / 100);
    const whole = await correct({});
    assert.deepEqual([whole.status, whole.body.data.total], [201, -in_force / 100]);
    assert.ok(!whole.body.warning_codes.includes('original_overcorrected'));
    const after = (await app.get(`/v1/invoices/${original.id}`, { key })).body.data;
    assert.deepEqual([after.status, after.pending_amount], ['rectified', 0]);
  });

test('given a corrective of a corrective, when the original is undone, then both count', async () => {
  const { app, key, original, correct } = await given(await start());
  const part = await correct({ lines: [{ quantity: -2 }] });
  const back = await correct({ lines: [{ quantity: 1 }] }, part.body.data.id);
  assert.deepEqual([part.body.data.total, back.body.data.total], [-121, 60.5]);
  assert.equal((await correct({})).body.data.total, -290.32 + 60.5);
  assert.equal((await app.get(`/v1/invoices/${original.id}`, { key })).body.data.status, 'rectified');
  // Undone is what is in force of the corrective alone.
  const other = await given(await start());
  const half = await other.correct({ lines: [{ quantity: -2 }] });
  await other.correct({ lines: [{ quantity: 1 }] }, half.body.data.id);
  assert.equal((await other.correct({}, half.body.data.id)).body.data.total, 60.5);
});

test('given returns that leave a rate only cents of tax, when the rest is undone, then the other rates are undone to the cent', async () => {
  const lines = [21, 10].map((tax_rate) => ({
    description: 'Clip',
    quantity: 4,
    unit_price: 0.12,
    tax_rate,
  }));
  const { original, correct, dry } = await given(await start(), { lines });
  // 0.96 + 0.10 + 0.05; each return of one clip at 21 % is 0.12 + 0.03.
  assert.equal(original.total, 1.11);
  const one = (original_line_id: string) => ({ lines: [{ original_line_id, quantity: -1 }] });
  for (const { id } of Array(4).fill(original.lines[0]))
    assert.equal((await correct(one(id))).body.data.total, -0.15);
  for (const { id } of Array(2).fill(original.lines[1]))
    assert.equal((await correct(one(id))).body.data.total, -0.13);
  const { tax_breakdown } = (await correct({})).body.data;
  assert.deepEqual(
    tax_breakdown.map(({ base, tax }: { base: number; tax: number }) => [base, tax]),
    // The authority takes no tax of a base of zero. 0.48 + 0.05 - 2 x (0.12 + 0.01) is left of the other rate.
    [
      [0, 0],
      [-0.24, -0.03],
    ],
  );
  // Again, it would take a number and say nothing.
  const again = await correct({});
  assert.deepEqual(
    [again.status, again.body.error.code, again.body.error.param],
    [422, 'business_rule_violation', 'lines'],
  );
  assert.deepEqual(told((await dry({})).reasons), [['business_rule_violation', 'lines', null]]);
});

test('given more lines in force than a document has, when they are to be undone at once, then the refusal says so', async () => {
  const many = Array.from({ length: 300 }, () => ({
    description: 'Pieza',
    quantity: 2,
    unit_price: 1,
    tax_rate: 21,
  }));
  const { correct } = await given(await start(), { lines: many });
  assert.equal((await correct({ lines: many.map(() => ({ quantity: -1 })) })).status, 201);
  const { status, body } = await correct({});
  assert.deepEqual([status, body.error.code, body.error.param], [422, 'business_rule_violation', 'lines']);
});
