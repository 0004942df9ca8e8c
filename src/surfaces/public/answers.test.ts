/** Offers are answered on their page, over HTTP as a browser sends it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type App, startApp, type TestCompany } from '../../../test/harness.ts';
import { type MailServer, mailSettings, startMailServer } from '../../../test/support/mail-server.ts';
import { givenIssuer, issuePublic } from '../../../test/support/public-invoices.ts';
import { givenOffer, goodForm, type OfferPath, sendForm } from '../../../test/support/public-offers.ts';

type Kind = readonly [path: OfferPath, object: string, event: string];

async function acceptOnPage(
  app: App,
  acme: TestCompany,
  mail: MailServer,
  [path, object, event]: Kind,
): Promise<void> {
  const key = acme.live_key;
  const offer = await givenOffer(app, key, path);
  const shown = await app.get(offer.page);
  assert.match(shown.text, /i se us envia un rebut amb el PDF[\s\S]*Correu electrònic, per al rebut/);
  assert.match(shown.text, /Accepta amb obligació de pagament/);
  const form = { ...goodForm, tax_id: '12345678Z', note: 'Dos\r\nlínies <b>', version: '1' };
  const sent = await sendForm(app, `${offer.page}/accept`, form);
  assert.deepEqual([sent.status, sent.headers.location], [303, `..${offer.page.slice(2)}`]);
  const after = (await app.get(`/v1/${path}/${offer.id}`, { key })).body.data;
  const { accepted_at, ...acceptance } = after.acceptance;
  assert.equal(after.status, 'accepted');
  assert.deepEqual(acceptance, {
    name: 'Ana Ruiz',
    tax_id: '12345678Z',
    note: 'Dos\nlínies <b>',
    channel: 'public_page',
    version: 1,
  });
  assert.deepEqual(
    (await app.eventTypes(acme, offer.id)).filter((type) => type === event),
    [event],
  );
  const log = (await app.get('/v1/audit-log', { key, query: { action: `${object}.accept` } })).body.data;
  assert.deepEqual(
    [log.length, log[0].actor, log[0].target.id, log[0].ip, log[0].details],
    [1, 'link', offer.id, null, { from: 'pending', to: 'accepted', channel: 'public_page' }],
  );
  const [proof, ...others] = await app.sql`select * from acceptances where document_id = ${offer.id}`;
  assert.equal(others.length, 0);
  const { name, email, tax_id, ip, user_agent, version, document_kind, shown_sha256 } = proof!;
  assert.deepEqual(
    [name, email, tax_id, proof!.note, ip, user_agent, version, document_kind],
    [
      'Ana Ruiz',
      'ana@norte.example',
      '12345678Z',
      'Dos\nlínies <b>',
      '127.0.0.1',
      'Mozilla/5.0 (X11)',
      1,
      object,
    ],
  );
  assert.match(shown_sha256, /^[0-9a-f]{64}$/);
  assert.equal(proof!.accepted_at.toISOString(), accepted_at);

  await app.service.worker.runDue(acme.company_id);
  const told = (await app.eventTypes(acme, offer.id)).filter((type) => type.includes('email'));
  assert.deepEqual(told, [`${object}.email_sent`], 'a notice to the company is no event');
  const [receipt, notice] = mail.received.splice(0).sort((a, b) => (a.to[0]! < b.to[0]! ? -1 : 1));
  assert.deepEqual([receipt?.to, notice?.to], [['ana@norte.example'], ['hola@montalban.example']]);
  assert.match(receipt!.message.subject ?? '', new RegExp(`^Rebut de l’acceptació: .* ${offer.number}`));
  assert.deepEqual(
    receipt!.message.attachments.map(({ filename }) => filename),
    [`${offer.number}.pdf`],
  );
  assert.doesNotMatch(receipt!.message.text ?? '', /Ana Ruiz|línies/);
  assert.match(
    notice!.message.text ?? '',
    /Ana Ruiz[\s\S]*ana@norte\.example[\s\S]*12345678Z[\s\S]*línies <b>/,
  );

  const answered = await app.get(offer.page);
  assert.match(answered.text, /Ana Ruiz/);
  assert.match(answered.text, /Deseu o imprimiu aquesta pàgina[\s\S]*El rebut amb el PDF/);
  // No shorter word of the note: the addresses of the page are drawn, and hold any three letters by chance.
  assert.doesNotMatch(answered.text, /<form|ana@norte|12345678Z|línies/);
}

/** Before the answer. */
function promisesNoReceipt(text: string): void {
  assert.match(text, /confirma entonces la aceptación: guárdela o imprímala\./);
  assert.match(text, />Correo electrónico<\/label>/);
  assert.doesNotMatch(text, /recibo/i);
}

