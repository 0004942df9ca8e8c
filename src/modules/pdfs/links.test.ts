import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { printedFormats } from '../../domain/printing/printed-document.ts';
import { newId } from '../../kernel/uuid7.ts';
import { makeLinks } from './links.ts';
import { linkedKinds, type LinkedDocument } from './ports.ts';

const key = randomBytes(32);
const links = makeLinks([key], () => 'https://folio.example');
const now = new Date('2026-11-21T10:00:00.123Z');
const later = new Date('2026-11-22T10:00:00.123Z');

function anyDocument(): LinkedDocument {
  return { company_id: newId(), kind: 'invoice', id: newId(), renewed_at: null };
}

const tokenOf = (url: string) => url.slice(url.lastIndexOf('/') + 1);

test('an address opens the document that it was made for, and no other reading of it', () => {
  for (const kind of linkedKinds) {
    const document = { ...anyDocument(), kind };
    const page = links.publicUrl(document);
    assert.match(page, /^https:\/\/folio\.example\/i\/[A-Za-z0-9_-]{66}$/);
    assert.equal(links.publicUrl(document), page, 'the same document, the same address');
    assert.deepEqual(links.readPublic(tokenOf(page)), document);
    assert.equal(links.readPdf(tokenOf(page), now), undefined, 'a page is no PDF');
    const { renewed_at, ...plain } = document;
    for (const format of printedFormats) {
      const pdf = links.pdfUrl(document, format, later);
      assert.match(pdf, /^https:\/\/folio\.example\/pdf\/[A-Za-z0-9_-]{75}$/);
      const read = { document: plain, format, made_at: now, has_expired: false };
      assert.deepEqual(links.readPdf(tokenOf(pdf), now), read);
      assert.equal(links.readPublic(tokenOf(pdf)), undefined, 'a PDF is no page');
    }
  }
});

/** As the first version of the service made them. People keep addresses for years. */
const keptKey = Buffer.from('0123456789abcdef0123456789abcdef');
const keptDocument: LinkedDocument = {
  company_id: '0199c4a8-0000-7000-8000-000000000001',
  kind: 'invoice',
  id: '0199c4a8-0000-7000-8000-000000000002',
  renewed_at: null,
};
const keptPage = 'AQGZxKgAAHAAgAAAAAAAAAEBmcSoAABwAIAAAAAAAAACq-XoDWxJ_-hDAZnXKATJkQ';
const keptPdfs = {
  a4: 'AQGZxKgAAHAAgAAAAAAAAAEBmcSoAABwAIAAAAAAAAACAQGiArLFe_6RQKrXdKBxASwmbB1AZBs',
  ticket_80: 'AQGZxKgAAHAAgAAAAAAAAAEBmcSoAABwAIAAAAAAAAACAgGiArLFe0aT_orvlf3WmT99QNpbbG4',
  ticket_58: 'AQGZxKgAAHAAgAAAAAAAAAEBmcSoAABwAIAAAAAAAAACAwGiArLFewmKLfZD8f_7-IgEZOIJDJE',
};

test('addresses of the first version open, and today the same ones are made', () => {
  const ours = makeLinks([keptKey], () => 'https://folio.example');
  assert.deepEqual(ours.readPublic(keptPage), keptDocument);
  assert.equal(tokenOf(ours.publicUrl(keptDocument)), keptPage);
  const { renewed_at: _, ...document } = keptDocument;
  for (const format of printedFormats) {
    const read = { document, format, made_at: new Date(later.getTime() - 86_400_000), has_expired: false };
    assert.deepEqual(ours.readPdf(keptPdfs[format], now), read);
    assert.equal(tokenOf(ours.pdfUrl(keptDocument, format, later)), keptPdfs[format]);
  }
});

test('an address that replaces another carries its instant, and each opens as itself', () => {
  const document = anyDocument();
  const replaced = { ...document, renewed_at: now };
  const [first, second] = [document, replaced].map((one) => tokenOf(links.publicUrl(one)));
  assert.notEqual(first, second);
  assert.deepEqual(links.readPublic(first!), document);
  assert.deepEqual(links.readPublic(second!), replaced);
  assert.equal(tokenOf(links.publicUrl({ ...document, renewed_at: now.toISOString() })), second);
});

test('the address of a PDF has ended at its instant, and not a millisecond before', () => {
  const token = tokenOf(links.pdfUrl(anyDocument(), 'a4', later));
  const ends = (ms: number) => links.readPdf(token, new Date(later.getTime() + ms))?.has_expired;
  assert.deepEqual([ends(-1), ends(0), ends(1)], [false, true, true]);
});

test('a token that differs anywhere, in a bit or in its spelling, opens nothing', () => {
  const renewed = { ...anyDocument(), renewed_at: now };
  const tokens = [
    links.publicUrl(anyDocument()),
    links.publicUrl(renewed),
    links.pdfUrl(anyDocument(), 'ticket_80', later),
  ].map(tokenOf);
  const open = (token: string) => links.readPublic(token) ?? links.readPdf(token, now);
  for (const token of tokens) {
    assert.ok(open(token));
    const bytes = Buffer.from(token, 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      assert.equal(open(changed.toString('base64url')), undefined, `bit ${bit}`);
    }
    // Every other last character, even one that differs only in unused bits.
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=. \n%\u0000ñ😀';
    for (const sign of alphabet)
      if (sign !== token.at(-1))
        assert.equal(open(token.slice(0, -1) + sign), undefined, `ends with ${sign}`);
    for (const odd of [
      `${token}=`,
      `${token}A`,
      ` ${token}`,
      `${token}\n`,
      token.slice(1),
      token.slice(0, -1),
    ])
      assert.equal(open(odd), undefined);
  }
  for (const odd of ['', 'a', '%', '😀'.repeat(33), 'A'.repeat(66), 'A'.repeat(75), 'A'.repeat(100_000)])
    assert.equal(open(odd), undefined);
});

test('another installation makes other tokens; a key that is still known is believed and signs no more', () => {
  const document = anyDocument();
  const other = makeLinks([randomBytes(32)], () => 'https://folio.example');
  const token = tokenOf(links.publicUrl(document));
  assert.equal(other.readPublic(token), undefined);

  const first = randomBytes(32);
  const both = makeLinks([first, key], () => 'https://folio.example');
  assert.deepEqual(both.readPublic(token), document);
  assert.equal(
    both.publicUrl(document),
    makeLinks([first], () => 'https://folio.example').publicUrl(document),
  );
});
