/** What holds for every family of sales documents: defaults, references, refusals and replays (docs/conventions.md). */
import assert from 'node:assert/strict';
import { defaultVatKinds } from '../../src/domain/sales/document-kinds.ts';
import { newId } from '../../src/kernel/uuid7.ts';
import { catalog } from '../../src/modules/catalog.ts';
import { type Case, type Doc, type FamilySetup, given } from './family-setup.ts';
import { assertOfLine, faultyLine, givenReferred, goodLine, lineFaults } from './line-faults.ts';
import { assertHidesForeignIds, assertRefused } from './resource-checks.ts';

const missing = 'missing_required_param';
const invalid = 'parameter_invalid';
const rule = 'business_rule_violation';
const reused = 'idempotency_key_reused';

type Word = { method: 'GET' | 'POST' | 'PUT' | 'DELETE'; word: string; body: object | undefined };

/** The operations on one document, as far as their path has no other id. */
function wordsOf({ family, operations = catalog, bodies = {} }: FamilySetup): Word[] {
  const path = `/v1/${family.collection}/:${family.object}`;
  return operations.flatMap((operation) => {
    if (operation.path !== path && !operation.path.startsWith(`${path}/`)) return [];
    const word = operation.path.slice(path.length + 1);
    if (word.includes(':')) return [];
    const needs_body = operation.body !== null && operation.method === 'POST' && !operation.body_optional;
    const body = bodies[word];
    assert.ok(body || !needs_body, `${operation.name} needs a valid body`);
    return [{ method: operation.method, word, body: operation.method === 'PUT' ? { notes: 'x' } : body }];
  });
}

const ratesOf = ({ lines }: Doc) => lines.map(({ tax_rate }) => tax_rate);

const defaultVat: Case = [
  'given a line without a tax, when its kind has a default, then it takes it, and a version of before refuses it',
  async (setup, t) => {
    const { object, is_template } = setup.family;
    const { app, key, path, body, make, act, put } = await given(setup, t);
    const bare = { description: 'x', unit_price: 10 };
    const refused = async (headers = {}) => {
      const answer = await app.post(path, { key, headers, body: { ...body, lines: [goodLine, bare] } });
      assertOfLine(answer, missing, 'tax_rate', 1);
    };
    const rates = async (default_vat: object) => {
      const answer = await app.put('/v1/account/company', { key, body: { default_vat } });
      assert.equal(answer.status, 200, answer.text);
    };
    await refused();
    // That of another kind is not its own.
    const others = defaultVatKinds.filter((kind) => kind !== object);
    await rates(Object.fromEntries(others.map((kind) => [kind, 21])));
    await refused();
    await rates({ [object]: 10 });
    await refused({ 'service-version': '2026-06-01' });
    const tax = await make('/v1/taxes', { name: 'IVA 4', kind: 'vat', rate: 4 });
    const taxed = await make('/v1/products', { name: 'Pan', unit_price: 1, taxes_id: tax.id });
    const plain = await make('/v1/products', { name: 'Mesa', unit_price: 1 });
    const made = await make(path, {
      ...body,
      lines: [
        bare,
        { product_id: plain.id },
        { product_id: taxed.id },
        { ...bare, taxes_id: tax.id },
        goodLine,
      ],
    });
    assert.deepEqual(ratesOf(made), [10, 10, 4, 4, 21]);
    // What is stored is not defaulted twice, but for a template: its lines take what holds when they are built.
    await rates({ [object]: 4 });
    const edited = await put(made.id, { lines: [...made.lines, bare] });
    assert.equal(edited.status, 200, edited.text);
    assert.deepEqual(ratesOf(edited.body.data), is_template ? [4, 4, 4, 4, 21, 4] : [10, 10, 4, 4, 21, 4]);
    assert.deepEqual(ratesOf(await act(made.id, 'duplicate', undefined, 201)), ratesOf(edited.body.data));
  },
  ({ family }) => (defaultVatKinds as readonly string[]).includes(family.object),
];

