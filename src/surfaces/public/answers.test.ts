/** Offers are answered on their page, over HTTP as a browser sends it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../test/harness.ts';
import { mailSettings, startMailServer } from '../../../test/support/mail-server.ts';
import { givenIssuer } from '../../../test/support/public-invoices.ts';
import { givenOffer, goodForm, sendForm } from '../../../test/support/public-offers.ts';

test('given a pending quote and a pro-forma, when each is accepted on its page, then move, proof, receipt and notice are one act', async (t) => {
  const mail = await startMailServer(t);
  const app = await startApp(t, { env: mailSettings(mail) });
  const acme = await givenIssuer(app, { language: 'ca' });
  const key = acme.live_key;
  for (const [path, object, event] of [
    ['quotes', 'quote', 'quote.approved'],
    ['proformas', 'proforma', 'proforma.accepted'],
  ] as const) {
    const offer = await givenOffer(app, key, path);
    const shown = await app.get(offer.page);
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
    assert.doesNotMatch(answered.text, /<form|ana@norte|12345678Z|Dos/);
  }
});
