/** Calls at one moment on offers and delivery notes. One wins, nothing is done twice, and who waits holds up nobody else. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { type Answer, type App, startApp } from '../harness.ts';
import { holdLock, waitersOf } from '../support/held-lock.ts';
import { givenNotes } from '../support/notes.ts';
import { until } from '../support/worker-place.ts';

const noon = '2026-11-22T12:00:00Z';

async function given(app: App) {
  app.clock.set(noon);
  const notes = await givenNotes(app);
  const { company, key, done, body } = notes;
  const quote = (more: object = {}) =>
    done('/v1/quotes', { ...body, options: { mark_pending: true }, ...more });
  const read = async (path: string) => (await app.get(path, { key })).body.data;
  const invoices = async () => (await app.get('/v1/invoices', { key, query: { limit: '100' } })).body.data;
  const eventsOf = (id: string) => app.eventTypes(company, id);
  return { ...notes, quote, read, invoices, eventsOf };
}

const holdQuote = (t: TestContext, app: App, id: string) =>
  holdLock(t, app, (sql) => sql`select 1 from quotes where id = ${id} for update`);

const countOf = (answers: readonly Answer[]) =>
  Object.fromEntries(
    [...Map.groupBy(answers, ({ status }) => status)].map(([status, all]) => [status, all.length]),
  );

const kinds: [
  what: string,
  call: (n: number) => { headers?: Record<string, string>; body: object },
  statuses: object,
][] = [
  ['with one key', () => ({ headers: { 'idempotency-key': 'k' }, body: {} }), { 201: 50 }],
  ['with one external_id', () => ({ body: { external_id: 'pedido-7' } }), { 200: 49, 201: 1 }],
  [
    'with keys of their own',
    (n) => ({ headers: { 'idempotency-key': `k${n}` }, body: {} }),
    { 201: 1, 409: 49 },
  ],
  [
    'to different targets',
    (n) => ({ body: { target: n % 2 ? 'delivery_note' : 'invoice' } }),
    { 201: 1, 409: 49 },
  ],
];

test('given a quote that is held, when fifty callers convert it, then it becomes one document, and others are served meanwhile', async (t) => {
  // The last of fifty waits for all before it.
  const app = await startApp(t, { share_wait_ms: 60_000 });
  const other = await app.given.company();
  for (const [what, call, statuses] of kinds) {
    const { company, key, quote, eventsOf } = await given(app);
    const { id } = await quote();
    const held = await holdQuote(t, app, id);
    const path = `/v1/quotes/${id}/convert`;
    const calls = Array.from({ length: 50 }, (_, n) => app.post(path, { key, ...call(n) }));
    // Same callers wait for the first without a connection; different ones wait with no more than the company's share.
    const most = what.startsWith('with one') ? 1 : app.config.FOLIO_POOL_SIZE / 2;
    await until(async () => (await waitersOf(app)) === most);
    for (const one of [other.live_key, ...(most === 1 ? [key] : [])])
      assert.equal((await app.get('/v1/quotes', { key: one })).status, 200, what);
    assert.equal(await waitersOf(app), most, what);
    await held.release();
    const answers = await Promise.all(calls);
    assert.deepEqual(countOf(answers), statuses, what);
    const won = answers.filter(({ status }) => status < 300).map(({ body }) => body.data.id);
    assert.equal(new Set(won).size, 1, what);
    const [made] = await app.sql`
      select (select count(*)::int from invoices where company_id = ${company.company_id}) as invoices,
             (select count(*)::int from delivery_notes where company_id = ${company.company_id}) as notes,
             (select count(*)::int from document_links where company_id = ${company.company_id}) as links`;
    assert.deepEqual([made?.invoices + made?.notes, made?.links], [1, 1], what);
    const types = await eventsOf(id);
    assert.equal(types.filter((type) => type === 'quote.converted').length, 1, what);
  }
});

type Call = 'accept' | 'reject' | 'cancel' | 'convert' | 'edit' | 'expire';

/** Who comes first, who waits behind; the answer of each, the state, and the events. */
const pairs: [first: Call, second: Call, answers: (number | string)[], status: string, events: string[]][] = [
  ['accept', 'accept', [200, 409], 'accepted', ['approved']],
  ['accept', 'edit', [200, 409], 'accepted', ['approved']],
  ['edit', 'accept', [200, 'version_conflict'], 'pending', ['updated']],
  ['accept', 'reject', [200, 409], 'accepted', ['approved']],
  ['reject', 'accept', [200, 409], 'rejected', ['rejected']],
  // What was accepted may still be cancelled.
  ['accept', 'cancel', [200, 200], 'cancelled', ['approved', 'cancelled']],
  ['cancel', 'accept', [200, 409], 'cancelled', ['cancelled']],
  ['cancel', 'cancel', [200, 409], 'cancelled', ['cancelled']],
  ['convert', 'accept', [201, 409], 'converted', ['converted']],
  ['cancel', 'convert', [200, 409], 'cancelled', ['cancelled']],
  ['convert', 'cancel', [201, 409], 'converted', ['converted']],
  ['convert', 'edit', [201, 409], 'converted', ['converted']],
  ['accept', 'expire', [200, 'done'], 'accepted', ['approved']],
  ['expire', 'accept', ['done', 409], 'expired', ['expired']],
  ['convert', 'expire', [201, 'done'], 'converted', ['converted']],
  ['edit', 'expire', [200, 'done'], 'expired', ['updated', 'expired']],
];

