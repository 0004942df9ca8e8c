import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from '../../kernel/schema.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { errorPage } from './error-pages.ts';
import { inlineProse, prose } from './html.ts';
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
  const text = tagPage(group, { groups: [group], answers, public_url: 'https://folio.example' });
  assert.ok(text.includes('&lt;script&gt;'));
  assert.doesNotMatch(text, /<script/);
});

test('a code that nobody declared has no page', () => {
  assert.equal(errorPage('no_such_code', []), undefined);
});
