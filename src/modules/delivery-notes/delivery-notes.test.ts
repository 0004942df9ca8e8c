/** What delivery notes do besides what every family does (test/scenarios/sales-families.test.ts). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../test/harness.ts';
import { givenNotes } from '../../../test/support/notes.ts';
import { assertFilters, assertRefused } from '../../../test/support/resource-checks.ts';
import { deliveryNotesOperations } from './index.ts';

const pdf = ['pdfs:read', 'delivery_notes:read'];
const scopes: Record<string, readonly string[]> = {
  list_delivery_notes: ['delivery_notes:read'],
  create_delivery_note: ['delivery_notes:write'],
  get_delivery_note: ['delivery_notes:read'],
  get_delivery_note_pdf: pdf,
  get_delivery_note_pdf_link: pdf,
  revoke_delivery_note_public_link: ['delivery_notes:write'],
  update_delivery_note: ['delivery_notes:write'],
  delete_delivery_note: ['delivery_notes:delete'],
  bulk_delete_delivery_notes: ['delivery_notes:delete'],
  duplicate_delivery_note: ['delivery_notes:write'],
  send_delivery_note: ['delivery_notes:write'],
  mark_delivery_note_pending: ['delivery_notes:transition'],
  mark_delivery_note_delivered: ['delivery_notes:transition'],
  sign_delivery_note: ['delivery_notes:transition'],
  get_delivery_note_signature: ['delivery_notes:read'],
  get_delivery_note_signature_image: ['delivery_notes:read'],
  forget_delivery_note_signature: ['delivery_notes:gdpr_forget'],
  cancel_delivery_note: ['delivery_notes:transition'],
  change_delivery_note_status: ['delivery_notes:transition'],
  convert_delivery_note: ['delivery_notes:transition'],
  recapitulate_delivery_notes: ['delivery_notes:transition'],
};

test('given the operations of notes, then each needs its scopes, and tools are all but files and what is deprecated', () => {
  const needed = deliveryNotesOperations.map(({ name, scope, also_scopes }) => [
    name,
    [scope, ...also_scopes],
  ]);
  assert.deepEqual(Object.fromEntries(needed), scopes);
  const no_tools = deliveryNotesOperations.flatMap(({ name, mcp }) => (mcp ? [] : [name]));
  assert.deepEqual(no_tools, [
    'get_delivery_note_pdf',
    'get_delivery_note_signature_image',
    'change_delivery_note_status',
  ]);
});

test('given all that a note says of a delivery, when it is created, then it is answered, edited and sent back', async (t) => {
  const app = await startApp(t);
  const { key, post, path, body } = await givenNotes(app);
  const delivery = {
    delivery_date: '2031-01-15',
    delivery_address: { line1: 'Nave 4', city: 'Getafe', country: 'ES' },
    show_prices: false,
    vehicle_plate: '1234 BCD',
    driver: { name: 'Luis Pardo' },
    tracking: { number: 'SEG-7' },
    received_by: { name: 'Eva Ruiz', tax_id: '12345678Z' },
    billing_emails: ['almacen@example.com'],
  };
  const made = await post(path, { ...body, ...delivery });
  assert.equal(made.status, 201, made.text);
  const note = made.body.data;
  assert.deepEqual(Object.fromEntries(Object.keys(delivery).map((name) => [name, note[name]])), {
    ...delivery,
    driver: { name: 'Luis Pardo', tax_id: null },
    tracking: { number: 'SEG-7', carrier: null },
  });
  assert.equal(note.lines[0].object, 'delivery_note_line');
  const again = await app.put(`${path}/${note.id}`, { key, body: note });
  assert.deepEqual([again.status, again.body.data], [200, note], again.text);
  const cleared = await app.put(`${path}/${note.id}`, {
    key,
    body: { driver: null, billing_emails: null, delivery_date: null },
  });
  const { driver, billing_emails, delivery_date } = cleared.body.data;
  assert.deepEqual([driver, billing_emails, delivery_date], [null, [], null]);
  const bad: [object, string][] = [
    [{ billing_emails: ['a@example.com', 'x'] }, 'billing_emails.1'],
    [{ delivery_address: { country: 'ZZ' } }, 'delivery_address.country'],
    [{ vehicle_plate: 'x'.repeat(16) }, 'vehicle_plate'],
    [{ driver: { name: 'x'.repeat(121) } }, 'driver.name'],
    [{ driver: { phone: '1' } }, 'driver.phone'],
    [{ tracking: { number: 'x'.repeat(61) } }, 'tracking.number'],
    [{ received_by: { tax_id: 'x'.repeat(21) } }, 'received_by.tax_id'],
    [{ delivery_date: '2026-02-30' }, 'delivery_date'],
    [{ billing_emails: Array.from({ length: 21 }, () => 'a@example.com') }, 'billing_emails'],
  ];
  for (const [more, param] of bad)
    assertRefused(await post(path, { ...body, ...more }), 422, 'parameter_invalid', param);
});

test('given notes, when they are listed by what only they have, then those that match come', async (t) => {
  const app = await startApp(t);
  const { key, path, noteIn } = await givenNotes(app);
  const draft = await noteIn('draft', { delivery_date: '2026-03-05' });
  const pending = await noteIn('pending', { delivery_date: '2026-03-02' });
  const cancelled = await noteIn('cancelled');
  const [A, B, C] = [draft.id, pending.id, cancelled.id];
  await assertFilters(app, path, key, [
    [{ convertible: 'true' }, [B]],
    [{ convertible: 'false' }, [A, C]],
    [{ signed: 'false' }, [A, B, C]],
    [{ signed: 'true' }, []],
    [{ 'delivery_date[gte]': '2026-03-03' }, [A]],
    [{ 'delivery_date[lt]': '2026-03-03', convertible: 'true' }, [B]],
  ]);
});

test('given a delivery in the future, or at a stated time, then mark-delivered refuses it or keeps it', async (t) => {
  const app = await startApp(t);
  const { post, path, noteIn } = await givenNotes(app);
  const { id } = await noteIn('pending');
  const tomorrow = new Date(app.clock.now().getTime() + 86_400_000).toISOString();
  const refused = await post(`${path}/${id}/mark-delivered`, { delivered_at: tomorrow });
  assertRefused(refused, 422, 'business_rule_violation', 'delivered_at');
  const done = await post(`${path}/${id}/mark-delivered`, { delivered_at: '2026-01-05T10:00:00+01:00' });
  assert.deepEqual(
    [done.body.data.status, done.body.data.delivered_at],
    ['delivered', '2026-01-05T09:00:00.000Z'],
  );
});

test('given options of a creation, when it is pending at once or tried dry, then it has its number or tells all reasons', async (t) => {
  const app = await startApp(t);
  const { company, key, post, path, body } = await givenNotes(app);
  const pending = await post(path, { ...body, options: { mark_pending: true } });
  assert.equal(pending.status, 201, pending.text);
  assert.deepEqual([pending.body.data.status, pending.body.data.number?.slice(-6)], ['pending', '000001']);
  assert.deepEqual(await app.eventTypes(company, pending.body.data.id), [
    'delivery_note.created',
    'delivery_note.status_changed',
  ]);
  const dry = await post(path, {
    lines: [{ description: 'x', unit_price: 1, taxes_id: pending.body.data.id }],
    billing_emails: ['x'],
    options: { mark_pending: true, dry_run: true },
  });
  assert.deepEqual(
    [
      dry.status,
      dry.body.data.can_create,
      dry.body.data.reasons.map(({ param }: { param: string }) => param),
    ],
    [200, false, ['billing_emails.0', 'lines.0.taxes_id', 'client_id']],
    dry.text,
  );
  assert.equal((await app.get(path, { key })).body.data.length, 1);
});

test('given change_delivery_note_status, the old way to move a note, then it moves it, and says that it ends and what comes after', async (t) => {
  const app = await startApp(t);
  const { post, path, noteIn } = await givenNotes(app);
  const { id } = await noteIn('draft');
  for (const status of ['pending', 'delivered', 'cancelled']) {
    const answer = await post(`${path}/${id}/change_status`, { status });
    assert.deepEqual([answer.status, answer.body.data.status], [200, status], answer.text);
    assert.match(String(answer.headers.deprecation), /^@\d+$/);
    assert.ok(Date.parse(String(answer.headers.sunset)) > Date.parse('2027-01-01'));
    assert.equal(answer.headers.link, '<cancel>; rel="successor-version"');
  }
  const refused = await post(`${path}/${id}/change_status`, { status: 'pending' });
  assertRefused(refused, 409, 'invalid_status_transition');
  assert.ok(refused.headers.sunset);
  assertRefused(
    await post(`${path}/${id}/change_status`, { status: 'signed' }),
    422,
    'parameter_invalid',
    'status',
  );
});

test('given notes of all states, when they are deleted together, then those that may go, go, and the others are named', async (t) => {
  const app = await startApp(t);
  const { key, post, path, noteIn } = await givenNotes(app);
  const foreign = await (await givenNotes(app)).noteIn('draft');
  const [draft, pending, invoiced, signed] = [
    await noteIn('draft'),
    await noteIn('pending'),
    await noteIn('invoiced'),
    await noteIn('signed'),
  ];
  const unknown = { id: crypto.randomUUID() };
  const remove = (ids: string[]) => post(`${path}/bulk-delete`, { ids });
  for (const ids of [
    [],
    [draft.id, draft.id],
    [draft.id, draft.id.toUpperCase()],
    Array.from({ length: 51 }, () => crypto.randomUUID()),
  ])
    assertRefused(await remove(ids), 422, 'invalid_param_value', 'ids');
  assertRefused(await remove(['x']), 422, 'parameter_invalid', 'ids.0');
  const all = [draft, pending, invoiced, signed, unknown, foreign];
  const done = await remove(all.map(({ id }) => id));
  const { object, deleted_count, failed } = done.body.data;
  assert.deepEqual(
    [done.status, object, deleted_count, failed.map(({ id }: { id: string }) => id)],
    [200, 'bulk_delete_result', 2, [invoiced.id, signed.id, unknown.id, foreign.id]],
    done.text,
  );
  assert.equal((await app.get(`${path}/${draft.id}`, { key })).status, 404);
  // Another company's note counts as unknown.
  assert.equal(failed[2].reason, failed[3].reason);
  const none = await remove([invoiced.id]);
  assert.deepEqual([none.status, none.body.data.deleted_count], [200, 0]);
  // A number that is gone is not given again.
  const next = await noteIn('pending');
  assert.notEqual(next.number, pending.number);
});

test('given a note, when it is converted, then target is asked for, and the invoice is of the day of delivery', async (t) => {
  const app = await startApp(t);
  const { company, key, post, path, noteIn } = await givenNotes(app);
  const note = await noteIn('delivered', { delivery_date: '2026-01-09' });
  const convert = (body?: object) => post(`${path}/${note.id}/convert`, body);
  assertRefused(await convert(), 422, 'missing_required_param', 'target');
  assertRefused(await convert({ target: 'quote' }), 422, 'parameter_invalid', 'target');
  assertRefused(await convert({ target: 'invoice', lines: [] }), 422, 'parameter_invalid', 'lines');
  const answers = await Promise.all([1, 2, 3].map(() => convert({ target: 'invoice' })));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409]);
  const invoice = answers.find(({ status }) => status === 201)!.body.data;
  assert.deepEqual(
    [invoice.status, invoice.operation_on, invoice.total, invoice.lines[0].source.operation_on],
    ['draft', '2026-01-09', note.total, '2026-01-09'],
  );
  const read = async () => (await app.get(`${path}/${note.id}`, { key })).body.data;
  assert.deepEqual([(await read()).status, (await read()).converted_to_id], ['invoiced', invoice.id]);
  assert.equal((await app.delete(`/v1/invoices/${invoice.id}`, { key })).status, 200);
  assert.deepEqual([(await read()).status, (await read()).converted_to_id], ['delivered', null]);
  assert.equal((await app.eventTypes(company, note.id)).at(-1), 'delivery_note.status_changed');
});

test('given a note with addresses of its own, when it is sent to nobody in particular, then it goes to them', async (t) => {
  const app = await startApp(t);
  const { key, done, path, noteIn } = await givenNotes(app);
  const { id } = await noteIn('pending', { billing_emails: ['almacen@example.com'] });
  for (const asked of [undefined, {}, { to: [] }, { to: [], cc: ['leo@example.com'] }]) {
    const { email } = await done(`${path}/${id}/send`, asked);
    const sent = await app.get(`/v1/emails/${email.id}`, { key });
    assert.deepEqual(sent.body.data.to, ['almacen@example.com'], JSON.stringify(asked));
  }
});

test('given the key of a cancellation, then it has 1 to 64 characters', async (t) => {
  const app = await startApp(t);
  const { key, path, noteIn } = await givenNotes(app);
  const { id } = await noteIn('pending');
  const cancel = (length: number) =>
    app.post(`${path}/${id}/cancel`, { key, headers: { 'idempotency-key': 'k'.repeat(length) } });
  assert.equal((await cancel(65)).status, 422);
  assert.equal((await cancel(64)).status, 200);
  assert.equal((await cancel(64)).headers['idempotent-replayed'], 'true');
});
