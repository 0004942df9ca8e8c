import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { Type } from '../../kernel/schema.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { catalog } from '../../modules/catalog.ts';
import { inlineProse, page, prose } from './html.ts';
import { registerPages } from './pages.ts';
import { tagPage } from './reference-page.ts';

test('prose knows code, strong and paragraphs, and nothing else', () => {
  assert.equal(
    inlineProse('`<a>` y **fuerte** <i>').text,
    '<code>&lt;a&gt;</code> y <strong>fuerte</strong> &lt;i&gt;',
  );
  assert.equal(prose('uno\n\ndos').text, '<p>uno</p><p>dos</p>');
});

test('an operation with markup in every text gives a page without it', () => {
  const bad = '<script>alert(1)</script>';
  const operation = defineOperation({
    name: 'bad_operation',
    method: 'POST',
    path: '/v1/bad/:bad',
    scope: null,
    tag: 'bad',
    summary: bad,
    description: bad,
    transaction: 'own',
    mcp: false,
    params: Type.Object({ bad: Type.String({ description: bad }) }),
    body: Type.Object({ [bad]: Type.String({ description: bad, enum: [bad], pattern: bad }) }),
    output: Type.Object({ data: Type.Object({ [bad]: Type.String({ const: bad }) }) }),
    errors: [],
    examples: [{ title: bad, body: { [bad]: `'${bad}'` } }],
    handle: async () => undefined,
  });
  const group = { tag: 'bad', title: bad, description: bad, operations: [operation] };
  const answers = { bad_operation: { [bad]: { status: 201, body: bad } } };
  const text = page(
    tagPage(group, { groups: [group], answers, public_url: 'https://folio.example', can_call: true }),
    '',
  );
  assert.ok(text.includes('&lt;script&gt;'));
  assert.doesNotMatch(text, /<script>alert/);
});

test('the page of an error is made once: later requests read no operation', async (t) => {
  let reads = 0;
  const operation = Object.defineProperty({ ...catalog[0]! }, 'errors', {
    get() {
      reads += 1;
      return [];
    },
  });
  const app = Fastify();
  const address = () => 'https://folio.example';
  t.after(() => app.close());
  registerPages(app, { operations: [operation], public_url: address, docs_url: address });
  const ask = async (url: string) => (await app.inject(url)).statusCode;
  for (const url of ['/docs/errors/business_rule_violation', '/docs/errors/business_rule_violation.md']) {
    const [before, status] = [reads, await ask(url)];
    assert.deepEqual([status, reads > before], [200, true], url);
    const once = reads;
    assert.deepEqual([await ask(url), reads], [200, once], url);
  }
  const known = reads;
  assert.deepEqual([await ask('/docs/errors/no_such_code'), reads], [404, known]);
});
