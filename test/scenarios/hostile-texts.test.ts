/** What tenants write must not drive an operator's terminal, nor leave by the log. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSchema } from '../../src/kernel/check.ts';
import type { TSchema } from '../../src/kernel/schema.ts';
import { catalog } from '../../src/modules/catalog.ts';
import { personOperations } from '../../src/modules/people/index.ts';
import { startApp } from '../harness.ts';
import { issuingJobs } from '../support/issuing-jobs.ts';
import { assertRefused, create } from '../support/resource-checks.ts';
import { enqueue } from '../support/worker-place.ts';

type Node = {
  type?: string;
  maxLength?: number;
  enum?: unknown;
  const?: unknown;
  properties?: Record<string, Node>;
  items?: Node;
  anyOf?: Node[];
};

/** Inputs that are looked up or compared, and never stored, or that lose such characters before. */
const notStored = new Set([
  'find_verifactu_record_by_csv',
  'find_verifactu_record_by_invoice_number',
  'upload_purchase_scan',
]);

const isName = (key: string) =>
  /(^|_)(name|person|code|unit|line1|line2|city|province|field)$/.test(key) &&
  !['country_code', 'currency_code'].includes(key);

function namesIn(node: Node, path: string): [path: string, schema: Node][] {
  return [
    ...Object.entries(node.properties ?? {}).flatMap(([key, member]) => [
      ...(isName(key) && member.type === 'string' && !member.enum && !('const' in member)
        ? [[`${path}.${key}`, member] as [string, Node]]
        : []),
      ...namesIn(member, `${path}.${key}`),
    ]),
    ...(node.items ? namesIn(node.items, `${path}.0`) : []),
    ...(node.anyOf ?? []).flatMap((member) => namesIn(member, path)),
  ];
}

/** Escape sequences, line ends, the second half of Latin-1, and marks that turn the direction of text. */
const hostile = ['\u001b[2J', 'a\nb', 'a\r', '\t', '\u007f', '\u009b31m', '\u202e', '\u2066', '\u2028'];

test('every input that is a name refuses control characters', () => {
  const found = [...catalog, ...personOperations]
    .filter(({ name, body }) => body && !notStored.has(name))
    .flatMap(({ name, body }) => namesIn(body as Node, name));
  assert.ok(found.length > 30, `${found.length}`);
  const open = found.filter(([, schema]) =>
    hostile.some((text) => checkSchema(schema as TSchema, text.padEnd(2, 'x')).length === 0),
  );
  assert.deepEqual(
    open.map(([path]) => path),
    [],
  );
  for (const [path, schema] of found) {
    const plain = checkSchema(schema as TSchema, 'Ñandú & Çía.'.slice(0, schema.maxLength ?? 20));
    // A currency or a country has a pattern of its own.
    if (plain.length > 0) assert.match(path, /country|currency/);
  }
});

test('given a name with control characters, when it is sent, then it is refused by name, in every place', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const { id } = await create(app, '/v1/clients', key, { name: 'Uno' });
  const line = { description: 'x', unit_price: 1, tax_rate: 21 };
  const draft = await create(app, '/v1/invoices', key, { lines: [line] });
  for (const text of hostile) {
    const name = `a${text}b`;
    const cases = [
      ['POST', '/v1/clients', { name }, 'name'],
      ['PUT', `/v1/clients/${id}`, { address: { city: name } }, 'address.city'],
      ['POST', '/v1/products', { name: 'x', unit: name }, 'unit'],
      ['POST', '/v1/products', { name: 'x', tags: [name] }, 'tags.0'],
      ['PUT', '/v1/account/company', { commercial_name: name }, 'commercial_name'],
      ['POST', '/v1/account/api-keys', { name, scopes: ['invoices:read'] }, 'name'],
      [
        'PUT',
        `/v1/invoices/${draft.id}`,
        { custom_fields: [{ field: name, value: 'x' }] },
        'custom_fields.0.field',
      ],
    ] as const;
    for (const [method, path, body, param] of cases) {
      const answer = await app.call(method, path, { key, body });
      assertRefused(answer, 422, 'parameter_invalid', param);
      assert.equal(
        answer.body.error.errors[0].message,
        'Ocupa una línea: no admite saltos de línea ni otros caracteres de control.',
      );
    }
  }
  // Notes have lines.
  assert.equal((await app.post('/v1/clients', { key, body: { name: 'x', notes: 'a\nb' } })).status, 201);
});

