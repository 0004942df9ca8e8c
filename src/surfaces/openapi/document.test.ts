import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { commonErrors as c } from '../../kernel/common.errors.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { Decimal, Nullable, One, Page, Shape, Text, Type, Uuid } from '../../kernel/schema.ts';
import { apiVersions } from '../../kernel/versions.ts';
import { catalog } from '../../modules/catalog.ts';
import { compareFacts } from '../../../scripts/compare-openapi.ts';
import { contractFacts } from '../../../scripts/contract-facts.ts';
import { makeOpenApi, openApiSteps } from './document.ts';
import { readExampleAnswers, sampleId } from './examples.ts';

// biome-ignore lint/suspicious/noExplicitAny: the tests look deep into the document
type Document = any;

const Sheet = Type.Object({ object: Type.Literal('sheet'), id: Uuid, price: Nullable(Type.Number()) });
const ListedSheet = Type.Object({ object: Type.Literal('sheet'), id: Uuid });
const handle = async () => undefined;
const Trial = Type.Object({ object: Type.Literal('trial') });
const shared = {
  tag: 'sheets',
  scope: 'invoices:read',
  transaction: 'own',
  mcp: false,
  errors: [],
  handle,
} as const;

const operations = [
  defineOperation({
    ...shared,
    name: 'list_sheets',
    method: 'GET',
    path: '/v1/sheets',
    summary: 'Lista.',
    transaction: 'read',
    output: Page(ListedSheet),
  }),
  defineOperation({
    ...shared,
    name: 'create_sheet',
    method: 'POST',
    path: '/v1/sheets',
    summary: 'Crea.',
    idempotency_length: { min: 16, max: 128 },
    idempotency: 'required',
    body: Shape({
      title: Text(20),
      parent_id: Type.Optional(Nullable(Uuid)),
      price: Type.Optional(Decimal({ decimals: 2 })),
    }),
    output: One(Sheet),
    errors: [c.business_rule_violation],
    examples: [{ title: 'Una hoja', body: { title: 'A', parent_id: '{sheet}' } }],
  }),
  defineOperation({
    ...shared,
    name: 'get_sheet',
    method: 'GET',
    path: '/v1/sheets/:sheet',
    summary: 'Lee.',
    scope: null,
    transaction: 'read',
    params: Type.Object({ sheet: Uuid }),
    output: One(Sheet),
  }),
  defineOperation({
    ...shared,
    name: 'withdraw_sheet',
    method: 'POST',
    path: '/v1/sheets/:sheet/withdraw',
    summary: 'Retira.',
    description: 'Retira una hoja.',
    params: Type.Object({ sheet: Uuid }),
    other_statuses: [{ status: 200, when: 'Era de prueba.', output: One(Trial) }],
    output: One(Sheet),
    errors: [c.business_rule_violation],
    events: ['sheet.withdrawn'],
    effects: 'withdraw',
    irreversible: true,
    reaches_outside: true,
  }),
];

const public_url = 'https://folio.example';
/** With each reference to a parameter or a refusal resolved. */
function resolved(document: Document): Document {
  for (const item of Object.values(document.paths) as Document[])
    for (const operation of Object.values(item) as Document[]) {
      operation.parameters = operation.parameters.map(follow);
      for (const [status, answer] of Object.entries(operation.responses))
        operation.responses[status] = follow(answer);
    }
  return document;

  function follow(part: Document): Document {
    if (!part.$ref) return part;
    const [, , kind, name] = part.$ref.split('/');
    return document.components[kind][name];
  }
}

const printed = makeOpenApi(operations, {
  public_url,
  answers: { create_sheet: { 'Una hoja': { status: 201, body: { data: { object: 'sheet' } } } } },
}) as Document;
const doc = resolved(structuredClone(printed));
/** Of all operations. No test changes it. */
const whole = makeOpenApi(catalog, { public_url }) as Document;
const wholeText = JSON.stringify(whole);

test('the document of the catalogue is valid OpenAPI 3.1', async () => {
  const result = await new Validator().validate(structuredClone(whole) as never);
  assert.deepEqual(result.errors, undefined);
  assert.equal(result.valid, true);
});

test('the same operations give the same text', () => {
  assert.equal(JSON.stringify(makeOpenApi(catalog, { public_url })), wholeText);
});