test('given two calls that wait for one quote, when it is free, then the first is carried out and the second meets what it left', async (t) => {
  const app = await startApp(t);
  for (const [first, second, expected, status, events] of pairs) {
    const what = `${first}, ${second}`;
    // The job of a day runs once in a company.
    const { company, key, quote, read, eventsOf } = await given(app);
    const { id, version } = await quote({ valid_until: '2026-11-22' });
    const told = (await eventsOf(id)).length;
    const path = `/v1/quotes/${id}`;
    const call = async (word: Call): Promise<number | string> => {
      // The job of midnight, beside a call of the minute before.
      app.clock.set(word === 'expire' ? '2026-11-23T00:00:01+01:00' : '2026-11-22T23:59:59+01:00');
      if (word === 'expire') {
        await app.service.worker.runDue(company.company_id);
        return 'done';
      }
      const body =
        word === 'edit' ? { notes: 'Otra' } : word === 'accept' ? { expected_version: version } : {};
      const answer =
        word === 'edit'
          ? await app.put(path, { key, body })
          : await app.post(`${path}/${word}`, { key, body });
      const code = answer.body.error?.code;
      return code === 'version_conflict' ? code : answer.status;
    };
    const held = await holdQuote(t, app, id);
    const one = call(first);
    await until(async () => (await waitersOf(app)) === 1);
    const two = call(second);
    await until(async () => (await waitersOf(app)) === 2);
    await held.release();
    assert.deepEqual(await Promise.all([one, two]), expected, what);
    const after = await read(path);
    assert.equal(after.status, status, what);
    const types = (await eventsOf(id)).slice(told);
    assert.deepEqual(
      types,
      events.map((name) => `quote.${name}`),
      what,
    );
  }
});

type Writer = 'edit' | 'other_edit' | 'old_edit' | 'accept' | 'mark-pending' | 'convert' | 'delete';

/** Edits replace the lines, and so the row too. Each meets another call: the answers, the state, and the lines that are left. */
const replaced: [
  from: 'draft' | 'pending',
  first: Writer,
  second: Writer,
  answers: number[],
  status: string | null,
  left: string[] | null,
][] = [
  ['draft', 'edit', 'other_edit', [200, 200], 'draft', ['Otra']],
  ['pending', 'other_edit', 'edit', [200, 200], 'pending', ['Una', 'Dos']],
  // The line that it names is gone.
  ['pending', 'edit', 'old_edit', [200, 422], 'pending', ['Una', 'Dos']],
  ['pending', 'old_edit', 'edit', [200, 200], 'pending', ['Una', 'Dos']],
  ['pending', 'edit', 'accept', [200, 200], 'accepted', ['Una', 'Dos']],
  ['pending', 'accept', 'edit', [200, 409], 'accepted', ['Mesa']],
  ['pending', 'edit', 'convert', [200, 201], 'converted', ['Una', 'Dos']],
  ['pending', 'convert', 'edit', [201, 409], 'converted', ['Mesa']],
  ['draft', 'edit', 'mark-pending', [200, 200], 'pending', ['Una', 'Dos']],
  ['draft', 'mark-pending', 'edit', [200, 200], 'pending', ['Una', 'Dos']],
  ['draft', 'edit', 'delete', [200, 200], null, null],
  ['draft', 'delete', 'edit', [200, 404], null, null],
];

