/** What the calendar makes: drafts, issues, late ones, refused ones, and each once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type App, startApp } from '../../../test/harness.ts';
import { given, line, type Shown } from '../../../test/support/recurrences.ts';

const days = (all: readonly Shown[], key: string) => all.map((one) => one[key]);

test('given a rent of the 31st, when its days come, then each month has its draft, with texts of its period', async (t) => {
  const app = await startApp(t);
  const { create, get, invoices, occurrences, runAt, company } = await given(app, '2027-01-15T10:00:00Z');
  const { id } = await create({
    max_occurrences: 3,
    notes: 'Del {period_start} al {period_end}',
    payment_terms_days: 10,
  });
  await runAt('2027-01-31T04:59:59Z');
  assert.equal((await invoices()).length, 0);
  for (const at of [
    '2027-01-31T05:00:00Z',
    '2027-02-28T05:00:00Z',
    '2027-03-31T04:00:00Z',
    '2027-04-30T04:00:00Z',
  ])
    await runAt(at);
  const made = await invoices();
  assert.deepEqual(days(made, 'issued_on'), [null, null, null]);
  assert.deepEqual(days(made, 'due_on'), [null, null, null]);
  assert.deepEqual(days(made, 'operation_on'), ['2027-01-31', '2027-02-28', '2027-03-31']);
  assert.deepEqual(
    made.map((one) => [one.status, one.lines[0].description, one.notes]),
    [
      ['draft', 'Cuota de enero de 2027', 'Del 31/01/2027 al 27/02/2027'],
      ['draft', 'Cuota de febrero de 2027', 'Del 28/02/2027 al 30/03/2027'],
      ['draft', 'Cuota de marzo de 2027', 'Del 31/03/2027 al 29/04/2027'],
    ],
  );
  const { status, occurrences_count, last_invoice_id, next_run_at, last_run_at } = await get(id);
  assert.deepEqual(
    [status, occurrences_count, last_invoice_id, next_run_at, last_run_at],
    ['completed', 3, made[2].id, null, '2027-03-31T04:00:00.000Z'],
  );
  assert.deepEqual(
    (await occurrences(id)).map((one) => [one.occurrence_on, one.status, one.invoice_id]),
    made.map((one) => [one.operation_on, 'made', one.id]),
  );
  const executed = 'recurring_invoice.executed';
  assert.deepEqual(await app.eventTypes(company, id), [
    'recurring_invoice.created',
    executed,
    executed,
    executed,
    'recurring_invoice.completed',
  ]);
  const jobs = await app.sql`select 1 from jobs where id = ${id}`;
  assert.equal(jobs.length, 0, 'its job is over');
});

test('given automatic issue and delivery, when the day comes, then the invoice is issued and mailed, and events share the run', async (t) => {
  const app = await startApp(t);
  const { key, client, create, invoices, runAt } = await given(app, '2027-02-01T10:00:00Z');
  const { id } = await create({
    type: 'F1',
    client_id: client.id,
    starts_on: '2027-02-10',
    auto_issue: true,
    auto_send: true,
  });
  await runAt('2027-02-10T05:00:01Z');
  const [invoice] = await invoices();
  assert.match(invoice.number, /^F2027-000001$/);
  assert.equal(invoice.issued_on, '2027-02-10');
  const mails = (await app.get('/v1/emails', { key })).body.data;
  assert.deepEqual(mails[0].to, ['n@example.com']);
  const events = (await app.get('/v1/events', { key, query: { limit: '100' } })).body.data as Shown[];
  const executed = events.find(({ type }) => type === 'recurring_invoice.executed');
  assert.deepEqual(executed.data, { recurring_invoice: { id }, invoice: { id: invoice.id } });
  const numbered = events.find(({ type }) => type === 'invoice.number_assigned');
  assert.ok(executed.correlation_id);
  assert.equal(executed.correlation_id, numbered.correlation_id);
  const log = (await app.get('/v1/audit-log', { key, query: { action: 'recurring_invoice.run' } })).body.data;
  assert.deepEqual(
    [log.length, log[0].actor, log[0].details],
    [
      1,
      'system',
      { from: 'active', to: 'active', channel: 'job', occurrence_on: '2027-02-10', invoice: invoice.id },
    ],
  );
});

for (const environment of ['live', 'test'] as const)
  test(`given a ${environment} recurrence, when it runs twice, then the events of each run share an id of their own`, async (t) => {
    const app = await startApp(t);
    const { key, create, runAt } = await given(app, '2027-01-15T10:00:00Z', environment);
    const { id } = await create({ auto_issue: true });
    for (const now of ['2027-01-31T05:00:00Z', '2027-02-28T05:00:00Z'])
      if (environment === 'live') await runAt(now);
      else await app.put('/v1/sandbox/clock', { key, body: { now, frozen: true } });
    const events = (await app.get('/v1/events', { key, query: { limit: '100' } })).body.data as Shown[];
    const ids = (type: string) => events.filter((one) => one.type === type).map((one) => one.correlation_id);
    const executed = ids('recurring_invoice.executed');
    assert.equal(new Set([...executed, id]).size, 3);
    assert.deepEqual(ids('invoice.number_assigned'), executed);
  });

test('given a draft of a recurrence, when it is issued later, then it has the day of its issue, and its own as that of the operation', async (t) => {
  const app = await startApp(t);
  const { create, invoices, post, make, runAt } = await given(app, '2027-01-15T10:00:00Z');
  await create({ ends_on: '2027-02-28' });
  await runAt('2027-01-31T05:00:00Z');
  const [same_day] = await invoices();
  const at_once = (await post(`/v1/invoices/${same_day.id}/issue`)).body.data;
  assert.deepEqual([at_once.issued_on, at_once.operation_on], ['2027-01-31', '2027-01-31']);
  await runAt('2027-02-28T05:00:00Z');
  await runAt('2027-03-20T10:00:00Z');
  await make('/v1/invoices', { type: 'F2', lines: [line], options: { issue: true } });
  const late = (await invoices()).find(({ status }) => status === 'draft');
  const { status, body } = await post(`/v1/invoices/${late.id}/issue`);
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(
    [body.data.number, body.data.issued_on, body.data.operation_on],
    ['S2027-000003', '2027-03-20', '2027-02-28'],
  );
});

test('given terms of a recurrence, when a draft of it is edited and issued later, then it is due so many days after its issue', async (t) => {
  const app = await startApp(t);
  const { create, invoices, key, post, client, runAt } = await given(app, '2027-01-15T10:00:00Z');
  const payment_preferences = { method: 'bank_transfer', terms_days: 60 };
  await app.put(`/v1/clients/${client.id}`, { key, body: { payment_preferences } });
  for (const terms of [0, 10])
    await create({ type: 'F1', client_id: client.id, max_occurrences: 1, payment_terms_days: terms });
  await runAt('2027-01-31T05:00:00Z');
  const drafts = await invoices();
  assert.deepEqual(days(drafts, 'due_on'), [null, null]);
  await runAt('2027-03-20T10:00:00Z');
  const [at_once, later] = drafts.map(({ id }) => `/v1/invoices/${id}`);
  assert.equal((await app.put(later!, { key, body: { notes: 'Gracias', due_on: null } })).status, 200);
  const dueOf = async (path: string) => (await post(`${path}/issue`)).body.data.due_on;
  assert.deepEqual([await dueOf(at_once!), await dueOf(later!)], ['2027-03-20', '2027-03-30']);
  // A copy is no draft of the recurrence.
  const copy = (await post(`${later}/duplicate`)).body.data;
  assert.equal(await dueOf(`/v1/invoices/${copy.id}`), '2027-05-19');
});

test('given a service that was down, when it is back, then what was missed is made, oldest first, with the day of each as operation', async (t) => {
  const app = await startApp(t);
  const { create, get, invoices, runAt } = await given(app, '2027-01-15T10:00:00Z');
  const { id } = await create({ auto_issue: true });
  await runAt('2027-04-10T09:00:00Z');
  const made = await invoices();
  assert.deepEqual(days(made, 'operation_on'), ['2027-01-31', '2027-02-28', '2027-03-31']);
  assert.deepEqual(days(made, 'issued_on'), ['2027-04-10', '2027-04-10', '2027-04-10']);
  assert.deepEqual(days(made, 'number'), ['S2027-000001', 'S2027-000002', 'S2027-000003']);
  assert.equal((await get(id)).next_occurrence_on, '2027-04-30');
});

/** What the runs of a recurrence told of it, the last first. */
async function told(app: App, key: string, id: string): Promise<Shown[]> {
  const query = { 'type[in]': 'recurring_invoice.failed,recurring_invoice.paused', limit: '100' };
  const events = (await app.get('/v1/events', { key, query })).body.data as Shown[];
  return events.filter(({ aggregate_id }) => aggregate_id === id);
}