test('it is made in steps, so that others get turns meanwhile', () => {
  const steps = openApiSteps(catalog, { public_url });
  let count = 0;
  while (!steps.next().done) count += 1;
  assert.ok(count > 4 * catalog.length, String(count));
});

test('no word of the house is left in the document', () => {
  const words = (value: unknown): string[] =>
    value !== null && typeof value === 'object'
      ? Object.entries(value).flatMap(([k, v]) => [k, ...words(v)])
      : [];
  const printed = new Set(words(whole));
  assert.equal(printed.has('nullable') || printed.has('pattern_message'), false);
  assert.doesNotMatch(wholeText, /"format":"(day|instant)"/);
});

test('a path is written in braces and its parameters are required', () => {
  const { parameters } = doc.paths['/v1/sheets/{sheet}'].get;
  assert.deepEqual(parameters[0], {
    name: 'sheet',
    in: 'path',
    required: true,
    description: 'UUID v7',
    schema: { type: 'string', format: 'uuid' },
    example: sampleId,
  });
});

test('the scope is in security, in x-scope and in words', () => {
  const list = doc.paths['/v1/sheets'].get;
  assert.equal(list['x-scope'], 'invoices:read');
  assert.deepEqual(list.security, [{ bearer: ['invoices:read'] }, { api_key: ['invoices:read'] }]);
  assert.match(list.description, /`invoices:read`/);
  assert.deepEqual(doc.paths['/v1/sheets/{sheet}'].get.security, [{ bearer: [] }, { api_key: [] }]);
});

test('Idempotency-Key is offered where it is taken, with its lengths', () => {
  const key = (operation: Document) =>
    operation.parameters.find((p: Document) => p.name === 'Idempotency-Key');
  assert.equal(key(doc.paths['/v1/sheets'].get), undefined);
  const { required, schema } = key(doc.paths['/v1/sheets'].post);
  assert.deepEqual(
    { required, schema },
    { required: true, schema: { type: 'string', minLength: 16, maxLength: 128 } },
  );
});

test('only a list has Link, only a mutation Idempotent-Replayed', () => {
  const { get, post } = doc.paths['/v1/sheets'];
  assert.ok('Link' in get.responses[200].headers);
  assert.ok(!('Idempotent-Replayed' in get.responses[200].headers));
  assert.ok(!('Link' in post.responses[201].headers));
  assert.ok('Idempotent-Replayed' in post.responses[201].headers);
});

test('the headers of a rotated key are told of refusals too, those of disuse where an operation is in disuse', () => {
  const { responses } = whole.paths['/v1/delivery_notes/{delivery_note}/change_status'].post;
  const referred = (status: number) => whole.components.responses[responses[status].$ref.split('/').at(-1)];
  const [answered, refused] = [responses[200], referred(409)];
  for (const name of ['Deprecation', 'Sunset', 'Link']) assert.ok(name in answered.headers, name);
  assert.doesNotMatch(answered.headers.Link.description, /Página/);
  for (const name of ['Warning', 'Service-Key-Secret-Expires']) {
    assert.ok(name in refused.headers, name);
    assert.ok(!(name in referred(401).headers), name);
  }
});

test('own and common errors stand together by status, in one media type, which tells of the other', () => {
  const { content } = doc.paths['/v1/sheets'].post.responses[422];
  assert.deepEqual(Object.keys(content), ['application/json']);
  const [base, own] = content['application/json'].schema.allOf;
  assert.deepEqual(base, { $ref: '#/components/schemas/Error' });
  assert.deepEqual([own.required, own.properties.error.required], [['error'], ['code']]);
  const { enum: codes } = own.properties.error.properties.code;
  assert.deepEqual(codes, ['business_rule_violation', 'missing_required_param', 'parameter_invalid']);
  assert.match(whole.components.schemas.Error.description, /application\/problem\+json/);
});

test('a header that may be absent is optional to generators', () => {
  const { headers } = doc.paths['/v1/sheets'].get.responses[200];
  const { headers: components } = printed.components;
  for (const [name, header] of Object.entries(headers as Record<string, Document>)) {
    const target = header.$ref?.split('/').at(-1);
    assert.equal(target !== undefined, ['X-Request-Id', 'Service-Version'].includes(name), name);
    if (target) assert.equal(components[target].required, true, name);
    else assert.equal(header.required, undefined, name);
  }
});