test('given an edit that replaces the row of a quote, when another call waits for the same row, then the second meets what the first left, and it is whole', async (t) => {
  const app = await startApp(t);
  const { key, done, body, read, eventsOf } = await given(app);
  const line = (description: string, unit_price: number) => ({ description, unit_price, tax_rate: 21 });
  for (const [from, first, second, expected, status, left] of replaced) {
    const what = `${from}: ${first}, ${second}`;
    const made = await done('/v1/quotes', {
      ...body,
      lines: [line('Mesa', 100)],
      tags: ['a'],
      options: { mark_pending: from === 'pending' },
    });
    const path = `/v1/quotes/${made.id}`;
    const edits: Partial<Record<Writer, object>> = {
      edit: { lines: [line('Una', 10), line('Dos', 20)], tags: ['una', 'dos'] },
      other_edit: { lines: [line('Otra', 5)], tags: ['otra'] },
      old_edit: { lines: [{ id: made.lines[0].id, quantity: 7 }] },
    };
    const call = (word: Writer) =>
      edits[word]
        ? app.put(path, { key, body: edits[word] })
        : word === 'delete'
          ? app.delete(path, { key })
          : app.post(`${path}/${word}`, { key });
    const held = await holdQuote(t, app, made.id);
    const one = call(first);
    await until(async () => (await waitersOf(app)) === 1);
    const two = call(second);
    await until(async () => (await waitersOf(app)) === 2);
    await held.release();
    const answers = await Promise.all([one, two]);
    assert.deepEqual(
      answers.map((answer) => answer.status),
      expected,
      `${what}: ${answers.map(({ text }) => text).join()}`,
    );
    const [stored] = await app.sql`
      select (select array_agg(description order by position) from quote_lines where quote_id = ${made.id}) as lines,
             (select sum(total)::float8 from quote_lines where quote_id = ${made.id}) as total,
             (select sum(base + tax)::float8 from quote_tax_rows where quote_id = ${made.id}) as taxed,
             (select array_agg(tag order by tag) from quote_tags where quote_id = ${made.id}) as tags`;
    const after = await read(path);
    const { status: shown = null, total = null } = after ?? {};
    assert.deepEqual(
      { shown, ...stored },
      { shown: status, lines: left, total, taxed: total, tags: after ? after.tags.toSorted() : null },
      what,
    );
    const updates = answers.filter((answer, at) => answer.status === 200 && edits[[first, second][at]!]);
    const told = (await eventsOf(made.id)).filter((type) => type === 'quote.updated');
    assert.equal(told.length, updates.length, what);
    if (status !== 'converted') continue;
    const invoice = await read(`/v1/invoices/${after.converted_to_id}`);
    assert.deepEqual(
      [invoice.total, invoice.lines.map(({ description }: { description: string }) => description)],
      [total, left],
      what,
    );
  }
});

