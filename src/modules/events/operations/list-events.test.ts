import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import { idAt, timeOfId } from '../../../kernel/uuid7.ts';
import { eventCatalog } from '../event-catalog.data.ts';

type EventBody = {
  id: string;
  type: string;
  aggregate_id: string;
  sequence: number;
  correlation_id: string | null;
  livemode: boolean;
};

test('given events, when listed by type, resource and time, then each filter keeps just its own, newest first', async (t) => {
  const app = await startApp(t);
  app.clock.set('2026-05-20T10:00:00.250Z');
  const acme = await app.given.company();
  const key = acme.live_key;
  const one = (await app.post('/v1/clients', { key, body: { name: 'Uno' } })).body.data.id;
  app.clock.set('2026-05-20T11:00:00Z');
  await app.put(`/v1/clients/${one}`, { key, body: { name: 'Uno bis', metadata: { a: '1' } } });
  await app.post('/v1/products', { key, body: { name: 'Mesa' } });
  const cases: [Record<string, string>, string[]][] = [
    [{}, ['product.created', 'client.metadata_changed', 'client.updated', 'client.created']],
    [{ type: 'client.created' }, ['client.created']],
    [{ 'type[in]': 'client.updated, product.created' }, ['product.created', 'client.updated']],
    [{ type: 'client.created', 'type[in]': 'product.created' }, []],
    [{ type: 'client.created', 'type[in]': 'product.created, client.created' }, ['client.created']],
    [{ aggregate_id: one }, ['client.metadata_changed', 'client.updated', 'client.created']],
    [{ 'created[lt]': '2026-05-20T11:00:00Z' }, ['client.created']],
    [{ 'created[lte]': '2026-05-20T11:00:00Z', type: 'product.created' }, ['product.created']],
    [
      { 'created[gt]': '2026-05-20T12:30:00+02:00' },
      ['product.created', 'client.metadata_changed', 'client.updated'],
    ],
    [{ 'created[gte]': '2026-05-20T11:00:00.001Z' }, []],
    [{ sort: 'created', limit: '1' }, ['client.created']],
  ];
  for (const [query, expected] of cases) {
    const res = await app.get('/v1/events', { key, query });
    assert.equal(res.status, 200, res.text);
    const types = res.body.data.map((e: EventBody) => e.type);
    // Only ids order the events of one change, so compare sets.
    assert.deepEqual([...types].sort(), [...expected].sort(), JSON.stringify(query));
  }
  const { data } = (await app.get('/v1/events', { key, query: { aggregate_id: one } })).body as {
    data: EventBody[];
  };
  assert.deepEqual(
    data.map((e) => e.sequence),
    [3, 2, 1],
  );
  assert.ok(data.every((e) => e.livemode && e.correlation_id?.startsWith('req_')));
  assert.equal(data[0]!.correlation_id, data[1]!.correlation_id);
  assert.notEqual(data[1]!.correlation_id, data[2]!.correlation_id);
});

test('given a sandbox whose job ran late, at its own due time, then a range of times finds its events', async (t) => {
  const app = await startApp(t);
  const { test_key: key } = await app.given.company();
  const made: string[] = [];
  for (const name of ['Uno', 'Dos', 'Tres'])
    made.push((await app.post('/v1/clients', { key, body: { name } })).body.data.id);
  const [first, second, late] = made as [string, string, string];
  const put = async (aggregate_id: string, created_at: string, minutes: number) => {
    const [{ id }] =
      (await app.sql`select id from events where aggregate_id = ${aggregate_id}`) as unknown as [
        { id: string },
      ];
    const new_id = idAt(timeOfId(id) + minutes * 60_000, 'first');
    await app.sql`update events set id = ${new_id}, created_at = ${created_at} where id = ${id}`;
  };
  await put(first, '2027-01-01T00:00:00Z', 0);
  await put(second, '2027-01-20T00:00:00Z', 2);
  await put(late, '2027-01-10T00:00:00Z', 10);
  const query = { 'created[gte]': '2027-01-01', 'created[lte]': '2027-01-31' };
  const { data } = (await app.get('/v1/events', { key, query })).body as { data: EventBody[] };
  assert.deepEqual(
    data.map(({ aggregate_id }) => aggregate_id),
    [late, second, first],
  );
});

const refusals: [Record<string, string>, string][] = [
  [{ type: 'client.vanished' }, 'type'],
  [{ 'type[in]': 'client.created,nothing' }, 'type[in]'],
  [{ type: 'client.created,product.created' }, 'type'],
  [{ type: 'client.created', 'type[in]': 'nothing' }, 'type[in]'],
  [{ 'created[gt]': 'yesterday' }, 'created[gt]'],
  [{ aggregate_id: 'x' }, 'aggregate_id'],
  [{ colour: 'red' }, 'colour'],
];
for (const [query, param] of refusals) {
  test(`given ${JSON.stringify(query)}, when listed, then 422 names ${param}`, async (t) => {
    const app = await startApp(t);
    const { live_key: key } = await app.given.company();
    const res = await app.get('/v1/events', { key, query });
    assert.deepEqual(
      [res.status, res.body.error.code, res.body.error.param],
      [422, 'parameter_invalid', param],
    );
  });
}

