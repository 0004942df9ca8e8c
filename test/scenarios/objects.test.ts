/** Every object of the API says what it is and which: `object` and `id`, at the root of each answer. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Operation, outputSchema } from '../../src/kernel/operation.ts';
import { catalog } from '../../src/modules/catalog.ts';
import { type Answer, type App, startApp } from '../harness.ts';
import { givenSeeded, keyFor, type SeededCompany, seedFor, send } from '../support/catalogue-calls.ts';

type Json = Record<string, unknown>;
type Schema = { properties?: Record<string, Schema>; items?: Schema; anyOf?: Schema[]; type?: string };

const json = catalog.filter((operation) => operation.output_media_type === 'application/json');

/** Every form that the member `data` of an answer may have. */
function formsOf(schema: Schema): Schema[] {
  const data = schema.properties?.data ?? {};
  const forms = data.anyOf ?? [data];
  return forms.map((form) => (form.type === 'array' ? (form.items ?? {}) : form));
}

test('given any operation, then its schema has object and id at the root of the answer', () => {
  const without = json.flatMap((operation) => {
    const statuses = [operation.status, ...operation.other_statuses.map(({ status }) => status)];
    const forms = statuses.flatMap((status) => formsOf(outputSchema(operation, status) as Schema));
    const is_whole = forms.every(({ properties = {} }) => properties.object && properties.id);
    return is_whole ? [] : [operation.name];
  });
  assert.deepEqual(without, []);
});

/** In a company of the seed it is refused; its schema tells. */
const refused: readonly string[] = ['register_company_representation'];

async function answerOf(app: App, operation: Operation): Promise<Answer> {
  const { company, seed, key: live } = await shared(app, operation);
  const key = keyFor(operation, { company });
  return send(app, operation, { key, seed: key === live ? seed : await seedFor(app, key, operation) });
}

let readers: Promise<SeededCompany> | undefined;

/** Reads share a company. */
function shared(app: App, operation: Operation): Promise<SeededCompany> {
  if (operation.method !== 'GET') return givenSeeded(app, operation);
  readers ??= givenSeeded(app);
  return readers;
}

for (const operation of json)
  test(`given ${operation.name}, when it is called, then its answer has object and id at the root`, async (t) => {
    const { status, body, text } = await answerOf(await startApp(t), operation);
    assert.equal(status >= 300, refused.includes(operation.name), text);
    if (status >= 300) return;
    const data = body.data as Json | Json[];
    for (const one of Array.isArray(data) ? data : [data]) {
      assert.equal(typeof one.object, 'string', text);
      assert.notEqual(one.id, undefined, text);
    }
  });
