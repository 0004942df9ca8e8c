/** Each operation asks for its own scope and no other: a key with that one alone may call it, and a key without may not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { catalog } from '../../src/modules/catalog.ts';
import { startApp } from '../harness.ts';
import { givenSeeded, send } from '../support/catalogue-calls.ts';

const scoped = catalog.filter((operation) => operation.scope !== null);

/** The scopes of the catalogue's operations, but one. */
const allBut = (scope: string) =>
  [...new Set(scoped.flatMap((one) => one.scope ?? []))].filter((s) => s !== scope);

for (const operation of scoped) {
  const scope = operation.scope!;
  test(`${operation.name} needs ${scope}, and nothing else will do`, async (t) => {
    const app = await startApp(t);
    const { company, seed } = await givenSeeded(app);
    const environment = operation.environment ?? 'live';
    const others = await app.given.apiKey(company, { scopes: allBut(scope), environment });
    const refused = await send(app, operation, { key: others, seed });
    assert.deepEqual([refused.status, refused.body.error.code], [403, 'insufficient_scope']);
    const own = await app.given.apiKey(company, { scopes: [scope], environment });
    const answer = await send(app, operation, { key: own, seed });
    assert.notEqual(answer.status, 403, answer.text);
  });
}
