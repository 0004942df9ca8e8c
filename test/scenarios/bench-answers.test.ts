/** The bench compares a repeated creation and a read with the first answer. A full run of it takes many minutes, so no test has one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRequest, invoiceIn, readAnswer, withoutLink } from '../../bench/begun.ts';
import { type App, startApp } from '../harness.ts';

type Sent = { headers: Record<string, string>; body: string };

async function givenBenchCompany(app: App) {
  const company = await app.given.company();
  const client = await app.post('/v1/clients', {
    key: company.live_key,
    body: { name: 'Librería Norte SL', tax_id: 'B12345674' },
  });
  assert.equal(client.status, 201, client.text);
  return { company_id: company.company_id, key: company.live_key, client_id: client.body.data.id };
}

/** A minute later: a link that is signed anew is then another one. */
async function sendTwice(app: App, { headers, body }: Sent) {
  const send = () => app.post('/v1/invoices', { headers, raw: body });
  const first = await send();
  assert.equal(first.status, 201, first.text);
  app.clock.advance(60_000);
  return { first, again: await send() };
}

for (const [name, more, external_id, status, seen] of [
  ['an idempotency key', { 'idempotency-key': 'bench-1' }, undefined, 201, readAnswer],
  ['an external id', {}, 'order-1', 200, withoutLink],
] as const)
  test(`given ${name}, when a creation is repeated, then the bench finds the answer the same`, async (t) => {
    const app = await startApp(t);
    const request = createRequest(await givenBenchCompany(app), external_id);
    const { first, again } = await sendTwice(app, {
      headers: { ...request.headers, ...more },
      body: String(request.body),
    });
    assert.equal(again.status, status, again.text);
    assert.deepEqual(seen(again.text), seen(first.text));
  });

test('given an invoice, when it is read, then the bench finds it as it was created', async (t) => {
  const app = await startApp(t);
  const company = await givenBenchCompany(app);
  const { headers, body } = createRequest(company);
  const created = await app.post('/v1/invoices', { headers: headers ?? {}, raw: String(body) });
  assert.equal(created.status, 201, created.text);
  const read = await app.get(`/v1/invoices/${created.body.data.id}`, { key: company.key });
  assert.deepEqual(invoiceIn(read.text), invoiceIn(created.text));
});