test('given an instant whose + is a blank in the address, when listed, then the refusal tells how it is written', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const list = (instant: string) => app.get(`/v1/events?created[gte]=${instant}`, { key });
  const refused = await list('2026-05-20T10:00:00+02:00');
  assert.equal(refused.status, 422, refused.text);
  assert.match(refused.body.error.errors[0].message, /por ejemplo 2026-11-21T10:00:00Z.* %2B\.$/);
  const taken = await list('2026-05-20T10:00:00%2B02:00');
  assert.equal(taken.status, 200, taken.text);
});

test('given a list where one value is wanted, when it is sent, then the refusal tells so', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const twice = await app.get('/v1/events?type=client.created&type=client.updated', { key });
  // PHP writes an empty object so.
  const empty = await app.post('/v1/clients', { key, body: { name: 'Norte SL', metadata: [], phone: 5 } });
  assert.deepEqual(
    [twice, empty].flatMap(({ body }) => body.error.errors),
    [
      { param: 'type', code: 'parameter_invalid', message: 'Debe ser un texto, no una lista.' },
      { param: 'phone', code: 'parameter_invalid', message: 'Debe ser un texto.' },
      { param: 'metadata', code: 'parameter_invalid', message: 'Debe ser un objeto, no una lista.' },
    ],
  );
});

test('given an event, when retrieved, then it is as listed; another company does not find it', async (t) => {
  const app = await startApp(t);
  const [acme, other] = [await app.given.company(), await app.given.company()];
  await app.post('/v1/clients', { key: acme.live_key, body: { name: 'Uno' } });
  const [listed] = (await app.get('/v1/events', { key: acme.live_key })).body.data;
  const res = await app.get(`/v1/events/${listed.id}`, { key: acme.live_key });
  assert.deepEqual(res.body.data, listed);
  assert.deepEqual(Object.keys(listed), [
    'id',
    'object',
    'type',
    'aggregate_id',
    'sequence',
    'api_version',
    'livemode',
    'test',
    'data',
    'created',
    'correlation_id',
  ]);
  assert.deepEqual(listed.data, { client: { id: listed.aggregate_id } });
  assert.equal((await app.get(`/v1/events/${listed.id}`, { key: other.live_key })).status, 404);
});

test('given a test key, when it causes events, then they are its sandbox company’s and not live', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  await app.post('/v1/clients', { key: acme.test_key, body: { name: 'Uno' } });
  const mine = (await app.get('/v1/events', { key: acme.test_key })).body.data;
  assert.deepEqual(
    mine.map((e: EventBody) => [e.type, e.livemode]),
    [['client.created', false]],
  );
  assert.deepEqual((await app.get('/v1/events', { key: acme.live_key })).body.data, []);
});

test('given the version pinned by the request, when an event is recorded, then it is sealed in it', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  await app.post('/v1/clients', {
    key: acme.live_key,
    headers: { 'service-version': '2026-06-01' },
    body: { name: 'Uno' },
  });
  assert.equal((await app.get('/v1/events', { key: acme.live_key })).body.data[0].api_version, '2026-06-01');
});

test('the catalogue lists every name once, with its status', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const read = (query: Record<string, string>) =>
    app.get('/v1/event-catalog', { key, query: { limit: '100', ...query } });
  const first = await read({});
  const rest = await read({ starting_after: first.body.next_cursor });
  const data: { name: string; status: string }[] = [...first.body.data, ...rest.body.data];
  assert.deepEqual(
    data.map((e) => e.name),
    eventCatalog.map((e) => e.name),
  );
  assert.equal(rest.body.has_more, false);
  const status = (name: string) => data.find((e) => e.name === name)?.status;
  assert.deepEqual([status('invoice.created'), status('order.invoiced')], ['available', 'coming_soon']);
});

test('given a live company with a webhook endpoint, when something happens, then its events wait in the outbox', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  await app.sql`update companies set webhook_endpoints_enabled = 1 where company_id in (${acme.company_id}, ${acme.sandbox_company_id})`;
  await app.post('/v1/clients', { key: acme.live_key, body: { name: 'Uno' } });
  await app.post('/v1/clients', { key: acme.test_key, body: { name: 'Uno' } });
  const rows = await app.sql<{ company_id: string; id: string; order_key: string }[]>`
    select company_id, id, order_key from due_work where kind = 'event' and company_id in (${acme.company_id}, ${acme.sandbox_company_id})`;
  const [event] = (await app.get('/v1/events', { key: acme.live_key })).body.data;
  assert.deepEqual(
    rows.map((r) => ({ ...r })),
    [{ company_id: acme.company_id, id: event.id, order_key: event.aggregate_id }],
  );
});