for (const [missed, is_made] of [
  ['2027-01-31', true],
  ['2027-02-01', false],
] as const)
  test(`given a daily one and a service that is back on ${missed}, then ${is_made ? 'twelve are made' : 'thirteen are not made'}`, async (t) => {
    const app = await startApp(t);
    const { company, key, create, get, invoices, occurrences, runAt } = await given(
      app,
      '2027-01-15T10:00:00Z',
    );
    const { id } = await create({ frequency: 'daily', starts_on: '2027-01-20' });
    await runAt(`${missed}T09:00:00Z`);
    const { status, last_error, next_occurrence_on } = await get(id);
    assert.equal((await invoices()).length, is_made ? 12 : 0);
    if (is_made) return assert.deepEqual([status, next_occurrence_on], ['active', '2027-02-01']);
    assert.deepEqual([status, last_error.code], ['paused', 'too_many_missed_occurrences']);
    const [paused, failed] = await told(app, key, id);
    assert.ok(paused!.correlation_id, 'the run has an id');
    assert.equal(failed!.correlation_id, paused!.correlation_id);
    assert.deepEqual(days(await occurrences(id), 'status'), ['failed']);
    assert.deepEqual(await app.eventTypes(company, id), [
      'recurring_invoice.created',
      'recurring_invoice.failed',
      'recurring_invoice.paused',
    ]);
  });

