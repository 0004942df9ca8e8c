import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import { breakTable } from '../../../../test/support/broken-tables.ts';
import { given, type Shown } from '../../../../test/support/recurrences.ts';
import { assertRefused } from '../../../../test/support/resource-checks.ts';

const start = '2027-01-15T10:00:00Z';

test('given an active recurrence, when its next invoice is emitted, then it has the date of today and the texts of its period, and the calendar goes on', async (t) => {
  const app = await startApp(t);
  const { key, path, create, act, get, invoices, occurrences, runAt } = await given(app, start);
  const { id } = await create({ auto_issue: true, payment_terms_days: 5 });
  const { status, body } = await act(id, 'emit', { occurrence_on: '2027-01-31' });
  assert.equal(status, 201);
  const { number, issued_on, operation_on, due_on, lines } = body.data;
  assert.deepEqual(
    [number, issued_on, operation_on, due_on, lines[0].description],
    ['S2027-000001', '2027-01-15', null, '2027-01-20', 'Cuota de enero de 2027'],
  );
  assert.equal((await get(id)).next_run_at, '2027-02-28T05:00:00.000Z');
  assertRefused(
    await act(id, 'emit', { occurrence_on: '2027-01-31' }),
    409,
    'invalid_status_transition',
    'occurrence_on',
  );
  await runAt('2027-01-31T05:00:00Z');
  assert.equal((await invoices()).length, 1, 'the job came for a day that is made, and waits');
  await runAt('2027-02-28T05:00:00Z');
  assert.equal((await invoices()).length, 2);
  assert.deepEqual(
    (await occurrences(id)).map((one) => one.occurrence_on),
    ['2027-01-31', '2027-02-28'],
  );
  assert.equal((await app.delete(`${path}/${id}`, { key })).status, 409);
});

test('given a template that leaves its tax open, when a key of an older version emits it, then the invoice is that of the schedule', async (t) => {
  const app = await startApp(t);
  const { key, path, create, runAt, invoices } = await given(app, start);
  const body = { default_vat: { recurring_invoice: 10 } };
  assert.equal((await app.put('/v1/account/company', { key, body })).status, 200);
  const { id } = await create({ lines: [{ description: 'Cuota', unit_price: 50 }] });
  const emit = (more: object = {}) =>
    app.post(`${path}/${id}/emit`, { key, headers: { 'Service-Version': '2026-06-01' }, body: more });
  assert.deepEqual((await emit({ dry_run: true })).body.data.reasons, []);
  const emitted = await emit();
  assert.deepEqual([emitted.status, emitted.body.data?.total], [201, 55], emitted.text);
  await runAt('2027-02-28T05:00:00Z');
  assert.deepEqual(
    (await invoices()).map(({ total }) => total),
    [55, 55],
  );
});

test('given a dry run, when the emission would be refused or not, then it says so and writes nothing', async (t) => {
  const app = await startApp(t);
  const { company, key, client, create, act, invoices } = await given(app, start);
  const dry = async (id: string, more: object = {}) =>
    (await act(id, 'emit', { dry_run: true, ...more })).body.data;
  const codes = ({ reasons }: Shown) => reasons.map((one: Shown) => [one.code, one.param]);
  for (const auto_issue of [true, false]) {
    const { id } = await create({ type: 'F1', client_id: client.id, auto_issue });
    const fine = await dry(id);
    assert.deepEqual([fine.object, fine.can_emit, fine.reasons], ['dry_run', true, []]);
    assert.deepEqual([fine.amounts.subtotal, fine.amounts.total], [50, 60.5]);
    const other_day = await dry(id, { occurrence_on: '2027-02-01' });
    assert.deepEqual(codes(other_day), [['invalid_status_transition', 'occurrence_on']]);
    assert.equal(other_day.amounts, null);
    await app.put(`/v1/clients/${client.id}`, { key, body: { is_active: false } });
    const refused = await dry(id);
    assert.deepEqual([refused.can_emit, codes(refused)], [false, [['parameter_invalid', 'client_id']]]);
    await app.put(`/v1/clients/${client.id}`, { key, body: { is_active: true } });
    assert.deepEqual(await app.eventTypes(company, id), ['recurring_invoice.created']);
  }
  assert.deepEqual(await invoices(), []);
});

test('given nobody to send to and another fault, when a dry run asks, then it says both', async (t) => {
  const app = await startApp(t);
  const { key, client, create, act } = await given(app, start);
  const { id } = await create({ type: 'F1', client_id: client.id, auto_issue: true, auto_send: true });
  await app.put(`/v1/clients/${client.id}`, { key, body: { email: null, is_active: false } });
  const { can_emit, reasons } = (await act(id, 'emit', { dry_run: true })).body.data;
  assert.equal(can_emit, false);
  assert.deepEqual(
    reasons.map((one: Shown) => one.param),
    ['auto_send', 'client_id'],
  );
});

test('given the last one in pause, when it is emitted, then the recurrence is completed', async (t) => {
  const app = await startApp(t);
  const { create, act, get } = await given(app, start);
  const { id } = await create({ status: 'paused', max_occurrences: 2 });
  await act(id, 'emit');
  assert.equal((await get(id)).status, 'paused');
  await act(id, 'emit');
  assert.equal((await get(id)).status, 'completed');
});

test('given twenty emissions of one day and its run at once, then one of them makes it', async (t) => {
  const app = await startApp(t);
  const { company_id, create, act, invoices, occurrences } = await given(app, start);
  const { id } = await create({ auto_issue: true });
  app.clock.set('2027-01-31T05:00:00Z');
  const [answers] = await Promise.all([
    Promise.all(Array.from({ length: 20 }, () => act(id, 'emit', { occurrence_on: '2027-01-31' }))),
    app.service.worker.runDue(company_id),
  ]);
  for (const answer of answers.filter(({ status }) => status !== 201))
    assertRefused(answer, 409, 'invalid_status_transition', 'occurrence_on');
  assert.ok(answers.filter(({ status }) => status === 201).length <= 1);
  assert.equal((await invoices()).length, 1);
  assert.equal((await occurrences(id)).length, 1);
});

test('given a fault in any row of it, when it is emitted, then nothing is kept, and the next attempt makes it', async (t) => {
  const app = await startApp(t);
  const { company_id, key, create, act, get, invoices } = await given(app, start);
  const { id } = await create({ auto_issue: true });
  const before = await get(id);
  for (const broken of [
    'invoices',
    'recurring_invoices',
    'recurring_occurrences',
    'events',
    'audit_log',
    'series_counters',
  ]) {
    const mend = await breakTable(app, broken, company_id);
    const answer = await app.post(`/v1/recurring_invoices/${id}/emit`, { key, expects_fault: true });
    await mend();
    assert.equal(answer.status, 500, broken);
    assert.deepEqual([await get(id), await invoices()], [before, []], broken);
  }
  assert.equal((await act(id, 'emit')).status, 201);
});