const lineErrors: Case = [
  'given an error from a line, when it is created or edited, then line_index and param name its place',
  async (setup, t) => {
    const { app, key, path, body, create, put } = await given(setup, t);
    const ids = await givenReferred(app, key);
    const { id } = await create();
    const runs_dry = setup.family.states.statuses.includes('pending') && setup.surface === undefined;
    for (const [what, line, code, param, document = {}] of lineFaults) {
      const faulty = { ...document, lines: [goodLine, faultyLine(line, ids)] };
      const sent = { ...body, ...faulty };
      assertOfLine(await app.post(path, { key, body: sent }), code, param, 1, what);
      assertOfLine(await put(id, faulty), code, param, 1, what);
      if (!runs_dry) continue;
      const dry = await app.post(path, { key, body: { ...sent, options: { dry_run: true } } });
      const told = dry.body.data.reasons.map((one: Record<string, unknown>) => [
        one.code,
        one.param,
        one.line_index,
      ]);
      assert.deepEqual(told, [[code, `lines.1.${param}`, 1]], `${what} ${dry.text}`);
    }
  },
];

const id = (end: number) => `019a0000-0000-7000-8000-00000000000${end}`;
/** What the catalogue of products will give lines. */
const details = {
  variant: { id: id(1), name: 'Roja' },
  presentation: { id: id(2), name: 'Caja', factor: 12 },
  options: [{ group: { id: id(3), name: 'Grabado' }, value: { id: id(4), name: 'Láser' }, price_delta: 2.5 }],
  linked_expenses: [{ id: id(5), number: 'R-7' }],
  original_pack_data: { name: 'Lote', price: 10 },
};

const references: Case = [
  'given references that a line keeps, when they are archived, then the line keeps them, and another one is checked',
  async (setup, t) => {
    const { app, company, key, path, make, create, read, put, product } = await given(setup, t);
    const { tables } = setup.family;
    const tax = await make('/v1/taxes', { name: 'IVA 10', kind: 'vat', rate: 10 });
    const { archived, ended } = await givenReferred(app, key);
    const made = await create({
      lines: [{ product_id: product.id, taxes_id: tax.id }, goodLine],
    });
    await app.sql`
      update ${app.sql(tables.lines)} set details = coalesce(details, '{}') || ${app.sql.json(details as never)}
       where company_id = ${company.company_id} and id = ${made.lines[0]!.id}`;
    for (const at of [`/v1/products/${product.id}`, `/v1/taxes/${tax.id}`])
      assert.equal((await app.put(at, { key, body: { is_active: false } })).status, 200);
    const stored = await read(made.id);
    const [first, second] = stored.lines as [Doc['lines'][0], Doc['lines'][0]];
    assert.deepEqual(Object.fromEntries(Object.keys(details).map((name) => [name, first[name]])), details);
    const events = await app.eventTypes(company, made.id);
    const same = await put(made.id, stored);
    assert.deepEqual([same.status, same.body.data], [200, stored], same.text);
    assert.deepEqual(await app.eventTypes(company, made.id), events);
    const kept = { id: first.id, product_id: product.id, taxes_id: tax.id };
    const changes: [change: object, code: string, param: string][] = [
      [{ product_id: archived }, invalid, 'product_id'],
      [{ product_id: newId() }, invalid, 'product_id'],
      [{ taxes_id: ended }, rule, 'taxes_id'],
      [{ taxes_id: newId() }, invalid, 'taxes_id'],
      [{ variant_id: newId() }, invalid, 'variant_id'],
      [{ presentation_id: newId() }, invalid, 'presentation_id'],
      [{ options: [{ group_id: id(3), value_id: newId() }] }, invalid, 'options.0.value_id'],
      [{ linked_expense_ids: [id(5), newId()] }, invalid, 'linked_expense_ids.1'],
    ];
    for (const [change, code, param] of changes)
      assertOfLine(await put(made.id, { lines: [{ ...kept, ...change }, second] }), code, param, 0);
    // A new line may not have what the stored one keeps.
    const news: [line: object, code: string, param: string][] = [
      [{ product_id: product.id, tax_rate: 21 }, invalid, 'product_id'],
      [{ ...goodLine, tax_rate: undefined, taxes_id: tax.id }, rule, 'taxes_id'],
      [{ ...goodLine, variant_id: id(1) }, invalid, 'variant_id'],
    ];
    for (const [line, code, param] of news)
      assertOfLine(await put(made.id, { lines: [first, line] }), code, param, 1);
    assert.deepEqual(await read(made.id), stored);
    const edited = (await put(made.id, { lines: [{ id: first.id, quantity: 7 }, second] })).body.data;
    const { quantity: _, subtotal: __, taxes: ___, total: ____, ...left } = edited.lines[0];
    for (const [name, value] of Object.entries(left)) assert.deepEqual(value, first[name], name);
    assert.equal(edited.lines[0].quantity, 7);
    assert.equal((await app.get(`${path}/${made.id}`, { key })).body.data.total, edited.total);
  },
];