test('given a live company without a mail server, then its page asks for an answer and promises no receipt', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await givenIssuer(app);
  for (const path of ['quotes', 'proformas'] as const) {
    const offer = await givenOffer(app, key, path);
    promisesNoReceipt((await app.get(offer.page)).text);
    const again = await sendForm(app, `${offer.page}/accept`, { ...goodForm, email: 'ana' });
    assert.equal(again.status, 422);
    promisesNoReceipt(again.text);
  }
});

test('given a pending quote and a pro-forma, when each is accepted on its page, then move, proof, receipt and notice are one act', async (t) => {
  const mail = await startMailServer(t);
  const app = await startApp(t, { env: mailSettings(mail) });
  const acme = await givenIssuer(app, { language: 'ca' });
  const key = acme.live_key;
  for (const kind of [
    ['quotes', 'quote', 'quote.approved'],
    ['proformas', 'proforma', 'proforma.accepted'],
  ] as const)
    await acceptOnPage(app, acme, mail, kind);
  const [day] = await app.sql`select recipients from email_days where company_id = ${acme.company_id}`;
  assert.equal(day?.recipients, 4, 'receipts and notices count among the recipients of the day');

  const cancelled = await givenOffer(app, key);
  assert.equal((await sendForm(app, `${cancelled.page}/accept`, goodForm)).status, 303);
  assert.equal((await app.post(`/v1/quotes/${cancelled.id}/cancel`, { key })).status, 200);
  await app.service.worker.runDue(acme.company_id);
  assert.deepEqual(
    mail.received.splice(0).map(({ to }) => to),
    [['hola@montalban.example']],
  );
  const query = { purpose: 'acceptance_receipt', status: 'not_sent' };
  const [withdrawn] = (await app.get('/v1/emails', { key, query })).body.data;
  assert.deepEqual([withdrawn.document.id, withdrawn.reason], [cancelled.id, 'withdrawn']);

  const rejected = await givenOffer(app, key);
  const reason = 'És massa car <i>\ni arriba tard';
  assert.equal((await sendForm(app, `${rejected.page}/reject`, { reason })).status, 303);
  const after = (await app.get(`/v1/quotes/${rejected.id}`, { key })).body.data;
  assert.deepEqual(
    [after.status, after.rejection.reason, after.rejection.channel],
    ['rejected', reason, 'public_page'],
  );
  const log = (await app.get('/v1/audit-log', { key, query: { action: 'quote.reject' } })).body.data;
  assert.deepEqual(log[0].details, { from: 'pending', to: 'rejected', channel: 'public_page' });
  await app.service.worker.runDue(acme.company_id);
  const [notice] = mail.received;
  assert.equal(mail.received.length, 1);
  assert.match(notice!.message.text ?? '', /ha rebutjat[\s\S]*És massa car <i>\ni arriba tard/);
  assert.match(notice!.message.html || '', /És massa car &lt;i&gt;<br>i arriba tard/);
  assert.match((await app.get(rejected.page)).text, /Rebutjat/);
});

type Case = readonly [
  what: string,
  status: number,
  form: Record<string, string> | string,
  says: RegExp,
  headers?: Record<string, string>,
];

const faulty = (change: Record<string, string>) => ({ ...goodForm, ...change });
const invalid = (...names: string[]) =>
  new RegExp(names.map((name) => `id="${name}"[^>]*aria-invalid="true"[\\s\\S]*`).join(''));

