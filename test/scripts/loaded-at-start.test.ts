/** What starts of the service and of its threads load: each pays for every module. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { readImports } from '../../scripts/read-imports.ts';
import { projectRoot } from '../support/installation.ts';

/** Files and packages that come along with a file, without what is loaded later. */
function loadedWith(file: string, loaded = new Set<string>()): Set<string> {
  if (loaded.has(file)) return loaded;
  loaded.add(file);
  const text = readFileSync(file, 'utf8').replace(/\bimport\(/g, 'later(');
  for (const { from, is_type } of readImports(text)) {
    if (is_type) continue;
    const own = from.startsWith('.')
      ? join(dirname(file), from)
      : join(projectRoot, 'packages', from, 'src/index.ts');
    if (existsSync(own)) loadedWith(own, loaded);
    else loaded.add(from);
  }
  return loaded;
}

test('given the service, when it starts, then it loads no reader of XML or of mail, and no client of HTTP', () => {
  // What answers callers is loaded after the rest.
  const loaded = loadedWith(join(projectRoot, 'src/main/surfaces.ts'));
  loadedWith(join(projectRoot, 'src/main/service.ts'), loaded);
  assert.ok(loaded.has('fastify') && loaded.has('postgres'));
  // With node:http an import also loads Node's own undici, for its WebSocket.
  for (const late of ['libxml2-wasm', 'postal-mime', 'undici', 'node:http'])
    assert.ok(!loaded.has(late), late);
});

test('given what sends messages, when it is loaded, then the client of HTTP is too', () => {
  const senders = ['aeat/message-agents.ts', 'webhooks/connections.ts'];
  for (const sender of senders)
    assert.ok(loadedWith(join(projectRoot, 'src/integrations', sender)).has('undici'), sender);
});

test('given what reads records, when it is loaded, then the reader of XML is too', () => {
  assert.ok(loadedWith(join(projectRoot, 'src/integrations/aeat/record-reader.ts')).has('libxml2-wasm'));
});

test('given the thread that checks chains, when it starts, then it loads no operation and no database', () => {
  const loaded = [...loadedWith(join(projectRoot, 'src/integrations/aeat/walk-worker.ts'))];
  assert.ok(loaded.some((one) => one.endsWith('/record-walk.ts')));
  assert.deepEqual(
    loaded.filter((one) => one === 'postgres' || /\/(?:operations|platform)\//.test(one)),
    [],
  );
});
