/**
 * DATABASE_URL, or the embedded PostgreSQL of the data folder. The service's pool has no privileges; migrations run
 * as the owner.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { EmbeddedConnection, EmbeddedPostgres } from 'embedded-postgres-server';
import type { Sql } from 'postgres';
import { sqlStates } from '../kernel/sql-states.ts';
import { connect, type ConnectOptions, type Database, openDatabase, sqlState } from '../platform/db.ts';
import { findDayTooFarAhead } from '../platform/due-work.ts';
import { firstAnswer } from '../platform/guarded-connection.ts';
import { startFolioPostgres } from '../platform/folio-postgres.ts';
import { companyDailyKind, dueKind } from '../platform/jobs.ts';
import { isMigrated, mayNotServe, migrate, serviceRole } from '../platform/migrate.ts';
import type { Config } from './config.ts';
import { withLoginName } from './login-names.ts';
import { StartError } from './start-error.ts';

export type DatabaseHandle = {
  /** For people. */
  description: string;
  /** Null also in a process that did not start it. */
  embedded: EmbeddedPostgres | null;
  /** Whether the database is that of the data folder. */
  has_data_folder: boolean;
  /** Whether service and migrations log in as different users. */
  has_own_login: boolean;
  /** The caller ends it. */
  owner(): Sql;
  /** What names the owner's login: a setting, or an option. */
  owner_named: string;
  open(application_name: string): Database;
  /** The caller ends it. */
  listener(): Sql | null;
  stop(): Promise<void>;
};

const embeddedDatabase = 'folio';

export async function findDatabase(config: Config, log: (line: string) => void): Promise<DatabaseHandle> {
  if (config.DATABASE_URL !== null) return external(config, config.DATABASE_URL, log);
  const embedded = await startEmbedded(config, {}, log);
  const stop = () => embedded.stop();
  return { ...within(placeOf(embedded), config, log), embedded, stop };
}

/** What a process that did not start the embedded server needs to know of it: a connection of its superuser. */
export type EmbeddedPlace = EmbeddedConnection;

export const placeOf = (embedded: EmbeddedPostgres): EmbeddedPlace =>
  embedded.connection(embedded.superuser, 'postgres');

/**
 * The database of a process whose supervisor has started the embedded server.
 * @param place null: DATABASE_URL names the database
 */
export function joinDatabase(
  config: Config,
  place: EmbeddedPlace | null,
  log: (line: string) => void,
): DatabaseHandle {
  if (place === null) return external(config, config.DATABASE_URL!, log);
  return { ...within(place, config, log), embedded: null, stop: async () => undefined };
}

/**
 * The server of the data folder, with the service's database in it.
 * @param settings of the server, by PostgreSQL's names
 */
export async function startEmbedded(
  config: Pick<Config, 'FOLIO_DATA_DIR'>,
  settings: Readonly<Record<string, string>>,
  log: (line: string) => void,
): Promise<EmbeddedPostgres> {
  const embedded = await startFolioPostgres({ data_dir: config.FOLIO_DATA_DIR, log, settings });
  const admin = connect({ target: { ...placeOf(embedded) }, pool_size: 1, role: null });
  try {
    await ensureDatabase(admin);
  } finally {
    await admin.end();
  }
  return embedded;
}

function within(
  place: EmbeddedPlace,
  config: Config,
  log: (line: string) => void,
): Omit<DatabaseHandle, 'embedded' | 'stop'> {
  const as = (user: string, database: string): ConnectOptions['target'] => ({ ...place, user, database });
  return {
    description: `embedded PostgreSQL in ${config.FOLIO_DATA_DIR}`,
    has_data_folder: true,
    has_own_login: true,
    owner: () => connect({ target: as(place.user, embeddedDatabase), pool_size: 1, role: null }),
    owner_named: 'FOLIO_DATA_DIR',
    // The service logs in as its own role, so it cannot become the superuser.
    open: (application_name) => {
      return openDatabase({
        target: as(serviceRole, embeddedDatabase),
        pool_size: config.FOLIO_POOL_SIZE,
        role: null,
        application_name,
        tell: log,
      });
    },
    listener: () => connect({ target: as(serviceRole, embeddedDatabase), pool_size: 1, role: null }),
  };
}

