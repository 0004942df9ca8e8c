/** What commands share: the database that they work in, and how they answer. */
import { CompanyRefused } from '../modules/companies/index.ts';
import type { Database } from '../platform/db.ts';
import { CommandError } from './command-error.ts';
import type { Config } from './config.ts';
import { type DatabaseHandle, findDatabase, migrateDatabase } from './database.ts';
import { say } from './terminal.ts';

/** For a command that prints its own answer alone. */
const quiet = () => undefined;

/** A service may be running on the same database. */
export async function withHandle<T>(
  config: Config,
  work: (handle: DatabaseHandle) => Promise<T>,
): Promise<T> {
  const handle = await findDatabase(config, quiet);
  try {
    return await work(handle);
  } finally {
    await handle.stop();
  }
}

/** Opens the database as the service does, and brings it up to date. */
export function withDatabase<T>(config: Config, work: (db: Database) => Promise<T>): Promise<T> {
  return withHandle(config, async (handle) => {
    await migrateDatabase(handle);
    const db = handle.open('folio cli');
    try {
      return await work(db);
    } catch (error) {
      throw error instanceof CompanyRefused ? new CommandError(error.message) : error;
    } finally {
      await db.close();
    }
  });
}

/** An array within a row is printed with commas. */
export function print(result: Record<string, unknown> | Record<string, unknown>[], as_json: boolean): void {
  if (as_json) {
    say(JSON.stringify(result));
    return;
  }
  for (const row of Array.isArray(result) ? result : [result]) {
    const width = Math.max(...Object.keys(row).map((k) => k.length));
    for (const [name, value] of Object.entries(row)) say(`${name.padEnd(width)}  ${textOf(value)}`);
    say('');
  }
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(textOf).join(', ');
  if (value !== null && typeof value === 'object' && !(value instanceof Date)) return JSON.stringify(value);
  return String(value ?? '-');
}

/** For a command that has done something: a sentence, or what it was done to. */
export function printDone(sentence: string, result: Record<string, unknown>, as_json: boolean): void {
  if (as_json) say(JSON.stringify(result));
  else say(sentence);
}