test('given an archived client, when the day comes, then nothing is made, and after five days it is paused', async (t) => {
  const app = await startApp(t);
  const { company, key, path, client, create, get, put, act, invoices, occurrences, runAt } = await given(
    app,
    '2027-01-15T10:00:00Z',
  );
  const { id } = await create({ type: 'F1', client_id: client.id, auto_issue: true });
  assert.equal((await app.put(`/v1/clients/${client.id}`, { key, body: { is_active: false } })).status, 200);
  for (let day = 1; day <= 5; day++) {
    await runAt(day === 1 ? '2027-01-31T05:00:00Z' : `2027-02-0${day - 1}T05:00:00Z`);
    const { status, last_error, next_occurrence_on, next_run_at } = await get(id);
    assert.deepEqual(
      [last_error.code, last_error.param, last_error.occurrence_on, last_error.attempts],
      ['parameter_invalid', 'client_id', '2027-01-31', day],
    );
    assert.deepEqual(
      [status, next_occurrence_on, next_run_at],
      day === 5 ? ['paused', null, null] : ['active', '2027-01-31', `2027-02-0${day}T05:00:00.000Z`],
    );
    const [coming] = (await app.get(`${path}/${id}/upcoming`, { key })).body.data;
    const again = next_run_at ?? '2027-02-28T05:00:00.000Z';
    assert.deepEqual([coming.run_at, coming.occurrence_on], [again, next_occurrence_on ?? '2027-02-28']);
    // Looking again on the same day tries nothing.
    await app.service.worker.runDue(company.company_id);
    assert.equal((await get(id)).last_error.attempts, day);
  }
  assert.deepEqual(await invoices(), []);
  const ids = (await told(app, key, id)).map((event) => event.correlation_id);
  assert.ok(!ids.includes(null), 'each run has an id');
  assert.equal(new Set(ids).size, 2, 'the first run and the last one are two');
  assert.deepEqual(days(await occurrences(id), 'status'), ['failed']);
  assert.deepEqual(await app.eventTypes(company, id), [
    'recurring_invoice.created',
    'recurring_invoice.failed',
    'recurring_invoice.paused',
  ]);
  await app.put(`/v1/clients/${client.id}`, { key, body: { is_active: true } });
  assert.equal((await put(id, { notes: 'Otra' })).status, 200);
  assert.equal((await act(id, 'resume')).body.data.next_occurrence_on, '2027-02-28');
});

