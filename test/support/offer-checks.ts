/** The cases of every family of offers: quotes and pro-forma invoices run on one state table. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { addDays } from '../../src/kernel/dates.ts';
import type { Operation } from '../../src/kernel/operation.ts';
import type { Family } from '../../src/modules/sales/index.ts';
import { type App, startApp, type StartOptions, type TestCompany } from '../harness.ts';
import { mailSettings, startMailServer } from './mail-server.ts';
import { assertFilters, assertRefused } from './resource-checks.ts';

export type OfferSetup = {
  // biome-ignore lint/suspicious/noExplicitAny: of either kind
  family: Family<any, any>;
  operations: readonly Operation[];
  /** What a key needs for each of them. */
  scopes: Readonly<Record<string, readonly string[]>>;
  /** The last part of the names of events. */
  said: { accept: string };
  /** Events of the first entry into `pending`. */
  enters: readonly string[];
};

// biome-ignore lint/suspicious/noExplicitAny: answers are read member by member
type Doc = any;

const now = '2026-11-22T12:00:00Z';
const today = '2026-11-22';

async function given({ family }: OfferSetup, t: TestContext, options: StartOptions = {}) {
  const app: App = await startApp(t, options);
  app.clock.set(now);
  const company: TestCompany = await app.given.company();
  const key = company.live_key;
  const path = `/v1/${family.collection}`;
  const send = (at: string, body?: unknown) => app.post(at, { key, ...(body === undefined ? {} : { body }) });
  const done = async (at: string, body?: unknown): Promise<Doc> => {
    const answer = await send(at, body);
    assert.ok(answer.status === 200 || answer.status === 201, `${at}: ${answer.text}`);
    return answer.body.data;
  };
  const client = await done('/v1/clients', {
    name: 'Librería Norte',
    tax_id: 'A58818501',
    email: 'norte@example.com',
  });
  const lines = [{ description: 'Reforma', quantity: 2, unit_price: 10, tax_rate: 21 }];
  const create = (more: object = {}) => done(path, { client_id: client.id, lines, ...more });
  const pending = (more: object = {}) => create({ options: { mark_pending: true }, ...more });
  const read = async (id: string): Promise<Doc> => (await app.get(`${path}/${id}`, { key })).body.data;
  const act = (id: string, word: string, body?: unknown) => send(`${path}/${id}/${word}`, body);
  const nextDay = async (at: string) => {
    app.clock.set(at);
    await app.service.worker.runDue(company.company_id);
  };
  const put = (id: string, body: unknown) => app.put(`${path}/${id}`, { key, body });
  return { app, company, key, path, send, done, client, create, pending, read, act, nextDay, put };
}

type Case = (setup: OfferSetup, t: TestContext) => Promise<void>;

