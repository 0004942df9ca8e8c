import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Operation, scopesNeeded } from '../../src/kernel/operation.ts';
import { catalog } from '../../src/modules/catalog.ts';
import { type App, startApp } from '../harness.ts';
import { givenSeeded, type SeededCompany, send } from '../support/catalogue-calls.ts';

const scoped = catalog.filter((operation) => operation.scope !== null);

const allBut = (scope: string) => [...new Set(scoped.flatMap(scopesNeeded))].filter((s) => s !== scope);

let read: Promise<SeededCompany> | undefined;

/** Reads change nothing, so they share a company. */
function givenFor(app: App, operation: Operation): Promise<SeededCompany> {
  if (operation.method !== 'GET') return givenSeeded(app, operation);
  read ??= givenSeeded(app);
  return read;
}

for (const operation of scoped) {
  const needed = scopesNeeded(operation);
  test(`${operation.name} needs ${needed.join(' and ')}, and nothing else will do`, async (t) => {
    const app = await startApp(t);
    const { company, seed } = await givenFor(app, operation);
    const environment = operation.environment ?? 'live';
    for (const scope of needed) {
      const others = await app.given.apiKey(company, { scopes: allBut(scope), environment });
      const refused = await send(app, operation, { key: others, seed });
      assert.deepEqual([refused.status, refused.body.error.code], [403, 'insufficient_scope']);
      assert.ok(refused.body.error.message.includes(scope), refused.text);
    }
    const own = await app.given.apiKey(company, { scopes: needed, environment });
    const answer = await send(app, operation, { key: own, seed });
    assert.notEqual(answer.status, 403, answer.text);
  });
}
