/**
 * The database of a process: the one in DATABASE_URL, or the embedded PostgreSQL of the data folder. Gives
 * the service's pool, which works as a role without privileges, and the owner's connection for migrations.
 */
import type { Sql } from 'postgres';
import { connect, type ConnectOptions, type Database, openDatabase } from '../platform/db.ts';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../platform/embedded-postgres/start-embedded-postgres.ts';
import { migrate, serviceRole } from '../platform/migrate.ts';
import type { Config } from './config.ts';

export type DatabaseHandle = {
  /** Where the database is, for people. */
  description: string;
  embedded: EmbeddedPostgres | null;
  /** Connects as the owner, one connection; the caller ends it. */
  owner(): Sql;
  open(application_name: string): Database;
  /** One connection that listens, or null where only a pooler is known. */
  listener(): Sql | null;
  stop(): Promise<void>;
};

const embeddedDatabase = 'folio';

/** Finds or starts the database that the configuration names. */
export async function findDatabase(config: Config, log: (line: string) => void): Promise<DatabaseHandle> {
  return config.DATABASE_URL === null ? startEmbedded(config, log) : external(config, config.DATABASE_URL);
}

async function startEmbedded(config: Config, log: (line: string) => void): Promise<DatabaseHandle> {
  const embedded = await startEmbeddedPostgres({ data_dir: config.FOLIO_DATA_DIR, log });
  const as = (user: string, database: string) =>
    embedded.connection(user, database) as ConnectOptions['target'];
  const admin = connect({ target: as(embedded.superuser, 'postgres'), pool_size: 1, role: null });
  try {
    const [known] = await admin`select 1 from pg_database where datname = ${embeddedDatabase}`;
    if (!known) await admin.unsafe(`create database ${embeddedDatabase}`).catch(ignoreDuplicate);
  } finally {
    await admin.end();
  }
  return {
    description: `embedded PostgreSQL in ${config.FOLIO_DATA_DIR}`,
    embedded,
    owner: () => connect({ target: as(embedded.superuser, embeddedDatabase), pool_size: 1, role: null }),
    // The service logs in as its own role: there is no way back to the superuser from there.
    open: (application_name) => {
      const target = { ...(as(serviceRole, embeddedDatabase) as object) } as ConnectOptions['target'];
      return openDatabase({ target, pool_size: config.FOLIO_POOL_SIZE, role: null, application_name });
    },
    listener: () => connect({ target: as(serviceRole, embeddedDatabase), pool_size: 1, role: null }),
    stop: () => embedded.stop(),
  };
}

function ignoreDuplicate(error: unknown): void {
  if ((error as { code?: string }).code !== '42P04') throw error;
}

function external(config: Config, url: string): DatabaseHandle {
  const direct = config.DATABASE_DIRECT_URL;
  return {
    description: `PostgreSQL at ${new URL(url).host}`,
    embedded: null,
    owner: () => connect({ target: direct ?? url, pool_size: 1, role: null }),
    open: (application_name) =>
      openDatabase({
        target: url,
        pool_size: config.FOLIO_POOL_SIZE,
        role: serviceRole,
        pooled: direct !== null,
        application_name,
      }),
    listener: () => connect({ target: direct ?? url, pool_size: 1, role: serviceRole }),
    stop: async () => undefined,
  };
}

/** Brings the database up to date. @returns the migrations applied now */
export async function migrateDatabase(handle: DatabaseHandle): Promise<string[]> {
  const owner = handle.owner();
  try {
    return await migrate(owner, { role_can_login: handle.embedded !== null });
  } finally {
    await owner.end();
  }
}
