/** Two processes on one database count what a plan sells in one row: together they give a company no more than one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../harness.ts';
import { newKey } from '../support/api-keys.ts';
import { mailSettings, startMailServer } from '../support/mail-server.ts';

const lines = [{ description: 'Café', unit_price: 10, tax_rate: 10 }];

test('given a company with four keys worth of reads, when its keys call two processes at once, then just so many pass', async (t) => {
  const env = { FOLIO_RATE_LIMITS: '{"scale":[10,100]}' };
  const apps = [await startApp(t, { env }), await startApp(t, { env })];
  const [first] = apps;
  const company = await first!.given.company();
  const keys = [company.live_key, company.test_key];
  for (let i = 0; i < 6; i++)
    keys.push((await newKey(first!, company.live_key, { scopes: ['account:read'] })).secret);
  for (const app of apps) app.clock.set('2026-11-22T10:00:00Z');
  const calls = keys.flatMap((key) => Array.from({ length: 10 }, (_, i) => ({ key, app: apps[i % 2]! })));
  const answers = await Promise.all(calls.map(({ key, app }) => app.get('/v1/account', { key })));
  const statuses = Map.groupBy(answers, ({ status }) => status);
  assert.equal(answers.length, 80);
  assert.deepEqual([statuses.get(200)?.length, statuses.get(429)?.length], [40, 40]);
  assert.ok(answers.every(({ body }) => !body.error || body.error.code === 'rate_limit_exceeded'));
});

test('given a company whose messages two processes send at once, then its recipients of the day are those of its plan', async (t) => {
  const mail = await startMailServer(t);
  const env = mailSettings(mail);
  const apps = [await startApp(t, { env }), await startApp(t, { env })];
  const [first] = apps;
  for (const app of apps) app.clock.set('2026-11-22T10:00:00Z');
  const company = await first!.given.company({ plan: 'free' });
  const key = company.live_key;
  for (let message = 0; message < 14; message++) {
    const body = { type: 'F2', lines, options: { issue: true } };
    const { id } = (await first!.post('/v1/invoices', { key, body })).body.data;
    const to = Array.from({ length: 10 }, (_, i) => `m${message}-${i}@example.com`);
    const sent = await first!.post(`/v1/invoices/${id}/send`, { key, body: { to } });
    assert.equal(sent.status, 200, sent.text);
  }
  await Promise.all(apps.map((app) => app.service.worker.runDue(company.company_id)));
  const recipients = mail.received.flatMap(({ to }) => to);
  assert.deepEqual([recipients.length, new Set(recipients).size], [100, 100]);
  for (const app of apps) app.clock.set('2026-11-22T23:00:01Z');
  await Promise.all(apps.map((app) => app.service.worker.runDue(company.company_id)));
  assert.equal(new Set(mail.received.flatMap(({ to }) => to)).size, 140);
});
