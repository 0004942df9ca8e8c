import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { request as askFor } from 'node:http';
import { test } from 'node:test';
import jsQR from 'jsqr';
import { request } from 'undici';
import type { Ports } from '../../kernel/ports.ts';
import { newId } from '../../kernel/uuid7.ts';
import { startService } from '../../main/service.ts';
import { makeLinks, PrinterBusy } from '../../modules/pdfs/index.ts';
import { type Answer, type App, startApp } from '../../../test/harness.ts';
import { until } from '../../../test/support/worker-place.ts';
import { copyScript } from './copy-button.ts';
import { dressCompany, givenIssuer, issuePublic, tokenOf } from '../../../test/support/public-invoices.ts';

type Headers = Record<string, string>;

/** Each test calls from its own network, so that none waits for another's attempts. */
let visitor = 0;
const proxied = { FOLIO_TRUSTED_PROXIES: '127.0.0.1' };
const from = (address = `2001:db8:0:${(++visitor).toString(16)}::1`): Headers => ({
  'X-Forwarded-For': address,
});

async function fetchPdf(app: App, path: string, headers: Headers = {}) {
  const { statusCode, headers: got, body } = await request(new URL(path, app.url), { headers });
  return { status: statusCode, headers: got as Headers, bytes: Buffer.from(await body.arrayBuffer()) };
}