const unknownKeys: Case = [
  'given a key that nobody knows, when any operation gets it, then it is named and nothing is done',
  async (setup, t) => {
    const { app, company, key, path, body, create, read, lines } = await given(setup, t);
    const made = await create();
    const events = await app.eventTypes(company, made.id);
    for (const { method, word, body: valid } of wordsOf(setup)) {
      const at = `${path}/${made.id}${word && `/${word}`}`;
      const sent = method === 'GET' ? { query: { colour: 'red' } } : { body: { ...valid, colour: 'red' } };
      assertRefused(await app.call(method, at, { key, ...sent }), 422, invalid, 'colour');
    }
    const bodies: [sent: object, param: string][] = [
      [{ colour: 'red' }, 'colour'],
      [{ lines: [lines[0], { ...lines[1], colour: 'red' }] }, 'lines.1.colour'],
      [{ total: 1 }, 'total'],
      [{ custom_fields: [{ field: 'Obra', value: '7', colour: 'red' }] }, 'custom_fields.0.colour'],
    ];
    for (const [more, param] of bodies) {
      assertRefused(await app.post(path, { key, body: { ...body, ...more } }), 422, invalid, param);
      assertRefused(await app.put(`${path}/${made.id}`, { key, body: more }), 422, invalid, param);
    }
    assertRefused(await app.get(path, { key, query: { colour: 'red' } }), 422, invalid, 'colour');
    assert.deepEqual(await read(made.id), made);
    assert.deepEqual(await app.eventTypes(company, made.id), events);
    assert.equal((await app.get(path, { key })).body.data.length, 1);
  },
];

const foreignIds: Case = [
  'given ids of another company, in a path or a body, then they are unknown, and so is its sandbox',
  async (setup, t) => {
    const { app, company, key, path, body, create, lines, put } = await given(setup, t);
    const foreign = await given(setup, t);
    const theirs = await foreign.create();
    for (const { method, word, body: sent } of wordsOf(setup)) {
      const at = `${path}/${theirs.id}${word && `/${word}`}`;
      const answer = await app.call(method, at, { key, ...(sent ? { body: sent } : {}) });
      assertRefused(answer, 404, 'resource_not_found');
    }
    await assertHidesForeignIds(app, 'GET', (at) => `${path}/${at}`, theirs.id, { key });
    assert.deepEqual(await foreign.read(theirs.id), theirs);
    const tax = await foreign.make('/v1/taxes', { name: 'IVA', kind: 'vat', rate: 21 });
    const series = await foreign.make('/v1/series', {
      code: 'OTRA',
      document_type: setup.family.series({}),
    });
    const mine = await create();
    const bodies: [sent: object, param: string, line_index?: number][] = [
      [{ client_id: foreign.client.id }, 'client_id'],
      [{ series_id: series.id }, 'series_id'],
      [{ lines: [{ ...lines[0], product_id: foreign.product.id }] }, 'lines.0.product_id', 0],
      [{ lines: [lines[0], { ...goodLine, taxes_id: tax.id }] }, 'lines.1.taxes_id', 1],
      [{ lines: [lines[0], { id: theirs.lines[0]!.id, quantity: 1 }] }, 'lines.1.id', 1],
    ];
    for (const [more, param, line_index] of bodies) {
      for (const answer of [
        await app.post(path, { key, body: { ...body, ...more } }),
        await put(mine.id, more),
      ]) {
        assertRefused(answer, 422, invalid, param);
        assert.equal(answer.body.error.line_index, line_index, param);
      }
    }
    assert.deepEqual((await app.get(path, { key: company.test_key })).body.data, []);
    for (const param of ['client_id', 'series_id', 'product_id']) {
      const of_other = { client_id: foreign.client.id, series_id: series.id, product_id: foreign.product.id };
      const query = { [param]: of_other[param as 'client_id'] };
      assert.deepEqual((await app.get(path, { key, query })).body.data, [], param);
    }
  },
];

