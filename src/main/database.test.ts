import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { connect } from '../platform/db.ts';
import { asOwner, migrateDatabase } from './database.ts';
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