/** @param has_copy its one script copies the account */
function assertStrict({ headers, text }: Answer, has_copy = false): void {
  assert.equal(headers['content-type'], 'text/html; charset=utf-8');
  const hash = (what: string) => `'sha256-${createHash('sha256').update(what).digest('base64')}'`;
  const style = /<style>([\s\S]*)<\/style>/.exec(text)?.[1] ?? '';
  const scripts = has_copy ? ` script-src ${hash(copyScript)};` : '';
  assert.equal(
    headers['content-security-policy'],
    `default-src 'none'; style-src ${hash(style)};${scripts} img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  );
  assert.equal(text.split('<script').length - 1, has_copy ? 1 : 0);
  assert.equal(headers['referrer-policy'], 'no-referrer');
  assert.match(String(headers['x-robots-tag']), /noindex/);
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.equal(headers['cache-control'], 'private, no-store');
}

let missing: string | undefined;

/** Every address that opens nothing gets the same page, to the byte. */
function assertMissing(answer: Answer, what: string): void {
  assert.equal(answer.status, 404, what);
  assertStrict(answer);
  missing ??= answer.text;
  assert.equal(answer.text, missing, what);
}

test('given an issued invoice, when its address is opened without a key, then the page says what the invoice says', async (t) => {
  const app = await startApp(t);
  const acme = await givenIssuer(app, { colour: '#ffe94d' });
  const { public_url, number } = await issuePublic(
    app,
    acme.live_key,
    {
      lines: [
        {
          description: 'Azulejo «verde» & <b>rojo</b>',
          quantity: 2,
          unit: 'm²',
          unit_price: 1234.5,
          tax_rate: 21,
        },
        { description: 'Manual', quantity: 1, unit_price: 10, tax_rate: 4, discount_percent: 10 },
      ],
      notes: 'Portes incluidos\n<script>alert(1)</script>',
    },
    { name: `Librería "Norte" & <i>Sur</i>, S. L.` },
  );
  assert.match(public_url, new RegExp(`^${app.url}/i/[\\w-]{66}$`));
  const page = await app.get(public_url);
  assert.equal(page.status, 200);
  assertStrict(page, true);
  const text = page.text.replace(`<script>${copyScript}</script>`, '');
  for (const said of [
    '<html lang="es">',
    number,
    'Cerámicas Montalbán, S. L.',
    'Montalbán',
    'NIF B',
    'Calle del Alfarero, 14',
    'Librería &quot;Norte&quot; &amp; &lt;i&gt;Sur&lt;/i&gt;, S. L.',
    'A58818501',
    'Azulejo «verde» &amp; &lt;b&gt;rojo&lt;/b&gt;',
    'Portes incluidos\n&lt;script&gt;alert(1)&lt;/script&gt;',
    'm²',
  ])
    assert.ok(text.includes(said), said);
  for (const amount of ['2.469,00', '518,49', '2.996,85']) assert.ok(text.includes(amount), amount);
  assert.doesNotMatch(text, /<script|<iframe|<object|\son\w+=|style=|javascript:|SIN VALIDEZ/i);
  assert.doesNotMatch(
    text,
    /(src|href)="(?!data:|https:\/\/(prewww2|www2)\.(aeat|agenciatributaria)[^"]*"|[\w-]{66}(\/pdf|\?lang=\w\w)"|mailto:hola@montalban\.example"|tel:\+34964123456")/,
  );
});

test('given its page, when the PDF is downloaded, then it is the A4 one, named after the number', async (t) => {
  const app = await startApp(t);
  const acme = await givenIssuer(app);
  const invoice = await issuePublic(app, acme.live_key);
  const pdf = await fetchPdf(app, `/i/${invoice.token}/pdf`);
  assert.equal(pdf.status, 200);
  assert.equal(pdf.headers['content-type'], 'application/pdf');
  assert.equal(pdf.headers['content-disposition'], `attachment; filename="${invoice.number}.pdf"`);
  assert.equal(pdf.headers['referrer-policy'], 'no-referrer');
  assert.match(pdf.headers['x-robots-tag'] ?? '', /noindex/);
  assert.equal(pdf.headers['x-content-type-options'], 'nosniff');
  assert.equal(pdf.bytes.subarray(0, 5).toString(), '%PDF-');
  const own = await app.get(`/v1/invoices/${invoice.id}/pdf`, { key: acme.live_key });
  assert.equal(own.headers.etag, pdf.headers.etag, 'the same PDF as the one with a key');
  const again = await fetchPdf(app, `/i/${invoice.token}/pdf`, { 'If-None-Match': pdf.headers.etag! });
  assert.deepEqual([again.status, again.bytes.length, again.headers.etag], [304, 0, pdf.headers.etag]);
});

test('given an invoice of the sandbox with a record, then its page has the mark, the QR and the prescribed texts', async (t) => {
  const app = await startApp(t);
  const acme = await givenIssuer(app, { language: 'eu' });
  const key = acme.test_key;
  assert.equal((await app.put('/v1/verifactu/settings', { key, body: { enabled: true } })).status, 200);
  const { token, id } = await issuePublic(app, key);
  const { qr_url } = (await app.get(`/v1/invoices/${id}`, { key })).body.data.verifactu;
  const { text } = await app.get(`/i/${token}`);
  assert.ok(text.includes('<html lang="eu">'));
  assert.match(text, /<p class="mark"[^>]* lang="es">SIN VALIDEZ FISCAL<\/p>/);
  assert.match(text, /<p lang="es">QR tributario:<\/p>/);
  assert.match(text, /<svg class="qr" role="img"/);
  assert.ok(text.includes(`href="${qr_url.replaceAll('&', '&amp;')}" rel="noreferrer noopener"`));
  assert.match(text, /<p lang="es">VERI\*FACTU<\/p>/);
});

test('given an annulled or voided invoice, when its address is opened, then the page is gone and reveals nothing', async (t) => {
  const app = await startApp(t);
  const acme = await givenIssuer(app, { language: 'ca' });
  const key = acme.live_key;
  for (const move of ['annul', 'void']) {
    const { id, token, number, public_url } = await issuePublic(app, key);
    const link = (await app.get(`/v1/invoices/${id}/pdf-link`, { key })).body.data;
    assert.equal((await app.get(`/i/${token}`)).status, 200);
    const moved = await app.post(`/v1/invoices/${id}/${move}`, { key });
    assert.equal(moved.status, 200, moved.text);
    assert.equal(moved.body.data.public_url, public_url);
    for (const path of [`/i/${token}`, `/i/${token}/pdf`]) {
      const gone = await app.get(path);
      assert.equal(gone.status, 410, path);
      assertStrict(gone);
      assert.match(gone.text, /<html lang="ca">[\s\S]*anul·lat/);
      for (const datum of [number, 'Montalb', 'Librer', 'Consultor', '121,00', id])
        assert.ok(!gone.text.includes(datum), `${datum} on ${path}`);
    }
    // Whoever has the PDF's address may have the PDF.
    const pdf = await fetchPdf(app, link.url);
    assert.deepEqual([pdf.status, pdf.headers['content-type']], [200, 'application/pdf']);
  }
});

function oddTokens(token: string, id: string, company_id: string): readonly string[] {
  return [
    '',
    'a',
    id,
    company_id,
    `${token}/`,
    `${token}=`,
    `${token}A`,
    `${token}%3D`,
    `${token}%20`,
    `%20${token}`,
    `${token}%00`,
    token.slice(1),
    token.toUpperCase(),
    `${token}/x`,
    '%',
    '%zz',
    '%E0%A4%A',
    '%00',
    '..%2f..%2fetc',
    'ñ',
    '%F0%9F%98%80',
    '😀',
    '<script>',
    "'%20or%201=1",
    'A'.repeat(66),
    'A'.repeat(501),
    'A'.repeat(9000),
    'null',
    '__proto__',
  ];
}

test('given addresses that open nothing, then each gets the same page, and an invented one costs no query', async (t) => {
  const asked: string[] = [];
  let own: Ports | undefined;
  const watched = (ports: Ports) => {
    own = ports;
    return countReads(asked)(ports);
  };
  const app = await startApp(t, { env: proxied, wrap_ports: watched });
  const acme = await givenIssuer(app);
  const key = acme.live_key;
  const { company_id } = acme;
  const { token, id } = await issuePublic(app, key);
  const link = tokenOf((await app.get(`/v1/invoices/${id}/pdf-link`, { key })).body.data.url);
  const other = await givenIssuer(app);
  const theirs = await issuePublic(app, other.live_key);
  asked.length = 0;
  const open = (path: string) => app.get(path, { headers: from() });

  for (const [kind, whole] of [
    ['i', token],
    ['pdf', link],
  ] as const) {
    const bytes = Buffer.from(whole, 'base64url');
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1 << (at % 8);
      assertMissing(await open(`/${kind}/${changed.toString('base64url')}`), `${kind}, byte ${at}`);
    }
  }
  // Parts of two tokens, a token of another installation, and one kind of address used as the other.
  const mixed = Buffer.concat([
    Buffer.from(token, 'base64url').subarray(0, 17),
    Buffer.from(theirs.token, 'base64url').subarray(17),
  ]).toString('base64url');
  const strange = makeLinks([randomBytes(32)], () => app.url);
  const document = { company_id, kind: 'invoice', id, renewed_at: null } as const;
  const later = new Date(app.clock.now().getTime() + 3_600_000);
  for (const path of [
    `/i/${mixed}`,
    `/i/${tokenOf(strange.publicUrl(document))}`,
    `/pdf/${tokenOf(strange.pdfUrl(document, 'a4', later))}`,
    `/i/${link}`,
    `/pdf/${token}`,
    `/i/${mixed}/pdf`,
  ])
    assertMissing(await open(path), path);
  for (const odd of oddTokens(token, id, company_id))
    for (const kind of ['i', 'pdf']) {
      const answer = await fetchRaw(app, `/${kind}/${odd}`);
      assert.equal(answer.status, 404, `/${kind}/${odd.slice(0, 80)}`);
      assert.equal(answer.text, missing, `/${kind}/${odd.slice(0, 80)}`);
    }
  assert.deepEqual(asked, [], 'nothing was read for any of these');

  // Valid addresses of what nobody may see: a draft, a deleted or unknown document, an unknown company.
  const draft = (
    await app.post('/v1/invoices', {
      key,
      body: { lines: [{ description: 'Uno', unit_price: 1, tax_rate: 21 }] },
    })
  ).body.data;
  assert.equal(draft.public_url, null);
  const { links } = own!;
  const tokenFor = (invoice_id: string, of = company_id) =>
    tokenOf(links.publicUrl({ company_id: of, kind: 'invoice', id: invoice_id, renewed_at: null }));
  assertMissing(await open(`/i/${tokenFor(draft.id)}`), 'a draft');
  assertMissing(await open(`/i/${tokenFor(draft.id)}/pdf`), 'the PDF of a draft');
  const shown = await fetchPdf(app, links.pdfUrl({ company_id, kind: 'invoice', id: draft.id }, 'a4', later));
  assert.equal(shown.status, 200, 'a link to the PDF of a draft was given to somebody');
  assert.equal((await app.delete(`/v1/invoices/${draft.id}`, { key })).status, 200);
  for (const [what, path] of [
    ['deleted', `/i/${tokenFor(draft.id)}`],
    ['its PDF', `/pdf/${tokenOf(links.pdfUrl({ company_id, kind: 'invoice', id: draft.id }, 'a4', later))}`],
    ['never there', `/i/${tokenFor(newId())}`],
    ['of another company', `/i/${tokenFor(theirs.id)}`],
    ['of no company', `/i/${tokenFor(id, newId())}`],
  ] as const)
    assertMissing(await open(path), what);
});

test('given the language of a reader, then a page about no document is in it', async (t) => {
  const app = await startApp(t, { env: proxied });
  for (const [wish, language] of [
    ['gl', 'gl'],
    ['en-GB,en;q=0.9,es;q=0.8', 'en'],
    ['de, ca;q=0.5, es;q=0.4', 'ca'],
    ['fr', 'es'],
    ['', 'es'],
    ['es;q=0, eu;q=0.1', 'eu'],
    ['*', 'es'],
    [';;;,,,q=;', 'es'],
    [`${'x,'.repeat(5000)}`, 'es'],
  ] as const) {
    const { text } = await app.get('/i/x', { headers: { ...from(), 'Accept-Language': wish } });
    assert.ok(text.includes(`<html lang="${language}">`), wish.slice(0, 40));
  }
  // Who chose one on the page is told in it.
  for (const [path, language] of [
    ['/i/x?lang=eu', 'eu'],
    ['/i/x/pdf?lang=eu', 'eu'],
    ['/i/x?lang=fr', 'gl'],
    ['/i/%zz', 'gl'],
  ] as const) {
    const { text } = await app.get(path, { headers: { ...from(), 'Accept-Language': 'gl' } });
    assert.ok(text.includes(`<html lang="${language}">`), path);
  }
});

test('given a link to a PDF, then it opens in its format until it expires, also with a known tag', async (t) => {
  const app = await startApp(t);
  const acme = await givenIssuer(app);
  const key = acme.live_key;
  const { id, number } = await issuePublic(app, key);
  const tags = new Set<string | undefined>();
  for (const format of ['a4', 'ticket_80', 'ticket_58']) {
    const { url } = (await app.get(`/v1/invoices/${id}/pdf-link`, { key, query: { format } })).body.data;
    assert.match(url, new RegExp(`^${app.url}/pdf/[\\w-]{75}$`));
    const pdf = await fetchPdf(app, url);
    assert.equal(pdf.status, 200);
    assert.equal(pdf.bytes.subarray(0, 5).toString(), '%PDF-');
    assert.equal(pdf.headers['content-disposition'], `inline; filename="${number}.pdf"`);
    const own = await app.get(`/v1/invoices/${id}/pdf`, { key, query: { format } });
    assert.equal(pdf.headers.etag, own.headers.etag);
    tags.add(pdf.headers.etag);
    const again = await fetchPdf(app, url, { 'If-None-Match': `"other", ${pdf.headers.etag}` });
    assert.deepEqual([again.status, again.bytes.length], [304, 0]);
    app.clock.advance(24 * 3_600_000);
    const ended = await app.get(url);
    assert.equal(ended.status, 410);
    assertStrict(ended);
    assert.match(ended.text, /Este enlace ha caducado/);
    app.clock.advance(-24 * 3_600_000);
  }
  assert.equal(tags.size, 3);
});

test('given too many invented addresses, then their sender must wait, and a valid address opens even so', async (t) => {
  const app = await startApp(t, { env: proxied });
  const acme = await givenIssuer(app);
  const { token } = await issuePublic(app, acme.live_key);
  const guesser = from('203.0.113.9');
  const statuses: number[] = [];
  for (let i = 0; i < 22; i++)
    statuses.push((await app.get(`/${i % 2 ? 'i' : 'pdf'}/${'A'.repeat(i)}`, { headers: guesser })).status);
  assert.deepEqual(statuses, [...Array(20).fill(404), 429, 429]);
  const told = await app.get('/i/x', { headers: guesser });
  assertStrict(told);
  assert.match(told.text, /Demasiados intentos/);
  assert.ok(Number(told.headers['retry-after']) > 0);
  assert.equal((await app.get(`/i/${token}`, { headers: guesser })).status, 200);
  assert.equal((await app.get('/i/x', { headers: from('203.0.113.10') })).status, 404);
  assert.equal((await app.get('/v1/account', { key: acme.live_key, headers: guesser })).status, 200);
  app.clock.advance(61_000);
  assert.equal((await app.get('/i/x', { headers: guesser })).status, 404);
});

test('given a document that is opened too often, then it is refused for a while, and others open', async (t) => {
  const app = await startApp(t, { env: proxied });
  const acme = await givenIssuer(app);
  const key = acme.live_key;
  const [often, other] = [await issuePublic(app, key), await issuePublic(app, key)];
  const { url } = (await app.get(`/v1/invoices/${often.id}/pdf-link`, { key })).body.data;
  const ways = [`/i/${often.token}`, `/i/${often.token}/pdf`, `/pdf/${tokenOf(url)}`];
  const headers = { 'If-None-Match': '*' };
  for (let i = 0; i < 60; i++) {
    const { status } = await fetchPdf(app, ways[i % 3]!, { ...headers, ...from() });
    assert.ok(status === 200 || status === 304, `${i}: ${status}`);
  }
  for (const path of ways) {
    const told = await app.get(path, { headers: from() });
    assert.equal(told.status, 429, path);
    assertStrict(told);
    assert.ok(Number(told.headers['retry-after']) > 0);
  }
  assert.equal((await app.get(`/i/${other.token}`)).status, 200);
  assert.equal((await app.get(`/v1/invoices/${often.id}/pdf`, { key, headers })).status, 304);
  app.clock.advance(61_000);
  for (const path of ways) assert.equal((await fetchPdf(app, path, headers)).status < 400, true, path);
});

test('given many documents of one company, when all are opened at once, then two are read at a time, and one of another company is shown meanwhile', async (t) => {
  let held_id = '';
  let reading = 0;
  let most = 0;
  const { promise: shown, resolve: show } = Promise.withResolvers<void>();
  const counting = (ports: Ports): Ports => {
    const { find } = ports.documents.invoice;
    const counted: typeof find = async (tx, company_id, ...of) => {
      if (company_id !== held_id) return find(tx, company_id, ...of);
      most = Math.max(most, ++reading);
      await shown;
      const found = await find(tx, company_id, ...of);
      reading -= 1;
      return found;
    };
    return { ...ports, documents: { ...ports.documents, invoice: { find: counted } } };
  };
  const app = await startApp(t, { env: { FOLIO_POOL_SIZE: '10' }, wrap_ports: counting });
  const [acme, other] = [await givenIssuer(app), await givenIssuer(app)];
  const issued = await Promise.all(Array.from({ length: 4 }, () => issuePublic(app, acme.live_key)));
  const another = await issuePublic(app, other.live_key);
  held_id = acme.company_id;

  const opening = issued.flatMap(({ token }) =>
    [`/i/${token}`, `/i/${token}/pdf`].map((path) => fetchPdf(app, path)),
  );
  await until(async () => reading > 1);

  assert.equal((await app.get(`/i/${another.token}`)).status, 200);
  show();
  for (const { status } of await Promise.all(opening)) assert.equal(status, 200);
  assert.equal(most, 2);
});

test('given a slow printer, when many open a PDF, then none of them holds a connection to the database', async (t) => {
  const { promise: printed, resolve: print } = Promise.withResolvers<void>();
  let printing = 0;
  const { promise: all, resolve: allPrint } = Promise.withResolvers<void>();
  const slow = (ports: Ports): Ports => {
    assert.ok(ports.printer.at_once! >= 1, 'the service knows how many are printed at a time');
    const print = async () => {
      if (++printing === 4) allPrint();
      await printed;
      return { bytes: Buffer.from('%PDF-slow'), is_final: true };
    };
    return { ...ports, printer: { engine: 'wasm', edition: 'slow', print } };
  };
  const app = await startApp(t, { env: { FOLIO_POOL_SIZE: '2' }, wrap_ports: slow });
  const acme = await givenIssuer(app);
  const key = acme.live_key;
  const [one, two] = [await issuePublic(app, key), await issuePublic(app, key)];
  const links = await Promise.all(
    [one, two].map(
      async ({ id }) =>
        (await app.get(`/v1/invoices/${id}/pdf-link`, { key, query: { format: 'ticket_80' } })).body.data.url,
    ),
  );
  const waiting = [`/i/${one.token}/pdf`, `/i/${two.token}/pdf`, ...links].map((path) => fetchPdf(app, path));
  await all;
  assert.equal((await app.get(`/i/${one.token}`)).status, 200);
  assert.equal((await app.get('/v1/account', { key })).status, 200);
  print();
  for (const { status, bytes } of await Promise.all(waiting))
    assert.deepEqual([status, bytes.toString()], [200, '%PDF-slow']);
});

test('given a document that cannot be shown, then the page says so, and nothing of the cause', async (t) => {
  const broken = (ports: Ports): Ports => ({
    ...ports,
    documents: { ...ports.documents, invoice: { find: () => Promise.reject(new Error('secret fault')) } },
  });
  const app = await startApp(t, { wrap_ports: broken });
  const acme = await givenIssuer(app);
  const { token } = await issuePublic(app, acme.live_key);
  const answer = await app.get(`/i/${token}`, { expects_fault: true });
  assert.equal(answer.status, 500);
  assertStrict(answer);
  assert.match(answer.text, /no podemos mostrar el documento/);
  assert.doesNotMatch(answer.text, /secret fault/);
  assert.ok(
    app.log_lines.some((line) => line.includes('secret fault')),
    'it is logged',
  );
});

test('given a busy printer, when a PDF is asked for, then a page asks to come again', async (t) => {
  const busy = (ports: Ports): Ports => ({
    ...ports,
    printer: { engine: 'wasm', edition: 'busy', print: () => Promise.reject(new PrinterBusy()) },
  });
  const app = await startApp(t, { wrap_ports: busy });
  const acme = await givenIssuer(app);
  const { token } = await issuePublic(app, acme.live_key);
  const answer = await app.get(`/i/${token}/pdf`);
  assert.equal(answer.status, 503);
  assertStrict(answer);
  assert.ok(Number(answer.headers['retry-after']) > 0);
  const { etag, 'content-disposition': disposition } = answer.headers;
  assert.deepEqual([etag, disposition], [undefined, undefined]);
});

test('given a new FOLIO_SECRET_KEY, then earlier addresses still open, and later ones are the same', async (t) => {
  const before = await startApp(t);
  const acme = await givenIssuer(before);
  const { id, token } = await issuePublic(before, acme.live_key);
  const new_key = 'another secret key for this test, 32 characters or more';
  const previous = String(before.config.FOLIO_SECRET_KEY);
  for (const env of [
    { FOLIO_SECRET_KEY: new_key, FOLIO_SECRET_KEY_PREVIOUS: previous },
    { FOLIO_SECRET_KEY: new_key },
  ]) {
    const app = await startApp(t, { env });
    assert.equal((await app.get(`/i/${token}`)).status, 200);
    const { public_url } = (await app.get(`/v1/invoices/${id}`, { key: acme.live_key })).body.data;
    assert.equal(tokenOf(public_url), token);
  }
});

/** The longest spelling of an address. */
const spelt = (text: string) => [...text].map((sign) => `%${sign.charCodeAt(0).toString(16)}`).join('');

test('given addresses that are opened, then no log line holds what opens them', async (t) => {
  const app = await startApp(t, { env: { FOLIO_LOG_LEVEL: 'trace', ...proxied } });
  const acme = await givenIssuer(app);
  const key = acme.live_key;
  const { token, id } = await issuePublic(app, key);
  const link = tokenOf((await app.get(`/v1/invoices/${id}/pdf-link`, { key })).body.data.url);
  for (const path of [
    `/i/${token}`,
    `/i/${token}/pdf`,
    `/i/${token}/x`,
    `/i/${token}?a=${token}`,
    `/i/${token}%`,
    `/I/${token}`,
    `/%69/${token}`,
    `/pdf/${link}`,
    `/pdf/${link}/`,
    `/v1/invoices/${token}`,
    `/v1/${link}`,
    `/docs/${token}`,
    `/${token}`,
    `/x/${spelt(token)}`,
    `/v1/${spelt(link)}%zz`,
  ])
    await fetchRaw(app, path, { authorization: `Bearer ${key}`, referer: `https://x/${token}`, ...from() });
  await app.service.flush();
  for (const secret of [token, link]) {
    const part = secret.slice(8, 48);
    const rows = await app.sql`select path from request_logs`;
    assert.ok(rows.length > 0);
    const logged = [...app.log_lines, ...rows.map(({ path }) => path as string)];
    for (const form of [part, spelt(part)])
      assert.deepEqual(
        logged.filter((line) => line.includes(form)),
        [],
      );
  }
  const opened = app.log_lines.map((line) => JSON.parse(line)).filter((line) => line.path === '/i/:token');
  assert.ok(opened.length >= 2, 'the log has the route in its place');
});