const replays: Case = [
  'given a key of a call, when the call is repeated, then it is done once and answered again',
  async (setup, t) => {
    const { app, company, key, path, body } = await given(setup, t);
    const word = setup.numbering_move ?? 'pause';
    const withKey = (name: string) => ({ key, headers: { 'idempotency-key': name } });
    const first = await app.post(path, { ...withKey('k1'), body });
    assert.deepEqual([first.status, first.headers['idempotent-replayed']], [201, undefined]);
    const again = await app.post(path, { ...withKey('k1'), body });
    assert.deepEqual(
      [again.status, again.headers['idempotent-replayed'], again.text],
      [201, 'true', first.text],
    );
    const other = await app.post(path, { ...withKey('k1'), body: { ...body, notes: 'x' } });
    assertRefused(other, 409, reused);
    const at = `${path}/${first.body.data.id}`;
    const moved = await app.post(`${at}/${word}`, withKey('k2'));
    assert.equal(moved.status, 200, moved.text);
    const events = await app.eventTypes(company, first.body.data.id);
    const repeated = await app.post(`${at}/${word}`, withKey('k2'));
    assert.deepEqual(
      [repeated.status, repeated.headers['idempotent-replayed'], repeated.text],
      [200, 'true', moved.text],
    );
    assertRefused(await app.post(`${at}/duplicate`, withKey('k2')), 409, reused);
    assert.deepEqual(await app.eventTypes(company, first.body.data.id), events);
    assert.equal((await app.get(path, { key })).body.data.length, 1);
    for (const name of ['', 'k'.repeat(256)])
      assert.equal((await app.post(path, { ...withKey(name), body })).status, 422, name);
  },
];

const externalIds: Case = [
  'given an external id, when it comes again, then it is answered with what exists, or refused for another request',
  async (setup, t) => {
    const { app, company, key, path, body, create, put, act, read } = await given(setup, t);
    const made = await create({ external_id: 'w-1' });
    const post = (more: object) => app.post(path, { key, body: { ...body, external_id: 'w-1', ...more } });
    const replayed = async (more: object = {}) => {
      const { status, headers, body: told, text } = await post(more);
      assert.deepEqual([status, headers['idempotent-replayed']], [200, 'true'], text);
      // An issued invoice is answered with its blocks.
      const { pdf: _, verifactu: __, ...data } = told.data;
      const { verifactu: ___, ...shown } = await read(made.id);
      assert.deepEqual(data, shown);
    };
    await replayed();
    // Of one total.
    const line = { description: 'Otra', unit_price: made.total, tax_rate: 0, exemption_reason: 'E1' };
    await replayed({ lines: [line], notes: 'Otra' });
    const refused = await post({ lines: [{ ...line, unit_price: 9999 }] });
    assertRefused(refused, 409, reused, 'external_id');
    assert.deepEqual(
      [refused.body.error.type, refused.body.error.subcode],
      ['idempotency_error', 'unattended_replay_mismatch'],
    );
    assertRefused(await put(made.id, { external_id: 'w-2' }), 422, invalid, 'external_id');
    // The request is known, whatever became of its document.
    assert.equal((await put(made.id, { lines: [{ ...line, unit_price: 3 }] })).status, 200);
    await replayed();
    if (setup.numbering_move !== null) await act(made.id, setup.numbering_move);
    await replayed();
    const answers = await Promise.all(Array.from({ length: 4 }, () => post({ external_id: 'w-3' })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 201]);
    assert.equal(new Set(answers.map((answer) => answer.body.data.id)).size, 1);
    assert.equal((await app.get(path, { key })).body.data.length, 2);
    const told = await app.sql<{ count: number }[]>`
      select count(*)::int as count from events
       where company_id = ${company.company_id} and type = ${`${setup.family.object}.created`}`;
    assert.equal(told[0]?.count, 2);
    const theirs = await given(setup, t);
    assert.notEqual((await theirs.create({ external_id: 'w-1' })).id, made.id);
  },
];