/** Another process may do the same: it was first (42P04, 23505) or is copying (55006). */
async function ensureDatabase(admin: Sql): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const [known] = await admin`select 1 from pg_database where datname = ${embeddedDatabase}`;
    if (known) return;
    try {
      await admin.unsafe(`create database ${embeddedDatabase}`);
      return;
    } catch (error) {
      if (attempt >= 50 || !/^(42P04|23505|55006)$/.test(sqlState(error) ?? '')) throw error;
      await wait(100);
    }
  }
}

type Addresses = Pick<
  Config,
  'DATABASE_URL' | 'DATABASE_MIGRATION_URL' | 'DATABASE_DIRECT_URL' | 'FOLIO_POOL_SIZE'
>;

function external(config: Addresses, url: string, log: (line: string) => void): DatabaseHandle {
  const target = readDatabaseUrl(url);
  const migration =
    config.DATABASE_MIGRATION_URL === null ? null : readDatabaseUrl(config.DATABASE_MIGRATION_URL);
  const direct = config.DATABASE_DIRECT_URL === null ? null : readDatabaseUrl(config.DATABASE_DIRECT_URL);
  return {
    description: `PostgreSQL at ${typeof target === 'string' ? new URL(target).host : target.host}`,
    embedded: null,
    has_data_folder: false,
    has_own_login: migration !== null,
    owner: () => connect({ target: migration ?? direct ?? target, pool_size: 1, role: null }),
    owner_named: migration ? 'DATABASE_MIGRATION_URL' : direct ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL',
    open: (application_name) =>
      openDatabase({
        target,
        pool_size: config.FOLIO_POOL_SIZE,
        role: serviceRole,
        pooled: direct !== null,
        application_name,
        tell: log,
      }),
    listener: () => connect({ target: direct ?? target, pool_size: 1, role: serviceRole }),
    stop: async () => undefined,
  };
}

/** A login to the database, and what names it. */
export type WayTo = Pick<DatabaseHandle, 'owner' | 'owner_named'>;

/** How a service comes to DATABASE_URL's database: calls may go another way than migrations, as through a pooler. */
export function waysTo(config: Addresses, log: (line: string) => void): WayTo[] {
  const of_migrations = external(config, config.DATABASE_URL!, log);
  if (of_migrations.owner_named === 'DATABASE_URL') return [of_migrations];
  const target = readDatabaseUrl(config.DATABASE_URL!);
  const owner = () => connect({ target, pool_size: 1, role: null, pooled: true });
  return [of_migrations, { owner, owner_named: 'DATABASE_URL' }];
}

/**
 * A postgres:// address as the driver takes it. The driver knows neither `channel_binding` nor libpq's addresses of a
 * Unix socket (`postgres://user@%2Ffolder/db`, `?host=/folder`).
 */
export function readDatabaseUrl(text: string): ConnectOptions['target'] {
  const url = new URL(text);
  const host = url.searchParams.get('host') ?? decodeURIComponent(url.hostname);
  if (!host.startsWith('/')) {
    if (!url.searchParams.has('channel_binding')) return text;
    url.searchParams.delete('channel_binding');
    return url.toString();
  }
  return {
    host,
    port: Number(url.searchParams.get('port') ?? (url.port || 5432)),
    database: decodeURIComponent(url.pathname.slice(1)),
    ...(url.username === '' ? {} : { user: decodeURIComponent(url.username) }),
    ...(url.password === '' ? {} : { password: decodeURIComponent(url.password) }),
  };
}

/** For a statement whose connection is lost. Without one a driver ends at once. */
const endSeconds = 1;

const patienceMs = 10_000;