test('given a worker process, then it shows no page, and warns when its addresses lead there', async (t) => {
  const app = await startApp(t);
  const acme = await givenIssuer(app);
  const { token } = await issuePublic(app, acme.live_key);
  const told: string[] = [];
  const log_stream = { write: (line: string) => void told.push(line) };
  const parts = { database: app.db, role: 'worker', log_stream } as const;
  const worker = await startService({ config: app.config, ...parts });
  t.after(() => worker.stop());
  const warns = () => told.splice(0).some((line) => line.includes('FOLIO_PUBLIC_URL is not set'));
  assert.ok(warns());
  const config = { ...app.config, FOLIO_PUBLIC_URL: 'https://facturas.example' };
  await (await startService({ config, ...parts })).stop();
  assert.ok(!warns());
  for (const path of [`/i/${token}`, '/i/x', '/i/%']) {
    const { statusCode, headers, body } = await request(`${worker.url}${path}`);
    await body.dump();
    assert.ok(statusCode === 404 || statusCode === 400, `${path}: ${statusCode}`);
    assert.match(String(headers['content-type']), /json/);
  }
});

/** Sends a target unchanged, where the usual client would correct it. */
function fetchRaw(
  app: App,
  target: string,
  headers: Headers = from(),
): Promise<{ status: number; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
  const path = target.replace(/[^\x21-\x7e]/gu, encodeURIComponent);
  const sent = askFor(app.url, { path, headers }, (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('end', () =>
      resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
    );
  });
  sent.on('error', reject);
  sent.end();
  return promise;
}

