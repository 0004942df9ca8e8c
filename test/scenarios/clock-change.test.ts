/**
 * The nights on which the clocks change, in both zones of Spain: an hour that does not exist, and one that exists twice. Each day has
 * its invoice, its delay and its reminder once, at the local hour, and records say the offset of their moment.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type App, startApp } from '../harness.ts';
import { giveCertificate } from '../support/company-certificates.ts';
import { mailSettings, startMailServer } from '../support/mail-server.ts';
import { given, line, type Shown } from '../support/recurrences.ts';

const hourMs = 3_600_000;

type Night = {
  time_zone: string;
  /** The day before the change, the day of it, and the day after. */
  days: readonly [string, string, string];
  /** At six: the invoices of these days. */
  made: readonly string[];
  /** At midnight: each is unpaid on the day after. */
  overdue: readonly string[];
  /** At nine: its client is reminded. */
  reminded: readonly string[];
};

const nights: readonly Night[] = [
  {
    time_zone: 'Europe/Madrid',
    days: ['2027-03-27', '2027-03-28', '2027-03-29'],
    made: ['2027-03-27T05:00', '2027-03-28T04:00', '2027-03-29T04:00'],
    overdue: ['2027-03-27T23:00', '2027-03-28T22:00', '2027-03-29T22:00'],
    reminded: ['2027-03-28T07:00', '2027-03-29T07:00', '2027-03-30T07:00'],
  },
  {
    time_zone: 'Atlantic/Canary',
    days: ['2027-03-27', '2027-03-28', '2027-03-29'],
    made: ['2027-03-27T06:00', '2027-03-28T05:00', '2027-03-29T05:00'],
    overdue: ['2027-03-28T00:00', '2027-03-28T23:00', '2027-03-29T23:00'],
    reminded: ['2027-03-28T08:00', '2027-03-29T08:00', '2027-03-30T08:00'],
  },
  {
    time_zone: 'Europe/Madrid',
    days: ['2027-10-30', '2027-10-31', '2027-11-01'],
    made: ['2027-10-30T04:00', '2027-10-31T05:00', '2027-11-01T05:00'],
    overdue: ['2027-10-30T22:00', '2027-10-31T23:00', '2027-11-01T23:00'],
    reminded: ['2027-10-31T08:00', '2027-11-01T08:00', '2027-11-02T08:00'],
  },
  {
    time_zone: 'Atlantic/Canary',
    days: ['2027-10-30', '2027-10-31', '2027-11-01'],
    made: ['2027-10-30T05:00', '2027-10-31T06:00', '2027-11-01T06:00'],
    overdue: ['2027-10-30T23:00', '2027-11-01T00:00', '2027-11-02T00:00'],
    reminded: ['2027-10-31T09:00', '2027-11-01T09:00', '2027-11-02T09:00'],
  },
];

type Place = Awaited<ReturnType<typeof given>> & { app: App };

/** Noon of the day before the first invoice: a daily recurrence of three days, whose invoices are due at once. */
async function givenRecurrence(t: TestContext, { time_zone, days }: Night, environment: 'live' | 'test') {
  // A sandbox sends none.
  const mail = environment === 'live' ? await startMailServer(t) : undefined;
  const app = await startApp(t, mail && { env: mailSettings(mail) });
  const place: Place = { app, ...(await given(app, before(days), environment)) };
  const reminders = { enabled: true, days_after_due: [1] };
  const { status, text } = await app.put('/v1/account/company', {
    key: place.key,
    body: { time_zone, reminders },
  });
  assert.equal(status, 200, text);
  const { id } = await place.create({
    type: 'F1',
    client_id: place.client.id,
    frequency: 'daily',
    starts_on: days[0],
    max_occurrences: 3,
    auto_issue: true,
    payment_terms_days: 0,
  });
  return { place, id, mail };
}

const before = ([first]: Night['days']) =>
  new Date(Date.parse(`${first}T12:00:00Z`) - 24 * hourMs).toISOString();
const after = ([, , last]: Night['days']) =>
  new Date(Date.parse(`${last}T12:00:00Z`) + 24 * hourMs).toISOString();

/** Every hour from noon before them to noon after them: zones change, and work falls due, at whole hours of UTC. */
function* hours(days: Night['days']) {
  const end = Date.parse(after(days));
  for (let at = Date.parse(before(days)); at <= end; at += hourMs) yield new Date(at).toISOString();
}

const minutes = (instants: readonly string[]) => instants.map((at) => at.slice(0, 16));

/** What came about, and when. */
async function whatCame({ app, key, company_id, invoices, occurrences }: Place, id: string) {
  const made = await invoices();
  const list = async (path: string, query: Record<string, string>): Promise<Shown[]> => {
    const answer = await app.get(path, { key, query });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data.reverse();
  };
  const events = await list('/v1/events', { type: 'invoice.overdue' });
  const emails = await list('/v1/emails', { purpose: 'payment_reminder' });
  const jobs = await app.sql`select 1 from jobs where company_id = ${company_id} and id = ${id}`;
  return {
    jobs: jobs.length,
    occurrences: (await occurrences(id)).map((one) => [one.occurrence_on, one.status]),
    days: made.map((one) => [one.issued_on, one.due_on, one.number?.slice(-6)]),
    made: minutes(made.map((one) => one.created_at)),
    overdue: minutes(events.map((one) => one.created)),
    emails,
    reminded_of: emails.map((one) => made.findIndex((invoice) => invoice.id === one.document?.id)),
  };
}

