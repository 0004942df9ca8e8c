/** What an input asks for beyond its operation needs a scope of its own. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Operation, scopesNeeded } from '../../src/kernel/operation.ts';
import { catalog } from '../../src/modules/catalog.ts';
import { scopesText } from '../../src/surfaces/openapi/scope-page.ts';
import { type App, startApp } from '../harness.ts';
import {
  adding,
  changesNothing,
  givenSeeded,
  keyFor,
  makeSeeding,
  type Seed,
  type SeededCompany,
  seedFor,
  send,
  validCallOf,
  withValueAt,
} from '../support/catalogue-calls.ts';

type SchemaNode = { properties?: Record<string, SchemaNode>; items?: SchemaNode; anyOf?: SchemaNode[] };

/** Where a schema has a member of this name, such as `invoices.*.options.send_automatically`. */
function placesOf(schema: unknown, name: string, path: readonly string[] = []): string[] {
  const { properties = {}, items, anyOf = [] } = schema as SchemaNode;
  return [
    ...Object.entries(properties).flatMap(([key, member]) =>
      key === name ? [[...path, key].join('.')] : placesOf(member, name, [...path, key]),
    ),
    ...(items ? placesOf(items, name, [...path, '*']) : []),
    ...anyOf.flatMap((member) => placesOf(member, name, path)),
  ];
}

const operationOf = (name: string) => catalog.find((operation) => operation.name === name)!;

/** Each makes the service send by itself what the call makes. */
const sendingMembers = ['send_automatically', 'auto_send'];

test('given an operation that may send by an option, then it declares the scope that the option needs', () => {
  const sending = catalog.flatMap((operation) => {
    const places = sendingMembers.flatMap((name) => placesOf(operation.body ?? {}, name));
    return places.map((param) => ({ operation, param }));
  });
  assert.ok(sending.length >= 4);
  for (const { operation, param } of sending)
    assert.deepEqual(
      operation.input_scopes.filter((asked) => asked.param === param).map(({ scope }) => scope),
      ['invoices:send'],
      operation.name,
    );
});

test('given a recurrence that is sent, when a key that may not send gives it another address, then it is refused', async (t) => {
  const app = await startApp(t);
  const { company, key, seed } = await givenSeeded(app, operationOf('get_recurring_invoice'));
  const path = `/v1/recurring_invoices/${seed.recurring_invoice}`;
  const own = await app.given.apiKey(company, {
    scopes: ['recurring_invoices:write', 'recurring_invoices:read'],
  });
  const before = (await app.get(path, { key })).body.data;
  const body = { auto_issue: true, auto_send: true, send_to: 'ana@example.com' };
  assert.equal((await app.put(path, { key, body })).status, 200);
  const refused = await app.put(path, { key: own, body: { send_to: 'otra@example.com' } });
  assert.deepEqual([refused.status, refused.body.error.code], [403, 'insufficient_scope'], refused.text);
  assert.equal((await app.put(path, { key: own, body: { name: 'Otro nombre' } })).status, 200);
  // Sent back as it was got.
  for (const same of [body, (await app.get(path, { key: own })).body.data])
    assert.equal((await app.put(path, { key: own, body: same })).status, 200);
  const changed = await app.put(path, { key: own, body: { ...body, send_to: 'otra@example.com' } });
  assert.equal(changed.status, 403, changed.text);
  assert.equal((await app.put(path, { key: own, body: { auto_send: false } })).status, 200);
  assert.equal((await app.put(path, { key: own, body })).status, 403);
  const { send_to, name } = (await app.get(path, { key })).body.data;
  assert.deepEqual([send_to, name], ['ana@example.com', 'Otro nombre']);
  assert.notEqual(before.name, name);
});

const optional = catalog.flatMap((operation: Operation) =>
  operation.input_scopes.map((asked) => ({ operation, ...asked })),
);

test('given scopes that an input asks for, when they are listed, then those of a change alone say so, in both languages', () => {
  for (const [language, told] of [
    ['es', 'si cambia'],
    ['en', 'if it changes'],
  ] as const) {
    const text = scopesText(catalog, language);
    for (const { operation, param, if_changed } of optional)
      assert.equal(
        text.includes(`\`${operation.name}\` ${told} \`${param}\``),
        if_changed === true,
        `${operation.name} ${param}`,
      );
  }
});

