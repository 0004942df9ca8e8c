import assert from 'node:assert/strict';
import { test } from 'node:test';
import { htmlWithoutAddresses, withoutAddresses } from './hide-addresses.ts';

const token = 'a_-9'.repeat(17);
const hidden = '[dirección oculta: la clave no puede ver el PDF]';

const cases: [name: string, text: string, shown: string][] = [
  ['a page', `Ver la factura:\nhttps://folio.example/i/${token}\n`, `Ver la factura:\n${hidden}\n`],
  ['its PDF', `https://folio.example/i/${token}/pdf`, hidden],
  ['a PDF', `http://localhost:3000/base/pdf/${token} y más`, `${hidden} y más`],
  ['without a scheme', `(folio.example/i/${token})`, `(folio.example${hidden})`],
  ['in brackets', `(véala: HTTPS://folio.example/i/${token}).`, `(véala: ${hidden}).`],
  ['two in one word', `https://a.es/i/${token},https://b.es/pdf/${token};`, `${hidden};`],
  [
    'another address',
    'https://folio.example/i/corta https://example.com/info',
    'https://folio.example/i/corta https://example.com/info',
  ],
];
for (const [name, text, shown] of cases)
  test(`given ${name}, then only what opens a document is hidden`, () =>
    assert.equal(withoutAddresses(text), shown));

test('given HTML, then a link to the document becomes text, and others stay', () => {
  const link = (url: string) => `<a href="${url}" style="x">Ver</a>`;
  assert.equal(
    htmlWithoutAddresses(
      `${link(`https://a.es/i/${token}`)} ${link('https://b.es')} <p>https://a.es/i/${token}</p>`,
    ),
    `<a style="x">Ver</a> ${link('https://b.es')} <p>${hidden}</p>`,
  );
});
