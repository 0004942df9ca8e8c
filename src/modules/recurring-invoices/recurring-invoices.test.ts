/** A recurrence through the API: what it holds, and its list. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../test/harness.ts';
import { assertRefused, assertRoundTrip } from '../../../test/support/resource-checks.ts';
import { given, recurrence } from '../../../test/support/recurrences.ts';

test('given all that a recurrence can say, when it is created, then it is answered, read, listed and sent back as it is', async (t) => {
  const app = await startApp(t);
  const { company, key, client, create, path } = await given(app, '2027-01-15T10:00:00Z');
  const made = await create({
    client_id: client.id,
    type: 'F1',
    ends_on: '2028-12-31',
    max_occurrences: 12,
    auto_issue: true,
    auto_send: true,
    send_to: 'ana@example.com',
    payment_terms_days: 30,
    description: 'Alquiler {year}',
    notes: 'Del {period_start} al {period_end}',
    external_id: 'web-1',
    metadata: { a: 'b' },
    tags: ['x'],
    custom_fields: [{ field: 'Obra', value: '7' }],
  });
  const shown = {
    object: 'recurring_invoice',
    name: 'Alquiler local',
    type: 'F1',
    status: 'active',
    series: null,
    frequency: 'monthly',
    interval: 1,
    starts_on: '2027-01-31',
    next_occurrence_on: '2027-01-31',
    next_run_at: '2027-01-31T05:00:00.000Z',
    occurrences_count: 0,
    last_run_at: null,
    last_invoice_id: null,
    last_error: null,
    payment_terms_days: 30,
    total: 60.5,
  };
  assert.deepEqual(Object.fromEntries(Object.keys(shown).map((name) => [name, made[name]])), shown);
  for (const absent of ['number', 'issued_on', 'public_url']) assert.equal(absent in made, false, absent);
  assert.equal(made.lines[0].object, 'recurring_invoice_line');
  assert.deepEqual((await app.get(`${path}/${made.id}`, { key })).body.data, made);
  assert.deepEqual((await app.get(path, { key })).body.data, [made]);
  await assertRoundTrip(app, company, path, made.id);
  assert.deepEqual(await app.eventTypes(company, made.id), ['recurring_invoice.created']);
  const again = await app.post(path, {
    key,
    body: recurrence({ external_id: 'web-1', client_id: client.id }),
  });
  assert.deepEqual(
    [again.status, again.body.data.id, again.headers['idempotent-replayed']],
    [200, made.id, 'true'],
  );
  assertRefused(
    await app.post(path, { key, body: recurrence({ number: 'X' }) }),
    422,
    'parameter_invalid',
    'number',
  );
});