test('an older version shows no example answer that it never gives', () => {
  const answers = readExampleAnswers();
  const named = ['subsanar_verifactu_record', 'retry_verifactu_record'];
  const operations = named.map((name) => catalog.find((operation) => operation.name === name)!);
  const shown = apiVersions.map((version) => {
    const { paths } = makeOpenApi(operations, { public_url, answers, version }) as Document;
    return operations.map(({ path, status }) => {
      const { post } = paths[path.replace(/:(\w+)/g, '{$1}')];
      return post.responses[status].content['application/json'].examples !== undefined;
    });
  });
  assert.deepEqual(shown, [
    [false, true],
    [true, true],
  ]);
});

/**
 * Both without the paths and webhooks that read the same and refer to nothing that differs: those have equal facts, of which
 * there are a quarter of a million.
 */
function withoutEqual(...documents: readonly [Document, Document]): Document[] {
  const parts = documents.map(({ components }) =>
    Object.entries(components as Record<string, object>).flatMap(([kind, members]) =>
      Object.entries(members).map(([name, part]) => [`"#/components/${kind}/${name}"`, JSON.stringify(part)]),
    ),
  );
  const [left, right] = parts.map((pairs) => new Map(pairs as [string, string][])) as [
    Map<string, string>,
    Map<string, string>,
  ];
  const changed = new Set(
    [...left.keys(), ...right.keys()].filter((ref) => left.get(ref) !== right.get(ref)),
  );
  const refersToChanged = (text: string) => [...changed].some((ref) => text.includes(ref));
  for (let before = -1; before !== changed.size; ) {
    before = changed.size;
    for (const [ref, text] of [...left, ...right]) if (refersToChanged(text)) changed.add(ref);
  }
  return documents.map((document) => {
    const kept = (kind: 'paths' | 'webhooks') =>
      Object.fromEntries(
        Object.entries(document[kind] as Document).filter(([path, item]) => {
          const text = JSON.stringify(item);
          const is_equal = documents.every((other) => JSON.stringify(other[kind][path]) === text);
          return !is_equal || refersToChanged(text);
        }),
      );
    return { ...document, paths: kept('paths'), webhooks: kept('webhooks') };
  });
}

test('each version has its document: what is gone in one is in those before', () => {
  const [first, latest] = (['2026-06-01', '2026-10-01'] as const).map(
    (version) => makeOpenApi(catalog, { public_url, version }) as Document,
  );
  assert.deepEqual([first!.info.version, latest!.info.version], ['2026-06-01', '2026-10-01']);
  assert.deepEqual(latest, whole);
  const [before, after] = withoutEqual(first!, latest!);
  assert.ok(Object.keys(after.paths).length > 0);
  const differs = compareFacts(contractFacts(before), contractFacts(after));
  assert.deepEqual(differs, {
    lost: [
      'retry_verifactu_record · 409 · application/json · error.code · enum "max_retries_exceeded"',
      'subsanar_verifactu_record · 201 · application/json · data.new_record_id · description',
      'subsanar_verifactu_record · 201 · application/json · data.new_record_id · type string',
    ],
    added: [],
  });
});

test('errors that cannot meet the operation are not listed', () => {
  const { get } = doc.paths['/v1/sheets/{sheet}'];
  assert.deepEqual(Object.keys(get.responses), [
    '200',
    '400',
    '401',
    '404',
    '412',
    '422',
    '429',
    '500',
    '503',
  ]);
});

test('two shapes of a resource have two names', () => {
  assert.equal(
    doc.paths['/v1/sheets/{sheet}'].get.responses[200].content['application/json'].schema.properties.data
      .$ref,
    '#/components/schemas/Sheet',
  );
  assert.deepEqual(
    Object.keys(doc.components.schemas).filter((name) => name.includes('Sheet')),
    ['CreateSheetInput', 'Sheet', 'SheetOfListSheets'],
  );
});

test('examples show sample ids for placeholders, and the answers given', () => {
  const { post } = doc.paths['/v1/sheets'];
  assert.deepEqual(post.requestBody.content['application/json'].examples.una_hoja, {
    summary: 'Una hoja',
    value: { title: 'A', parent_id: sampleId },
  });
  assert.deepEqual(post.responses[201].content['application/json'].examples.una_hoja.value, {
    data: { object: 'sheet' },
  });
});

test('each status has its own answer', () => {
  const { responses } = doc.paths['/v1/sheets/{sheet}/withdraw'].post;
  const data = (status: number) => responses[status].content['application/json'].schema.properties.data.$ref;
  assert.deepEqual([data(201), data(200)], ['#/components/schemas/Sheet', '#/components/schemas/Trial']);
});

