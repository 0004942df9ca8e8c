/** What lines and references of every family obey (docs/conventions.md). */
import assert from 'node:assert/strict';
import { defaultVatKinds } from '../../src/domain/sales/document-kinds.ts';
import { newId } from '../../src/kernel/uuid7.ts';
import { type Case, type Doc, given } from './family-setup.ts';
import {
  assertOfLine,
  faultyLine,
  givenReferred,
  goodLine,
  lineFaults,
  malformedLines,
} from './line-faults.ts';

const missing = 'missing_required_param';
const invalid = 'parameter_invalid';
const rule = 'business_rule_violation';

const ratesOf = ({ lines }: Doc) => lines.map(({ tax_rate }) => tax_rate);

const defaultVat: Case = [
  'given a line without a tax, when its kind has a default, then it takes it, and a version of before refuses it',
  async (setup, t) => {
    const { object } = setup.family;
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
    // A stored line takes no default at an edit. A template's line takes it in each document that it makes.
    await rates({ [object]: 4 });
    const edited = await put(made.id, { lines: [...made.lines, bare] });
    assert.equal(edited.status, 200, edited.text);
    assert.deepEqual(ratesOf(edited.body.data), [10, 10, 4, 4, 21, 4]);
    const again = await put(made.id, edited.body.data);
    assert.deepEqual(again.body.data, edited.body.data);
    assert.deepEqual(ratesOf(await act(made.id, 'duplicate', undefined, 201)), ratesOf(edited.body.data));
    // In the Canary Islands it is a rate of IGIC. A rate that a line says is of VAT, as before.
    await rates({ [object]: 7 });
    const hint = await app.post(path, { key, body: { ...body, lines: [bare] } });
    assertOfLine(hint, rule, 'tax_rate', 0);
    assert.match(hint.body.error.message, /default_vat\.tax_kind/);
    await rates({ tax_kind: 'igic' });
    const islands = await make(path, { ...body, lines: [bare, { ...bare, tax_rate: 10 }] });
    const found = islands.lines.map(({ tax_kind, tax_rate }) => [tax_kind, tax_rate]);
    assert.deepEqual(found, [
      ['igic', 7],
      ['vat', 10],
    ]);
    const lower = await put(islands.id, { lines: [{ ...islands.lines[0], tax_rate: 3 }] });
    assert.equal(lower.status, 200, lower.text);
    const [{ tax_kind, tax_rate }] = lower.body.data.lines;
    assert.deepEqual([tax_kind, tax_rate], ['igic', 3]);
    await rates({ tax_kind: 'vat' });
  },
  ({ family }) => (defaultVatKinds as readonly string[]).includes(family.object),
];

