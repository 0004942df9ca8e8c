import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderMarkdown } from './markdown.ts';

const cases: [name: string, markdown: string, expected: string][] = [
  ['a paragraph over two lines', 'One\ntwo.\n\nThree.\n', '<p>One\ntwo.</p><p>Three.</p>'],
  [
    'headings',
    '# A\n\n## B `c` d\n### E\n',
    '<h1>A</h1><h2 id="b-c-d">B <code>c</code> d</h2><h3 id="e">E</h3>',
  ],
  ['a list', '- a\n- **b**\n', '<ul><li>a</li><li><strong>b</strong></li></ul>'],
  ['an item over two lines', '- a\n  b\n- c\n', '<ul><li>a\nb</li><li>c</li></ul>'],
  ['a heading with accents', '## Qué más\n', '<h2 id="que-mas">Qué más</h2>'],
  [
    'a bar and nothing in cells',
    '| A | |\n|---|---|\n| `a\\|b` | |\n',
    '<div class="scroll" tabindex="0"><table><thead><tr><th>A</th><th></th></tr></thead><tbody><tr><td><code>a|b</code></td><td></td></tr></tbody></table></div>',
  ],
  ['a numbered list', '1. a\n2. b\n', '<ol><li>a</li><li>b</li></ol>'],
  [
    'a table',
    '| A | B |\n| --- | --- |\n| `c` | d |\n',
    '<div class="scroll" tabindex="0"><table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td><code>c</code></td><td>d</td></tr></tbody></table></div>',
  ],
  [
    'code with an empty line, a sign of a heading and a table in it',
    '```sh\n# a\n\n| b |\n```\n\nc\n',
    '<pre tabindex="0" data-language="sh"><code># a\n\n| b |</code></pre><p>c</p>',
  ],
  ['a link', 'See [the `x`](x.json).\n', '<p>See <a href="x.json">the <code>x</code></a>.</p>'],
  [
    'markup, which is text',
    '<b>a</b> [x](y"onclick=z)\n\n```\n<script>\n```\n',
    '<p>&lt;b&gt;a&lt;/b&gt; <a href="y&quot;onclick=z">x</a></p><pre tabindex="0"><code>&lt;script&gt;</code></pre>',
  ],
];

for (const [name, markdown, expected] of cases) {
  test(name, () => assert.equal(renderMarkdown(markdown).main.text, expected));
}

test('the index has the headings of the second level', () => {
  const { index } = renderMarkdown('# A\n\n## B c\n\n### D\n\n## E\n');
  assert.deepEqual(
    index.map(({ text, id }) => [text, id]),
    [
      ['B c', 'b-c'],
      ['E', 'e'],
    ],
  );
});