for (const { operation, param, scope } of optional) {
  test(`${operation.name} with ${param} needs ${scope}, and without it does not`, async (t) => {
    const app = await startApp(t);
    const { company, seed } = await givenSeeded(app, operation);
    const environment = operation.environment ?? 'live';
    const needed = scopesNeeded(operation);
    const poor = await app.given.apiKey(company, { scopes: needed, environment });
    const rich = await app.given.apiKey(company, { scopes: [...needed, scope], environment });
    const valid = validCallOf(operation, seed);
    const place = param.replaceAll('*', '0');
    const others = operation.input_scopes.filter((asked) => asked.param !== param);
    const alone = others.reduce<unknown>(
      (body, other) => withValueAt(body, other.param.replaceAll('*', '0'), undefined),
      valid.body,
    );
    const asked = options[param.split('.').at(-1)!]?.value ?? true;
    const asking = { ...valid, body: withValueAt(alone, place, asked) as Record<string, unknown> };

    const refused = await send(app, operation, { key: poor, seed }, asking);
    assert.deepEqual([refused.status, refused.body.error.code], [403, 'insufficient_scope'], refused.text);
    assert.ok(refused.body.error.message.includes(scope), refused.text);
    for (const value of [false, null]) {
      const body = withValueAt(alone, place, value) as Record<string, unknown>;
      assert.notEqual((await send(app, operation, { key: poor, seed }, { ...valid, body })).status, 403);
    }
    assert.notEqual((await send(app, operation, { key: rich, seed }, asking)).status, 403);
  });
}

type Option = {
  value: unknown;
  /** The operation that does the same by itself; null for what shows or checks. A kind has its own. */
  alone: string | null | ((creation: string) => string);
};

/** Each option that a body may hold. A new one says here what it does. */
const options: Readonly<Record<string, Option>> = {
  issue: { value: true, alone: 'issue_invoice' },
  dry_run: { value: true, alone: null },
  mark_pending: { value: true, alone: (creation) => `${creation.replace('create_', 'mark_')}_pending` },
  register_verifactu: { value: true, alone: 'issue_invoice' },
  // Whoever may not read paper gets no address of it.
  wait_for_pdf: { value: true, alone: 'issue_invoice' },
  send_automatically: { value: true, alone: 'send_invoice' },
  // An address sends nothing by itself.
  send_to: { value: 'ana@example.com', alone: null },
};

const placesOfOptions = catalog.flatMap((operation) =>
  placesOf(operation.body ?? {}, 'options').flatMap((place) =>
    optionsAt(operation.body, place).map((option) => ({ operation, place, option })),
  ),
);

function optionsAt(schema: unknown, place: string): string[] {
  let nodes = [schema as SchemaNode];
  for (const step of place.split('.'))
    nodes = nodes
      .flatMap((node) => [node, ...(node.anyOf ?? [])])
      .flatMap((node) => (step === '*' ? node.items : node.properties?.[step]) ?? []);
  return nodes.flatMap((node) =>
    [node, ...(node.anyOf ?? [])].flatMap(({ properties = {} }) => Object.keys(properties)),
  );
}

test('given an option that does what an operation does, then the key needs the scopes of that operation', () => {
  assert.ok(placesOfOptions.length >= 12);
  for (const { operation, place, option } of placesOfOptions) {
    const known = options[option];
    assert.ok(known, `${operation.name} has ${place}.${option}, which this file does not have`);
    if (known.alone === null) continue;
    const asked = operation.input_scopes.filter(({ param }) => param === `${place}.${option}`);
    const had = new Set([...scopesNeeded(operation), ...asked.map(({ scope }) => scope)]);
    const alone = typeof known.alone === 'string' ? known.alone : known.alone(operation.name);
    const needed = scopesNeeded(operationOf(alone));
    assert.deepEqual(new Set(needed).difference(had), new Set(), `${operation.name} ${place}.${option}`);
  }
});

test('given a body that pays, then the key may register payments', () => {
  const needed = scopesNeeded(operationOf('register_invoice_payment'));
  for (const operation of catalog) {
    if (placesOf(operation.body ?? {}, 'payment').length === 0) continue;
    const had = new Set(scopesNeeded(operation));
    assert.deepEqual(new Set(needed).difference(had), new Set(), operation.name);
  }
});

