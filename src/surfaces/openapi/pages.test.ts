import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import Fastify from 'fastify';
import type { Operation } from '../../kernel/operation.ts';
import { catalog } from '../../modules/catalog.ts';
import { registerPages } from './pages.ts';
import { listPages } from './site.ts';

const address = () => 'https://folio.example';

function serve(t: TestContext, operations: readonly Operation[]) {
  const app = Fastify();
  t.after(() => app.close());
  registerPages(app, { operations, public_url: address, docs_url: address });
  return app;
}

test('given no reader yet, when a service starts, then no page is listed', async (t) => {
  let reads = 0;
  const operation = Object.defineProperty({ ...catalog[0]! }, 'tag', {
    get() {
      reads += 1;
      return catalog[0]!.tag;
    },
  });
  const app = serve(t, [operation]);
  await app.ready();
  assert.equal(reads, 0);
  assert.equal((await app.inject('/docs')).statusCode, 200);
  assert.notEqual(reads, 0);
});

test('given a service just started, when its first reader asks for any page, then that page is the answer', async (t) => {
  for (const path of ['/docs/reference/taxes', '/docs/guides/en/sandbox', '/docs/webhooks']) {
    const made = listPages(catalog).find((one) => one.path === path);
    assert.ok(made, path);
    const first = await serve(t, catalog).inject(path);
    assert.equal(first.statusCode, 200, path);
    assert.match(String(first.headers['content-type']), /^text\/html/);
    assert.ok(first.payload.includes(`<h1`), path);
    const markdown = await serve(t, catalog).inject(`${path}.md`);
    assert.equal(markdown.statusCode, 200, path);
    assert.match(String(markdown.headers['content-type']), /^text\/markdown/);
    assert.match(markdown.payload, /^# /m);
    assert.equal((await serve(t, catalog).inject({ method: 'HEAD', url: path })).statusCode, 200, path);
  }
});

test('given a service just started, when its first reader asks for what is no page, then it is missing', async (t) => {
  const first = await serve(t, catalog).inject('/docs/none');
  assert.equal(first.statusCode, 404);
  assert.match(String(first.headers['content-type']), /^text\/html/);
  const app = serve(t, catalog);
  const statusOf = async (path: string) => (await app.inject(path)).statusCode;
  for (const path of [
    '/docs/reference',
    '/docs/reference/taxes/',
    '/docs/reference%2Ftaxes',
    '/docs/reference/taxes?version=2001-01-01',
    '/docs/constructor',
    '/docs/errors/',
  ])
    assert.equal(await statusOf(path), 404, path);
  for (const path of ['/docs/reference/%74axes', '/docs/reference/taxes?a=%2F'])
    assert.equal(await statusOf(path), 200, path);
});

test('given the written pages, when each link of them is followed, then the service has what it leads to', async (t) => {
  const app = serve(t, catalog);
  const written = listPages(catalog).filter(({ section }) => section === 'more');
  const wanted = new Map<string, string>();
  for (const { path } of written) {
    const { payload: shown } = await app.inject(path);
    const { payload: markdown } = await app.inject(`${path}.md`);
    for (const [, target = ''] of [
      ...shown.matchAll(/href="([^"]+)"/g),
      ...markdown.matchAll(/\]\(([^)\s]+)\)/g),
    ]) {
      const { origin, pathname } = new URL(target, `${address()}${path}`);
      if (origin === address()) wanted.set(pathname, path);
    }
  }
  assert.ok(wanted.has('/docs/mcp-tools.json'));
  for (const [target, path] of wanted)
    assert.equal((await app.inject(target)).statusCode, 200, `${path} leads to ${target}`);
});

test('no two pages share a path, and all lie where the router finds them', () => {
  const paths = listPages(catalog).map(({ path }) => path);
  assert.deepEqual(paths, [...new Set(paths)]);
  assert.deepEqual(
    paths.filter((path) => path !== '/docs' && !path.startsWith('/docs/')),
    [],
  );
});