const foundTax: Case = [
  'given lines that found their tax, when a version of before gives them another client, then they find it again, and a new line says its own',
  async (setup, t) => {
    const { object } = setup.family;
    const { app, key, path, body, make } = await given(setup, t);
    const set = await app.put('/v1/account/company', { key, body: { default_vat: { [object]: 10 } } });
    assert.equal(set.status, 200, set.text);
    const bare = { description: 'x', unit_price: 10 };
    const made = await make(path, { ...body, lines: [bare, goodLine] });
    const clients = [
      await make('/v1/clients', { name: 'Sur' }),
      await make('/v1/clients', { name: 'Este', default_vat_rate: 4 }),
    ];
    const put = (sent: object) =>
      app.put(`${path}/${made.id}`, { key, headers: { 'service-version': '2026-06-01' }, body: sent });
    const [alone, with_lines] = [
      await put({ client_id: clients[1]!.id }),
      await put({ client_id: clients[0]!.id, lines: (await put({ notes: 'x' })).body.data.lines }),
    ];
    assert.deepEqual([alone.status, ratesOf(alone.body.data)], [200, [4, 21]], alone.text);
    assert.deepEqual([with_lines.status, ratesOf(with_lines.body.data)], [200, [10, 21]], with_lines.text);
    const [first] = with_lines.body.data.lines;
    const { subtotal: _, taxes: __, total: ___, ...told } = first;
    const discounted = await put({ lines: [{ ...told, discount_percent: 5 }] });
    assert.deepEqual([discounted.status, ratesOf(discounted.body.data)], [200, [10]], discounted.text);
    assertOfLine(await put({ client_id: clients[1]!.id, lines: [goodLine, bare] }), missing, 'tax_rate', 1);
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
    for (const [what, line, code, param] of malformedLines) {
      const lines = [goodLine, faultyLine(line, ids)];
      assertOfLine(await app.post(path, { key, body: { ...body, lines } }), code, param, 1, what);
      assertOfLine(await put(id, { lines }), code, param, 1, what);
    }
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
/** What a line keeps of a product that has lost it all. */
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

const choices: Case = [
  'given a configured product, when a line sells it, then it must be a sale, has its price, and keeps what is archived since',
  async (setup, t) => {
    const { app, key, path, body, make, create, read, put } = await given(setup, t);
    const shirt = await make('/v1/products', {
      name: 'Camiseta',
      unit_price: 10,
      variants: [{ name: 'Roja' }, { name: 'Azul', unit_price: 12 }],
      presentations: [{ name: 'Caja', factor: 6 }],
    });
    const [red, blue] = shirt.variants as { id: string }[];
    const of = (variant_id?: string) => ({ product_id: shirt.id, variant_id, tax_rate: 21 });
    const made = await create({ lines: [of(red?.id), goodLine] });
    const [line, other] = made.lines as [Doc['lines'][0], Doc['lines'][0]];
    assert.deepEqual(
      [line.unit_price, line.variant, (line.presentation as { factor: number }).factor],
      [60, { id: red?.id, name: 'Roja' }, 6],
    );
    assertOfLine(
      await app.post(path, { key, body: { ...body, lines: [goodLine, of()] } }),
      rule,
      'variant_id',
      1,
    );
    const gone = await app.put(`/v1/products/${shirt.id}`, { key, body: { variants: [{ id: blue?.id }] } });
    assert.deepEqual(
      gone.body.data.variants.map((one: Doc) => [one.id, one.is_active]),
      [
        [blue?.id, true],
        [red?.id, false],
      ],
    );
    const stored = await read(made.id);
    assert.deepEqual((await put(made.id, stored)).body.data, stored);
    assertOfLine(await put(made.id, { lines: [line, of(red?.id)] }), rule, 'variant_id', 1);
    const changed = await put(made.id, { lines: [{ id: line.id, variant_id: blue?.id }, other] });
    assert.deepEqual(changed.body.data.lines[0].unit_price, 72, changed.text);

    const pack = await make('/v1/products', {
      name: 'Lote',
      unit_price: 9.99,
      pack: {
        pricing: 'fixed',
        components: [{ product_id: shirt.id, variant_id: blue?.id }, { product_id: shirt.id }],
      },
    });
    const { lines, ...sold } = await create({ lines: [{ product_id: pack.id, quantity: 3, tax_rate: 21 }] });
    assert.deepEqual([lines.length, sold.subtotal], [2, 29.97]);
    assert.deepEqual((await put(sold.id, { lines })).body.data.lines, lines);
  },
];

const emptied: Case = [
  'given documents of a sandbox, when it is emptied, then none is left, and those of the live company stay',
  async (setup, t) => {
    const { app, company, path, create, lines } = await given(setup, t);
    const { id: kept } = await create();
    const key = company.test_key;
    const post = (at: string, body: unknown) => app.post(at, { key, body });
    const client = (await post('/v1/clients', { name: 'Norte', tax_id: 'A58818501' })).body.data;
    const body = { ...setup.needs, client_id: client.id, lines: lines.slice(0, 1), tags: ['obra'] };
    const made = await post(path, body);
    assert.equal(made.status, 201, made.text);
    assert.equal((await app.delete('/v1/sandbox/data', { key })).body.data.deleted, true);
    const left = async (of: string) =>
      (await app.get(path, { key: of })).body.data.map(({ id }: Doc) => id) as string[];
    assert.deepEqual([await left(key), await left(company.live_key)], [[], [kept]]);
    const { document_id: _, ...tables } = setup.family.tables;
    for (const table of Object.values(tables).flat()) {
      const rows = await app.sql`
        select 1 from ${app.sql(table)} where company_id = ${company.sandbox_company_id}`;
      assert.equal(rows.length, 0, table);
    }
  },
];

export const ruleCases: readonly Case[] = [defaultVat, foundTax, lineErrors, references, choices, emptied];