const refused: readonly Case[] = [
  ['no tick', 422, faulty({ agree: '' }), invalid('agree')],
  ['another tick', 422, faulty({ agree: 'no' }), invalid('agree')],
  ['no name', 422, faulty({ name: '' }), invalid('name')],
  ['a name of blanks', 422, faulty({ name: ' \t ' }), invalid('name')],
  ['a name too long', 422, faulty({ name: 'a'.repeat(121) }), invalid('name')],
  ['a name of two lines', 422, faulty({ name: 'Ana\nRuiz' }), invalid('name')],
  ['no address', 422, faulty({ email: '' }), invalid('email')],
  ['no whole address', 422, faulty({ email: 'ana@norte' }), invalid('email')],
  ['two addresses', 422, faulty({ email: 'ana@norte.example,eva@norte.example' }), invalid('email')],
  [
    'an address and a header',
    422,
    faulty({ email: 'ana@norte.example\r\nBcc: b@norte.example' }),
    invalid('email'),
  ],
  ['a tax id too long', 422, faulty({ tax_id: 'A'.repeat(21) }), invalid('tax_id')],
  ['a note too long', 422, faulty({ note: 'a'.repeat(501) }), invalid('note')],
  ['a note that is not stored', 422, faulty({ note: 'a\0b' }), invalid('note')],
  ['nothing', 422, { version: '1' }, invalid('name', 'email', 'agree')],
  ['an element', 422, faulty({ name: '"><script>x', agree: '' }), /value="&quot;&gt;&lt;script&gt;x"/],
  ['a later version', 409, faulty({ version: '2' }), /ha cambiado desde que lo abrió[\s\S]*<form/],
  ...['0', '-1', '1.0', '1e0', 'abc', '', '99999999999999'].map(
    (version): Case => [`version ${version}`, 409, faulty({ version }), /ha cambiado/],
  ),
  ['an empty body', 409, '', /ha cambiado/],
  ['no origin', 403, goodForm, /no viene de esta página/, { origin: '' }],
  ['a hidden origin', 403, goodForm, /no viene de esta página/, { origin: 'null' }],
  ['another origin', 403, goodForm, /no viene de esta página/, { origin: 'https://other.example' }],
  ['another port', 403, goodForm, /no viene de esta página/, { origin: 'http://127.0.0.1:1' }],
  ['a note of 1 MB', 413, faulty({ note: 'a'.repeat(1_048_576) }), /No hemos podido leer la respuesta/],
  ['JSON', 415, JSON.stringify(goodForm), /No hemos podido leer/, { 'content-type': 'application/json' }],
  ['text', 415, 'name=Ana', /No hemos podido leer/, { 'content-type': 'text/plain' }],
  ['compressed', 415, goodForm, /No hemos podido leer/, { 'content-encoding': 'gzip' }],
];

test('given forms that are not as the page sends them, then each refusal is a page and nothing is stored', async (t) => {
  const app = await startApp(t);
  const acme = await givenIssuer(app);
  const key = acme.live_key;
  const { id, page } = await givenOffer(app, key);
  const before = (await app.get(`/v1/quotes/${id}`, { key })).body.data;
  const events = await app.eventTypes(acme, id);
  for (const [what, status, form, says, headers] of refused) {
    app.clock.advance(7_000);
    const answer = await sendForm(app, `${page}/accept`, form, headers);
    assert.equal(answer.status, status, `${what}: ${answer.text.slice(0, 300)}`);
    assert.match(String(answer.headers['content-type']), /^text\/html/, what);
    assert.match(answer.text, says, what);
    assert.doesNotMatch(answer.text, /<script/, what);
  }
  const long = await sendForm(app, `${page}/reject`, { reason: 'a'.repeat(501) });
  assert.equal(long.status, 422);
  assert.match(long.text, invalid('reason'));
  for (const way of ['accept', 'reject'])
    for (const method of ['GET', 'HEAD'] as const) {
      const opened = await app.call(method as 'GET', `${page}/${way}`);
      assert.deepEqual([opened.status, opened.headers.location], [303, `..${page.slice(2)}`]);
    }
  assert.deepEqual((await app.get(`/v1/quotes/${id}`, { key })).body.data, before);
  assert.deepEqual(await app.eventTypes(acme, id), events);
  const [stored] = await app.sql`
    select (select count(*) from acceptances where company_id = ${acme.company_id}) as proofs,
           (select count(*) from emails where company_id = ${acme.company_id}) as emails`;
  assert.deepEqual({ ...stored }, { proofs: '0', emails: '0' });
});