function countReads(asked: string[]) {
  return (ports: Ports): Ports => ({
    ...ports,
    documents: {
      ...ports.documents,
      invoice: {
        find(tx, company_id, id) {
          asked.push(id);
          return ports.documents.invoice.find(tx, company_id, id);
        },
      },
    },
  });
}

test('given a contact for weaknesses, when security.txt is fetched, then it says it and when it is stale; without one there is none', async (t) => {
  const contacts = 'mailto:security@example.com, https://example.com/report';
  const env = { FOLIO_SECURITY_CONTACT: contacts, FOLIO_PUBLIC_URL: 'https://folio.example.com/f' };
  const app = await startApp(t, { env });
  app.clock.set(new Date('2026-03-01T12:00:00Z'));
  const answer = await app.get('/.well-known/security.txt');
  assert.equal(answer.status, 200);
  assert.equal(answer.headers['content-type'], 'text/plain; charset=utf-8');
  assert.equal(
    answer.text,
    [
      'Contact: mailto:security@example.com',
      'Contact: https://example.com/report',
      'Expires: 2026-08-28T00:00:00Z',
      'Preferred-Languages: es, en',
      'Canonical: https://folio.example.com/f/.well-known/security.txt',
      '',
    ].join('\n'),
  );
  const without = await startApp(t);
  assert.equal((await without.get('/.well-known/security.txt')).status, 404);
});

