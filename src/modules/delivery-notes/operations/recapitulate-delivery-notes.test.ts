/** A month of deliveries in one invoice: what may go together, its day, its order, and that nothing is billed twice. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp, type App } from '../../../../test/harness.ts';
import { givenNotes } from '../../../../test/support/notes.ts';
import { readText } from '../../../../test/support/pdf-reader.ts';
import { assertRefused } from '../../../../test/support/resource-checks.ts';

async function given(app: App, environment: 'live' | 'test' = 'live') {
  const notes = await givenNotes(app, environment);
  const { key, post, path, noteIn } = notes;
  const on = (delivery_date: string, more: object = {}) => noteIn('delivered', { delivery_date, ...more });
  const recapitulate = (all: { id: string }[], more: object = {}) =>
    post(`${path}/recapitulate`, { delivery_note_ids: all.map(({ id }) => id), ...more });
  const statusOf = async ({ id }: { id: string }) =>
    (await app.get(`${path}/${id}`, { key })).body.data.status;
  return { ...notes, on, recapitulate, statusOf };
}

const line = (quantity: number, unit_price: number, more: object = {}) => ({
  description: 'Cuaderno',
  quantity,
  unit_price,
  tax_rate: 21,
  ...more,
});

const days: [what: string, today: string, deliveries: string[], operation_on: string, is_late: boolean][] = [
  ['a month not over: the last delivery', '2026-07-25', ['2026-07-01', '2026-07-20'], '2026-07-20', false],
  ['the last day itself', '2026-07-31', ['2026-07-20'], '2026-07-20', false],
  ['a month that is over', '2026-08-03', ['2026-07-01', '2026-07-20'], '2026-07-31', false],
  ['the deadline', '2026-08-15', ['2026-07-20'], '2026-07-31', false],
  ['the day after it', '2026-08-16', ['2026-07-20'], '2026-07-31', true],
  ['a leap year', '2028-03-02', ['2028-02-10'], '2028-02-29', false],
  ['December in January', '2027-01-10', ['2026-12-03'], '2026-12-31', false],
];

for (const [what, today, deliveries, operation_on, is_late] of days) {
  test(`given ${what}, when notes are billed, then operation_on is ${operation_on}`, async (t) => {
    const app = await startApp(t);
    app.clock.set(`${today}T12:00:00Z`);
    const { on, recapitulate, statusOf } = await given(app);
    const notes = await Promise.all(deliveries.map((day) => on(day)));
    const answer = await recapitulate(notes);
    assert.equal(answer.status, 201, answer.text);
    assert.equal(answer.body.data.operation_on, operation_on);
    const codes = is_late ? ['recapitulative_deadline_passed'] : undefined;
    assert.deepEqual(answer.body.warning_codes, codes);
    for (const note of notes) assert.equal(await statusOf(note), 'invoiced');
  });
}

for (const [what, issued_on, operation_on] of [
  ['within the month', '2026-07-25', '2026-07-20'],
  ["the month's last day", '2026-07-31', '2026-07-20'],
  ['after the month', '2026-08-03', '2026-07-31'],
] as const) {
  test(`given a day of issue ${what} that is past, when notes are billed, then operation_on is ${operation_on}, and it can be issued`, async (t) => {
    const app = await startApp(t);
    app.clock.set('2026-08-10T12:00:00Z');
    const { on, post, recapitulate } = await given(app);
    const notes = await Promise.all(['2026-07-05', '2026-07-20'].map((day) => on(day)));
    const { body } = await recapitulate(notes, { issued_on });
    assert.deepEqual([body.data?.issued_on, body.data?.operation_on], [issued_on, operation_on]);
    const asked = await post(`/v1/invoices/${body.data.id}/can-issue`);
    assert.deepEqual([asked.body.data?.can_issue, asked.body.data?.reasons], [true, []], asked.text);
  });
}

test('given another day of the operation, then the deadline is still that of the deliveries', async (t) => {
  const app = await startApp(t);
  app.clock.set('2026-08-20T12:00:00Z');
  const { on, recapitulate } = await given(app);
  const answer = await recapitulate([await on('2026-07-20')], { operation_on: '2026-08-20' });
  assert.deepEqual(answer.body.warning_codes, ['recapitulative_deadline_passed'], answer.text);
});

test('given a private person, then the deadline is the end of the month', async (t) => {
  const app = await startApp(t);
  app.clock.set('2026-08-01T12:00:00Z');
  const { done, on, recapitulate } = await given(app);
  const person = { name: 'Ana Gil', tax_id: '12345678Z', is_private_person: true };
  const client = await done('/v1/clients', person);
  const answer = await recapitulate([await on('2026-07-20', { client_id: client.id })]);
  assert.deepEqual(answer.body.warning_codes, ['recapitulative_deadline_passed'], answer.text);
});

test('given notes out of order and a return, when they are billed, then lines follow day and number, and taxes are of one invoice', async (t) => {
  const app = await startApp(t);
  app.clock.set('2026-08-03T12:00:00Z');
  const { company, key, post, on, recapitulate } = await given(app);
  const [a, b, back] = [
    await on('2026-07-09', { lines: [line(1, 0.02), line(3, 0.01)] }),
    await on('2026-07-02', { lines: [line(1, 0.02)], notes: 'No se copia' }),
    await on('2026-07-09', { lines: [line(-1, 0.02)] }),
  ];
  const answer = await recapitulate([back, a, b]);
  assert.equal(answer.status, 201, answer.text);
  const invoice = answer.body.data;
  assert.deepEqual(
    invoice.lines.map((one: { source: { id: string } }) => one.source.id),
    [b.id, a.id, a.id, back.id],
  );
  // 0.05 at 21 %, rounded once; by note it would be nothing.
  assert.deepEqual([invoice.subtotal, invoice.taxes_total, invoice.total], [0.05, 0.01, 0.06]);
  assert.deepEqual(
    invoice.sources.map(({ number }: { number: string }) => number),
    [b.number, a.number, back.number],
  );
  assert.deepEqual([invoice.type, invoice.notes, invoice.status], ['F1', null, 'draft']);
  const issued = await post(`/v1/invoices/${invoice.id}/issue`);
  assert.equal(issued.status, 200, issued.text);
  const pdf = await app.get(`/v1/invoices/${invoice.id}/pdf`, { key });
  const text = (await readText(pdf.bytes)).join('\n');
  const at = [b, a, back].map(({ number }) => text.indexOf(`Albarán ${number} del`));
  assert.ok(at[0]! >= 0 && at[0]! < at[1]! && at[1]! < at[2]!, text);
  const ticket = await app.get(`/v1/invoices/${invoice.id}/pdf`, { key, query: { format: 'ticket_80' } });
  assert.ok((await readText(ticket.bytes)).join('\n').includes(`Albarán ${a.number}`));
  const page = await app.get(new URL(issued.body.data.public_url).pathname, {});
  assert.ok(page.text.includes(`Albarán ${b.number} del`));
  for (const note of [a, b, back])
    assert.deepEqual((await app.eventTypes(company, note.id)).slice(-2), [
      'delivery_note.converted',
      'delivery_note.status_changed',
    ]);
});

test('given only returns, when they are billed, then the invoice is negative and can be issued', async (t) => {
  const app = await startApp(t);
  app.clock.set('2026-08-03T12:00:00Z');
  const { post, on, recapitulate } = await given(app);
  const made = await recapitulate([await on('2026-07-09', { lines: [line(-2, 10)] })]);
  const issued = await post(`/v1/invoices/${made.body.data.id}/issue`);
  assert.deepEqual([issued.status, issued.body.data?.total], [200, -24.2], issued.text);
});

test('given notes that do not go together, when they are billed, then the first that does not is named, and none changes', async (t) => {
  const app = await startApp(t);
  app.clock.set('2026-08-03T12:00:00Z');
  const { key, done, path, noteIn, on, recapitulate, statusOf } = await given(app);
  const first = await on('2026-07-31');
  const other_client = await done('/v1/clients', { name: 'Papelera Sur', tax_id: 'B12345674' });
  const foreign = await (await given(app)).noteIn('delivered', { delivery_date: '2026-07-03' });
  const rule = 'business_rule_violation';
  const cases: [{ id: string }, status: number, code: string][] = [
    [await on('2026-08-01'), 422, rule],
    [await on('2025-07-31'), 422, rule],
    [await on('2026-07-03', { client_id: other_client.id }), 422, rule],
    [await on('2026-07-03', { currency: 'USD' }), 422, rule],
    [await on('2026-07-03', { prices_include_tax: true }), 422, rule],
    [await noteIn('cancelled', { delivery_date: '2026-07-03' }), 409, 'invalid_status_transition'],
    [await noteIn('draft', { delivery_date: '2026-07-03' }), 409, 'invalid_status_transition'],
    [await noteIn('invoiced', { delivery_date: '2026-07-03' }), 409, 'invalid_status_transition'],
    [foreign, 422, 'parameter_invalid'],
    [{ id: crypto.randomUUID() }, 422, 'parameter_invalid'],
  ];
  for (const [note, status, code] of cases)
    assertRefused(await recapitulate([first, note]), status, code, 'delivery_note_ids.1');
  assertRefused(await recapitulate([first, first]), 422, 'parameter_invalid', 'delivery_note_ids');
  const twice = [first, { id: first.id.toUpperCase() }];
  assertRefused(await recapitulate(twice), 422, 'parameter_invalid', 'delivery_note_ids');
  assertRefused(await recapitulate([]), 422, 'parameter_invalid', 'delivery_note_ids');
  const many = Array.from({ length: 101 }, () => ({ id: crypto.randomUUID() }));
  assertRefused(await recapitulate(many), 422, 'parameter_invalid', 'delivery_note_ids');
  const surcharge = await on('2026-07-03', { lines: [line(1, 10, { surcharge_rate: 5.2 })] });
  assertRefused(await recapitulate([first, surcharge]), 422, rule, 'lines');
  const long = await on('2026-07-03', { lines: Array.from({ length: 500 }, () => line(1, 1)) });
  assertRefused(await recapitulate([first, long]), 422, rule, 'delivery_note_ids');
  const dry = await recapitulate([first, cases[0]![0], cases[5]![0]], { dry_run: true });
  assert.deepEqual(
    [dry.status, dry.body.data.can_convert, dry.body.data.reasons.map((one: { param: string }) => one.param)],
    [200, false, ['delivery_note_ids.1', 'delivery_note_ids.2']],
    dry.text,
  );
  assert.equal(await statusOf(first), 'delivered');
  // It is the invoice of the invoiced note.
  assert.equal((await app.get('/v1/invoices', { key })).body.data.length, 1);
  assert.equal((await app.get(path, { key, query: { convertible: 'true' } })).body.data.length, 8);
});

test('given notes whose sum has more digits than an amount may have, when they are billed, then it is refused and they stay', async (t) => {
  const app = await startApp(t);
  app.clock.set('2026-08-03T12:00:00Z');
  const { on, recapitulate, statusOf } = await given(app);
  const lines = [line(1, 400_000_000_000)];
  const notes = [await on('2026-07-01', { lines }), await on('2026-07-02', { lines })];
  const sum = [...notes, await on('2026-07-03', { lines })];
  assertRefused(await recapitulate(sum), 422, 'parameter_invalid', 'delivery_note_ids');
  const dry = await recapitulate(sum, { dry_run: true });
  assert.deepEqual(
    dry.body.data.reasons.map((one: { param: string }) => one.param),
    ['delivery_note_ids'],
    dry.text,
  );
  for (const note of sum) assert.equal(await statusOf(note), 'delivered');
  assert.equal((await recapitulate(notes)).body.data?.total, 968_000_000_000);
});

test('given overlapping sets at once, when they are billed, then one wins, and each note is billed once', async (t) => {
  const app = await startApp(t);
  app.clock.set('2026-08-03T12:00:00Z');
  const { key, on, recapitulate, statusOf } = await given(app);
  const [a, b, c] = [await on('2026-07-01'), await on('2026-07-02'), await on('2026-07-03')];
  const answers = await Promise.all([
    recapitulate([a, b]),
    recapitulate([b, c]),
    recapitulate([c, b, a]),
    recapitulate([b]),
  ]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409]);
  const won = answers.find(({ status }) => status === 201)!.body.data;
  assert.equal((await app.get('/v1/invoices', { key })).body.data.length, 1);
  assert.equal((await app.delete(`/v1/invoices/${won.id}`, { key })).status, 200);
  for (const note of [a, b, c]) assert.equal(await statusOf(note), 'delivered');
  const again = await recapitulate([a, b, c], { external_id: 'julio', operation_on: '2026-07-15' });
  assert.deepEqual([again.status, again.body.data?.operation_on], [201, '2026-07-15'], again.text);
  const replay = await recapitulate([a, b, c], { external_id: 'julio' });
  assert.deepEqual([replay.status, replay.body.data.id], [200, again.body.data.id]);
  const dry = await recapitulate([a, b, c], { external_id: 'julio', dry_run: true });
  assert.deepEqual([dry.body.data.can_convert, dry.body.data.reasons], [true, []], dry.text);
  const other = await recapitulate([a, b], { external_id: 'julio' });
  assertRefused(other, 409, 'idempotency_key_reused', 'external_id');
});

test("given VeriFactu and December's notes, when they are billed in January, then the record names both months; annulled, they are billed again", async (t) => {
  const app = await startApp(t);
  // A sandbox's clock is never set back.
  app.clock.set('2026-12-01T12:00:00Z');
  const { company, key, post, done, path, on, recapitulate, statusOf } = await given(app, 'test');
  const setClock = async (now: string) => {
    const moved = await app.put('/v1/sandbox/clock', { key, body: { now, frozen: true } });
    assert.ok(moved.status < 300, moved.text);
  };
  await setClock('2026-12-03T12:00:00Z');
  await app.put('/v1/verifactu/settings', { key, body: { enabled: true } });
  const first = await on('2026-12-03');
  await setClock('2026-12-20T12:00:00Z');
  const second = await on('2026-12-20', { lines: [line(1, 5), line(-1, 1)] });
  await setClock('2027-01-10T12:00:00Z');
  const bill = async (): Promise<string> => {
    const made = await recapitulate([second, first]);
    assert.deepEqual([made.status, made.body.warning_codes], [201, undefined], made.text);
    const { id } = await done(`/v1/invoices/${made.body.data.id}/issue`);
    await app.service.worker.runDue(company.sandbox_company_id);
    return id;
  };
  const read = async (id: string) => (await app.get(`/v1/invoices/${id}`, { key })).body.data;
  const recordOf = async (id: string) => (await app.get(`/v1/invoices/${id}/verifactu`, { key })).body.data;
  const id = await bill();
  const invoice = await read(id);
  assert.deepEqual(
    [invoice.number, invoice.issued_on, invoice.operation_on, invoice.total],
    ['F2027-000001', '2027-01-10', '2026-12-31', 29.04],
  );
  const record = await recordOf(id);
  assert.equal(record.status, 'accepted', JSON.stringify(record));
  const [sent] = await app.sql<{ xml: string }[]>`
    select xml from verifactu_records where company_id = ${company.sandbox_company_id}`;
  for (const part of ['FechaOperacion>31-12-2026<', 'FechaExpedicionFactura>10-01-2027<', 'TipoFactura>F1<'])
    assert.ok(sent?.xml.includes(part), part);
  assertRefused(await recapitulate([first]), 409, 'invalid_status_transition', 'delivery_note_ids.0');
  await done(`/v1/invoices/${id}/annul`);
  for (const note of [first, second]) assert.equal(await statusOf(note), 'delivered');
  const again = await bill();
  assert.equal((await read(again)).number, 'F2027-000002');
  assert.equal((await recordOf(again)).status, 'accepted');
  // A corrective undoes nothing: the goods were delivered and billed.
  const correction = { type: 'differences', reason: 'Devolución' };
  await done(`/v1/invoices/${again}/corrective`, { type: 'R1', correction, lines: [line(-1, 10)] });
  for (const note of [first, second]) {
    assert.equal(await statusOf(note), 'invoiced');
    const convert = await post(`${path}/${note.id}/convert`, { target: 'invoice' });
    assertRefused(convert, 409, 'invalid_status_transition');
  }
});

/** A draft of three notes, the first of which has two lines. */
async function givenDraftOfThree(app: App) {
  app.clock.set('2026-07-25T12:00:00Z');
  const whole = await given(app);
  const { key, on, recapitulate, statusOf } = whole;
  const notes = [
    await on('2026-07-01', { lines: [line(1, 10), line(2, 20)] }),
    await on('2026-07-02', { lines: [line(3, 30)] }),
    await on('2026-07-03', { lines: [line(4, 40)] }),
  ];
  const { data: draft } = (await recapitulate(notes)).body;
  const at = `/v1/invoices/${draft.id}`;
  const edit = async (lines: object[]) => {
    const answer = await app.put(at, { key, body: { lines } });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data;
  };
  const states = () => Promise.all(notes.map(statusOf));
  return { ...whole, notes, draft, at, edit, states };
}

