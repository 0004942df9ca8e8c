import { parseArgs } from 'node:util';
import { Address } from '../domain/address.ts';
import { countryCodes } from '../domain/countries.ts';
import { checkSchema } from '../kernel/check.ts';
import { type PlanName, planNames } from '../kernel/plans.ts';
import { isUuid } from '../kernel/uuid7.ts';
import { apiVersions, isApiVersion } from '../kernel/versions.ts';
import { CompanyRefused } from '../modules/companies/index.ts';
import type { Database } from '../platform/db.ts';
import type { Config } from './config.ts';
import { findDatabase, migrateDatabase } from './database.ts';
import { CommandError } from './explain.ts';
import { say } from './terminal.ts';

export type Command = {
  words: readonly string[];
  usage: string;
  help: string;
  run(args: string[], config: () => Config): Promise<void>;
};

type Options = Record<string, { type: 'string' | 'boolean'; multiple?: boolean }>;

export function readOptions(args: string[], options: Options, required: readonly string[] = []) {
  let values: Record<string, string | boolean | (string | boolean)[] | undefined>;
  try {
    ({ values } = parseArgs({ args, options, strict: true, allowPositionals: false }));
  } catch (error) {
    throw new CommandError((error as Error).message.replace(/\. To specify.*$/s, '.'));
  }
  const missing = required.filter((name) => values[name] === undefined);
  if (missing.length > 0) throw new CommandError(`Missing ${missing.map((m) => `--${m}`).join(', ')}.`);
  return values;
}

export function readPlan(option: 'plan' | 'tier', text: unknown): PlanName {
  const plan = planNames.find((p) => p === text);
  if (!plan) throw new CommandError(`--${option} must be one of ${planNames.join(', ')}.`);
  return plan;
}

export function readId(name: string, text: unknown): string {
  if (typeof text !== 'string' || !isUuid(text)) throw new CommandError(`--${name} must be an id (a UUID).`);
  return text.toLowerCase();
}

export function readInstant(name: string, text: unknown): Date {
  const instant = new Date(String(text));
  if (
    !/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)$/.test(String(text)) ||
    Number.isNaN(instant.getTime())
  ) {
    throw new CommandError(`--${name} must be an instant, for example 2026-12-31T23:00:00Z.`);
  }
  return instant;
}

/** As the API takes and checks it. */
export function readAddress(text: unknown): Record<string, unknown> {
  let read: unknown;
  try {
    read = JSON.parse(String(text));
  } catch {
    read = undefined;
  }
  if (read === null || typeof read !== 'object' || Array.isArray(read))
    throw new CommandError(`--address must be a JSON object, for example ${sampleAddress}.`);
  const [issue] = checkSchema(Address, read);
  if (issue) throw new CommandError(`--address: ${issue.param}: ${issue.message}`);
  const { country } = read as { country?: string | null };
  if (country && !countryCodes.has(country))
    throw new CommandError('--address: country: No es un código de país ISO 3166-1.');
  return read as Record<string, unknown>;
}

export const sampleAddress =
  '{"line1": "Calle Mayor, 1", "postal_code": "28013", "city": "Madrid", "country": "ES"}';

export function readApiVersion(text: unknown): string | null {
  if (text === undefined) return null;
  if (typeof text !== 'string' || !isApiVersion(text))
    throw new CommandError(`--api-version must be one of ${apiVersions.join(', ')}.`);
  return text;
}

/** For a command that prints its own answer alone. */
export const quiet = () => undefined;

/** A service may be running on the same database. */
export async function withDatabase<T>(config: Config, work: (db: Database) => Promise<T>): Promise<T> {
  const handle = await findDatabase(config, quiet);
  try {
    await migrateDatabase(handle);
    const db = handle.open('folio cli');
    try {
      return await work(db);
    } catch (error) {
      throw error instanceof CompanyRefused ? new CommandError(error.message) : error;
    } finally {
      await db.close();
    }
  } finally {
    await handle.stop();
  }
}

export function print(result: Record<string, unknown> | Record<string, unknown>[], as_json: boolean): void {
  if (as_json) {
    say(JSON.stringify(result));
    return;
  }
  for (const row of Array.isArray(result) ? result : [result]) {
    const width = Math.max(...Object.keys(row).map((k) => k.length));
    for (const [name, value] of Object.entries(row)) say(`${name.padEnd(width)}  ${value ?? '-'}`);
    say('');
  }
}