test('given a company whose issuing is held up, when quotes, pro-formas and notes leave draft, then each takes its number', async (t) => {
  const app = await startApp(t);
  const { company, key, done, body, read } = await given(app);
  const head = await holdLock(
    t,
    app,
    (sql) => sql`select 1 from issuing_heads where company_id = ${company.company_id} for update`,
  );
  const invoice = await done('/v1/invoices', body);
  const issue = app.post(`/v1/invoices/${invoice.id}/issue`, { key });
  await until(async () => (await waitersOf(app)) === 1);
  for (const [path, word] of [
    ['/v1/quotes', 'accept'],
    ['/v1/proformas', 'send'],
    ['/v1/delivery_notes', 'mark-delivered'],
  ] as const) {
    const made = await done(path, { ...body, options: { mark_pending: true } });
    assert.match(made.number, /-000001$/, path);
    const draft = await done(path, body);
    assert.match((await done(`${path}/${draft.id}/${word}`)).number, /-000002$/, path);
    const target = path === '/v1/delivery_notes' ? { target: 'invoice' } : {};
    assert.equal((await done(`${path}/${made.id}/convert`, target)).status, 'draft', path);
  }
  assert.equal(await waitersOf(app), 1, 'the issue still waits');
  assert.equal((await read(`/v1/invoices/${invoice.id}`)).status, 'draft');
  await head.release();
  assert.equal((await issue).status, 200);
});

test('given notes that are billed, cancelled and deleted in all orders at once, then each is billed once or not at all, and there is no deadlock', async (t) => {
  const app = await startApp(t, { fresh: true });
  const { key, path, post, done, quote, read, invoices } = await given(app);
  const toNote = { target: 'delivery_note' };
  for (let round = 0; round < 2; round++) {
    const quotes = await Promise.all(Array.from({ length: 8 }, () => quote()));
    const notes = [];
    for (const { id } of quotes) {
      const note = await done(`/v1/quotes/${id}/convert`, toNote);
      notes.push(await done(`${path}/${note.id}/mark-delivered`));
    }
    const ids: string[] = notes.map(({ id }) => id);
    const recapitulate = (all: string[]) => post(`${path}/recapitulate`, { delivery_note_ids: all });
    const answers = await Promise.all([
      recapitulate(ids.slice(0, 5)),
      recapitulate(ids.slice(3).reverse()),
      post(`${path}/bulk-delete`, { ids: ids.slice(5).reverse() }),
      post(`${path}/${ids[7]}/convert`, { target: 'invoice' }),
      post(`${path}/${ids[6]}/cancel`),
      app.delete(`${path}/${ids[5]}`, { key }),
      post(`${path}/bulk-delete`, { ids: [ids[0], ids[6], ids[7]] }),
      recapitulate([ids[6]!, ids[1]!, ids[4]!]),
      ...quotes.slice(4).map(({ id }) => post(`/v1/quotes/${id}/convert`, toNote)),
    ]);
    for (const { status, text } of answers) assert.ok([200, 201, 404, 409, 422].includes(status), text);
    const billed = (await invoices()).flatMap(({ sources }: { sources: { id: string }[] }) =>
      sources.map(({ id }) => id),
    );
    for (const [n, id] of ids.entries()) {
      const { status } = (await read(`${path}/${id}`)) ?? { status: 'deleted' };
      const times = billed.filter((one: string) => one === id).length;
      assert.equal(times, status === 'invoiced' ? 1 : 0, `${n}: ${status}`);
      const { converted_to_id } = await read(`/v1/quotes/${quotes[n].id}`);
      if (status === 'cancelled' || status === 'deleted')
        assert.notEqual(converted_to_id, id, `${n}: ${status}`);
      else assert.equal(converted_to_id, id, `${n}: ${status}`);
    }
    // Drafts go while their notes are billed again.
    const drafts: { id: string }[] = await invoices();
    const again = await Promise.all([
      ...drafts.map(({ id }) => app.delete(`/v1/invoices/${id}`, { key })),
      recapitulate(ids.slice(0, 3)),
      recapitulate(ids.slice(1, 5).reverse()),
    ]);
    for (const { status, text } of again.slice(0, drafts.length)) assert.equal(status, 200, text);
    for (const { id } of await invoices()) await app.delete(`/v1/invoices/${id}`, { key });
    assert.deepEqual(await invoices(), []);
    const left = await Promise.all(ids.map((id) => read(`${path}/${id}`)));
    assert.ok(left.every((note) => note === undefined || note.status !== 'invoiced'));
  }
  // Connections report their counts when they end.
  await app.stop();
  const [found] = await app.sql<{ deadlocks: number }[]>`
    select deadlocks::integer from pg_stat_database where datname = current_database()`;
  assert.equal(found?.deadlocks, 0);
});