const cases: readonly (readonly [title: string, run: Case])[] = [
  [
    'given a pending offer, when its last day ends, then it can be accepted until midnight and expires once',
    async (setup, t) => {
      const { object } = setup.family;
      const { app, company, key, path, pending, read, act, nextDay, put } = await given(setup, t);
      const [accepted, late, other] = [
        await pending({ valid_until: today }),
        await pending({ valid_until: today }),
        await pending({ valid_until: null }),
      ];
      app.clock.set('2026-11-22T23:59:00+01:00');
      assert.equal((await act(accepted.id, 'accept')).status, 200);
      app.clock.set('2026-11-23T00:00:00+01:00');
      // Its job has not run.
      assert.equal((await read(late.id)).status, 'pending');
      for (const word of ['accept', 'reject', 'send', 'convert'])
        assertRefused(await act(late.id, word), 409, 'invalid_status_transition');
      assertRefused(await put(late.id, { notes: 'x' }), 409, 'invalid_status_transition', 'notes');
      assert.equal((await put(late.id, { tags: ['x'] })).status, 200);
      const jobs = [1, 2].map(() => nextDay('2026-11-23T00:05:00+01:00'));
      await Promise.all(jobs);
      await nextDay('2027-11-23T12:00:00Z');
      assert.equal((await read(late.id)).status, 'expired');
      const types = await app.eventTypes(company, late.id);
      assert.equal(types.filter((type) => type === `${object}.expired`).length, 1);
      assert.deepEqual((await read(other.id)).status, 'pending');
      assert.equal((await read(accepted.id)).status, 'accepted');
      const log = await app.get('/v1/audit-log', { key, query: { action: `${object}.expire` } });
      assert.deepEqual(
        log.body.data.map((entry: Doc) => [entry.target.id, entry.details, entry.actor]),
        [[late.id, { from: 'pending', to: 'expired', channel: 'job' }, 'system']],
      );
      assertRefused(await act(late.id, 'mark-pending'), 422, 'missing_required_param', 'valid_until');
      const past = { valid_until: '2026-12-01' };
      assertRefused(await act(late.id, 'mark-pending', past), 422, 'business_rule_violation', 'valid_until');
      const again = await act(late.id, 'mark-pending', { valid_until: null });
      assert.deepEqual([again.body.data.status, again.body.data.valid_until], ['pending', null]);
      // An end that comes again is told again.
      const ends = async () => {
        const told = await app.eventTypes(company, late.id);
        return told.filter((type) => type === `${object}.expired`).length;
      };
      assert.equal((await put(late.id, { valid_until: '2027-11-24' })).status, 200);
      await nextDay('2027-11-25T00:05:00+01:00');
      assert.deepEqual([(await read(late.id)).status, await ends()], ['expired', 2]);
      // Reopened before the job came for the end that it had, it still expires by the next one.
      await act(late.id, 'mark-pending', { valid_until: '2027-11-25' });
      app.clock.set('2027-11-26T00:00:00+01:00');
      await act(late.id, 'mark-pending', { valid_until: '2027-11-26' });
      await nextDay('2027-11-26T00:05:00+01:00');
      assert.deepEqual([(await read(late.id)).status, await ends()], ['pending', 2]);
      await nextDay('2027-11-27T00:05:00+01:00');
      assert.deepEqual([(await read(late.id)).status, await ends()], ['expired', 3]);
      await act(late.id, 'mark-pending', { valid_until: null });
      await assertFilters(app, path, key, [
        [{ 'valid_until[lte]': today }, [accepted.id]],
        [{ status: 'pending' }, [late.id, other.id]],
      ]);
    },
  ],
  [
    'given no end, when a draft is made, edited and numbered, then it follows the day of issue and the setting',
    async (setup, t) => {
      const { object } = setup.family;
      const { app, key, create, act, put, read, done, path } = await given(setup, t);
      const first = await create();
      assert.deepEqual([first.issued_on, first.valid_until], [null, addDays(today, 30)]);
      const settings = { default_validity_days: { [object]: 10 } };
      const company = await app.put('/v1/account/company', { key, body: settings });
      assert.equal(company.body.data.default_validity_days[object], 10, company.text);
      const second = await create({ issued_on: '2026-11-20' });
      assert.equal(second.valid_until, '2026-11-30');
      assert.equal((await put(second.id, { issued_on: '2026-11-19' })).body.data.valid_until, '2026-11-29');
      const stated = await put(second.id, { valid_until: '2026-12-24' });
      assert.equal(stated.body.data.valid_until, '2026-12-24');
      assert.equal((await put(second.id, { issued_on: '2026-11-18' })).body.data.valid_until, '2026-12-24');
      assert.equal((await done(`${path}/${second.id}/duplicate`)).valid_until, '2026-12-02');
      // The day of the number decides.
      app.clock.set('2026-11-25T12:00:00Z');
      const numbered = (await act(first.id, 'mark-pending')).body.data;
      assert.deepEqual([numbered.issued_on, numbered.valid_until], ['2026-11-25', '2026-12-05']);
      assert.equal((await act(second.id, 'mark-pending', { valid_until: null })).body.data.valid_until, null);
      const refusals: [body: object, param: string][] = [
        [{ issued_on: '2026-11-26' }, 'issued_on'],
        [{ issued_on: '2026-11-24', valid_until: '2026-11-23' }, 'valid_until'],
        [{ valid_until: '2026-11-24' }, 'valid_until'],
      ];
      for (const [body, param] of refusals) {
        const line = [{ description: 'x', unit_price: 1, tax_rate: 21 }];
        const sent = { lines: line, ...body };
        assertRefused(await app.post(path, { key, body: sent }), 422, 'business_rule_violation', param);
      }
      assertRefused(await put(first.id, { valid_until: '2026-11-24' }), 422, 'business_rule_violation');
      // An end that has passed stops the number, and gives none.
      const stale = await create({ valid_until: '2026-11-25' });
      app.clock.set('2026-11-26T12:00:00Z');
      assertRefused(await act(stale.id, 'send'), 422, 'missing_required_param', 'valid_until');
      assertRefused(await act(stale.id, 'accept'), 409, 'invalid_status_transition', 'valid_until');
      assert.deepEqual([(await read(stale.id)).status, (await read(stale.id)).number], ['draft', null]);
    },
  ],
  [
    'given drafts of December, when they leave draft in January, then the day decides the period of the number',
    async (setup, t) => {
      const { app, company, create, pending, act } = await given(setup, t);
      app.clock.set('2026-12-31T23:59:00+01:00');
      const before = await pending();
      const [open, stated] = [await create(), await create({ issued_on: '2026-12-31' })];
      app.clock.set('2027-01-01T00:00:00+01:00');
      const numbered = [];
      for (const { id } of [open, stated]) numbered.push((await act(id, 'mark-pending')).body.data);
      assert.deepEqual(
        [before, ...numbered].map(({ number, issued_on }: Doc) => [number.replace(/^PF?/, ''), issued_on]),
        [
          ['2026-000001', '2026-12-31'],
          ['2027-000001', '2027-01-01'],
          ['2026-000002', '2026-12-31'],
        ],
      );
      const types = await app.eventTypes(company, before.series.id);
      assert.deepEqual(
        types.filter((type) => type !== 'series.number_consumed'),
        ['series.year_reset'],
      );
    },
  ],
  [
    'given an offer that changes, when it is accepted, then its version says what was read',
    async (setup, t) => {
      const { create, act, put, read } = await given(setup, t);
      const { id, version } = await create();
      assert.equal(version, 1);
      assert.equal((await put(id, { notes: 'Otra' })).body.data.version, 2);
      assert.equal((await put(id, { tags: ['x'], metadata: { a: 'b' } })).body.data.version, 2);
      assert.equal((await put(id, await read(id))).body.data.version, 2);
      assert.equal((await act(id, 'mark-pending')).body.data.version, 2);
      assert.equal((await put(id, { valid_until: '2027-02-01' })).body.data.version, 3);
      assertRefused(
        await act(id, 'accept', { expected_version: 2 }),
        409,
        'version_conflict',
        'expected_version',
      );
      const body = { name: 'Ana Ruiz', tax_id: '12345678Z', note: 'Adelante', expected_version: 3 };
      const accepted = (await act(id, 'accept', body)).body.data;
      assert.deepEqual(accepted.acceptance, {
        accepted_at: new Date(now).toISOString(),
        name: 'Ana Ruiz',
        tax_id: '12345678Z',
        note: 'Adelante',
        channel: 'api',
        version: 3,
      });
      const reopened = (await act(id, 'mark-pending')).body.data;
      assert.deepEqual([reopened.acceptance, reopened.version], [null, 3]);
      const later = (await act((await create()).id, 'mark-pending')).body.data;
      const rejected = (await act(later.id, 'reject', { reason: 'Precio' })).body.data;
      assert.deepEqual(rejected.rejection, {
        rejected_at: new Date(now).toISOString(),
        reason: 'Precio',
        channel: 'api',
      });
      const again = (await act(later.id, 'mark-pending', { valid_until: '2027-03-01' })).body.data;
      assert.deepEqual([again.rejection, again.version], [null, 2]);
    },
  ],
  [
    'given a numbered offer whose company took another name, when only labels change, then its paper stays with its version',
    async (setup, t) => {
      const { app, key, pending, put } = await given(setup, t);
      const { id, lines, public_url, total } = await pending();
      const paper = async () => (await app.get(new URL(public_url).pathname)).text;
      const renamed = await app.put('/v1/account/company', { key, body: { name: 'Otra Razón SL' } });
      assert.equal(renamed.status, 200, renamed.text);
      // A list of lines looks like content, and says what is stored.
      const same = { lines: [{ id: lines[0].id }], metadata: { a: '1' }, tags: ['x'] };
      const labelled = (await put(id, same)).body.data;
      assert.deepEqual(
        [labelled.version, labelled.metadata, labelled.tags, labelled.lines, labelled.total],
        [1, { a: '1' }, ['x'], lines, total],
      );
      assert.doesNotMatch(await paper(), /Otra Razón SL/);
      assert.equal((await put(id, { ...same, notes: 'Otra' })).body.data.version, 2);
      assert.match(await paper(), /Otra Razón SL/);
    },
  ],
  [
    'given calls at the same moment, when they accept, edit, cancel and convert one offer, then one order holds',
    async (setup, t) => {
      const { object } = setup.family;
      const { app, company, key, pending, act, put, read } = await given(setup, t);
      const one = await pending();
      const converts = await Promise.all(Array.from({ length: 8 }, () => act(one.id, 'convert')));
      assert.deepEqual(converts.map(({ status }) => status).sort(), [
        201,
        ...Array.from({ length: 7 }, () => 409),
      ]);
      assert.equal((await app.get('/v1/invoices', { key })).body.data.length, 1);
      const two = await pending();
      const accepts = await Promise.all(Array.from({ length: 4 }, () => act(two.id, 'accept')));
      assert.deepEqual(accepts.map(({ status }) => status).sort(), [200, 409, 409, 409]);
      const types = await app.eventTypes(company, two.id);
      assert.equal(types.filter((type) => type === `${object}.${setup.said.accept}`).length, 1);
      for (let round = 0; round < 4; round++) {
        const { id, version } = await pending();
        const [edit, accept] = await Promise.all([
          put(id, { notes: `n ${round}` }),
          act(id, 'accept', { expected_version: version }),
        ]);
        const after = await read(id);
        // Whoever came second was refused: nobody accepted what he had not read.
        if (accept.status === 200) assert.deepEqual([edit.status, after.notes], [409, null]);
        else assert.deepEqual([accept.body.error.code, edit.status], ['version_conflict', 200]);
        const [cancel, convert] = await Promise.all([act(id, 'cancel'), act(id, 'convert')]);
        assert.deepEqual([cancel.status, convert.status].map((status) => status < 300).sort(), [false, true]);
      }
    },
  ],
  [
    'given options, when an offer is created, then it is numbered at once, or all reasons are told and nothing is kept',
    async (setup, t) => {
      const { object } = setup.family;
      const { app, company, key, path, client, pending } = await given(setup, t);
      const made = await pending({ external_id: 'w-1' });
      assert.deepEqual([made.status, made.issued_on], ['pending', today]);
      assert.match(made.number, /^P[F]?2026-000001$/);
      const types = await app.eventTypes(company, made.id);
      const told = ['created', 'number_assigned', ...setup.enters];
      assert.deepEqual(
        types,
        told.map((name) => `${object}.${name}`),
      );
      const lines = [{ description: 'Reforma', quantity: 2, unit_price: 10, tax_rate: 21 }];
      const body = { client_id: client.id, lines, external_id: 'w-1', options: { mark_pending: true } };
      const again = await app.post(path, { key, body });
      assert.deepEqual([again.status, again.body.data.id], [200, made.id]);
      const options = { mark_pending: true, dry_run: true };
      const bad = { issued_on: '2026-11-23', lines: [{ description: 'x', unit_price: 1 }], options };
      const run = await app.post(path, { key, body: bad });
      const { can_create, reasons } = run.body.data;
      assert.deepEqual(
        [run.status, can_create, reasons.map(({ code, param }: Doc) => [code, param])],
        [
          200,
          false,
          [
            ['business_rule_violation', 'issued_on'],
            ['missing_required_param', 'lines.0.tax_rate'],
            ['missing_required_param', 'client_id'],
          ],
        ],
      );
      const good = { client_id: client.id, lines, options };
      assert.deepEqual((await app.post(path, { key, body: good })).body.data, {
        object: 'dry_run',
        id: null,
        can_create: true,
        reasons: [],
      });
      // Of what is there it is told, whatever its client has become.
      const archive = (move: string) => app.post(`/v1/clients/${client.id}/${move}`, { key });
      await archive('archive');
      const repeated = await app.post(path, { key, body: { ...body, options } });
      assert.deepEqual(repeated.body.data, { object: 'dry_run', id: made.id, can_create: true, reasons: [] });
      assert.deepEqual((await app.post(path, { key, body })).body.data.id, made.id);
      await archive('unarchive');
      const refused = await app.post(path, { key, body: { lines, options: { mark_pending: true } } });
      assertRefused(refused, 422, 'missing_required_param', 'client_id');
      assert.equal((await app.get(path, { key })).body.data.length, 1);
      assert.match((await pending()).number, /000002$/);
    },
  ],
  [
    'given offers with and without end, when they are listed by it or by what became of them, then those that match come',
    async (setup, t) => {
      const { app, key, path, pending, act } = await given(setup, t);
      const ids: string[] = [];
      for (const valid_until of ['2026-12-31', null, '2026-12-01', null])
        ids.push((await pending({ valid_until })).id);
      const [late, none, soon, none_too] = ids;
      const list = async (sort: string, more: object) => {
        const answer = await app.get(path, { key, query: { sort, limit: '3', ...more } });
        assert.equal(answer.status, 200, answer.text);
        return answer.body.data.map(({ id }: Doc) => id);
      };
      const range = { 'valid_until[gte]': '2026-12-01', 'valid_until[lte]': '2026-12-31' };
      assert.deepEqual(await list('valid_until', range), [soon, late]);
      assert.deepEqual(await list('-valid_until', range), [late, soon]);
      assert.deepEqual(await list('-valid_until', { 'valid_until[lt]': '2026-12-31' }), [soon]);
      await act(soon!, 'convert');
      await assertFilters(app, path, key, [
        [{ converted: 'true' }, [soon!]],
        [{ converted: 'false' }, [late!, none!, none_too!]],
        [{ converted: 'true', status: 'pending' }, []],
        [{ 'valid_until[gte]': '2026-12-01', 'valid_until[lt]': '2026-12-31' }, [soon!]],
      ]);
    },
  ],
  [
    'given a message on its way, when the offer is cancelled, rejected or past its day first, then it is not sent, and a converted one is',
    async (setup, t) => {
      const { object } = setup.family;
      const mail = await startMailServer(t);
      const { app, company, key, create, act, nextDay } = await given(setup, t, { env: mailSettings(mail) });
      const sent: string[] = [];
      for (const word of ['cancel', 'reject', 'convert', null]) {
        const { id } = await create();
        const { email, status } = (await act(id, 'send')).body.data;
        assert.deepEqual([email.status, status], ['queued', 'pending']);
        sent.push(email.id);
        if (word !== null) assert.ok((await act(id, word)).status < 300);
      }
      await app.service.worker.runDue(company.company_id);
      const emails = await Promise.all(sent.map((id) => app.get(`/v1/emails/${id}`, { key })));
      assert.deepEqual(
        emails.map(({ body: { data } }) => [data.purpose, data.status, data.reason]),
        [
          [object, 'not_sent', 'withdrawn'],
          [object, 'not_sent', 'withdrawn'],
          [object, 'sent', null],
          [object, 'sent', null],
        ],
      );
      assert.equal(mail.received.length, 2);
      // The message is due before the job that stores the end.
      const { id } = await create({ valid_until: today });
      const { email } = (await act(id, 'send')).body.data;
      await nextDay('2026-11-23T00:00:00+01:00');
      const { data } = (await app.get(`/v1/emails/${email.id}`, { key })).body;
      assert.deepEqual([data.status, data.reason], ['not_sent', 'withdrawn']);
      assert.equal(mail.received.length, 2);
    },
  ],
  [
    'given more ended offers than a batch holds, when the day turns, then each expires once, in several transactions',
    async (setup, t) => {
      const { object, tables } = setup.family;
      const { app, company, pending, nextDay } = await given(setup, t);
      const { id } = await pending({ valid_until: today });
      const names = Object.keys(setup.family.columns).filter((name) => name !== 'id');
      const copied = names.map(
        (name) =>
          ({ number: "c.number || '-' || n", series_number: 'c.series_number + n' })[name] ?? `c.${name}`,
      );
      await app.sql.unsafe(
        `insert into ${tables.documents} (company_id, id, ${names.join(', ')})
         select c.company_id, gen_random_uuid(), ${copied.join(', ')}
           from ${tables.documents} c, generate_series(1, 1100) n where c.id = $1`,
        [id],
      );
      await nextDay('2026-11-23T00:05:00+01:00');
      const count = async (text: string) =>
        (await app.sql.unsafe(text, [company.company_id]))[0]?.count as number;
      assert.equal(
        await count(
          `select count(*)::int from ${tables.documents} where company_id = $1 and status <> 'expired'`,
        ),
        0,
      );
      const rows = await app.sql<{ events: number; documents: number; most: number }[]>`
        select sum(n)::int as events, sum(documents)::int as documents, max(n)::int as most
          from (select count(*) as n, count(distinct aggregate_id) as documents from events
                 where company_id = ${company.company_id} and type = ${`${object}.expired`} group by xmin::text) x`;
      assert.deepEqual({ ...rows[0] }, { events: 1101, documents: 1101, most: 500 });
    },
  ],
  [
    'given lines with the default tax of the kind, when the offer is converted, then they keep it and an archived product',
    async (setup, t) => {
      const { object } = setup.family;
      const { app, key, done, pending, act } = await given(setup, t);
      await app.put('/v1/account/company', { key, body: { default_vat: { [object]: 10, invoice: 21 } } });
      const product = await done('/v1/products', { name: 'y', unit_price: 5 });
      const made = await pending({
        lines: [{ description: 'x', unit_price: 10 }, { product_id: product.id }],
      });
      await app.delete(`/v1/products/${product.id}`, { key });
      const invoice = (await act(made.id, 'convert')).body.data;
      assert.deepEqual(
        invoice.lines.map((line: Doc) => line.tax_rate),
        [10, 10],
      );
    },
  ],
  [
    'given the operations of the kind, then each needs its scopes',
    async ({ operations, scopes }) => {
      const needed = operations.map(({ name, scope, also_scopes }) => [name, [scope, ...also_scopes]]);
      assert.deepEqual(Object.fromEntries(needed), scopes);
    },
  ],
  [
    'given an offer that left draft, then the service cannot change what it says',
    async ({ family }, t) => {
      const app = await startApp(t);
      const granted = await app.sql<{ column_name: string }[]>`
        select column_name from information_schema.column_privileges
         where grantee = 'folio_service' and table_name = ${family.tables.documents} and privilege_type = 'UPDATE'`;
      assert.deepEqual(granted.map((row) => row.column_name).sort(), [...family.mutable_columns].sort());
      for (const table of [family.tables.lines, family.tables.taxes]) {
        const rights = await app.sql<{ right: string }[]>`
          select privilege_type as right from information_schema.table_privileges
           where grantee = 'folio_service' and table_name = ${table} order by 1`;
        assert.deepEqual(
          rights.map((row) => row.right),
          ['INSERT', 'SELECT'],
        );
      }
    },
  ],
];

export function checkOffers(setup: OfferSetup): void {
  for (const [title, run] of cases) test(`${setup.family.object}: ${title}`, (t) => run(setup, t));
}
