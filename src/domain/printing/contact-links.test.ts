import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contactLinks, websiteText } from './contact-links.ts';

type Field = 'email' | 'phone' | 'website';

const cases: [field: Field, text: string, leads: string | undefined][] = [
  ['email', 'hola@montalban.example', 'mailto:hola@montalban.example'],
  ['email', 'a?cc=b@c.example', 'mailto:a%3Fcc%3Db@c.example'],
  ['phone', '+34 964 12 34 56', 'tel:+34964123456'],
  ['phone', '(964) 12.34-56', 'tel:964123456'],
  // Two lines, as they are written in Spain.
  ['phone', '915550101/02', undefined],
  ['phone', '915550101 ext. 4', undefined],
  ['phone', '12345', undefined],
  ['website', 'montalban.example', 'https://montalban.example/'],
  ['website', 'http://montalban.example/', 'http://montalban.example/'],
  ['website', 'medium.com/@acme', 'https://medium.com/@acme'],
  ['website', 'cañas.example', 'https://xn--caas-hqa.example/'],
  ['website', 'javascript://montalban.example/%0aalert(1)', undefined],
  ['website', 'user:secret@montalban.example', undefined],
  ['website', '915550101', undefined],
  ['website', '54.146.47.149/x', undefined],
  ['website', 'localhost', undefined],
  ['website', 'nuestra web', undefined],
];
for (const [field, text, leads] of cases)
  test(`the ${field} ${text} leads to ${leads ?? 'nothing'}`, () => {
    const shown = field === 'website' ? websiteText(text) : text;
    assert.equal(contactLinks({ [field]: text }).get(shown), leads);
  });
