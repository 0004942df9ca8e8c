/**
 * One valid call of each operation: the scopes that it needs, and what each object of its answer says at its root:
 * `object` and `id`.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scopesOfInput } from '../../src/kernel/input-scopes.ts';
import { type Environment, type Operation, outputSchema, scopesNeeded } from '../../src/kernel/operation.ts';
import { catalog } from '../../src/modules/catalog.ts';
import { type Answer, type App, startApp, type TestCompany } from '../harness.ts';
import {
  adding,
  changesNothing,
  givenSeeded,
  keyFor,
  makeSeeding,
  type SeededCompany,
  seedFor,
  send,
  validCallOf,
} from '../support/catalogue-calls.ts';

type Json = Record<string, unknown>;
type Schema = { properties?: Record<string, Schema>; items?: Schema; anyOf?: Schema[]; type?: string };

const scoped = catalog.filter((operation) => operation.scope !== null);
const json = new Set(catalog.filter((operation) => operation.output_media_type === 'application/json'));

/** Every form that the member `data` of an answer may have. */
function formsOf(schema: Schema): Schema[] {
  const data = schema.properties?.data ?? {};
  const forms = data.anyOf ?? [data];
  return forms.map((form) => (form.type === 'array' ? (form.items ?? {}) : form));
}

test('given any operation, then its schema has object and id at the root of the answer', () => {
  const without = [...json].flatMap((operation) => {
    const statuses = [operation.status, ...operation.other_statuses.map(({ status }) => status)];
    const forms = statuses.flatMap((status) => formsOf(outputSchema(operation, status) as Schema));
    const is_whole = forms.every(({ properties = {} }) => properties.object && properties.id);
    return is_whole ? [] : [operation.name];
  });
  assert.deepEqual(without, []);
});

/** Refused to a seeded company: only its schema is checked. */
const refused: readonly string[] = ['register_company_representation'];

function assertNamed({ name }: Operation, { status, body, text }: Answer): void {
  assert.equal(status >= 300, refused.includes(name), text);
  if (status >= 300) return;
  const data = body.data as Json | Json[];
  for (const one of Array.isArray(data) ? data : [data]) {
    assert.equal(typeof one.object, 'string', text);
    assert.notEqual(one.id, undefined, text);
  }
}

const allBut = (scope: string) => [...new Set(scoped.flatMap(scopesNeeded))].filter((s) => s !== scope);

let read: Promise<SeededCompany> | undefined;
let growing: Promise<SeededCompany> | undefined;
const seeding = makeSeeding();

/** Reads change nothing, so they share a company. Those that only add something share another. */
function companyFor(app: App, operation: Operation): Promise<SeededCompany> {
  if (changesNothing(operation)) {
    read ??= givenSeeded(app);
    return read;
  }
  if (!adding.includes(operation)) return seeding(app, operation);
  growing ??= givenSeeded(app, ...adding);
  return growing;
}

async function givenFor(app: App, operation: Operation): Promise<SeededCompany> {
  const given = await companyFor(app, operation);
  const key = keyFor(operation, given);
  return key === given.key ? given : { ...given, key, seed: await seedFor(app, key, operation) };
}

const keys = new Map<string, Promise<string>>();

/** One for all operations of the company that need these scopes. */
function keyOf(
  app: App,
  company: TestCompany,
  environment: Environment,
  scopes: readonly string[],
): Promise<string> {
  const place = [company.company_id, environment, ...scopes].join(' ');
  const key = keys.get(place) ?? app.given.apiKey(company, { scopes, environment });
  keys.set(place, key);
  return key;
}

for (const operation of catalog) {
  const needed = operation.scope === null ? [] : scopesNeeded(operation);
  const what = needed.length > 0 ? `needs ${needed.join(' and ')}, nothing else will do` : 'needs no scope';
  test(`${operation.name} ${what}, and its answer has object and id at the root`, async (t) => {
    const app = await startApp(t);
    const { company, key, seed } = await givenFor(app, operation);
    const environment = operation.environment ?? 'live';
    for (const scope of needed) {
      const others = await keyOf(app, company, environment, allBut(scope));
      const answer = await send(app, operation, { key: others, seed });
      assert.deepEqual([answer.status, answer.body.error.code], [403, 'insufficient_scope']);
      assert.ok(answer.body.error.message.includes(scope), answer.text);
    }
    // What the valid call asks for besides is in `input-scopes.test.ts`.
    const asked = scopesOfInput(operation.input_scopes, validCallOf(operation, seed).body);
    const scopes = [...needed, ...asked];
    const own = scopes.length > 0 ? await keyOf(app, company, environment, scopes) : key;
    const answer = await send(app, operation, { key: own, seed });
    assert.notEqual(answer.status, 403, answer.text);
    if (json.has(operation)) assertNamed(operation, answer);
  });
}
