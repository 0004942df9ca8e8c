import postgres from 'postgres';
import { SUPERUSER } from './cluster.ts';

/** Options for postgres.js. `host` is a socket's folder, or a loopback address with a password. */
export type EmbeddedConnection = {
  host: string;
  port: number;
  user: string;
  database: string;
  password?: string;
};

/** `password` is the superuser's; undefined for a private socket. */
export type ServerPlace = { host: string; port: number; password: string | undefined };

export type ServerFacts = { version: string; is_durable: boolean };

const ANSWER_SECONDS = 5;

export function connectionOptions(place: ServerPlace, user: string, database: string): EmbeddedConnection {
  const { host, port, password } = place;
  return { host, port, user, database, ...(password === undefined ? {} : { password }) };
}

const CANNOT_CONNECT_NOW = '57P03';
const TOO_MANY_CONNECTIONS = '53300';

/** Undefined without an answer in time. */
export async function askServer(place: ServerPlace): Promise<ServerFacts | undefined> {
  const sql = openConnection(place);
  try {
    return await askInTime(sql);
  } catch {
    return undefined;
  } finally {
    await sql.end({ timeout: 0 });
  }
}

/** `busy`: it recovers from a crash, or has no connection left. */
export async function pingServer(place: ServerPlace): Promise<'answers' | 'busy' | 'silent'> {
  const sql = openConnection(place);
  try {
    return (await askInTime(sql)) === undefined ? 'silent' : 'answers';
  } catch (error) {
    const code = (error as { code?: string } | null)?.code ?? '';
    return code === CANNOT_CONNECT_NOW || code === TOO_MANY_CONNECTIONS ? 'busy' : 'silent';
  } finally {
    await sql.end({ timeout: 0 });
  }
}

function openConnection(place: ServerPlace): postgres.Sql {
  return postgres({
    ...connectionOptions(place, SUPERUSER, 'postgres'),
    max: 1,
    connect_timeout: ANSWER_SECONDS,
    fetch_types: false,
    prepare: false,
    onnotice: () => {},
  });
}

async function askInTime(sql: postgres.Sql): Promise<ServerFacts | undefined> {
  const asked = sql<ServerFacts[]>`
    select current_setting('server_version') as version,
           current_setting('fsync') = 'on' and current_setting('full_page_writes') = 'on'
             and current_setting('synchronous_commit') <> 'off' as is_durable`;
  const { promise: too_late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, ANSWER_SECONDS * 1000, undefined);
  const rows = await Promise.race([asked, too_late]).finally(() => clearTimeout(timer));
  return rows?.[0];
}
