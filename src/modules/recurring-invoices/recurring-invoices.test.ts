/** A recurrence through the API: what it holds, and its list. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../test/harness.ts';
import { assertFilters, assertRefused, assertRoundTrip } from '../../../test/support/resource-checks.ts';
import { given, recurrence } from '../../../test/support/recurrences.ts';
import { recurringInvoicesOperations } from './index.ts';

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

test('given what a recurrence may not say, when it is sent, then it is refused with its field', async (t) => {
  const app = await startApp(t);
  const { key, path, client, create, put, make } = await given(app, '2027-01-15T10:00:00Z');
  const foreign = await given(app, '2027-01-15T10:00:00Z');
  const quotes = await make('/v1/series', { code: 'PX', document_type: 'quote' });
  const rule = 'business_rule_violation';
  const invalid = 'parameter_invalid';
  const missing = 'missing_required_param';
  const lines = (more: object) => ({ lines: [{ description: 'x', unit_price: 1, tax_rate: 21, ...more }] });
  const always: [body: object, code: string, param: string, line_index?: number][] = [
    [{ interval: 0 }, invalid, 'interval'],
    [{ interval: 101 }, invalid, 'interval'],
    [{ interval: 1.5 }, invalid, 'interval'],
    [{ frequency: 'hourly' }, invalid, 'frequency'],
    [{ starts_on: '2027-02-30' }, invalid, 'starts_on'],
    [{ starts_on: null }, invalid, 'starts_on'],
    [{ ends_on: '2027-01-30' }, rule, 'ends_on'],
    [{ max_occurrences: 0 }, invalid, 'max_occurrences'],
    [{ max_occurrences: 1201 }, invalid, 'max_occurrences'],
    [{ name: '' }, invalid, 'name'],
    [{ name: 'x'.repeat(121) }, invalid, 'name'],
    [{ type: 'R1' }, invalid, 'type'],
    [{ auto_send: true }, rule, 'auto_send'],
    [{ send_to: 'nadie' }, invalid, 'send_to'],
    [{ payment_terms_days: -1 }, invalid, 'payment_terms_days'],
    [{ currency: 'USD' }, rule, 'currency'],
    [{ type: 'F1', client_id: null }, missing, 'client_id'],
    [{ client_id: foreign.client.id }, invalid, 'client_id'],
    [{ series_id: quotes.id }, rule, 'series_id'],
    [{ description: '{mes}' }, invalid, 'description'],
    [{ notes: '{year} {}' }, invalid, 'notes'],
    [lines({ description: '{dia}' }), invalid, 'lines.0.description', 0],
    [lines({ tax_rate: 22 }), rule, 'lines.0.tax_rate', 0],
    [lines({ variant_id: client.id }), invalid, 'lines.0.variant_id', 0],
    [{ lines: [] }, invalid, 'lines'],
    [{ issued_on: '2027-01-01' }, invalid, 'issued_on'],
    [{ colour: 'red' }, invalid, 'colour'],
  ];
  const { id } = await create();
  for (const [body, code, param, line_index] of always) {
    for (const answer of [await app.post(path, { key, body: recurrence(body) }), await put(id, body)]) {
      assertRefused(answer, 422, code, param);
      assert.equal(answer.body.error.line_index, line_index, param);
    }
  }
  const creating: [body: object, code: string, param: string][] = [
    [{ name: undefined }, invalid, 'name'],
    [{ frequency: undefined }, invalid, 'frequency'],
    [{ starts_on: undefined }, invalid, 'starts_on'],
    [{ status: 'cancelled' }, invalid, 'status'],
    [{ starts_on: '2026-01-01', ends_on: '2027-01-14' }, rule, 'ends_on'],
    [lines({ tax_rate: undefined }), missing, 'lines.0.tax_rate'],
  ];
  for (const [body, code, param] of creating)
    assertRefused(await app.post(path, { key, body: recurrence(body) }), 422, code, param);
  for (const [body, param] of [
    [{ status: 'paused' }, 'status'],
    [{ next_run_at: null }, 'next_run_at'],
    [{ occurrences_count: 3 }, 'occurrences_count'],
  ] as const)
    assertRefused(await put(id, body), 422, invalid, param);
  assert.deepEqual(
    (await app.get(path, { key })).body.data.map((one: { id: string }) => one.id),
    [id],
  );
});

test('given a first day that has passed, when it is created, then it begins with the first day not before today', async (t) => {
  const app = await startApp(t);
  const { create } = await given(app, '2027-01-15T10:00:00Z');
  const cases: [more: object, next: string][] = [
    [{ starts_on: '2024-02-29', frequency: 'yearly' }, '2027-02-28'],
    [{ starts_on: '2026-12-15' }, '2027-01-15'],
    [{ starts_on: '2026-12-14' }, '2027-02-14'],
    [{ starts_on: '2026-10-31', frequency: 'quarterly' }, '2027-01-31'],
    [{ starts_on: '2027-01-10', frequency: 'weekly', interval: 2 }, '2027-01-24'],
  ];
  for (const [more, next] of cases) assert.equal((await create(more)).next_occurrence_on, next);
});

test('given a calendar that is edited, before and after its first run, then it goes on as the edit says or is refused', async (t) => {
  const app = await startApp(t);
  const { company, create, put, act, get } = await given(app, '2027-01-15T10:00:00Z');
  const { id } = await create();
  const next = async (body: object) => (await put(id, body)).body.data?.next_occurrence_on;
  assert.equal(await next({ starts_on: '2027-02-10' }), '2027-02-10');
  assert.equal(await next({ frequency: 'weekly', starts_on: '2027-01-11' }), '2027-01-18');
  assert.equal((await act(id, 'emit')).status, 201);
  assert.equal((await get(id)).next_occurrence_on, '2027-01-25');
  for (const body of [{ interval: 2 }, { frequency: 'daily' }, { starts_on: '2027-01-14' }])
    assertRefused(await put(id, body), 422, 'missing_required_param', 'starts_on');
  // The 18th has its invoice, so the new calendar begins after it.
  assert.equal(await next({ frequency: 'daily', starts_on: '2027-01-16' }), '2027-01-19');
  assert.equal(await next({ max_occurrences: 2 }), '2027-01-19');
  assert.equal((await act(id, 'emit')).status, 201);
  assert.equal((await get(id)).status, 'completed');
  const other = await create({ starts_on: '2027-01-20' });
  await act(other.id, 'emit');
  assertRefused(await put(other.id, { max_occurrences: 0 }), 422, 'parameter_invalid', 'max_occurrences');
  await act(other.id, 'emit');
  assertRefused(
    await put(other.id, { max_occurrences: 1 }),
    422,
    'business_rule_violation',
    'max_occurrences',
  );
  const ended = await put(other.id, { max_occurrences: 2 });
  assert.deepEqual([ended.body.data.status, ended.body.data.next_run_at], ['completed', null]);
  const types = await app.eventTypes(company, other.id);
  assert.deepEqual(types.slice(-2), ['recurring_invoice.updated', 'recurring_invoice.completed']);
  const third = await create({ status: 'paused' });
  app.clock.set('2027-05-01T10:00:00Z');
  const past = await put(third.id, { ends_on: '2027-04-30' });
  assert.equal(past.body.data.status, 'completed');
});

test('given many recurrences, when they are listed, then filters, orders and pages are those of the contract', async (t) => {
  const app = await startApp(t);
  const { key, path, client, create } = await given(app, '2027-01-15T10:00:00Z');
  const late = await create({ starts_on: '2027-03-01', name: 'Zeta', client_id: client.id });
  const paused = await create({ status: 'paused', frequency: 'weekly' });
  const early = await create({ starts_on: '2027-01-20', tags: ['a'] });
  const other = await create({ status: 'paused', metadata: { a: '1' } });
  const ids = (...all: { id: string }[]) => all.map(({ id }) => id);
  await assertFilters(app, path, key, [
    [{}, ids(late, paused, early, other)],
    [{ status: 'paused' }, ids(paused, other)],
    [{ 'status[in]': 'paused,active' }, ids(late, paused, early, other)],
    [{ frequency: 'weekly' }, ids(paused)],
    [{ client_id: client.id }, ids(late)],
    [{ tag: 'a' }, ids(early)],
    [{ 'metadata[a]': '1' }, ids(other)],
    [{ q: 'zeta' }, ids(late)],
    [{ q: 'norte' }, ids(late)],
    [{ 'next_run_at[gte]': '2027-02-01' }, ids(late)],
    [{ 'next_run_at[lt]': '2027-02-01T00:00:00Z', status: 'active' }, ids(early)],
    [{ sort: 'next_run_at', 'next_run_at[gte]': '2027-01-01' }, ids(early, late)],
  ]);
  for (const name of ['number', 'issued_on[gte]'])
    assertRefused(
      await app.get(path, { key, query: { [name]: '2027-01-01' } }),
      422,
      'parameter_invalid',
      name,
    );
});

test('given a recurrence that ran, when it is duplicated, then the copy has its content, no invoices, and is paused', async (t) => {
  const app = await startApp(t);
  const { company, create, act } = await given(app, '2027-01-15T10:00:00Z');
  const source = await create({ external_id: 'web-1', tags: ['x'] });
  await act(source.id, 'emit');
  const answer = await act(source.id, 'duplicate');
  assert.equal(answer.status, 201, answer.text);
  const copy = answer.body.data;
  const { status, occurrences_count, external_id, last_invoice_id, next_run_at, tags, total } = copy;
  assert.deepEqual(
    [status, occurrences_count, external_id, last_invoice_id, next_run_at, tags, total],
    ['paused', 0, null, null, null, ['x'], source.total],
  );
  assert.equal((await act(copy.id, 'activate')).body.data.next_occurrence_on, '2027-01-31');
  assert.deepEqual(await app.eventTypes(company, copy.id), [
    'recurring_invoice.created',
    'recurring_invoice.activated',
  ]);
});

test('given a calendar of years ago, when it is duplicated and resumed, then days before the copy are not skipped', async (t) => {
  const app = await startApp(t);
  const { create, act, occurrences } = await given(app, '2027-01-15T10:00:00Z');
  const source = await create({ starts_on: '2024-01-31' });
  const { id } = (await act(source.id, 'duplicate')).body.data;
  app.clock.set('2027-03-15T10:00:00Z');
  assert.equal((await act(id, 'resume')).body.data.next_occurrence_on, '2027-03-31');
  assert.deepEqual(
    (await occurrences(id)).map((one) => [one.occurrence_on, one.status]),
    [
      ['2027-01-31', 'skipped'],
      ['2027-02-28', 'skipped'],
    ],
  );
});

test('given a calendar, when its next days are asked for, then they are those that will be made', async (t) => {
  const app = await startApp(t);
  const { key, path, create, act } = await given(app, '2027-01-15T10:00:00Z');
  const { id } = await create({ ends_on: '2027-05-30' });
  const upcoming = async (limit: string) => {
    const { data, ...page } = (await app.get(`${path}/${id}/upcoming`, { key, query: { limit } })).body;
    // Days to come have no id to go on from, so each answer is the only page.
    assert.deepEqual(page, { has_more: false, next_cursor: null });
    return data;
  };
  const coming = { object: 'recurring_invoice_occurrence', id: null };
  assert.deepEqual(await upcoming('2'), [
    { ...coming, occurrence_on: '2027-01-31', run_at: '2027-01-31T05:00:00.000Z' },
    { ...coming, occurrence_on: '2027-02-28', run_at: '2027-02-28T05:00:00.000Z' },
  ]);
  const days = ['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30'];
  const shown = async () => (await upcoming('24')).map((one: { occurrence_on: string }) => one.occurrence_on);
  assert.deepEqual(await shown(), days);
  await act(id, 'emit');
  assert.deepEqual(await shown(), days.slice(1));
  await act(id, 'pause');
  assert.deepEqual(await shown(), days.slice(1));
  await act(id, 'cancel');
  assert.deepEqual(await shown(), []);
  for (const limit of ['0', '25'])
    assertRefused(
      await app.get(`${path}/${id}/upcoming`, { key, query: { limit } }),
      422,
      'parameter_invalid',
      'limit',
    );
});

test('every operation has the scope and the address of the contract', () => {
  const wanted: [name: string, scope: string, method: string, path: string][] = [
    ['list_recurring_invoices', 'read', 'GET', ''],
    ['create_recurring_invoice', 'write', 'POST', ''],
    ['get_recurring_invoice', 'read', 'GET', '/:recurring_invoice'],
    ['update_recurring_invoice', 'write', 'PUT', '/:recurring_invoice'],
    ['delete_recurring_invoice', 'delete', 'DELETE', '/:recurring_invoice'],
    ['duplicate_recurring_invoice', 'write', 'POST', '/:recurring_invoice/duplicate'],
    ['pause_recurring_invoice', 'transition', 'POST', '/:recurring_invoice/pause'],
    ['resume_recurring_invoice', 'transition', 'POST', '/:recurring_invoice/resume'],
    ['activate_recurring_invoice', 'transition', 'POST', '/:recurring_invoice/activate'],
    ['cancel_recurring_invoice', 'transition', 'POST', '/:recurring_invoice/cancel'],
    ['emit_recurring_invoice', 'transition', 'POST', '/:recurring_invoice/emit'],
    ['bulk_change_recurring_invoice_status', 'transition', 'POST', '/bulk-status'],
    ['bulk_delete_recurring_invoices', 'delete', 'POST', '/bulk-delete'],
    ['list_recurring_invoice_occurrences', 'read', 'GET', '/:recurring_invoice/occurrences'],
    ['preview_recurring_invoice', 'read', 'GET', '/:recurring_invoice/upcoming'],
  ];
  assert.deepEqual(
    recurringInvoicesOperations.map(({ name, scope, method, path }) => [name, scope, method, path]),
    wanted.map(([name, scope, method, path]) => [
      name,
      `recurring_invoices:${scope}`,
      method,
      `/v1/recurring_invoices${path}`,
    ]),
  );
});