// With its host: in the base64 of a picture the path alone occurs by chance.
const openAddress = /https?:\/\/[^"\s]+\/(i|pdf)\/[\w-]{16}/;

test('given any option, when a key of the operation alone asks for it, then it neither sends nor gets an address of paper', async (t) => {
  const app = await startApp(t);
  const { company, key, seed } = await givenSeeded(app, ...placesOfOptions.map(({ operation }) => operation));
  const emails = async () => (await app.get('/v1/emails', { key })).body.data.length as number;
  const before = await emails();
  for (const { operation, place, option } of placesOfOptions) {
    const poor = await app.given.apiKey(company, { scopes: scopesNeeded(operation) });
    const call = validCallOf(operation, seed);
    const at = (param: string) => param.replaceAll('*', '0');
    const asking = withValueAt(call.body, at(`${place}.${option}`), options[option]?.value);
    const body = withValueAt(asking, at(place.replace(/options$/, 'external_id')), undefined);
    const sent = { ...call, body: body as Record<string, unknown> };
    const answer = await send(app, operation, { key: poor, seed }, sent);
    const is_asked = operation.input_scopes.some(({ param }) => param === `${place}.${option}`);
    const said = `${operation.name} ${option}: ${answer.text}`;
    assert.ok(is_asked ? answer.status === 403 : answer.status < 300, said);
    assert.doesNotMatch(answer.text, openAddress, said);
    if (option === 'wait_for_pdf')
      assert.match((await send(app, operation, { key, seed }, sent)).text, openAddress, operation.name);
  }
  assert.equal(await emails(), before);
});

let read: Promise<SeededCompany> | undefined;

let growing: Promise<SeededCompany> | undefined;
const seeding = makeSeeding();

/** Reads change nothing, so they share a company. Those that only add something share another. */
async function givenFor(app: App, operation: Operation): Promise<SeededCompany> {
  if (changesNothing(operation) && operation.environment !== 'test') {
    read ??= givenSeeded(app);
    return read;
  }
  if (adding.includes(operation)) {
    growing ??= givenSeeded(app, ...adding);
    return growing;
  }
  const given = await seeding(app, operation);
  const key = keyFor(operation, given);
  return key === given.key ? given : { ...given, key, seed: await seedFor(app, key, operation) };
}

test('given any operation, when a key of all scopes but pdfs:read calls it, then no address of paper is answered', async (t) => {
  const app = await startApp(t);
  const all = new Set(catalog.flatMap(scopesNeeded));
  all.delete('pdfs:read');
  const keys = new Map<string, string>();
  let hidden = 0;
  for (const operation of catalog) {
    if (scopesNeeded(operation).includes('pdfs:read')) continue;
    const { company, key: whole, seed: made } = await givenFor(app, operation);
    const environment = operation.environment ?? 'live';
    const is_read = operation.method === 'GET' && environment === 'live';
    // A draft has no address.
    const numbered = ({ issued, pending_quote, pending_proforma, pending_note }: Seed) => ({
      invoice: issued,
      quote: pending_quote,
      proforma: pending_proforma,
      delivery_note: pending_note,
    });
    const seed = is_read ? { ...made, ...numbered(made) } : made;
    const place = `${company.company_id} ${environment}`;
    const key = keys.get(place) ?? (await app.given.apiKey(company, { scopes: [...all], environment }));
    keys.set(place, key);
    const { text, status } = await send(app, operation, { key, seed });
    assert.doesNotMatch(text, openAddress, operation.name);
    assert.notEqual(status, 403, operation.name);
    // What another has added to their company keeps none from being carried out.
    if (adding.includes(operation) && operation.name !== 'register_company_representation')
      assert.equal(status, operation.status, text);
    if (!is_read) continue;
    if (openAddress.test((await send(app, operation, { key: whole, seed })).text)) hidden += 1;
  }
  assert.ok(hidden >= 4, `${hidden} reads have an address`);
});

test('given a key that may not send, when one element of many asks for it, then nothing is made', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = await app.given.apiKey(acme, { scopes: ['invoices:write', 'invoices:read'] });
  const ticket = { type: 'F2', lines: [{ description: 'Café', unit_price: 10, tax_rate: 10 }] };
  const options = { send_automatically: true, send_to: 'ana@example.com' };
  const body = { invoices: [ticket, { ...ticket, options }] };
  assert.equal((await app.post('/v1/invoices/bulk-create', { key, body })).status, 403);
  assert.deepEqual((await app.get('/v1/invoices', { key })).body.data, []);
});

test('given a malformed body, when the scope of an input is looked for, then the schema refuses it', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = await app.given.apiKey(acme, { scopes: ['invoices:write'] });
  for (const body of [null, [], { invoices: 7 }, { invoices: [null, { options: [] }] }]) {
    const answer = await app.post('/v1/invoices/bulk-create', { key, raw: JSON.stringify(body) });
    assert.equal(answer.status < 500, true, answer.text);
    assert.notEqual(answer.status, 403);
  }
});
