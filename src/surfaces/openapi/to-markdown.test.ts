import assert from 'node:assert/strict';
import { test } from 'node:test';
import { html } from '../../kernel/html.ts';
import { toMarkdown } from './to-markdown.ts';

const cases: [name: string, page: ReturnType<typeof html>, expected: string][] = [
  [
    'headings and paragraphs',
    html`<h1>A</h1><p class="lead">b\nc</p>\n\n<h2 id="d">D <a class="anchor" href="#d">#</a></h2>`,
    '# A\n\nb c\n\n## D',
  ],
  ['signs', html`<p>${'<a> & "b"'}</p>`, '<a> & "b"'],
  [
    'inline',
    html`<p><a href="/x?a=1&amp;b=2">x <code>y</code></a> <strong>z</strong></p>`,
    '[x `y`](/x?a=1&b=2) **z**',
  ],
  ['lists within lists', html`<ul><li>a<p>b</p><ul><li>c</li></ul></li><li>d</li></ul>`, '- a b\n  - c\n- d'],
  [
    'facts',
    html`<dl><div><dt>A</dt><dd>b</dd></div>\n<div><dt>C</dt><dd>d</dd></div></dl>`,
    '- **A**: b\n- **C**: d',
  ],
  [
    'a table',
    html`<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>c</td><td>d</td></tr></tbody></table>`,
    '| A | B |\n| --- | --- |\n| c | d |',
  ],
  [
    'code as it is, and of the samples only that in curl',
    html`<button>x</button><div class="choices"><label>curl</label></div><pre class="sample" data-language="curl"><code>a\n\n\n  ${'<b>'}</code></pre><pre class="sample" data-language="php"><code>c</code></pre>`,
    '```sh\na\n\n\n  <b>\n```',
  ],
  [
    'code of a written page',
    html`<pre tabindex="0" data-language="ts"><code>a</code></pre>`,
    '```ts\na\n```',
  ],
  ['no menus', html`<nav class="neighbours"><a href="/x">x</a></nav><p>a</p>`, 'a'],
];

for (const [name, page, expected] of cases) test(name, () => assert.equal(toMarkdown(page), `${expected}\n`));
