/** Each day sends its scheduled reminders once, by a sandbox's clock or a live company's. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type StartOptions, startApp } from '../../../test/harness.ts';
import { auditOf, giveRepresentation } from '../../../test/support/company-certificates.ts';
import { mailSettings, startMailServer } from '../../../test/support/mail-server.ts';
import { meetInTransactions } from '../../../test/support/meeting-transactions.ts';
import { create } from '../../../test/support/resource-checks.ts';
import { dayIn } from '../../kernel/dates.ts';
import type { Ports } from '../../kernel/ports.ts';
import { lookAndWork } from '../companies/companies.jobs.ts';
import { sendDueReminders } from './reminders.jobs.ts';

const start = '2027-02-20T10:00:00.000Z';
const due_on = '2027-03-10';
const line = { description: 'Consultoría', unit_price: 100, tax_rate: 21 };

async function given(
  t: TestContext,
  { sandbox = true, plan, ...options }: StartOptions & { sandbox?: boolean; plan?: 'free' } = {},
) {
  const app = await startApp(t, options);
  app.clock.set(start);
  const acme = await app.given.company(plan && { plan });
  const key = sandbox ? acme.test_key : acme.live_key;
  const client = await create(app, '/v1/clients', key, { name: 'Norte SL', email: 'norte@example.com' });
  return { app, key, client: client.id, company_id: sandbox ? acme.sandbox_company_id : acme.company_id };
}

type Given = Awaited<ReturnType<typeof given>>;
type Made = { id: string; number: string; due_on: string | null };

async function schedule({ app, key }: Given, days_after_due: number[] | null): Promise<void> {
  const reminders = days_after_due && { enabled: true, days_after_due };
  const answer = await app.put('/v1/account/company', { key, body: { reminders } });
  assert.equal(answer.status, 200, answer.text);
}

function invoice({ app, key, client }: Given, more: Record<string, unknown> = {}) {
  const body = { client_id: client, lines: [line], due_on, options: { issue: true }, ...more };
  return create<Made>(app, '/v1/invoices', key, body);
}

async function act({ app, key }: Given, path: string, body: unknown = {}) {
  const answer = await app.post(`/v1/invoices/${path}`, { key, body });
  assert.ok(answer.status < 300, answer.text);
  return answer.body.data;
}

/** Moves the sandbox's clock and completes its work. */
async function on({ app, key }: Given, day: string): Promise<void> {
  const answer = await app.put('/v1/sandbox/clock', { key, body: { now: `${day}T12:00:00Z`, frozen: true } });
  assert.equal(answer.status, 200, answer.text);
}

async function remindersOf({ app, key }: Given, document_id: string) {
  const query = { document_id, purpose: 'payment_reminder', limit: '100' };
  return (await app.get('/v1/emails', { key, query })).body.data.reverse();
}

async function daysOf(place: Given, id: string): Promise<string[]> {
  const emails: { created_at: string }[] = await remindersOf(place, id);
  return emails.map((email) => dayIn('Europe/Madrid', new Date(email.created_at)));
}

test('given a schedule, when its days come, then each is given on its day, once, by the company’s calendar', async (t) => {
  const place = await given(t);
  const { app, key, company_id } = place;
  await schedule(place, [30, 0, 7]);
  const made = await invoice(place);
  const expected: [day: string, given: string[]][] = [
    ['2027-03-09', []],
    ['2027-03-10', ['2027-03-10']],
    ['2027-03-11', ['2027-03-10']],
    ['2027-03-16', ['2027-03-10']],
    ['2027-03-17', ['2027-03-10', '2027-03-17']],
    ['2027-04-08', ['2027-03-10', '2027-03-17']],
    ['2027-04-09', ['2027-03-10', '2027-03-17', '2027-04-09']],
    ['2027-12-31', ['2027-03-10', '2027-03-17', '2027-04-09']],
  ];
  for (const [day, days] of expected) {
    await on(place, day);
    assert.deepEqual(await daysOf(place, made.id), days, day);
  }
  const reminders = await remindersOf(place, made.id);
  const texts = [];
  for (const { id, status, reason, to } of reminders) {
    assert.deepEqual([status, reason, to], ['not_sent', 'sandbox', ['norte@example.com']]);
    const { data } = (await app.get(`/v1/emails/${id}`, { key })).body;
    assert.deepEqual(data.attachments, [{ filename: `${made.number}.pdf`, media_type: 'application/pdf' }]);
    texts.push(/vence el|venció el/.exec(data.text)?.[0]);
  }
  assert.deepEqual(texts, ['vence el', 'venció el', 'venció el']);
  const types = await app.eventTypes(company_id, made.id);
  assert.deepEqual(types.slice(types.indexOf('invoice.overdue')), ['invoice.overdue']);
});

