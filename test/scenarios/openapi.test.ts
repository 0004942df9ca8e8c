/**
 * Compares the answers to every operation's examples with docs/openapi-examples.json, which the document prints.
 * FOLIO_TEST_UPDATE=1 rewrites that file.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { checkSchema } from '../../src/kernel/check.ts';
import { jsonMedia } from '../../src/kernel/operation.ts';
import { declaredProblems } from '../../src/kernel/problem.ts';
import { apiVersions } from '../../src/kernel/versions.ts';
import { catalog } from '../../src/modules/catalog.ts';
import type { ExampleAnswers } from '../../src/surfaces/openapi/examples.ts';
import { startApp } from '../harness.ts';
import { Steps } from './example-steps.ts';
import { normaliseAnswer } from './normalise-answer.ts';

const file = new URL('../../docs/openapi-examples.json', import.meta.url);
const is_update = process.env.FOLIO_TEST_UPDATE === '1';
const now = new Date('2026-11-21T10:00:00.000Z');
const env = { FOLIO_PUBLIC_URL: 'http://127.0.0.1:3000' };

test('every operation that takes a body has an example, and no two of one operation have one title', () => {
  const without = catalog.filter((operation) => operation.examples.length === 0).map(({ name }) => name);
  assert.deepEqual(without, [], 'Operations without an example');
  const doubled = catalog.filter(
    ({ examples }) => new Set(examples.map((e) => e.title)).size < examples.length,
  );
  assert.deepEqual(
    doubled.map(({ name }) => name),
    [],
    'Operations with two examples of one title',
  );
});

test('given a running service, when its document is fetched, then it is valid and has every operation', async (t) => {
  const app = await startApp(t);
  const { status, headers, body } = await app.get('/openapi.json');
  assert.equal(status, 200);
  assert.match(String(headers['content-type']), /^application\/json/);
  const result = await new Validator().validate(structuredClone(body));
  assert.deepEqual(result.errors, undefined);
  assert.ok(result.valid);
  const paths = Object.values(body.paths) as Record<string, { operationId: string }>[];
  const named = paths.flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
  assert.deepEqual(named.sort(), catalog.map(({ name }) => name).sort());
  // Twice each, at the same time.
  const asked = [...apiVersions, ...apiVersions].map((version) => app.get(`/openapi/${version}.json`));
  const versions = (await Promise.all(asked)).map(({ body: document }) => document.info.version);
  assert.deepEqual(versions, [...apiVersions, ...apiVersions]);
  assert.equal((await app.get('/openapi/2020-01-01.json')).status, 404);
  const { body: collection } = await app.get('/docs/postman-collection.json');
  assert.deepEqual(collection.variable[0].value, app.url);
});

test('given a running service, when the pages are fetched, then they need no key and nothing from elsewhere', async (t) => {
  const app = await startApp(t);
  const tags = [...new Set(catalog.map(({ tag }) => tag))];
  for (const path of [
    '/docs',
    '/docs/errors',
    '/docs/webhooks',
    ...tags.map((tag) => `/docs/reference/${tag}`),
  ]) {
    const { status, headers, text } = await app.get(path);
    assert.equal(status, 200, path);
    assert.match(String(headers['content-type']), /^text\/html/);
    assert.match(String(headers['content-security-policy']), /default-src 'none'/);
    // Their own script, and the one before the first paint, whose hash the policy has.
    const [inline = '', ...others] = [
      ...text.matchAll(/<script(?! type="module" src="\/docs\/page.js")[^>]*>(.*?)<\/script>/gs),
    ].map(([, script]) => script);
    assert.deepEqual(others, []);
    assert.ok(
      String(headers['content-security-policy']).includes(
        createHash('sha256').update(inline).digest('base64'),
      ),
    );
    assert.doesNotMatch(text, /<link[^>]+href="(?!\/|data:)|<img|\son\w+="/);
  }
});

test('the first page of the reference names what holds for every call', async (t) => {
  const app = await startApp(t);
  const { text } = await app.get('/docs');
  for (const named of [
    'If-Match',
    'Allow',
    'HEAD',
    'warning_codes',
    'updated[…]',
    'campo[in]',
    'Retry-After',
  ]) {
    assert.ok(text.includes(named), named);
  }
});

test('given a running service, when the page for receivers is fetched, then its headings, code and links are there', async (t) => {
  const app = await startApp(t);
  const { text } = await app.get('/docs/webhooks');
  for (const part of [
    '<h1>Receiving webhooks</h1>',
    'timingSafeEqual',
    'compare_digest',
    'hash_equals',
    '3 days',
  ])
    assert.ok(text.includes(part), part);
  const links = [...text.matchAll(/href="([^"#:]+)"/g)].map(([, target = '']) => target);
  for (const target of new Set(links)) {
    const { status } = await app.get(new URL(target, `${app.url}/docs/webhooks`).pathname);
    assert.equal(status, 200, target);
  }
  const anchors = [...text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
  for (const id of anchors) assert.ok(text.includes(`id="${id}"`), id);
  const schemas = await app.get('/docs/event-schemas.json');
  assert.equal(schemas.headers['content-type'], 'application/schema+json; charset=utf-8');
  assert.ok(schemas.body.$defs['invoice.paid']);
});

test('given every declared code, when its page is fetched, then it tells status, type, message and help', async (t) => {
  const app = await startApp(t);
  for (const { code, status, type } of declaredProblems()) {
    const page = await app.get(`/docs/errors/${code}`);
    assert.equal(page.status, 200, code);
    for (const part of [code, String(status), type]) assert.ok(page.text.includes(part), `${code}: ${part}`);
  }
  for (const path of ['/docs/errors/no_such_code', '/docs/errors/%3Cscript%3E', '/docs/no-such-page']) {
    const page = await app.get(path);
    assert.equal(page.status, 404);
    // Of the page's own script nothing comes from the address.
    assert.doesNotMatch(page.text, /no_such_code|no-such-page|<script>(?!\{const e=)/);
  }
});

test('given the example of every operation, when it is sent, then the answer is the one printed', async (t) => {
  const app = await startApp(t, { env });
  const kept: ExampleAnswers = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const given: ExampleAnswers = {};
  for (const operation of catalog) {
    for (const example of operation.examples) {
      await t.test(`${operation.name}: ${example.title}`, async () => {
        app.clock.set(now);
        const began_at = Date.now();
        const company = await app.given.company({ name: 'Librería Acme SL' });
        const answer = await new Steps(app, company, catalog).run(operation, example);
        assert.equal(answer.status, operation.status, answer.text);
        // Files are not printed.
        if (operation.output_media_type !== jsonMedia) return;
        assert.deepEqual(checkSchema(operation.output, answer.body), []);
        const body = normaliseAnswer(answer.body, { tax_id: company.tax_id, now, began_at });
        given[operation.name] = {
          ...given[operation.name],
          [example.title]: { status: answer.status, body },
        };
        if (is_update) return;
        assert.deepEqual(
          body,
          kept[operation.name]?.[example.title]?.body,
          'Rewrite with FOLIO_TEST_UPDATE=1, then npm run print',
        );
      });
    }
  }
  const sorted = Object.fromEntries(Object.entries(given).sort(([a], [b]) => (a < b ? -1 : 1)));
  if (is_update) writeFileSync(file, `${JSON.stringify(sorted, null, 2)}\n`);
  else assert.deepEqual(Object.keys(kept), Object.keys(sorted), 'Rewrite with FOLIO_TEST_UPDATE=1');
});