test('given a draft of several notes, when an edit leaves no line of one, then that note alone is open again, and is billed apart', async (t) => {
  const app = await startApp(t);
  const { key, done, path, recapitulate, notes, draft, at, edit, states } = await givenDraftOfThree(app);
  const [first, second, third] = notes;
  const [, two, other, last] = draft.lines;
  // A part of a note is still the note's.
  await edit([two, other, last]);
  assert.deepEqual(await states(), ['invoiced', 'invoiced', 'invoiced']);
  const left = await edit([two, last]);
  assert.deepEqual(await states(), ['invoiced', 'delivered', 'invoiced']);
  assert.deepEqual(
    left.sources.map((source: { id: string }) => source.id),
    [first.id, third.id],
  );
  const { data: note } = (await app.get(`${path}/${second.id}`, { key })).body;
  assert.equal(note.converted_to_id, null);
  const query = { limit: '1', type: 'delivery_note.status_changed' };
  const [event] = (await app.get('/v1/events', { key, query })).body.data;
  assert.deepEqual(event.data, { delivery_note: { id: second.id }, from: 'invoiced', to: 'delivered' });
  const audited = await app.get('/v1/audit-log', { key, query: { action: 'delivery_note.reopen' } });
  assert.deepEqual(audited.body.data[0]?.details, { from: 'invoiced', to: 'delivered', channel: 'api' });
  const alone = (await recapitulate([second])).body.data;
  assert.equal(alone.subtotal, 90);
  await app.delete(at, { key });
  assert.deepEqual(await states(), ['delivered', 'invoiced', 'delivered']);
  assert.equal((await done(`/v1/invoices/${alone.id}/issue`)).sources[0].id, second.id);
});

test('given a draft of several notes, when an edit writes lines anew, then no note is open, and each is when the draft goes', async (t) => {
  const app = await startApp(t);
  const { key, draft, at, edit, states } = await givenDraftOfThree(app);
  const [one, two, , last] = draft.lines;
  const { lines, sources } = await edit([one, two, line(3, 31), last]);
  assert.deepEqual([lines[2].source, sources.length], [null, 3]);
  assert.deepEqual(await states(), ['invoiced', 'invoiced', 'invoiced']);
  await edit([line(1, 200)]);
  assert.deepEqual(await states(), ['invoiced', 'invoiced', 'invoiced']);
  await app.delete(at, { key });
  assert.deepEqual(await states(), ['delivered', 'delivered', 'delivered']);
});