test('given a sandbox that is set years ahead, then what falls due in them is done on its day', async (t) => {
  const place = await given(t);
  const { app, key, client } = place;
  await schedule(place, [1, 3, 7]);
  const [made, later] = [await invoice(place), await invoice(place, { due_on: '2028-02-28' })];
  const quote = {
    client_id: client,
    lines: [line],
    valid_until: '2027-03-20',
    options: { mark_pending: true },
  };
  const { id } = await create(app, '/v1/quotes', key, quote);
  await giveRepresentation(app, key, { valid_until: '2027-12-31' });
  await create(app, '/v1/recurring_invoices', key, {
    name: 'Cuota',
    client_id: client,
    lines: [line],
    frequency: 'quarterly',
    starts_on: '2027-05-31',
    max_occurrences: 2,
    auto_issue: true,
    payment_terms_days: 0,
  });
  await on(place, '2029-02-20');
  assert.deepEqual(await daysOf(place, made.id), ['2027-03-11', '2027-03-13', '2027-03-17']);
  assert.deepEqual(await daysOf(place, later.id), ['2028-02-29', '2028-03-02', '2028-03-06']);
  const events = (await app.get('/v1/events', { key, query: { limit: '100' } })).body.data;
  const timeOf = (type: string, of: string) =>
    events.find((one: Record<string, unknown>) => one.type === type && one.aggregate_id === of)?.created;
  assert.deepEqual(
    [timeOf('invoice.overdue', made.id), timeOf('invoice.overdue', later.id), timeOf('quote.expired', id)],
    ['2027-03-10T23:00:00.000Z', '2028-02-28T23:00:00.000Z', '2027-03-20T23:00:00.000Z'],
  );
  const during = { 'issued_on[gte]': '2027-05-31', sort: 'created' };
  const [may, august] = (await app.get('/v1/invoices', { key, query: during })).body.data;
  assert.deepEqual([may.due_on, august.due_on], ['2027-05-31', '2027-08-31']);
  assert.deepEqual(await daysOf(place, may.id), ['2027-06-01', '2027-06-03', '2027-06-07']);
  assert.deepEqual(await daysOf(place, august.id), ['2027-09-01', '2027-09-03', '2027-09-07']);
  assert.equal(timeOf('invoice.overdue', may.id), '2027-05-31T22:00:00.000Z');
  const warned = await auditOf(app, key, 'verifactu_representation.expiring');
  assert.deepEqual(warned.map(({ details }: { details: { days: number } }) => details.days).sort(), [30, 7]);
});

test('given days on which nothing ran, when work goes on, then only the newest stage of them is given', async (t) => {
  const place = await given(t, { sandbox: false });
  const { app, company_id } = place;
  const workOn = async (day: string) => {
    app.clock.set(`${day}T12:00:00Z`);
    await app.service.worker.runDue(company_id);
  };
  await schedule(place, [0, 7, 30]);
  const [early, late] = [await invoice(place, { due_on: '2027-02-25' }), await invoice(place)];
  await workOn('2027-03-20');
  assert.deepEqual(
    [await daysOf(place, early.id), await daysOf(place, late.id)],
    [['2027-03-20'], ['2027-03-20']],
  );
  await workOn('2028-03-20');
  assert.deepEqual(
    [await daysOf(place, early.id), await daysOf(place, late.id)],
    [
      ['2027-03-20', '2028-03-20'],
      ['2027-03-20', '2028-03-20'],
    ],
  );
  await workOn('2028-04-20');
  assert.equal((await daysOf(place, early.id)).length, 2);
});