test('given a day that failed, when it is paused, resumed and fails again on that day, then it is told once and counts one attempt', async (t) => {
  const app = await startApp(t);
  const { company, key, client, create, act, get, runAt } = await given(app, '2027-01-15T10:00:00Z');
  const { id } = await create({ type: 'F1', client_id: client.id, auto_issue: true });
  await app.put(`/v1/clients/${client.id}`, { key, body: { is_active: false } });
  await runAt('2027-01-31T05:00:00Z');
  const failed = (await get(id)).last_error;
  await act(id, 'pause');
  app.clock.set('2027-01-31T09:00:00Z');
  assert.deepEqual((await act(id, 'resume')).body.data.last_error, failed);
  await runAt('2027-01-31T10:00:00Z');
  const { last_error } = await get(id);
  assert.deepEqual([last_error.attempts, last_error.at], [1, '2027-01-31T10:00:00.000Z']);
  assert.deepEqual(await app.eventTypes(company, id), [
    'recurring_invoice.created',
    'recurring_invoice.failed',
    'recurring_invoice.paused',
    'recurring_invoice.activated',
  ]);
  await runAt('2027-02-01T05:00:00Z');
  assert.equal((await get(id)).last_error.attempts, 2);
});

test('given a day that failed, when too many more are missed, then that is told too', async (t) => {
  const app = await startApp(t);
  const { company, key, client, create, get, runAt } = await given(app, '2027-01-15T10:00:00Z');
  const body = { type: 'F1', client_id: client.id, frequency: 'daily', starts_on: '2027-01-20' };
  const { id } = await create(body);
  await app.put(`/v1/clients/${client.id}`, { key, body: { is_active: false } });
  await runAt('2027-01-20T05:00:00Z');
  await runAt('2027-02-10T05:00:00Z');
  const { status, last_error } = await get(id);
  assert.deepEqual([status, last_error.code], ['paused', 'too_many_missed_occurrences']);
  const failed = 'recurring_invoice.failed';
  assert.deepEqual(await app.eventTypes(company, id), [
    'recurring_invoice.created',
    failed,
    failed,
    'recurring_invoice.paused',
  ]);
});

test('given a refusal that is mended, when the next day comes, then the invoice is made for its own day', async (t) => {
  const app = await startApp(t);
  const { key, client, create, get, invoices, occurrences, runAt } = await given(app, '2027-01-15T10:00:00Z');
  const { id } = await create({ type: 'F1', client_id: client.id, auto_issue: true });
  await app.put(`/v1/clients/${client.id}`, { key, body: { is_active: false } });
  await runAt('2027-01-31T05:00:00Z');
  await app.put(`/v1/clients/${client.id}`, { key, body: { is_active: true } });
  await runAt('2027-02-01T05:00:00Z');
  const [invoice] = await invoices();
  assert.deepEqual([invoice.issued_on, invoice.operation_on], ['2027-02-01', '2027-01-31']);
  const [occurrence] = await occurrences(id);
  assert.deepEqual([occurrence.status, occurrence.invoice_id, occurrence.error], ['made', invoice.id, null]);
  const { last_error, next_occurrence_on } = await get(id);
  assert.deepEqual([last_error, next_occurrence_on], [null, '2027-02-28']);
});

