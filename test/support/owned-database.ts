/** Databases of a server that is not the test run's, each with an owner who is no superuser. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import type { EmbeddedPostgres } from 'embedded-postgres-server';
import type { Sql } from 'postgres';
import { connect } from '../../src/platform/db.ts';
import { makeEnterableFolder, startTestServer } from './test-database.ts';

const dir = makeEnterableFolder('folio-external-');
let starting: Promise<EmbeddedPostgres> | undefined;

after(async () => {
  await (await starting)?.stop();
  // What a killed server leaves behind may write for a moment.
  rmSync(dir, { recursive: true, force: true, maxRetries: 10 });
});

function ownServer(): Promise<EmbeddedPostgres> {
  starting ??= startTestServer(join(dir, 'data'));
  return starting;
}

export async function asSuperuser(work: (admin: Sql) => Promise<void>, database = 'postgres'): Promise<void> {
  const server = await ownServer();
  const admin = connect({
    target: server.connection(server.superuser, database) as never,
    pool_size: 1,
    role: null,
  });
  await work(admin).finally(() => admin.end());
}

/** As managed servers give it: its owner may only make roles. */
export async function makeOwnedDatabase(name: string, user = 'folio_owner'): Promise<string> {
  const server = await ownServer();
  await asSuperuser(async (admin) => {
    const [known] = await admin`select 1 from pg_roles where rolname = 'folio_owner'`;
    if (!known) await admin.unsafe(`create role folio_owner login createrole password 'owner'`);
    const [made] = await admin`select 1 from pg_database where datname = ${name}`;
    if (!made) await admin.unsafe(`create database ${name} owner folio_owner`);
  });
  const host = server.socket_dir === undefined ? '127.0.0.1' : encodeURIComponent(server.socket_dir);
  return `postgres://${user}:owner@${host}:${server.port}/${name}`;
}
