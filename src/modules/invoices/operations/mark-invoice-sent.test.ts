import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';

const body = { type: 'F2', lines: [{ description: 'Trabajo', unit_price: 100, tax_rate: 21 }] };

test('given a draft, when marked as sent, then it is issued and sent in one move', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const draft = await app.post('/v1/invoices', { key: acme.live_key, body });
  const res = await app.post(`/v1/invoices/${draft.body.data.id}/mark-sent`, { key: acme.live_key });
  assert.equal(res.status, 200);
  assert.deepEqual([res.body.data.status, res.body.data.number !== null], ['sent', true]);
  assert.deepEqual(await app.eventTypes(acme, draft.body.data.id), [
    'invoice.created',
    'invoice.number_assigned',
    'invoice.simplified_created',
    'invoice.sent',
  ]);
});

test('given an issued invoice, when marked twice, then it is sent once', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const made = await app.post('/v1/invoices', {
    key: acme.live_key,
    body: { ...body, options: { issue: true } },
  });
  const path = `/v1/invoices/${made.body.data.id}/mark-sent`;
  const first = await app.post(path, { key: acme.live_key });
  assert.equal(first.body.data.status, 'sent');
  assert.deepEqual((await app.post(path, { key: acme.live_key })).body, first.body);
  assert.deepEqual(
    (await app.eventTypes(acme, made.body.data.id)).filter((type) => type === 'invoice.sent').length,
    1,
  );
});

test('given an issued invoice past its due day, when the day turns, then it is overdue, and marking it sent leaves it so', async (t) => {
  const app = await startApp(t);
  app.clock.set('2026-05-20T10:00:00Z');
  const acme = await app.given.company();
  const made = await app.post('/v1/invoices', {
    key: acme.live_key,
    body: { ...body, due_on: '2026-05-25', options: { issue: true } },
  });
  const { id } = made.body.data;
  const status = async () => (await app.get(`/v1/invoices/${id}`, { key: acme.live_key })).body.data.status;
  app.clock.set('2026-05-25T12:00:00Z');
  await app.service.worker.runDue(acme.company_id);
  assert.equal(await status(), 'issued');
  app.clock.set('2026-05-26T01:00:00Z');
  await app.service.worker.runDue(acme.company_id);
  assert.equal(await status(), 'overdue');
  assert.deepEqual((await app.eventTypes(acme, id)).at(-1), 'invoice.overdue');
  await app.post(`/v1/invoices/${id}/mark-sent`, { key: acme.live_key });
  assert.equal(await status(), 'overdue');
});

test('given an invoice with nothing to pay, when its due day passes, then it is not overdue', async (t) => {
  const app = await startApp(t);
  app.clock.set('2026-05-20T10:00:00Z');
  const { live_key: key, company_id } = await app.given.company();
  for (const unit_price of [0, -5, 5]) {
    const lines = [{ description: 'Muestra', unit_price, tax_rate: 21 }];
    await app.post('/v1/invoices', {
      key,
      body: { type: 'F2', due_on: '2026-05-21', lines, options: { issue: true } },
    });
  }
  app.clock.set('2026-05-23T10:00:00Z');
  await app.service.worker.runDue(company_id);
  const { body } = await app.get('/v1/invoices', { key });
  assert.deepEqual(
    body.data.map((invoice: { pending_amount: number; status: string }) => [
      invoice.pending_amount,
      invoice.status,
    ]),
    [
      [6.05, 'overdue'],
      [-6.05, 'issued'],
      [0, 'issued'],
    ],
  );
});

test('given a due day that has passed, when issued, then it is overdue from the start', async (t) => {
  const app = await startApp(t);
  app.clock.set('2026-05-20T10:00:00Z');
  const acme = await app.given.company();
  const made = await app.post('/v1/invoices', {
    key: acme.live_key,
    body: { ...body, issued_on: '2026-05-01', due_on: '2026-05-10', options: { issue: true } },
  });
  assert.equal(made.body.data.status, 'overdue');
  assert.deepEqual((await app.eventTypes(acme, made.body.data.id)).at(-1), 'invoice.overdue');
  const paid = await app.post('/v1/invoices', {
    key: acme.live_key,
    body: { ...body, issued_on: '2026-05-01', due_on: '2026-05-10', payment: { method: 'cash' } },
  });
  assert.equal(paid.body.data.status, 'paid');
});