test('given what is no debt, or nobody to write to, when its day comes, then nothing is written', async (t) => {
  const place = await given(t);
  const { app, key } = place;
  await schedule(place, [0, 7]);
  const contact = async (body: Record<string, unknown>) => (await create(app, '/v1/clients', key, body)).id;
  const mute = await contact({ name: 'Sin correo SL' });
  const billed = await contact({
    name: 'Con contabilidad SL',
    email: 'hola@example.com',
    billing_emails: ['facturas@example.com', 'pagos@example.com'],
  });
  const pay = (id: string, amount: number) =>
    act(place, `${id}/payments`, { amount, payment_method: 'cash' });
  const [paid, part_paid, annulled, voided, replaced, cleared, reduced] = [
    await invoice(place),
    await invoice(place),
    await invoice(place),
    await invoice(place),
    await invoice(place),
    await invoice(place),
    await invoice(place),
  ];
  await pay(paid.id, 121);
  await pay(part_paid.id, 21);
  await act(place, `${annulled.id}/annul`);
  await act(place, `${voided.id}/void`);
  await act(place, `${replaced.id}/corrective`, { correction: { type: 'substitution' }, lines: [line] });
  const credit = await act(place, `${cleared.id}/corrective`, {
    correction: { type: 'differences' },
    lines: [{ ...line, quantity: -1 }],
  });
  await act(place, `${reduced.id}/corrective`, {
    correction: { type: 'differences' },
    lines: [{ ...line, unit_price: -50 }],
  });
  const ticket = await invoice(place, { type: 'F2' });
  await act(place, 'substitute-simplified', {
    simplified_invoice_uuids: [ticket.id],
    client_id: place.client,
  });
  const silent: Record<string, Made> = {
    paid,
    annulled,
    voided,
    replaced,
    cleared,
    credit,
    ticket,
    draft: await invoice(place, { options: {} }),
    'without a due day': await invoice(place, { due_on: null }),
    'nothing to pay': await invoice(place, { lines: [{ ...line, discount_percent: 100 }] }),
    'without a client': await invoice(place, { type: 'F2', client_id: null }),
    'without an address': await invoice(place, { client_id: mute }),
  };
  const told = await invoice(place, { client_id: billed });
  await on(place, due_on);
  for (const [name, { id }] of Object.entries(silent)) assert.deepEqual(await daysOf(place, id), [], name);
  const pending = async ({ id }: Made) => {
    const [email] = await remindersOf(place, id);
    const { data } = (await app.get(`/v1/emails/${email.id}`, { key })).body;
    return [data.to, /Pendiente de pago: (.+)/.exec(data.text)?.[1]];
  };
  assert.deepEqual(await pending(part_paid), [['norte@example.com'], '100,00\u00a0€']);
  assert.deepEqual(await pending(reduced), [['norte@example.com'], '60,50\u00a0€']);
  assert.deepEqual(await pending(told), [['facturas@example.com', 'pagos@example.com'], '121,00\u00a0€']);

  // The day of issue sends no reminder.
  const due_at_once = await invoice(place, { due_on });
  await on(place, '2027-03-16');
  assert.deepEqual(await daysOf(place, due_at_once.id), []);
  // Paid before its second stage. A returned payment starts the reminders again.
  await pay(part_paid.id, 100);
  const { payments } = (await app.get(`/v1/invoices/${paid.id}`, { key })).body.data;
  await act(place, `${paid.id}/payments/${payments.detail[0].id}/reversal`, {
    reason: 'direct_debit_return',
  });
  await on(place, '2027-03-17');
  for (const [made, days] of [
    [due_at_once, ['2027-03-17']],
    [part_paid, [due_on]],
    [paid, ['2027-03-17']],
    [told, [due_on, '2027-03-17']],
  ] as const) {
    assert.deepEqual(await daysOf(place, made.id), days);
  }
});