test('given addresses whose document nobody can answer, then a form to them is refused', async (t) => {
  const app = await startApp(t);
  const acme = await givenIssuer(app);
  const key = acme.live_key;
  const act = async (path: string) => assert.equal((await app.post(path, { key })).status, 200, path);
  const send = (page: string) => sendForm(app, `${page}/accept`, goodForm);
  const invoice = await issuePublic(app, key);
  assert.equal((await send(`/i/${invoice.token}`)).status, 404, 'an invoice');
  assert.equal((await send('/i/invented')).status, 404, 'an invented address');
  const cancelled = await givenOffer(app, key);
  await act(`/v1/quotes/${cancelled.id}/cancel`);
  assert.equal((await send(cancelled.page)).status, 410, 'a cancelled one');
  const renewed = await givenOffer(app, key);
  await act(`/v1/quotes/${renewed.id}/public-link/revoke`);
  assert.equal((await send(renewed.page)).status, 410, 'an address that has ended');
  for (const word of ['accept', 'reject', 'convert']) {
    const other = await givenOffer(app, key);
    assert.ok((await app.post(`/v1/quotes/${other.id}/${word}`, { key })).status < 300);
    const closed = await send(other.page);
    assert.equal(closed.status, 409, word);
    assert.match(closed.text, /ya no se puede responder aquí/, word);
    assert.doesNotMatch((await app.get(other.page)).text, /<form/, word);
  }

  const open = await givenOffer(app, key);
  const setting = (public_acceptance: boolean) =>
    app.put('/v1/account/company', { key, body: { public_acceptance } });
  assert.deepEqual((await setting(false)).body.data.public_acceptance, false);
  assert.doesNotMatch((await app.get(open.page)).text, /<form|id="answer"/);
  assert.equal((await send(open.page)).status, 409, 'the company takes no answers there');
  await setting(true);
  const statuses = new Set<number>();
  for (let i = 0; i < 9; i++) statuses.add((await sendForm(app, `${open.page}/accept`, {})).status);
  assert.deepEqual([...statuses], [409]);
  const over = await send(open.page);
  assert.equal(over.status, 429, 'over ten a minute');
  assert.ok(Number(over.headers['retry-after']) > 0);
  assert.equal((await app.get(open.page)).status, 200);
  app.clock.advance(61_000);
  for (const time of ['the first time', 'a double click'])
    assert.equal((await send(open.page)).status, 303, time);
  for (const other of [{ name: 'Eva Ruiz' }, { version: '2' }]) {
    const form = { ...goodForm, ...other };
    assert.equal((await sendForm(app, `${open.page}/accept`, form)).status, 409, 'another answer');
  }
  assert.equal((await sendForm(app, `${open.page}/reject`, {})).status, 409);

  const rejected = await givenOffer(app, key);
  const reject = async (reason: string) =>
    (await sendForm(app, `${rejected.page}/reject`, { reason })).status;
  const answers = [await reject('Precio'), await reject('Precio'), await reject('Plazo'), await reject('')];
  assert.deepEqual([...answers, (await send(rejected.page)).status], [303, 303, 409, 409, 409]);
  const told = await app.eventTypes(acme, rejected.id);
  assert.equal(told.filter((type) => type === 'quote.rejected').length, 1);
});

test('given the last day of a quote, then it is accepted at 23:59 of the company and refused at midnight, before any job ran', async (t) => {
  const app = await startApp(t);
  const acme = await givenIssuer(app, { time_zone: 'Atlantic/Canary' });
  app.clock.set('2026-11-22T12:00:00Z');
  const more = { valid_until: '2026-11-22' };
  const [first, second] = [
    await givenOffer(app, acme.live_key, 'quotes', more),
    await givenOffer(app, acme.live_key, 'proformas', more),
  ];
  app.clock.set('2026-11-22T23:59:59Z');
  assert.equal((await sendForm(app, `${first.page}/accept`, goodForm)).status, 303);
  assert.match((await app.get(first.page)).text, /22\/11\/2026, 23:59/);
  app.clock.set('2026-11-23T00:00:00Z');
  const ended = await app.get(second.page);
  assert.doesNotMatch(ended.text, /<form/);
  assert.match(ended.text, /class="standing">Ha terminado su validez/);
  assert.equal((await sendForm(app, `${second.page}/accept`, goodForm)).status, 409);
  assert.equal((await sendForm(app, `${second.page}/reject`, {})).status, 409);
});

