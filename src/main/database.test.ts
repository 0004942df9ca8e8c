import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { WorkerPlace } from '../../test/support/worker-place.ts';
import { connect } from '../platform/db.ts';
import { firstAnswer } from '../platform/guarded-connection.ts';
import { awaitDatabase } from './await-database.ts';
import { asOwner, migrateDatabase, waysTo } from './database.ts';
import { explain } from './explain.ts';

test('given a server that ends each connection without an answer, when it is asked, then that ends and tells the operator why', async (t) => {
  const server = createServer((socket) => socket.once('data', () => socket.end())).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const handle = {
    owner: () => connect({ target: `postgres://u:p@127.0.0.1:${port}/d`, pool_size: 1, role: null }),
    owner_named: 'DATABASE_URL',
    has_data_folder: false,
    has_own_login: true,
  };
  const told =
    'The database does not answer (it closes each connection at once): check that it runs, and DATABASE_URL.';
  for (const ask of [() => asOwner(handle, async () => 1, 100), () => migrateDatabase(handle, 100)]) {
    const error = await ask().then(
      () => assert.fail('it answered'),
      (error: unknown) => error,
    );
    assert.equal(explain(error), told);
  }
});

const place = await WorkerPlace.make();
const there = () => connect({ target: place.target, pool_size: 1, role: null });
const nowhere = () => connect({ target: 'postgres://u:p@127.0.0.1:9/d', pool_size: 1, role: null });
const never = new Promise(() => undefined);

test('given a first answer that takes longer than the patience, when the connection is lost later, then it is made again', async (t) => {
  const closed = Promise.withResolvers<void>();
  const driver = connect({ target: place.target, pool_size: 1, role: null }, closed.resolve);
  t.after(() => driver.end({ timeout: 1 }));
  // The connection is there, so that the patience is over during the statement.
  const [own] = await driver<{ pid: number }[]>`select pg_backend_pid() as pid`;
  await firstAnswer(driver, 1, () => driver`select pg_sleep(0.1)`);
  await place.sql`select pg_terminate_backend(${own!.pid}, 5000)`;
  await closed.promise;
  assert.deepEqual([...(await driver`select 1 as one`)], [{ one: 1 }]);
});

test('given that migrations go another way than calls, then a start asks for both', () => {
  const config = {
    DATABASE_URL: 'postgres://u@pooler:1/d',
    DATABASE_MIGRATION_URL: null,
    FOLIO_POOL_SIZE: 2,
  };
  const direct = { DATABASE_DIRECT_URL: 'postgres://u@server:2/d' };
  const asked = (of: Parameters<typeof waysTo>[0]) =>
    waysTo(of, () => undefined).map(({ owner, owner_named }) => [owner_named, owner().options.host]);
  assert.deepEqual(asked({ ...config, DATABASE_DIRECT_URL: null }), [['DATABASE_URL', ['pooler']]]);
  assert.deepEqual(asked({ ...config, ...direct }), [
    ['DATABASE_DIRECT_URL', ['server']],
    ['DATABASE_URL', ['pooler']],
  ]);
});

test('given a database that is not there, when a start waits for it, then it is told, once, and the start goes on or ends', async () => {
  const lines: string[] = [];
  const tell = (line: string) => void lines.push(line);
  const waitFor = (
    owners: readonly (() => ReturnType<typeof there>)[],
    stop: Promise<unknown>,
    patience_ms: number,
  ) => {
    const left = [...owners];
    const owner = () => (left.length > 1 ? left.shift()! : left[0]!)();
    const ways = [there, owner].map((made) => ({ owner: made, owner_named: 'DATABASE_URL' }));
    return awaitDatabase(ways, tell, stop, { patience_ms, pause_ms: 1 });
  };
  assert.equal(await waitFor([there], never, 60_000), true);
  assert.deepEqual(lines, []);

  assert.equal(await waitFor([nowhere, nowhere, there], never, 60_000), true);
  const waits =
    'The database does not answer yet (connect ECONNREFUSED 127.0.0.1:9): it is asked again for 60 seconds.';
  assert.deepEqual(lines.splice(0), [waits, 'The database answers.']);

  const stop = Promise.withResolvers<void>();
  const waiting = waitFor([nowhere], stop.promise, 60_000);
  stop.resolve();
  assert.equal(await waiting, false);

  await assert.rejects(waitFor([nowhere], never, 0), { code: 'ECONNREFUSED' });
  const elsewhere = () =>
    connect({ target: { ...(place.target as object), database: 'none' }, pool_size: 1, role: null });
  lines.length = 0;
  await assert.rejects(waitFor([elsewhere], never, 60_000), { code: '3D000' });
  assert.deepEqual(lines, []);
});