/** What a command does with the owner's connection. @param patience_ms until the server first answers; for tests */
export async function asOwner<T>(
  handle: WayTo,
  work: (owner: Sql) => Promise<T>,
  patience_ms = patienceMs,
): Promise<T> {
  const owner = handle.owner();
  try {
    await firstAnswer(owner, patience_ms, () => owner`select 1`);
    return await work(owner);
  } catch (error) {
    throw withLoginName(error, handle.owner_named);
  } finally {
    // After a loss the driver would wait for an answer that nobody gives.
    await owner.end({ timeout: endSeconds });
  }
}

/** Brings the database up to date. Tells the operator what was done, and what is wrong with the login. */
export async function prepareDatabase(handle: DatabaseHandle, log: (line: string) => void): Promise<void> {
  const applied = await migrateDatabase(handle);
  if (applied.length > 0) log(`Migrations applied: ${applied.length}.`);
  for (const warning of [await warnOfLogin(handle), await warnOfWorkAhead(handle)])
    if (warning !== null) log(`Warning: ${warning}`);
}

const versionMin = 15;

/**
 * @returns the migrations applied now
 * @throws StartError when the server is too old
 */
export async function migrateDatabase(
  handle: Pick<DatabaseHandle, 'owner' | 'owner_named' | 'has_data_folder' | 'has_own_login'>,
  patience_ms = patienceMs,
): Promise<string[]> {
  const owner = handle.owner();
  try {
    const [server] = await firstAnswer(
      owner,
      patience_ms,
      () => owner<{ major: number }[]>`
        select current_setting('server_version_num')::integer / 10000 as major`,
    );
    if (server && server.major < versionMin) {
      throw new StartError(`The database is PostgreSQL ${server.major}: Folio needs ${versionMin} or newer.`);
    }
    return await migrate(owner, {
      role_can_login: handle.has_data_folder,
      becomes_service: !handle.has_own_login,
    });
  } catch (error) {
    if (sqlState(error) !== sqlStates.not_allowed || handle.has_own_login)
      throw withLoginName(error, handle.owner_named);
    if (await isMigrated(owner).catch(() => false)) return [];
    if (mayNotServe(error)) throw withLoginName(error, handle.owner_named);
    throw new StartError(
      `The database is not up to date, and the user in DATABASE_URL may not change that (${(error as Error).message}): ` +
        'set DATABASE_MIGRATION_URL to log in as the owner of the schema.',
    );
  } finally {
    await owner.end({ timeout: endSeconds });
  }
}

/** @returns what to tell an operator when the service's login may do more than the service needs */
export async function warnOfLogin(handle: DatabaseHandle): Promise<string | null> {
  const service = handle.listener();
  if (service === null) return null;
  try {
    const [login] = await service<{ name: string; owns: boolean; is_above_rules: boolean }[]>`
      select session_user as name, pg_has_role(session_user, c.relowner, 'member') as owns,
             r.rolsuper or r.rolbypassrls as is_above_rules
        from pg_class c, pg_roles r
       where c.oid = 'public.companies'::regclass and r.rolname = session_user`;
    if (!login || !(login.owns || login.is_above_rules)) return null;
    return (
      `DATABASE_URL logs in as ${login.name}, who ${login.owns ? 'owns the tables' : 'passes row-level security'}: ` +
      'let DATABASE_URL name a member of folio_service that owns nothing, and DATABASE_MIGRATION_URL the owner.'
    );
  } finally {
    await service.end({ timeout: 1 });
  }
}

/**
 * Work that a wrong clock planned waits in silence, since nothing is late. It is not brought back by itself: a process whose clock is
 * behind would bring back what is planned rightly.
 */
async function warnOfWorkAhead(handle: DatabaseHandle): Promise<string | null> {
  const service = handle.listener();
  if (service === null) return null;
  try {
    const day = await findDayTooFarAhead(service, dueKind(companyDailyKind));
    if (day === null) return null;
    return (
      `The daily work of a company (${companyDailyKind}) waits until ${day}: the clock was ahead when it was planned, or is behind now. ` +
      'What to do is in docs/operations.md, under "The clock was ahead".'
    );
  } finally {
    await service.end({ timeout: 1 });
  }
}
