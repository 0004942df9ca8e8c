/** What moves do besides what the table of states says: skipped days, bulk operations, the guard of automatic delivery. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../../kernel/uuid7.ts';
import { startApp } from '../../../test/harness.ts';
import { assertRefused } from '../../../test/support/resource-checks.ts';
import { given, type Shown } from '../../../test/support/recurrences.ts';
import { type Calendar, occurrenceOn } from './rules/calendar.ts';

const start = '2027-01-15T10:00:00Z';
const already_active = [422, 'recurring_invoice_already_active'] as const;
const cancelled = [422, 'recurring_invoice_cancelled_cannot_resume'] as const;
const completed = [422, 'recurring_invoice_completed_cannot_resume'] as const;
const rule = [422, 'business_rule_violation'] as const;

type Given = Awaited<ReturnType<typeof given>>;

async function inState({ create, act }: Given, status: string): Promise<Shown> {
  const made = await create(
    status === 'completed' ? { max_occurrences: 1 } : status === 'paused' ? { status: 'paused' } : {},
  );
  if (status === 'completed') assert.equal((await act(made.id, 'emit')).status, 201);
  if (status === 'cancelled') assert.equal((await act(made.id, 'cancel', { reason: 'Fin' })).status, 200);
  return made;
}

test('given a pause over two months, when it is resumed, then they are skipped and it goes on from today', async (t) => {
  const app = await startApp(t);
  const { create, act, occurrences, invoices, runAt, get } = await given(app, start);
  const { id } = await create({ starts_on: '2027-01-20' });
  await runAt('2027-01-20T06:00:00Z');
  await act(id, 'pause');
  await runAt('2027-04-20T12:00:00Z');
  assert.equal((await invoices()).length, 1);
  assert.equal((await act(id, 'resume')).body.data.next_occurrence_on, '2027-04-20');
  await runAt('2027-04-20T12:00:01Z');
  assert.deepEqual(
    (await occurrences(id)).map((one) => [one.occurrence_on, one.status]),
    [
      ['2027-01-20', 'made'],
      ['2027-02-20', 'skipped'],
      ['2027-03-20', 'skipped'],
      ['2027-04-20', 'made'],
    ],
  );
  assert.equal((await get(id)).occurrences_count, 2);
});

test('given a pause of months, when the next one is emitted, then what passed is skipped, and a day that failed keeps its row', async (t) => {
  const app = await startApp(t);
  const { key, client, create, act, occurrences, runAt } = await given(app, start);
  const { id } = await create({ type: 'F1', client_id: client.id });
  await app.put(`/v1/clients/${client.id}`, { key, body: { is_active: false } });
  await runAt('2027-01-31T05:00:00Z');
  await act(id, 'pause');
  await app.put(`/v1/clients/${client.id}`, { key, body: { is_active: true } });
  app.clock.set('2027-04-15T10:00:00Z');
  assert.equal((await act(id, 'emit')).status, 201);
  assert.deepEqual(
    (await occurrences(id)).map((one) => [one.occurrence_on, one.status]),
    [
      ['2027-01-31', 'failed'],
      ['2027-02-28', 'skipped'],
      ['2027-03-31', 'skipped'],
      ['2027-04-30', 'made'],
    ],
  );
});

test('given a pause of months, when an edit changes or ends the calendar, then what passed under the old one is skipped', async (t) => {
  const app = await startApp(t);
  const { create, act, put, occurrences, runAt } = await given(app, start);
  const daysOf = async (id: string) =>
    (await occurrences(id)).map((one) => `${one.occurrence_on} ${one.status}`);
  const passed = ['2027-01-31 skipped', '2027-02-28 skipped', '2027-03-31 skipped'];
  const rows: [made: object, edit: object, left: string[]][] = [
    [{ status: 'paused' }, { frequency: 'weekly', starts_on: '2027-04-19' }, passed],
    // What lies beyond the old end did not pass.
    [{ status: 'paused', ends_on: '2027-02-28' }, { interval: 2, ends_on: null }, passed.slice(0, 2)],
    [{ status: 'paused' }, { ends_on: '2027-04-01' }, passed],
    [{ status: 'paused' }, { name: 'Otro', ends_on: '2027-12-31' }, []],
  ];
  const ids: string[] = [];
  for (const [made] of rows) ids.push((await create(made)).id);
  const active = await create();
  app.clock.set('2027-04-15T10:00:00Z');
  for (const [at, [, edit, left]] of rows.entries()) {
    const id = ids[at]!;
    for (let again = 0; again < 2; again++) {
      assert.equal((await put(id, edit)).status, 200);
      assert.deepEqual(await daysOf(id), left, JSON.stringify(edit));
    }
  }
  // Days of an active one are late, not skipped: first they are made.
  for (const edit of [{ interval: 2 }, { frequency: 'weekly' }, { starts_on: '2027-05-01' }])
    assertRefused(await put(active.id, edit), 422, 'business_rule_violation', Object.keys(edit)[0]!);
  assert.equal((await put(active.id, { name: 'Otro' })).status, 200);
  await runAt('2027-04-15T10:00:00Z');
  const made = passed.map((day) => day.replace('skipped', 'made'));
  assert.deepEqual(await daysOf(active.id), made);
  assert.equal((await put(active.id, { interval: 2, starts_on: '2027-05-01' })).status, 200);
  await act(ids[0]!, 'resume');
  assert.deepEqual(await daysOf(ids[0]!), passed);
  await act(ids[3]!, 'resume');
  assert.deepEqual(await daysOf(ids[3]!), passed);
});

test('given a day that was refused and is tried again, when its calendar is edited, then no day behind it is lost', async (t) => {
  const app = await startApp(t);
  const { key, client, create, act, put, occurrences, runAt } = await given(app, start);
  const { id } = await create({
    type: 'F1',
    client_id: client.id,
    frequency: 'daily',
    starts_on: '2027-01-20',
  });
  await app.put(`/v1/clients/${client.id}`, { key, body: { is_active: false } });
  for (const day of ['20', '21']) await runAt(`2027-01-${day}T05:00:00Z`);
  app.clock.set('2027-01-22T04:00:00Z');
  const edit = { interval: 2, starts_on: '2027-01-22' };
  assertRefused(await put(id, edit), 422, 'business_rule_violation', 'interval');
  await act(id, 'pause');
  assert.equal((await put(id, edit)).status, 200);
  assert.deepEqual(
    (await occurrences(id)).map((one) => `${one.occurrence_on} ${one.status}`),
    ['2027-01-20 failed', '2027-01-21 skipped'],
  );
});

test('given calendars of each kind, when they are resumed in bulk after years, then the skipped days are those of the calendar, in order', async (t) => {
  const app = await startApp(t);
  const { create, post, occurrences, path } = await given(app, '2023-12-15T10:00:00Z');
  const calendars: Calendar[] = [
    { starts_on: '2024-01-31', frequency: 'monthly', interval: 1 },
    { starts_on: '2023-12-31', frequency: 'monthly', interval: 5 },
    { starts_on: '2024-02-29', frequency: 'yearly', interval: 1 },
    { starts_on: '2023-12-30', frequency: 'quarterly', interval: 1 },
    { starts_on: '2024-01-01', frequency: 'weekly', interval: 3 },
    { starts_on: '2024-01-01', frequency: 'daily', interval: 20 },
  ];
  const ids: string[] = [];
  for (const calendar of calendars) ids.push((await create({ ...calendar, status: 'paused' })).id);
  app.clock.set('2028-03-15T10:00:00Z');
  assert.equal((await post(`${path}/bulk-status`, { ids, new_status: 'active' })).body.data.failed, 0);
  for (const [at, calendar] of calendars.entries()) {
    const expected: string[] = [];
    for (let index = 0; occurrenceOn(calendar, index) < '2028-03-15'; index++)
      expected.push(occurrenceOn(calendar, index));
    const skipped = await occurrences(ids[at]!);
    assert.deepEqual(
      skipped.map((one) => one.occurrence_on),
      expected,
    );
  }
});

test('given a pause that outlasts its end, when it is resumed, then it is refused and stays, and an edit gives it days again', async (t) => {
  const app = await startApp(t);
  const { create, act, get, put } = await given(app, start);
  const { id } = await create({ status: 'paused', ends_on: '2027-03-01' });
  app.clock.set('2027-03-02T10:00:00Z');
  assertRefused(await act(id, 'resume'), ...completed);
  assertRefused(await act(id, 'emit'), ...rule);
  assert.equal((await get(id)).status, 'paused');
  assert.equal((await put(id, { ends_on: '2027-04-30' })).status, 200);
  assert.equal((await act(id, 'resume')).body.data.next_occurrence_on, '2027-03-31');
});

for (const way of ['emit', 'run'] as const)
  test(`given the last day, when ${way} makes its invoice, then the recurrence is completed in that transaction, and once`, async (t) => {
    const app = await startApp(t);
    const { company_id, create, act, get, runAt } = await given(app, start);
    const { id } = await create({ max_occurrences: 1, auto_issue: true });
    if (way === 'emit') assert.equal((await act(id, 'emit')).status, 201);
    for (let again = 0; again < 2; again++) await runAt('2027-01-31T05:00:00Z');
    const { status, last_invoice_id } = await get(id);
    assert.equal(status, 'completed');
    const rows = await app.sql<{ what: string; written: string }[]>`
      select type as what, xmin::text as written from events
       where company_id = ${company_id} and type <> 'recurring_invoice.created'
         and aggregate_id = any(${[id, last_invoice_id]})
      union all select 'row', xmin::text from recurring_invoices where company_id = ${company_id} and id = ${id}
      union all select 'day', xmin::text from recurring_occurrences where company_id = ${company_id}`;
    const told = ['recurring_invoice.executed', 'recurring_invoice.completed'];
    const invoiced = ['invoice.created', 'invoice.number_assigned', 'invoice.simplified_created'];
    assert.deepEqual(rows.map(({ what }) => what).sort(), [...told, ...invoiced, 'row', 'day'].sort());
    assert.equal(new Set(rows.map(({ written }) => written)).size, 1);
  });

test('given automatic delivery without an address, when it would be active, then the guard refuses it', async (t) => {
  const app = await startApp(t);
  const { key, client, create, act, put, post, path, make } = await given(app, start);
  const silent = await make('/v1/clients', { name: 'Sin correo', tax_id: 'B99286320' });
  const body = { type: 'F1', auto_issue: true, auto_send: true };
  const made = await create({ ...body, client_id: silent.id, status: 'paused' });
  for (const word of ['resume', 'activate']) assertRefused(await act(made.id, word), ...rule, 'auto_send');
  const bulk = await post(`${path}/bulk-status`, { ids: [made.id], new_status: 'active' });
  assert.deepEqual([bulk.status, bulk.body.data.failures[0].error_code], [200, 'business_rule_violation']);
  const { lines, name, frequency, starts_on } = made;
  const sent = {
    name,
    frequency,
    starts_on,
    lines: [{ description: lines[0].description, unit_price: 1, tax_rate: 21 }],
  };
  assertRefused(await post(path, { ...sent, ...body, client_id: silent.id }), ...rule, 'auto_send');
  const active = await create({ ...body, client_id: client.id });
  assertRefused(await put(active.id, { client_id: silent.id }), ...rule, 'auto_send');
  assert.equal((await put(active.id, { client_id: silent.id, send_to: 'a@example.com' })).status, 200);
  assertRefused(await put(active.id, { send_to: null }), ...rule, 'auto_send');
  // What goes wrong elsewhere does not stop a change of labels.
  const other = await create({ ...body, client_id: client.id });
  await app.put(`/v1/clients/${client.id}`, { key, body: { email: null } });
  assert.equal((await put(other.id, { tags: ['x'] })).status, 200);
  // An edit of the content asks, whatever it changes, unless nothing is to be sent any more.
  assertRefused(await put(other.id, { notes: 'Otra' }), ...rule, 'auto_send');
  assertRefused(await put(other.id, { lines: sent.lines }), ...rule, 'auto_send');
  await act(other.id, 'pause');
  assert.equal((await put(other.id, { notes: 'Otra' })).status, 200);
});

test('given ids of all states, unknown ones and of others, when they are changed in bulk, then each stands alone', async (t) => {
  const app = await startApp(t);
  const all = await given(app, start);
  const foreign = await (await given(app, start)).create();
  const states = ['active', 'paused', 'completed', 'cancelled'];
  const of: Record<string, string> = { unknown: newId(), foreign: foreign.id };
  for (const status of states) of[status] = (await inState(all, status)).id;
  const order = ['cancelled', 'unknown', 'active', 'completed', 'foreign', 'paused'];
  const ids = order.map((name) => of[name] ?? '');
  const bulk = (new_status: string, sent: unknown = ids) =>
    all.post(`${all.path}/bulk-status`, { ids: sent, new_status });
  const codes = async (new_status: string) => {
    const { status, body } = await bulk(new_status);
    assert.equal(status, 200);
    const { total, successful, failed, failures } = body.data;
    assert.deepEqual([total, successful + failed, failed], [6, 6, failures.length]);
    assert.ok(failures.every(({ error_message }: Shown) => error_message.length > 10));
    return failures.map(({ id, error_code }: Shown) => [order[ids.indexOf(id)], error_code]);
  };
  const gone = 'recurring_invoice_not_found';
  const ended = [
    ['cancelled', cancelled[1]],
    ['unknown', gone],
  ];
  assert.deepEqual(await codes('active'), [
    ...ended,
    ['active', already_active[1]],
    ['completed', completed[1]],
    ['foreign', gone],
  ]);
  assert.equal((await all.get(of.paused!)).status, 'active');
  assert.deepEqual(await codes('paused'), [...ended, ['completed', completed[1]], ['foreign', gone]]);
  assert.deepEqual((await codes('paused')).length, 6);
  assert.deepEqual((await app.eventTypes(all.company, of.active!)).slice(-1), ['recurring_invoice.paused']);
  const fifty = Array.from({ length: 50 }, () => newId());
  assert.equal((await bulk('paused', fifty)).body.data.failed, 50);
  const refusals: [ids: unknown, new_status: string, param: string][] = [
    [[...fifty, newId()], 'paused', 'ids'],
    [[], 'paused', 'ids'],
    [[of.active, of.active], 'active', 'ids'],
    [[of.active, of.active?.toUpperCase()], 'active', 'ids'],
    [ids, 'cancelled', 'new_status'],
    [ids, 'completed', 'new_status'],
  ];
  for (const [sent, new_status, param] of refusals)
    assertRefused(await bulk(new_status, sent), 422, 'invalid_param_value', param);
  assertRefused(await bulk('active', ['x']), 422, 'parameter_invalid', 'ids.0');
  assert.equal((await all.get(of.active!)).status, 'paused');
});

test('given recurrences with and without invoices, when they are deleted in bulk, then those without go, with all that was theirs', async (t) => {
  const app = await startApp(t);
  const all = await given(app, start);
  const [ran, fresh, other] = [await all.create(), await all.create({ tags: ['x'] }), await all.create()];
  await all.act(ran.id, 'emit');
  const bulk = (ids: string[]) => all.post(`${all.path}/bulk-delete`, { ids });
  const unknown = newId();
  const { data } = (await bulk([ran.id, unknown, fresh.id])).body;
  assert.deepEqual([data.total, data.successful, data.failed], [3, 1, 2]);
  assert.deepEqual(
    data.failures.map(({ id, error_code }: Shown) => [id, error_code]),
    [
      [ran.id, 'invalid_status_transition'],
      [unknown, 'recurring_invoice_not_found'],
    ],
  );
  assertRefused(await bulk([other.id, other.id]), 422, 'invalid_param_value', 'ids');
  const left = (await app.get(all.path, { key: all.key })).body.data.map((one: Shown) => one.id);
  assert.deepEqual(left.sort(), [ran.id, other.id].sort());
  assert.deepEqual((await app.eventTypes(all.company, fresh.id)).slice(-1), ['recurring_invoice.deleted']);
  for (const table of ['recurring_invoice_lines', 'recurring_invoice_tags', 'recurring_invoice_tax_rows'])
    assert.equal(
      (await app.sql.unsafe(`select 1 from ${table} where recurring_invoice_id = '${fresh.id}'`)).length,
      0,
    );
});