test('given answers that meet, then one is taken, and an edit is never accepted unread', async (t) => {
  const app = await startApp(t);
  const acme = await givenIssuer(app);
  const key = acme.live_key;
  const approved = async (id: string) =>
    (await app.eventTypes(acme, id)).filter((type) => type === 'quote.approved').length;
  const proofs = async (id: string) =>
    (await app.sql`select version from acceptances where document_id = ${id}`).map(({ version }) => version);
  const quote = await givenOffer(app, key);
  const sent = await Promise.all([
    ...Array.from({ length: 4 }, () => sendForm(app, `${quote.page}/accept`, goodForm)),
    ...Array.from({ length: 2 }, () => sendForm(app, `${quote.page}/reject`, {})),
    app.post(`/v1/quotes/${quote.id}/accept`, { key }),
  ]);
  const after = (await app.get(`/v1/quotes/${quote.id}`, { key })).body.data;
  const is_accepted = after.status === 'accepted';
  const is_of_api = after.acceptance?.channel === 'api';
  // Whoever sent the answer that was taken is told so, and nobody else.
  const [yes, no] = [is_accepted && !is_of_api ? 303 : 409, is_accepted ? 409 : 303];
  assert.deepEqual(
    sent.map(({ status }) => status),
    [yes, yes, yes, yes, no, no, is_of_api ? 200 : 409],
  );
  assert.equal(await approved(quote.id), is_accepted ? 1 : 0);
  assert.equal((await proofs(quote.id)).length, after.acceptance?.channel === 'public_page' ? 1 : 0);

  for (let round = 0; round < 8; round++) {
    const edited = await givenOffer(app, key);
    const lines = [{ description: 'Otra cosa', quantity: 1, unit_price: 9, tax_rate: 21 }];
    const [form, put] = await Promise.all([
      sendForm(app, `${edited.page}/accept`, goodForm),
      app.put(`/v1/quotes/${edited.id}`, { key, body: { lines } }),
    ]);
    const now = (await app.get(`/v1/quotes/${edited.id}`, { key })).body.data;
    if (form.status === 303) {
      assert.deepEqual(
        [put.status, now.status, now.version, now.lines[0].description],
        [409, 'accepted', 1, 'Reforma del local'],
      );
      assert.deepEqual(await proofs(edited.id), [1]);
      continue;
    }
    assert.deepEqual([form.status, put.status, now.status, now.version], [409, 200, 'pending', 2]);
    assert.deepEqual(await proofs(edited.id), []);
    assert.match(form.text, /Otra cosa/, 'the page shows what there is now');
    const again = await sendForm(app, `${edited.page}/accept`, { ...goodForm, version: '2' });
    assert.equal(again.status, 303);
  }
});

test('given the sandbox, then its page works the same, nothing is mailed, and emptying it deletes the proofs', async (t) => {
  const app = await startApp(t);
  const acme = await givenIssuer(app);
  const key = acme.test_key;
  const quote = await givenOffer(app, key);
  const page = await app.get(quote.page);
  assert.match(page.text, /SIN VALIDEZ FISCAL[\s\S]*Aceptar con obligación de pago/);
  promisesNoReceipt(page.text);
  assert.match(String(page.headers['content-security-policy']), /form-action 'self'/);
  assert.equal(page.headers['referrer-policy'], 'same-origin');
  assert.equal(page.headers['set-cookie'], undefined);
  assert.doesNotMatch(page.text, /<script|\son\w+=/i);
  assert.equal((await sendForm(app, `${quote.page}/accept`, goodForm)).status, 303);
  const kept = (await app.get('/v1/emails', { key })).body.data;
  assert.deepEqual(
    kept.map(({ purpose, status, reason }: Record<string, string>) => [purpose, status, reason]).sort(),
    [
      ['acceptance_receipt', 'not_sent', 'sandbox'],
      ['answer_notice', 'not_sent', 'sandbox'],
    ],
  );
  assert.doesNotMatch(
    (await app.get(quote.page)).text,
    /El recibo con el PDF/,
    'it says no more than is true',
  );
  // Reopened and changed: the proof of before stays, and the next one is another.
  const post = (word: string) => app.post(`/v1/quotes/${quote.id}/${word}`, { key });
  assert.equal((await post('mark-pending')).status, 200);
  assert.equal((await app.put(`/v1/quotes/${quote.id}`, { key, body: { notes: 'Otra' } })).status, 200);
  assert.equal((await sendForm(app, `${quote.page}/accept`, goodForm)).status, 409);
  assert.equal((await sendForm(app, `${quote.page}/accept`, { ...goodForm, version: '2' })).status, 303);
  const rows = () => app.sql`
    select version, shown_sha256, is_sandbox from acceptances where document_id = ${quote.id} order by id`;
  const [one, two, ...others] = await rows();
  assert.deepEqual([one?.version, two?.version, others.length, one?.is_sandbox], [1, 2, 0, true]);
  assert.notEqual(one?.shown_sha256, two?.shown_sha256);
  assert.equal((await app.delete('/v1/sandbox/data', { key })).status, 200);
  assert.deepEqual([...(await rows())], []);
});