test('given taxes that lines leave open, when the law of the company changes, then each invoice has what is in force on its day', async (t) => {
  const app = await startApp(t);
  const { key, make, create, invoices, put, get, runAt } = await given(app, '2027-01-15T10:00:00Z');
  const vat = (rate: number) =>
    app.put('/v1/account/company', { key, body: { default_vat: { recurring_invoice: rate } } });
  await vat(10);
  const tax = await make('/v1/taxes', { name: 'IVA 4', kind: 'vat', rate: 4, valid_to: '2027-02-15' });
  const product = await make('/v1/products', { name: 'Cuaderno', unit_price: 7 });
  const { id, lines } = await create({
    lines: [
      { description: 'De la empresa', unit_price: 1 },
      { description: 'Dicho', unit_price: 1, tax_rate: 10 },
      { product_id: product.id, tax_rate: 21 },
    ],
  });
  assert.deepEqual(days(lines, 'tax_rate'), [10, 10, 21]);
  // Sending back what was read states nothing.
  assert.equal((await put(id, { lines, notes: 'Otra' })).status, 200);
  await vat(4);
  await app.delete(`/v1/products/${product.id}`, { key });
  // What the lines took stays until it is found anew on the day of an invoice.
  const read = await get(id);
  assert.deepEqual((await put(id, read)).body.data, read);
  const renamed = (await put(id, { name: 'Otro nombre' })).body.data;
  assert.deepEqual([renamed.lines, renamed.total], [read.lines, read.total]);
  const told = (
    await put(id, { lines: [{ ...read.lines[0], description: 'De hoy' }, ...read.lines.slice(1)] })
  ).body.data;
  assert.deepEqual(days(told.lines, 'tax_rate'), [10, 10, 21]);
  const another = (await put(id, { lines: [...told.lines, { description: 'Nueva', unit_price: 1 }] })).body
    .data;
  assert.deepEqual(days(another.lines, 'tax_rate'), [10, 10, 21, 4]);
  assert.equal((await put(id, { lines: told.lines })).status, 200);
  await runAt('2027-01-31T05:00:00Z');
  const [first] = await invoices();
  assert.deepEqual(days(first.lines, 'tax_rate'), [4, 10, 21]);
  assert.equal(first.lines[2].unit_price, 7);
  await put(id, { lines: [{ description: 'Con impuesto', unit_price: 1, taxes_id: tax.id }] });
  await runAt('2027-02-28T05:00:00Z');
  const { last_error } = await get(id);
  assert.deepEqual([last_error.code, last_error.param], ['business_rule_violation', 'lines.0.taxes_id']);
  assert.equal((await invoices()).length, 1);
});

test('given a sandbox, when its clock moves a year ahead, then twelve rents are issued, each on its own day', async (t) => {
  const app = await startApp(t);
  const { key, create, get, invoices } = await given(app, '2027-01-15T10:00:00Z', 'test');
  const { id } = await create({ auto_issue: true });
  const moved = await app.put('/v1/sandbox/clock', {
    key,
    body: { now: '2028-01-15T10:00:00Z', frozen: true },
  });
  assert.equal(moved.status, 200, moved.text);
  const made = await invoices();
  const wanted = [
    '01-31',
    '02-28',
    '03-31',
    '04-30',
    '05-31',
    '06-30',
    '07-31',
    '08-31',
    '09-30',
    '10-31',
    '11-30',
    '12-31',
  ];
  assert.deepEqual(
    days(made, 'issued_on'),
    wanted.map((day) => `2027-${day}`),
  );
  assert.deepEqual(new Set(days(made, 'operation_on')), new Set([null]));
  assert.equal((await get(id)).next_run_at, '2028-01-31T05:00:00.000Z');
});

