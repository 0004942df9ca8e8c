import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { escapeHtml, html } from './html.ts';

test('an escaped text has no sign that could begin markup, and reads the same', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const escaped = escapeHtml(text);
      assert.doesNotMatch(escaped, /[<>"']/);
      const plain = escaped.replace(
        /&(lt|gt|quot|#39|amp);/g,
        (_, name: string) => ({ lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' })[name] ?? '',
      );
      assert.equal(plain, text);
    }),
  );
});

test('templates escape values, keep Html, join lists and leave out what is not there', () => {
  const inner = html`<b>${'<x>'}</b>`;
  assert.equal(
    html`<p>${inner}${['a', '&']}${null}${undefined}${false}${0}</p>`.text,
    '<p><b>&lt;x&gt;</b>a&amp;0</p>',
  );
});