/** What a camera reads of the drawn symbol that stands beside this text. */
function readSymbol(text: string, label: string): string | undefined {
  const drawn = text
    .split('<svg class="qr"')
    .find((part) => part.startsWith(` role="img" aria-label="${label}"`));
  const side = Number(/viewBox="-4 -4 (\d+)/.exec(drawn ?? '')?.[1]);
  const path = / d="([^"]+)"/.exec(drawn ?? '')?.[1] ?? '';
  const dots = 4;
  const pixels = new Uint8ClampedArray((side * dots) ** 2 * 4).fill(255);
  for (const [, x, y, right] of path.matchAll(/M(\d+) (\d+)h(\d+)v/g))
    for (let row = (Number(y) + 4) * dots; row < (Number(y) + 5) * dots; row++)
      for (let at = (Number(x) + 4) * dots; at < (Number(x) + 4 + Number(right)) * dots; at++)
        pixels.fill(0, (row * side * dots + at) * 4, (row * side * dots + at) * 4 + 3);
  return jsQR.default(pixels, side * dots, side * dots)?.data;
}

const scan = 'Para pagar por transferencia, escanee este código con la aplicación de su banco.';

test('given an invoice to pay, then its page has a transfer that a bank reads, of what is left, and only a live one', async (t) => {
  const app = await startApp(t);
  const acme = await givenIssuer(app);
  const key = acme.live_key;
  const shown = async (token: string) => (await app.get(`/i/${token}`)).text;
  const invoice = await issuePublic(app, key, { due_on: '2099-06-03' });
  const transferOf = (euros: string, number = invoice.number) =>
    [
      'BCD',
      '002',
      '1',
      'SCT',
      '',
      'Cerámicas Montalbán, S. L.',
      'ES9121000418450200051332',
      euros,
      '',
      '',
      number,
    ].join('\n');
  assert.equal(readSymbol(await shown(invoice.token), scan), transferOf('EUR121.00'));
  app.clock.advance(60_000);
  const pay = async (amount: number) => {
    const body = { amount, payment_method: 'bank_transfer' };
    const paid = await app.post(`/v1/invoices/${invoice.id}/payments`, { key, body });
    assert.equal(paid.status, 201, paid.text);
  };
  await pay(20.5);
  assert.equal(readSymbol(await shown(invoice.token), scan), transferOf('EUR100.50'));
  await pay(100.5);
  assert.ok(!(await shown(invoice.token)).includes(scan), 'paid');

  const withoutTransfer = async (what: string, of: string, body: object = {}) => {
    const { token } = await issuePublic(app, of, { ...body });
    assert.ok(!(await shown(token)).includes(scan), what);
  };
  await withoutTransfer('dollars', key, { currency: 'USD', exchange_rate: 0.9 });
  await withoutTransfer('a sandbox', acme.test_key);
  await dressCompany(app, key, { iban: null });
  await withoutTransfer('no account', key);
});