const numbers: Case = [
  'given numbers of months and years, when any move takes one, then the series tells it with its document, and each new period',
  async (setup, t) => {
    const { app, key, path, make, create, act } = await given(setup, t);
    const { object } = setup.family;
    const move = setup.numbering_move!;
    const kept = { document_type: setup.family.series({}) };
    const yearly = await make('/v1/series', { code: 'ANUAL', reset: 'year', ...kept });
    const monthly = await make('/v1/series', { code: 'MENSUAL', reset: 'month', ...kept });
    const told: [series: string, type: string, document: string | null][] = [];
    const take = async (series_id: string, way: string, body?: object): Promise<number> => {
      const { id, number } = await create({ series_id, ...(way === '' ? body : {}) });
      const numbered = way === '' ? number : (await act(id, way, body)).number;
      told.push([series_id, 'series.number_consumed', id]);
      return Number(numbered.split('-').at(-1));
    };
    const begin = ({ id }: Doc, reset: string) => told.push([id, reset, null]);
    // The number in the series of years, and in that of months.
    for (const [day, of_year, of_month] of [
      ['2026-11-30', 1, 1],
      ['2026-12-01', 2, 1],
      ['2026-12-31', 3, 2],
    ] as const) {
      app.clock.set(`${day}T12:00:00Z`);
      if (day === '2026-12-01') begin(monthly, 'series.month_reset');
      assert.deepEqual([await take(yearly.id, move), await take(monthly.id, move)], [of_year, of_month], day);
    }
    // Each way to a number may be the first of a year, and so of a month.
    const ways = Object.entries(setup.numbering_ways ?? { [move]: undefined });
    for (const [at, [way, body]] of ways.entries()) {
      app.clock.set(`${2027 + at}-01-01T12:00:00Z`);
      begin(yearly, 'series.year_reset');
      begin(monthly, 'series.month_reset');
      assert.deepEqual([await take(yearly.id, way, body), await take(monthly.id, way, body)], [1, 1], way);
    }
    for (const { id: series_id } of [yearly, monthly]) {
      const { body } = await app.get('/v1/events', { key, query: { aggregate_id: series_id, limit: '50' } });
      const seen = body.data.toReversed().filter(({ type }: { type: string }) => type !== 'series.created');
      assert.deepEqual(
        seen.map(({ type, data }: { type: string; data: unknown }) => [type, data]),
        told
          .filter(([of]) => of === series_id)
          .map(([, type, id]) => [type, { series: { id: series_id }, ...(id && { [object]: { id } }) }]),
        path,
      );
    }
  },
  ({ numbering_move, surface }) => numbering_move !== null && surface === undefined,
];

