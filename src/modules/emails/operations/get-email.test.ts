import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import { issueAndSend } from '../../../../test/support/mailed-invoices.ts';

const to = ['ana@example.com'];

test('given an e-mail, when a key with emails:read asks, then it is shown whole; without the scope it is refused', async (t) => {
  const app = await startApp(t);
  const company = await app.given.company();
  const { id, email } = await issueAndSend({ app, key: company.live_key }, { to, subject: 'Hola' });
  const reader = await app.given.apiKey(company, { scopes: ['emails:read'] });
  const { status, body } = await app.get(`/v1/emails/${email.id}`, { key: reader });
  assert.equal(status, 200);
  assert.deepEqual(
    [
      body.data.id,
      body.data.object,
      body.data.purpose,
      body.data.document,
      body.data.subject,
      body.data.from_name,
    ],
    [email.id, 'email', 'invoice', { type: 'invoice', id }, 'Hola', 'Acme SL'],
  );
  const other = await app.given.apiKey(company, { scopes: ['invoices:read', 'invoices:send'] });
  for (const path of ['/v1/emails', `/v1/emails/${email.id}`])
    assert.equal((await app.get(path, { key: other })).body.error.code, 'insufficient_scope');
});

test('given a key that may not open the PDF of a document, when it reads an e-mail, then no address of the document is in it', async (t) => {
  const app = await startApp(t);
  const company = await app.given.company();
  const key = company.live_key;
  const { id, public_url } = await issueAndSend({ app, key }, { to });
  const { url } = (await app.get(`/v1/invoices/${id}/pdf-link`, { key })).body.data;
  const message = `También en ${public_url}/pdf o ${url}. Gracias por su compra en https://example.com/i/tienda`;
  const sent = await app.post(`/v1/invoices/${id}/send`, { key, body: { to, message } });
  const path = `/v1/emails/${sent.body.data.email.id}`;
  const readWith = async (...scopes: string[]) =>
    app.get(path, { key: await app.given.apiKey(company, { scopes: ['emails:read', ...scopes] }) });
  const whole = await readWith('pdfs:read', 'invoices:read');
  for (const scopes of [[], ['pdfs:read'], ['invoices:read'], ['pdfs:read', 'quotes:read']]) {
    const hidden = await readWith(...scopes);
    for (const member of ['text', 'html'] as const) {
      assert.ok(whole.body.data[member].includes(public_url));
      assert.doesNotMatch(hidden.body.data[member], /\/(i|pdf)\/[\w-]{20}/, String(scopes));
      assert.match(
        hidden.body.data[member],
        /dirección oculta.*Gracias por su compra en https:\/\/example.com\/i\/tienda/s,
      );
    }
    assert.notEqual(hidden.headers.etag, whole.headers.etag);
  }
});

test("given another company's e-mail, or its sandbox's, when asked for, then there is none", async (t) => {
  const app = await startApp(t);
  const company = await app.given.company();
  const { email } = await issueAndSend({ app, key: company.live_key }, { to });
  const other = await app.given.company();
  for (const key of [other.live_key, company.test_key]) {
    const answer = await app.get(`/v1/emails/${email.id}`, { key });
    assert.deepEqual([answer.status, answer.body.error.code], [404, 'resource_not_found']);
  }
});

test('what was written is not changed afterwards, nor deleted, by whoever has the access of the service', async (t) => {
  const app = await startApp(t);
  const company = await app.given.company();
  const { email } = await issueAndSend({ app, key: company.live_key }, { to });
  for (const statement of [
    `update emails set subject = 'x' where id = '${email.id}'`,
    `update emails set "to" = '{}' where id = '${email.id}'`,
  ])
    await assert.rejects(
      app.db.transaction(company.company_id, (tx) => tx.unsafe(statement)),
      { code: '42501' },
    );
  // Only a sandbox is emptied: a deletion sees no rows of a live company.
  const deletion = app.db.transaction(company.company_id, (tx) =>
    tx.unsafe(`delete from emails where id = '${email.id}'`),
  );
  assert.equal((await deletion).count, 0);
});