test('given an invoice, when another language is chosen, then the page is in it, and its PDF stays as it is', async (t) => {
  const app = await startApp(t);
  const acme = await givenIssuer(app);
  const invoice = await issuePublic(app, acme.live_key, { due_on: '2099-06-03' });
  const path = `/i/${invoice.token}`;
  const says: [query: string, language: string, total: string][] = [
    ['', 'es', 'Total'],
    ['?lang=ca', 'ca', 'Venciment'],
    ['?lang=en', 'en', 'Due date'],
    ['?lang=fr', 'es', 'Vencimiento'],
    ['?lang=en&lang=ca', 'es', 'Vencimiento'],
    ['?lang=%00', 'es', 'Vencimiento'],
  ];
  for (const [query, language, word] of says) {
    const page = await app.get(`${path}${query}`);
    assert.equal(page.status, 200);
    assertStrict(page, true);
    assert.ok(page.text.includes(`<html lang="${language}">`), query);
    assert.ok(page.text.includes(word), query);
    assert.ok(page.text.includes(`lang="${language}" hreflang="${language}" aria-current="true"`), query);
    assert.ok(page.text.includes(`<meta property="og:title" content="`), query);
    assert.doesNotMatch(/<meta property[^>]*>/.exec(page.text)?.[0] ?? '', /121|€|Librería/);
  }
  const [plain, asked] = await Promise.all(
    ['', '?lang=en'].map((query) => fetchPdf(app, `${path}/pdf${query}`)),
  );
  assert.equal(plain!.headers.etag, asked!.headers.etag);
});