const archivedSeries: Case = [
  'given a series that is archived, when a document would take it or a number of it, then it is refused',
  async (setup, t) => {
    const { app, key, path, body, make, create, read, put } = await given(setup, t);
    const { id: series_id } = await make('/v1/series', {
      code: 'OBRAS',
      document_type: setup.family.series({}),
    });
    const made = await create({ series_id });
    const other = await create();
    assert.equal((await app.post(`/v1/series/${series_id}/archive`, { key })).status, 200);
    const refusals = [
      await app.post(path, { key, body: { ...body, series_id } }),
      await put(other.id, { series_id }),
      ...(setup.numbering_move === null
        ? []
        : [await app.post(`${path}/${made.id}/${setup.numbering_move}`, { key })]),
    ];
    for (const answer of refusals) assertRefused(answer, 422, rule, 'series_id');
    // One that has it keeps it.
    const shown = await read(made.id);
    assert.deepEqual((await put(made.id, shown)).body.data, shown);
    assert.equal((await put(made.id, { notes: 'Otra' })).status, 200);
    const kinds = ['invoice', 'quote', 'proforma', 'delivery_note'];
    const document_type = kinds.find((kind) => kind !== setup.family.series({}));
    const of_other = await make('/v1/series', { code: 'OTRA', document_type });
    for (const answer of [
      await app.post(path, { key, body: { ...body, series_id: of_other.id } }),
      await put(other.id, { series_id: of_other.id }),
    ])
      assertRefused(answer, 422, rule, 'series_id');
  },
];

const noRecord: Case = [
  'given VeriFactu, when it is numbered, then it has no record and no QR, and the sandbox marks its paper',
  async (setup, t) => {
    const { app, company, key, path, create, act } = await given(setup, t);
    await app.put('/v1/verifactu/settings', { key, body: { enabled: true } });
    const numbered = await act((await create()).id, setup.numbering_move!);
    const page = await app.get(new URL(numbered.public_url).pathname, {});
    if (setup.family.object !== 'quote') assert.ok(page.text.includes('no es una factura'), page.text);
    assert.doesNotMatch(page.text, /VERI\*FACTU|class="qr"|SIN VALIDEZ FISCAL/i);
    assert.deepEqual((await app.get('/v1/verifactu/records', { key })).body.data, []);
    const test = { key: company.test_key };
    const client = await app.post('/v1/clients', { ...test, body: { name: 'Norte', tax_id: 'B00000018' } });
    const body = { client_id: client.body.data.id, lines: [goodLine] };
    const { id } = (await app.post(path, { ...test, body })).body.data;
    const tried = (await app.post(`${path}/${id}/${setup.numbering_move}`, test)).body.data;
    const marked = await app.get(new URL(tried.public_url).pathname, {});
    assert.ok(marked.text.includes('SIN VALIDEZ FISCAL'), marked.text);
  },
  ({ family, numbering_move, surface }) =>
    numbering_move !== null &&
    surface === undefined &&
    ['quote', 'proforma', 'delivery_note'].includes(family.object),
];

const profiles: Case = [
  'given a master, when it names its child in any operation, then it works for the child, and for nobody else',
  async (setup, t) => {
    const { app, company, key, path, create } = await given(setup, t);
    const child = await app.given.company({ parent_id: company.company_id, plan: 'free' });
    const stranger = await app.given.company();
    const mine = await create();
    const headers = { 'x-active-profile': child.company_id };
    assert.deepEqual((await app.get(path, { key, headers })).body.data, []);
    for (const { method, word, body } of wordsOf(setup)) {
      const at = `${path}/${mine.id}${word && `/${word}`}`;
      const answer = await app.call(method, at, { key, headers, ...(body ? { body } : {}) });
      assertRefused(answer, 404, 'resource_not_found');
    }
    const unknown = { 'x-active-profile': stranger.company_id };
    assertRefused(await app.get(path, { key, headers: unknown }), 404, 'profile_not_found');
    const lines = [goodLine];
    const client = await app.post('/v1/clients', { key, headers, body: { name: 'Hija' } });
    const made = await app.post(path, {
      key,
      headers,
      body: { ...setup.needs, client_id: client.body.data.id, lines },
    });
    assert.equal(made.status, 201, made.text);
    const { data } = (await app.get(path, { key: child.live_key })).body;
    assert.deepEqual(
      data.map(({ id }: Doc) => id),
      [made.body.data.id],
    );
    assert.equal((await app.get(path, { key })).body.data.length, 1);
  },
];

export const ruleCases: readonly Case[] = [
  defaultVat,
  lineErrors,
  references,
  unknownKeys,
  foreignIds,
  replays,
  externalIds,
  numbers,
  archivedSeries,
  noRecord,
  profiles,
];