test('given a fault of the database, when it is logged, then neither its row nor its place is', async (t) => {
  const app = await startApp(t, { fresh: true });
  const { live_key: key } = await app.given.company();
  const secret = 'Nadie debe leer esto';
  await app.sql.unsafe(`
    create function refuse_product() returns trigger language plpgsql as $$
      begin raise exception 'broken' using detail = 'row ' || new.name, hint = new.name, errcode = '23514'; end $$;
    create trigger refuse_product before insert on products for each row when (new.code = 'ROTO') execute function refuse_product()`);
  t.after(() => app.sql.unsafe('drop function refuse_product() cascade'));
  const answer = await app.post('/v1/products', {
    key,
    body: { name: secret, code: 'ROTO' },
    expects_fault: true,
  });
  assert.equal(answer.status, 500);
  const lines = app.log_lines.filter((line) => line.includes('"level":50'));
  assert.equal(lines.length, 1);
  const { err } = JSON.parse(lines[0]!) as { err: Record<string, unknown> };
  assert.deepEqual([err.code, err.message, err.type], ['23514', 'broken', 'PostgresError']);
  assert.match(String(err.stack), /PostgresError: broken\n {4}at /);
  assert.ok(!('detail' in err) && !('where' in err) && !('hint' in err));
  assert.ok(!lines[0]!.includes(secret));
});

test('given faults of the database in an issue, a job and what follows an answer, when they are logged, then no row is', async (t) => {
  const app = await startApp(t, { fresh: true, more_jobs: issuingJobs });
  const { company_id, live_key: key } = await app.given.company();
  const secret = 'Nadie debe leer esto tampoco';
  // A statement within a function stands in `where`, with its values.
  await app.sql.unsafe(`
    create function refuse_row() returns trigger language plpgsql as $$ begin
      execute format('do %L', format('begin raise exception ''broken'' using detail = %L, hint = %L; end', new::text, new::text));
      return new; end $$`);
  t.after(() => app.sql.unsafe('drop function refuse_row() cascade'));
  const places = ['insert on payments', 'insert on request_logs'];
  await app.sql.unsafe(
    places
      .map(
        (place, i) => `create trigger refuse_${i} before ${place} for each row
                         when (new.company_id = '${company_id}') execute function refuse_row()`,
      )
      .join(';'),
  );
  const ticket = { type: 'F2', lines: [{ description: secret, unit_price: 1, tax_rate: 21 }] };
  const paid = { ...ticket, payment: { method: 'card', reference: secret } };
  assert.equal((await app.post('/v1/invoices', { key, body: paid, expects_fault: true })).status, 500);
  await enqueue(app.db, company_id, app.clock.now(), { kind: 'test.create', payload: paid });
  await app.service.flush();
  await app.service.worker.runDue(company_id);
  const faults = app.log_lines.filter((line) => line.includes('broken')).map((line) => JSON.parse(line).msg);
  assert.deepEqual(faults.slice(0, 3), [
    'request failed',
    'request log not written',
    'job failed, another attempt follows',
  ]);
  for (const line of app.log_lines) {
    assert.doesNotMatch(line, /nadie.{1,3}debe.{1,3}leer/i, line);
    assert.doesNotMatch(line, /"(detail|where|hint|query|parameters)"|PL\/pgSQL/, line);
  }
});

test("given a webhook's secret in an address, when the request is logged, then it is cut", async (t) => {
  const app = await startApp(t, { fresh: true });
  const { live_key: key } = await app.given.company();
  const made = await create<{ id: string; secret: string }>(app, '/v1/webhook_endpoints', key, {
    url: 'https://hooks.example.com/folio',
    enabled_events: ['*'],
  });
  assert.match(made.secret, /^whsec_/);
  const bare = made.secret.slice('whsec_'.length);
  for (const written of [made.secret, encodeURIComponent(made.secret), made.secret.replace('w', '%77')])
    await app.get(`/v1/webhook_endpoints/${written}`, { key });
  await app.service.flush();
  const rows = await app.sql<{ path: string }[]>`select path from request_logs where path like '%whsec%'`;
  assert.equal(rows.length, 3);
  const shown = [...app.log_lines, ...rows.map(({ path }) => path)].join('\n');
  // Any eight signs of it would be too many.
  for (let at = 4; at + 8 <= bare.length; at += 4)
    assert.ok(!shown.includes(bare.slice(at, at + 8)), `${at}: ${bare.slice(at, at + 8)}`);
});