test('given an invoice to pay, then the issuer is a click away, the day stands beside the amount, and one rate has no table', async (t) => {
  const app = await startApp(t);
  const acme = await givenIssuer(app, { website: 'https://montalban.example/' });
  const key = acme.live_key;
  const line = { description: 'Consultoría', quantity: 2, unit_price: 50, tax_rate: 21 };
  const look = async (lines: object[]) => {
    const { token } = await issuePublic(app, key, { due_on: '2099-06-03', lines });
    return (await app.get(`/i/${token}`)).text;
  };
  const one = await look([line]);
  for (const [address, text] of [
    ['mailto:hola@montalban.example', 'hola@montalban.example'],
    ['tel:+34964123456', '+34 964 12 34 56'],
    ['https://montalban.example/', 'montalban.example'],
  ])
    assert.ok(one.includes(`<a href="${address}" rel="noreferrer noopener">${text}</a>`), address);
  const [, amounts = ''] = /<div class="left">(.*?)<\/div>/s.exec(one) ?? [];
  assert.match(amounts, /121,00.*03\/06\/2099/s);
  const tables = (text: string) => text.match(/<table /g)?.length;
  assert.deepEqual([tables(one), tables(await look([line, { ...line, tax_rate: 4 }]))], [1, 2]);
});
