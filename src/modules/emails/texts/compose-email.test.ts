import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import PostalMime from 'postal-mime';
import { printedLanguages } from '../../../domain/printing/printed-document.ts';
import { composeEmail, type EmailContent, type EmailSender } from './compose-email.ts';
import { invoiceWords } from '../../invoices/invoices.words.ts';
import { documentEmail } from '../../sales/document-email.ts';

const sender: EmailSender = {
  name: 'Acme SL',
  commercial_name: null,
  tax_id: 'B12345674',
  email: 'hola@acme.example',
  phone: null,
  website: null,
  colour: null,
  language: 'es',
};

const contentOf = (text: string): EmailContent => ({
  subject: text,
  blocks: [
    { kind: 'paragraph', text },
    { kind: 'facts', rows: [{ label: text, text }] },
    { kind: 'button', label: text, url: `https://folio.example/${text}` },
    { kind: 'note', text },
  ],
});

const tagsOf = (html: string) => html.match(/<[^>]*>/g) ?? [];

for (const [name, from_name] of [
  ['Banco <seguridad@banco.example>', 'Banco seguridad banco.example'],
  ['@gente "de" mar', 'gente de mar'],
  // Of full width, small, and read from right to left.
  ['seguridad\uff20banco.example \uff1cBanco\uff1e', 'seguridad banco.example Banco'],
  ['seguridad\ufe6bbanco.example \ufe64Banco\ufe65', 'seguridad banco.example Banco'],
  ['Banco \u202eelpmaxe.ocnab\u202c', 'Banco elpmaxe.ocnab'],
  ['مقهى النيل', 'مقهى النيل'],
  ['Pérez & Hijos, S. L.', 'Pérez & Hijos, S. L.'],
])
  test(`given the name ${name}, then the sender is called ${from_name}, which looks like no address`, () => {
    assert.equal(
      composeEmail(contentOf('x'), { ...sender, commercial_name: name! }, 'live').from_name,
      from_name,
    );
  });

test('whatever a text holds, the elements of the message are those that we wrote', () => {
  const plain = tagsOf(composeEmail(contentOf('x'), sender, 'live').html).length;
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
      const { html, subject } = composeEmail(contentOf(`x${text.replace(/[\n\r]/g, ' ')}x`), sender, 'live');
      assert.equal(tagsOf(html).length, plain);
      assert.doesNotMatch(subject, /[\r\n\0]/);
    }),
  );
});

test('a subject is one line of a bounded length, and cut between characters', () => {
  const { subject } = composeEmail({ subject: `a\r\nb\t${'😀'.repeat(400)}`, blocks: [] }, sender, 'live');
  assert.ok(subject.startsWith('a b 😀'));
  assert.equal([...subject].length, 250);
  assert.ok(subject.isWellFormed());
});

test('a company is called as its customers call it, and its answers come back to it where it has an address', () => {
  const of = (change: Partial<EmailSender>) => {
    const { from_name, reply_to } = composeEmail(contentOf('x'), { ...sender, ...change }, 'live');
    return [from_name, reply_to];
  };
  assert.deepEqual(of({}), ['Acme SL', 'hola@acme.example']);
  assert.deepEqual(of({ commercial_name: 'La  Acmé\n' }), ['La Acmé', 'hola@acme.example']);
  assert.deepEqual(of({ commercial_name: '', email: null }), ['Acme SL', null]);
  assert.deepEqual(of({ email: 'hola@acme.example\r\nBcc: eva@evil.example' }), ['Acme SL', null]);
});

test('the button is read on any colour, and a colour that is none is not taken', () => {
  const ink = (colour: string) =>
    /background-color:(#\w+|[^"]*)"><a [^>]*;color:(#\w+);/
      .exec(composeEmail(contentOf('x'), { ...sender, colour }, 'live').html)
      ?.slice(1);
  assert.deepEqual(ink('#ffcc00'), ['#ffcc00', '#000000']);
  assert.deepEqual(ink('#202020'), ['#202020', '#ffffff']);
  assert.deepEqual(ink('red"><script>'), ['#24405f', '#ffffff']);
});

test('what a sandbox writes says so in both versions, in words that are never translated', () => {
  for (const language of printedLanguages) {
    const { html, text } = composeEmail(contentOf('x'), { ...sender, language }, 'test');
    assert.ok(html.includes('SIN VALIDEZ FISCAL') && text.startsWith('SIN VALIDEZ FISCAL'));
  }
});

test('the message of an invoice says in every language what there is to pay, and no more than there is', () => {
  const facts = {
    title: 'Factura',
    number: 'F-1',
    issued_on: '21/11/2026',
    total: '121,00 €',
    to_pay: '100,00 €',
    due_on: '21/12/2026',
    public_url: 'https://folio.example/i/x',
    is_attached: true,
    from_name: 'Acme SL',
    subject: null,
    message: null,
  };
  const seen = new Set<string>();
  for (const language of printedLanguages) {
    const { text, subject } = composeEmail(
      documentEmail(facts, invoiceWords, language),
      { ...sender, language },
      'live',
    );
    for (const part of ['F-1', '21/11/2026', '121,00 €', '100,00 €', '21/12/2026', 'PDF', facts.public_url])
      assert.ok(text.includes(part), `${part} in ${language}`);
    assert.equal(subject, 'Factura F-1 · Acme SL');
    seen.add(text);
    const paid = documentEmail(
      { ...facts, to_pay: null, due_on: null, is_attached: false },
      invoiceWords,
      language,
    );
    const short = composeEmail(paid, sender, 'live').text;
    assert.ok(!/100,00|21\/12|PDF/.test(short));
    assert.ok(short.length < text.length);
  }
  assert.equal(seen.size, printedLanguages.length);
});

test('the two versions of a message hold the same words', async () => {
  const content = contentOf('Uno, dos & tres <cuatro>');
  const { html } = composeEmail(content, sender, 'test');
  const read = await PostalMime.parse(`Content-Type: text/html; charset=utf-8\r\n\r\n${html}`);
  const words = (text: string) => new Set(text.match(/[\p{L}\d]+/gu));
  const { text } = composeEmail(content, sender, 'test');
  for (const word of words(text)) assert.ok(words(read.html?.replaceAll('&amp;', '&') ?? '').has(word), word);
});
