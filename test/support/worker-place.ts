/**
 * Background work without HTTP: companies without keys, a settable clock, and a table in which handlers leave traces.
 */
import { after } from 'node:test';
import type { Sql } from 'postgres';
import type { JobOptions, Tx } from '../../src/kernel/operation.ts';
import { newId } from '../../src/kernel/uuid7.ts';
import { type CompanyClock, companyTime } from '../../src/platform/clock.ts';
import { loadCompany } from '../../src/platform/company-context.ts';
import { connect, type Database, openDatabase } from '../../src/platform/db.ts';
import { insertJobs, JobBuffer } from '../../src/platform/jobs.ts';
import type { JobLog } from '../../src/platform/worker.ts';
import { cloneDatabase, dropDatabase } from './test-database.ts';

export class SetClock {
  #ms: number;
  constructor(at: string) {
    this.#ms = Date.parse(at);
  }
  now(): Date {
    return new Date(this.#ms);
  }
  advance(seconds: number): void {
    this.#ms += seconds * 1000;
  }
}

type Server = { superuser: string } & Record<string, unknown>;

export class WorkerPlace {
  readonly #server: Server;
  readonly database: string;
  /** A superuser's connection: row-level security does not hide rows from it. */
  readonly sql: Sql;

  private constructor(server: Server, database: string, sql: Sql) {
    this.#server = server;
    this.database = database;
    this.sql = sql;
  }

  /** Dropped after the file's last test. */
  static async make(): Promise<WorkerPlace> {
    const text = process.env.FOLIO_TEST_SERVER;
    if (!text)
      throw new Error(
        'Run the tests with "npm test" or "npm test -- FILE": they need the PostgreSQL it starts.',
      );
    const server = JSON.parse(text) as Server;
    const database = `w${process.pid}_${Date.now().toString(36)}`;
    const connectionOf = (user: string, name: string) => connectionOptions(server, user, name);
    const admin = connect({ target: connectionOf(server.superuser, 'postgres'), pool_size: 1, role: null });
    await cloneDatabase(admin, process.env.FOLIO_TEST_TEMPLATE ?? '', database);
    const sql = connect({ target: connectionOf(server.superuser, database), pool_size: 2, role: null });
    await sql`create table effects (number serial, company_id uuid not null, job_id uuid not null, label text not null)`;
    await sql`grant all on effects to folio_service`;
    await sql`grant all on sequence effects_number_seq to folio_service`;
    const place = new WorkerPlace(server, database, sql);
    after(async () => {
      await sql.end();
      await dropDatabase(admin, database);
      await admin.end();
    });
    return place;
  }

  /** Plain data, for a child process. */
  get target(): never {
    return connectionOptions(this.#server, 'folio_service', this.database);
  }

  open(pool_size = 8): Database {
    const db = openDatabase({ target: this.target, pool_size, role: null });
    after(() => db.close());
    return db;
  }

  async company(clock: Partial<CompanyClock> = {}, time_zone = 'Europe/Madrid'): Promise<string> {
    const company_id = newId();
    await this.sql`
      insert into companies (company_id, environment, live_company_id, tax_id, plan, time_zone, clock_offset_ms, clock_frozen_at,
                             created_at, updated_at)
      values (${company_id}, 'test', ${newId()}, 'B00000000', 'scale', ${time_zone}, ${clock.clock_offset_ms ?? 0},
              ${clock.clock_frozen_at ?? null}, now(), now())`;
    return company_id;
  }

  /** In the order in which they were left. */
  async labels(company_id: string): Promise<string[]> {
    const rows = await this.sql<{ label: string }[]>`
      select label from effects where company_id = ${company_id} order by number`;
    return rows.map((r) => r.label);
  }
}

function connectionOptions({ superuser: _, ...options }: Server, user: string, database: string): never {
  return { ...options, user, database } as never;
}

export async function leaveTrace(tx: Tx, company_id: string, job_id: string, label: string): Promise<void> {
  await tx`insert into effects (company_id, job_id, label) values (${company_id}, ${job_id}, ${label})`;
}

type Wanted = { kind: string; payload?: Record<string, unknown>; options?: JobOptions };

/** @returns their ids */
export function enqueue(
  db: Database,
  company_id: string,
  real_now: Date,
  ...wanted: Wanted[]
): Promise<string[]> {
  return db.transaction(company_id, async (tx) => {
    const { clock } = await loadCompany(tx, company_id, real_now);
    const buffer = new JobBuffer();
    for (const { kind, payload, options } of wanted) buffer.add(kind, payload ?? {}, options);
    await insertJobs(tx, buffer.jobs, { company_id, clock, now: companyTime(clock, real_now), real_now });
    return buffer.jobs.map((j) => j.id);
  });
}

/** On a busy machine a process starts and works slowly. */
const patienceMs = 120_000;

/** Polls, for work of another loop or process. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const give_up = performance.now() + patienceMs;
  while (!(await holds())) {
    if (performance.now() > give_up) throw new Error('It did not come about in time.');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** For work of any length: too long are only two minutes in which nothing was done. */
export async function untilDone(
  holds: () => boolean | Promise<boolean>,
  countDone: () => number | Promise<number>,
): Promise<void> {
  while (!(await holds())) {
    const before = await countDone();
    await until(async () => (await holds()) || (await countDone()) !== before);
  }
}

export const silentLog: JobLog = { info: () => undefined, warn: () => undefined, error: () => undefined };