test('given debts whose tax was recovered (R2, R3), when their days come, then they are reminded of by hand alone', async (t) => {
  const place = await given(t);
  await schedule(place, [0, 7]);
  await place.app.put(`/v1/clients/${place.client}`, {
    key: place.key,
    body: { tax_id: 'A58818501', payment_preferences: { method: 'bank_transfer', terms_days: 18 } },
  });
  const correct = async ({ id }: Made, type: string, body: object = {}): Promise<Made> =>
    act(place, `${id}/corrective`, { type, correction: { type: 'differences' }, ...body });
  const [bad, bankrupt, undone, paid_later, replaced] = [
    await invoice(place),
    await invoice(place),
    await invoice(place),
    await invoice(place),
    await invoice(place),
  ];
  await correct(bad, 'R3');
  await correct(bankrupt, 'R2');
  const made = await correct(undone, 'R3');
  await correct(paid_later, 'R3');
  const whole = { correction: { type: 'substitution' }, lines: [{ ...line, unit_price: 80 }] };
  const instead = await correct(replaced, 'R2', whole);
  assert.equal(instead.due_on, due_on);
  await on(place, due_on);
  await act(place, `${made.id}/annul`);
  await correct(paid_later, 'R3', { lines: [line] });
  await on(place, '2027-03-17');
  for (const { id } of [bad, bankrupt, instead]) assert.deepEqual(await daysOf(place, id), []);
  for (const { id } of [undone, paid_later]) assert.deepEqual(await daysOf(place, id), ['2027-03-17']);
  await act(place, `${bankrupt.id}/send-reminder`);
  assert.equal((await remindersOf(place, bankrupt.id)).length, 1);
});

test('given old debts, when a schedule is switched on, changed, off and on, then no past day is made up for', async (t) => {
  const place = await given(t);
  const made = await invoice(place);
  await on(place, '2027-04-01');
  // Stages 0 and 7 have long passed, and 22 is today.
  await schedule(place, [0, 7, 22, 30]);
  await on(place, '2027-04-02');
  assert.deepEqual(await daysOf(place, made.id), []);
  await on(place, '2027-04-09');
  assert.deepEqual(await daysOf(place, made.id), ['2027-04-09']);
  await schedule(place, [0, 7, 14, 25, 30, 40]);
  await on(place, '2027-04-10');
  assert.deepEqual(await daysOf(place, made.id), ['2027-04-09']);
  // Its 40th day comes while reminders are off.
  await schedule(place, null);
  await on(place, '2027-04-25');
  await schedule(place, [40, 60]);
  await on(place, '2027-05-08');
  assert.deepEqual(await daysOf(place, made.id), ['2027-04-09']);
  await on(place, '2027-05-09');
  assert.deepEqual(await daysOf(place, made.id), ['2027-04-09', '2027-05-09']);
});

/** Invoices reminded, and the most reminders of one. */
async function countAll({ app, company_id }: Given): Promise<{ invoices: number; most: number }> {
  const [row] = await app.sql<{ invoices: number; most: number }[]>`
    select count(*)::integer as invoices, coalesce(max(count), 0)::integer as most
      from (select count(*) from emails
             where company_id = ${company_id} and purpose = 'payment_reminder' group by document_id) e`;
  return { ...row! };
}

test('given several batches, a broken run and two parallel runs, when the day comes, then each invoice is reminded once', async (t) => {
  let ports: Ports | undefined;
  let links_left = Number.POSITIVE_INFINITY;
  const place = await given(t, {
    wrap_ports(made) {
      const { links } = made;
      const publicUrl: typeof links.publicUrl = (document) => {
        if (links_left-- <= 0) throw new Error('The worker ended.');
        return links.publicUrl(document);
      };
      ports = { ...made, links: { ...links, publicUrl } };
      return ports;
    },
  });
  const { app, company_id, key, client } = place;
  await schedule(place, [1]);
  const one = { client_id: client, lines: [line], due_on, options: { issue: true } };
  const ids: string[] = [];
  for (const count of [100, 100, 5]) {
    const body = { invoices: Array.from({ length: count }, () => one) };
    const made = await app.post('/v1/invoices/bulk-create', { key, body });
    assert.equal(made.body.data.invoices.length, count, made.text);
    ids.push(...made.body.data.invoices.map((invoice: Made) => invoice.id));
  }
  // A failed batch keeps nothing, and the next attempt does all of it. The day's other work does not wait.
  await on(place, due_on);
  links_left = 150;
  await on(place, '2027-03-11');
  assert.deepEqual(await countAll(place), { invoices: 0, most: 0 });
  assert.ok((await app.eventTypes(company_id, ids[0]!)).includes('invoice.overdue'));
  links_left = Number.POSITIVE_INFINITY;
  app.clock.advance(3_600_000);
  await app.service.worker.runDue(company_id);
  assert.deepEqual(await countAll(place), { invoices: 205, most: 1 });

  // The mark is put back, so two runs meet. The second waits for the first and finds everything done.
  await app.sql`update companies set reminders_through = ${due_on} where company_id = ${company_id}`;
  await app.sql`delete from emails where company_id = ${company_id}`;
  await meetInTransactions(app, company_id, ports!, lookAndWork(sendDueReminders));
  await app.service.worker.runDue(company_id);
  assert.deepEqual(await countAll(place), { invoices: 205, most: 1 });
});