test('given a recurrence of a sandbox that begins today, when its hour has passed, then its invoice is made after it, not before', async (t) => {
  const app = await startApp(t);
  const { create, invoices, runAt } = await given(app, '2027-01-31T10:00:00Z', 'test');
  const { created_at } = await create({ auto_issue: true });
  await runAt('2027-01-31T10:00:01Z');
  assert.deepEqual(days(await invoices(), 'created_at'), [created_at]);
});

test('given days of a sandbox that wait behind a refused one, when that is made, then they are made after it, and nothing else is refused', async (t) => {
  const app = await startApp(t);
  const { key, client, create, invoices } = await given(app, '2027-01-15T10:00:00Z', 'test');
  const of_client = { type: 'F1', client_id: client.id, auto_issue: true };
  await create({ ...of_client, frequency: 'daily', starts_on: '2027-01-20' });
  for (const [is_active, now] of [
    [false, '2027-01-22T10:00:00Z'],
    [true, '2027-01-24T10:00:00Z'],
  ]) {
    await app.put(`/v1/clients/${client.id}`, { key, body: { is_active } });
    await app.put('/v1/sandbox/clock', { key, body: { now, frozen: true } });
  }
  const made = await invoices();
  const of = (day: string) => `2027-01-${day}`;
  assert.deepEqual(days(made, 'issued_on'), ['23', '23', '23', '23', '24'].map(of));
  assert.deepEqual(days(made, 'operation_on'), [...['20', '21', '22'].map(of), null, null]);
  const failed = await app.get('/v1/events', { key, query: { type: 'recurring_invoice.failed' } });
  assert.equal(failed.body.data.length, 1);
});

test('given a company that moves to the Canaries and back, when the day comes, then it runs at six of its zone', async (t) => {
  const app = await startApp(t);
  const { key, create, get, invoices, runAt } = await given(app, '2027-01-15T10:00:00Z');
  const { id } = await create();
  const move = async (time_zone: string) => {
    assert.equal((await app.put('/v1/account/company', { key, body: { time_zone } })).status, 200);
    await runAt(app.clock.now().toISOString());
  };
  await move('Atlantic/Canary');
  assert.equal((await get(id)).next_run_at, '2027-01-31T06:00:00.000Z');
  await runAt('2027-01-31T05:59:59Z');
  assert.equal((await invoices()).length, 0);
  await runAt('2027-01-31T06:00:00Z');
  assert.equal((await invoices()).length, 1);
  await move('Europe/Madrid');
  assert.equal((await get(id)).next_run_at, '2027-02-28T05:00:00.000Z');
  await runAt('2027-02-28T05:00:00Z');
  assert.equal((await invoices()).length, 2);
});

test('given a client that loses its address between runs, when the day comes, then the guard refuses the run', async (t) => {
  const app = await startApp(t);
  const { key, client, create, get, invoices, runAt } = await given(app, '2027-01-15T10:00:00Z');
  const { id } = await create({
    type: 'F1',
    client_id: client.id,
    auto_issue: true,
    auto_send: true,
    lines: [line],
  });
  await app.put(`/v1/clients/${client.id}`, { key, body: { email: null } });
  await runAt('2027-01-31T05:00:00Z');
  assert.deepEqual(await invoices(), []);
  const { last_error } = await get(id);
  assert.deepEqual([last_error.code, last_error.param], ['business_rule_violation', 'auto_send']);
});