function expected({ days, made, overdue }: Night) {
  return {
    jobs: 0,
    occurrences: days.map((day) => [day, 'made']),
    days: days.map((day, at) => [day, day, `00000${at + 1}`]),
    made,
    overdue,
    reminded_of: [0, 1, 2],
  };
}

for (const night of nights) {
  const { time_zone, days } = night;
  const name = `${time_zone}, ${days[1]}`;

  test(`given a live company (${name}), when it works through the night, then each day has its invoice, delay and reminder once, at the local hour`, async (t) => {
    const { place, id, mail } = await givenRecurrence(t, night, 'live');
    for (const at of hours(days)) await place.runAt(at);
    const { emails, ...came } = await whatCame(place, id);
    assert.deepEqual(came, expected(night));
    assert.deepEqual(minutes(emails.map((one) => one.sent_at)), night.reminded);
    assert.equal(mail?.received.length, 3);
  });

  for (const [steps, instants] of [
    ['by hours', [...hours(days)]],
    ['at once', [after(days)]],
  ] as const)
    test(`given a sandbox (${name}), when its clock goes through the night ${steps}, then each day has its invoice, delay and reminder once, at the local hour`, async (t) => {
      const { place, id } = await givenRecurrence(t, night, 'test');
      for (const now of instants) {
        const { key } = place;
        const { status, text } = await place.app.put('/v1/sandbox/clock', {
          key,
          body: { now, frozen: true },
        });
        assert.equal(status, 200, text);
      }
      const { emails, ...came } = await whatCame(place, id);
      assert.deepEqual(came, expected(night));
      // They are kept as the day begins, and never sent.
      assert.deepEqual(minutes(emails.map((one) => one.created_at)), night.overdue);
    });
}

/** Where the clocks change at one in UTC: by half hours, what records say. */
const stamps: readonly [time_zone: string, day: string, said: readonly string[]][] = [
  [
    'Europe/Madrid',
    '2027-03-28',
    ['01:00:00+01:00', '01:30:00+01:00', '03:00:00+02:00', '03:30:00+02:00', '04:00:00+02:00'],
  ],
  [
    'Atlantic/Canary',
    '2027-03-28',
    ['00:00:00+00:00', '00:30:00+00:00', '02:00:00+01:00', '02:30:00+01:00', '03:00:00+01:00'],
  ],
  [
    'Europe/Madrid',
    '2027-10-31',
    ['02:00:00+02:00', '02:30:00+02:00', '02:00:00+01:00', '02:30:00+01:00', '03:00:00+01:00'],
  ],
  [
    'Atlantic/Canary',
    '2027-10-31',
    ['01:00:00+01:00', '01:30:00+01:00', '01:00:00+00:00', '01:30:00+00:00', '02:00:00+00:00'],
  ],
];

for (const [time_zone, day, said] of stamps)
  test(`given VeriFactu (${time_zone}), when invoices are issued through the night of ${day}, then each record says the offset of its moment, and all are accepted`, async (t) => {
    const app = await startApp(t);
    app.clock.set(`${day}T00:00:00Z`);
    const acme = await app.given.company();
    const { test_key: key, sandbox_company_id: company_id } = acme;
    await giveCertificate(app, acme);
    const zoned = await app.put('/v1/account/company', { key, body: { time_zone } });
    assert.equal(zoned.status, 200, zoned.text);
    const enabled = await app.put('/v1/verifactu/settings', { key, body: { enabled: true } });
    assert.equal(enabled.status, 200, enabled.text);
    const numbers: string[] = [];
    for (const at of said.keys()) {
      const now = new Date(Date.parse(`${day}T00:00:00Z`) + (at * hourMs) / 2).toISOString();
      await app.put('/v1/sandbox/clock', { key, body: { now, frozen: true } });
      const body = { type: 'F2', lines: [{ ...line, description: 'Café' }], options: { issue: true } };
      const issued = await app.post('/v1/invoices', { key, body });
      assert.equal(issued.status, 201, issued.text);
      assert.equal(issued.body.data.issued_on, day);
      numbers.push(issued.body.data.number);
    }
    const now = `${day}T12:00:00Z`;
    await app.put('/v1/sandbox/clock', { key, body: { now, frozen: true } });
    const rows = await app.sql<{ stamped_at: string; number: string; status: string }[]>`
      select r.stamped_at, i.number, s.status
        from verifactu_records r
        join invoices i on i.company_id = r.company_id and i.id = r.invoice_id
        join verifactu_sendings s on s.company_id = r.company_id and s.record_id = r.id
       where r.company_id = ${company_id} order by r.position`;
    assert.deepEqual(
      rows.map((row) => [row.number, row.stamped_at, row.status]),
      numbers.map((number, at) => [number, `${day}T${said[at]}`, 'accepted']),
    );
  });