test('the creation of an invoice answers the invoice, and a dry run answers 200', () => {
  const { paths } = whole;
  const { responses } = paths['/v1/invoices'].post;
  const data = (status: number) => responses[status].content['application/json'].schema.properties.data;
  assert.deepEqual(data(201), { $ref: '#/components/schemas/Invoice' });
  assert.deepEqual(
    data(200).anyOf.map(({ $ref }: Document) => $ref),
    ['#/components/schemas/Invoice', '#/components/schemas/DryRun'],
  );
});

test('what an operation does is told to programs and in words', () => {
  const { post } = doc.paths['/v1/sheets/{sheet}/withdraw'];
  assert.equal(post['x-effects'], 'withdraw');
  assert.equal(post['x-irreversible'], true);
  assert.equal(post['x-reaches-outside'], true);
  assert.deepEqual(post['x-events'], ['sheet.withdrawn']);
  assert.match(post.description, /^Retira una hoja\.\n\n.*No se puede deshacer\./);
  assert.match(post.description, /Eventos que puede emitir: `sheet\.withdrawn`\./);
  const { get } = doc.paths['/v1/sheets'];
  assert.equal(get['x-effects'], 'read');
  for (const word of ['x-irreversible', 'x-reaches-outside', 'x-events']) assert.ok(!(word in get), word);
});

test('no parameter and no refusal stands twice in full', () => {
  const { paths } = whole;
  const entries = Object.values(paths).flatMap((item) => Object.values(item as Document)) as Document[];
  const parts = entries.flatMap(({ parameters, responses }) => [
    ...parameters,
    ...Object.entries(responses).flatMap(([status, answer]) => (Number(status) < 400 ? [] : [answer])),
  ]);
  const texts = parts.filter(({ $ref }) => $ref === undefined).map((part) => JSON.stringify(part));
  assert.deepEqual(
    texts.filter((text, i) => texts.indexOf(text) !== i),
    [],
  );
});

test('an object that stands in several places is a component, and keeps the description of each place', () => {
  const Place = (description: string) =>
    Type.Object(
      { street: Text(50, { description: 'Calle' }), town: Text(50, { description: 'Población' }) },
      { description },
    );
  const parcels = defineOperation({
    ...shared,
    name: 'create_parcel',
    method: 'POST',
    path: '/v1/parcels',
    summary: 'Crea.',
    body: Shape({ origin: Place('De dónde sale'), target: Nullable(Place('A dónde va')) }),
    output: One(Type.Object({ object: Type.Literal('parcel'), origin: Place('De dónde sale') })),
  });
  const { components } = makeOpenApi([parcels], { public_url }) as Document;
  const { properties } = components.schemas.CreateParcelInput;
  assert.deepEqual(Object.keys(components.schemas.Origin.properties), ['street', 'town']);
  assert.deepEqual(properties.origin, {
    $ref: '#/components/schemas/Origin',
    description: 'De dónde sale',
  });
  assert.deepEqual(properties.target, {
    anyOf: [{ $ref: '#/components/schemas/Origin' }, { type: 'null' }],
    description: 'A dónde va',
  });
});

test('a body like that of another operation keeps its name', () => {
  const other = { ...operations[1]!, name: 'copy_sheet', path: '/v1/sheets/copy' };
  const { components, paths } = makeOpenApi([...operations, other], { public_url }) as Document;
  assert.deepEqual(components.schemas.CopySheetInput, { $ref: '#/components/schemas/CreateSheetInput' });
  assert.deepEqual(paths['/v1/sheets/copy'].post.requestBody.content['application/json'].schema, {
    $ref: '#/components/schemas/CopySheetInput',
  });
});

test('an event that is not emitted yet says so', () => {
  const { webhooks } = whole;
  const posts = Object.values(webhooks).map((item) => (item as Document).post);
  const soon = posts.filter((post) => post['x-status'] === 'coming_soon');
  assert.ok(soon.length > 0);
  for (const post of soon) assert.match(post.description, /todavía no/);
  assert.equal(webhooks['invoice.paid'].post['x-status'], 'available');
});

test('the document names its licence, whom to ask, and its tags in words', () => {
  const { info, tags } = whole;
  assert.ok(info.license.name && info.contact.url);
  for (const tag of tags) assert.ok(tag['x-displayName'] && tag.description, tag.name);
});