test('given live companies with mail, when the day comes, then clients who have not paid get their reminders at nine', async (t) => {
  const mail = await startMailServer(t);
  const place = await given(t, { sandbox: false, env: mailSettings(mail) });
  const { app, company_id, key } = place;
  await schedule(place, [3]);
  const [made, paid] = [await invoice(place), await invoice(place)];
  const at = async (instant: string) => {
    app.clock.set(instant);
    await app.service.worker.runDue(company_id);
    return mail.received.length;
  };
  // The day in Madrid begins at 23:00 UTC.
  assert.equal(await at('2027-03-12T22:59:59Z'), 0);
  assert.deepEqual(await remindersOf(place, made.id), []);
  assert.equal(await at('2027-03-12T23:00:00Z'), 0);
  const [waiting] = await remindersOf(place, made.id);
  assert.deepEqual(
    [waiting.status, waiting.next_attempt_at, waiting.created_at],
    ['queued', '2027-03-13T08:00:00.000Z', '2027-03-12T23:00:00.000Z'],
  );
  await act(place, `${paid.id}/payments`, { amount: 121, payment_method: 'cash' });
  assert.equal(await at('2027-03-13T07:59:59Z'), 0);
  assert.equal(await at('2027-03-13T08:00:00Z'), 1);
  assert.equal(await at('2027-03-13T23:00:00Z'), 1);
  assert.equal(mail.received[0]?.message.subject, `Recordatorio de pago: factura ${made.number} · Acme SL`);
  assert.equal(mail.received[0].message.date, '2027-03-13T08:00:00.000Z');
  const [late] = await remindersOf(place, paid.id);
  assert.deepEqual([late.status, late.reason], ['not_sent', 'withdrawn']);
  const types = await app.eventTypes(company_id, made.id);
  assert.deepEqual(types.slice(-2), ['invoice.overdue', 'invoice.payment_reminder_sent']);

  // Nothing worked that morning, and the reminder does not wait for the next. One on request goes at once.
  const second = await invoice(place, { due_on: '2027-03-20' });
  assert.equal(await at('2027-03-23T15:00:00Z'), 2);
  const asked = await app.post(`/v1/invoices/${second.id}/send-reminder`, { key });
  assert.equal(asked.status, 200, asked.text);
  assert.equal(await at('2027-03-24T03:00:00Z'), 3);
});

test('given a company that has written to all recipients of its day, when a reminder waits for the next, then it goes out at nine of that', async (t) => {
  const mail = await startMailServer(t);
  const place = await given(t, { sandbox: false, plan: 'free', env: mailSettings(mail) });
  const { app, company_id } = place;
  await schedule(place, [3]);
  const made = await invoice(place);
  const at = async (instant: string) => {
    app.clock.set(instant);
    await app.service.worker.runDue(company_id);
    return mail.received.length;
  };
  await at('2027-03-12T23:00:00Z');
  const fifty = (name: string) => Array.from({ length: 50 }, (_, i) => `${name}${i}@example.com`);
  await act(place, `${made.id}/send`, { to: fifty('to'), cc: fifty('cc'), attach_pdf: false });
  assert.equal(await at('2027-03-13T07:00:00Z'), 1);
  assert.equal(await at('2027-03-13T08:00:00Z'), 1);
  const [waiting] = await remindersOf(place, made.id);
  assert.deepEqual(
    [waiting.status, waiting.attempts, waiting.next_attempt_at],
    ['queued', 0, '2027-03-14T08:00:00.000Z'],
  );
  assert.equal(await at('2027-03-13T23:00:00Z'), 1);
  assert.equal(await at('2027-03-14T08:00:00Z'), 2);
});