test('given a run and a pause at one instant, then what is counted is what was made, and no more is made', async (t) => {
  const app = await startApp(t);
  const { company_id, create, act, get, invoices, occurrences, runAt } = await given(
    app,
    '2027-01-15T10:00:00Z',
  );
  const all = await Promise.all(Array.from({ length: 8 }, () => create({ auto_issue: true })));
  app.clock.set('2027-01-31T05:00:00Z');
  const [pauses] = await Promise.all([
    Promise.all(all.map(({ id }) => act(id, 'pause'))),
    app.service.worker.runDue(company_id),
  ]);
  for (const pause of pauses) assert.equal(pause.status, 200, pause.text);
  await runAt('2027-01-31T06:00:00Z');
  const made = (await Promise.all(all.map(({ id }) => occurrences(id)))).flat();
  const counts = await Promise.all(all.map(async ({ id }) => (await get(id)).occurrences_count));
  const issued = (await invoices()).length;
  assert.deepEqual([made.length, counts.reduce((sum, count) => sum + count, 0)], [issued, issued]);
});

test('given sixty of a company that are due at once, when two are refused, then the others are issued, and each is its own run', async (t) => {
  const app = await startApp(t);
  const { company, company_id, key, client, create, get, put, runAt } = await given(
    app,
    '2027-01-15T10:00:00Z',
  );
  // One after the other: sixty at once would wait for the company's share of the connections.
  const all: Shown[] = [];
  for (let n = 0; n < 60; n++) all.push(await create({ auto_issue: true }));
  const refused = await Promise.all(
    Array.from({ length: 2 }, () => create({ type: 'F1', client_id: client.id, auto_issue: true })),
  );
  // More lines than one run takes.
  const lines = Array.from({ length: 500 }, () => ({ ...line, unit_price: 1 }));
  for (const { id } of all.slice(0, 7)) assert.equal((await put(id, { lines })).status, 200);
  await app.put(`/v1/clients/${client.id}`, { key, body: { is_active: false } });
  await runAt('2027-01-31T05:00:00Z');
  const made = await app.sql<
    { id: string; job: string; actor: string; invoice: string; run: string; event: string }[]
  >`
    select o.recurring_invoice_id as id, a.actor_id as job, a.actor_name as actor, o.invoice_id as invoice,
           a.request_id as run, (select e.correlation_id from events e
             where e.company_id = o.company_id and e.aggregate_id = o.invoice_id and e.type = 'invoice.number_assigned') as event
      from recurring_occurrences o
      join audit_log a on a.company_id = o.company_id and a.object_id = o.recurring_invoice_id and a.action = 'recurring_invoice.run'
     where o.company_id = ${company_id} and o.status = 'made'`;
  assert.deepEqual(new Set(made.map(({ id }) => id)), new Set(all.map(({ id }) => id)));
  assert.equal(made.length, 60);
  for (const { id, job, actor, run, event } of made)
    assert.deepEqual([job, actor, event], [id, 'recurring_invoice.run', run]);
  assert.equal(new Set(made.map(({ run }) => run)).size, 60);
  const issued = await app.sql<{ number: string }[]>`
    select number from invoices where company_id = ${company_id} order by number`;
  const numbers = issued.map(({ number }) => number);
  assert.deepEqual([numbers.length, numbers[0], numbers.at(-1)], [60, 'S2027-000001', 'S2027-000060']);
  for (const { id } of refused) {
    assert.equal((await get(id)).last_error.code, 'parameter_invalid');
    assert.deepEqual(await app.eventTypes(company, id), [
      'recurring_invoice.created',
      'recurring_invoice.failed',
    ]);
  }
  const waiting = await app.sql`
    select 1 from jobs where company_id = ${company_id} and kind = 'recurring_invoice.run' and run_at > '2027-01-31T05:00:00Z'`;
  assert.equal(waiting.length, 62, 'each waits for its next day');
  const [ended] = await app.sql`
    select count(*)::integer as count from recurring_occurrences o
      join jobs j on j.company_id = o.company_id and j.id = o.recurring_invoice_id
      join due_work d on d.company_id = o.company_id and d.id = o.recurring_invoice_id
     where o.company_id = ${company_id} and o.status = 'made' and o.xmin = j.xmin and o.xmin = d.xmin and d.lease_id is null`;
  assert.equal(ended?.count, 60, 'its job ended in the transaction of its invoice');
});
