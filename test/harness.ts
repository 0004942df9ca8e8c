/**
 * The service over HTTP on a real PostgreSQL. Each process has one database, each test its own company. Every answer is
 * checked against its operation: error codes, events and the schema of a success.
 */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { rmSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { after, type TestContext } from 'node:test';
import type { McpServerFactory } from '@modelcontextprotocol/server';
import type { Sql } from 'postgres';
import { Agent, type Dispatcher } from 'undici';
import { parseSpanishTaxId } from '../src/domain/spain/tax-id.ts';
import { makeWalkThreads } from '../src/integrations/aeat/walk-threads.ts';
import { makePrinter } from '../src/integrations/pdf/printer.ts';
import { makeScanReader } from '../src/integrations/scans/scan-reader.ts';
import { checkSchema } from '../src/kernel/check.ts';
import { commonCodes } from '../src/kernel/common.errors.ts';
import { type Environment, type Operation, outputSchema } from '../src/kernel/operation.ts';
import type { Ports } from '../src/kernel/ports.ts';
import type { Family } from '../src/modules/sales/index.ts';
import type { PlanName } from '../src/kernel/plans.ts';
import { type Config, readConfig } from '../src/main/config.ts';
import { type Service, startService } from '../src/main/service.ts';
import { catalog } from '../src/modules/catalog.ts';
import { createCompany, type CreatedCompany, createOperatorKey } from '../src/modules/companies/index.ts';
import { connect, type Database, openDatabase } from '../src/platform/db.ts';
import type { ListTurnBounds } from '../src/platform/list-turns.ts';
import type { JobHandler } from '../src/platform/worker.ts';
import { holdEvents, watchJob } from './support/seen-events.ts';
import { cloneDatabase, dropDatabase, makeEnterableFolder } from './support/test-database.ts';

export type Answer = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into answers of every shape
  body: any;
  text: string;
  bytes: Buffer;
};

export type CallOptions = {
  key?: string;
  headers?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  /** Replaces `body` and is sent unchanged. */
  raw?: string | Buffer;
  /** The test breaks something, so a 500 is no failure. */
  expects_fault?: boolean;
};

export type TestCompany = CreatedCompany & { tax_id: string };

export type StartOptions = {
  env?: Record<string, string>;
  more_operations?: readonly Operation[];
  more_families?: readonly Family[];
  more_jobs?: readonly JobHandler[];
  /** A separate service on the same database; it stops with the test. */
  fresh?: boolean;
  /** How long a call waits for another with its idempotency key or external id. */
  key_wait_ms?: number;
  /** How many lists of one company are worked at a time, while others call. */
  list_turns?: Partial<ListTurnBounds>;
  /** How long an answer waits for work after its commit, such as a PDF; a minute when left out. */
  answer_wait_ms?: number;
  /** How often what is over is removed; never when left out. */
  purge_every_ms?: number;
  /** How long a call waits for a connection while its company holds its share. */
  share_wait_ms?: number;
  wrap_ports?: (ports: Ports) => Ports;
  /** What /mcp serves in place of the tools. */
  serves_mcp?: McpServerFactory;
  /** Seconds for a body to arrive, and bodies on their way at a time. */
  body_bounds?: { body_seconds?: number; bodies_max?: number; place_seconds?: number };
  /** Bytes of one owner's answers that are not read yet, and how long one may stay so. */
  answer_bounds?: { answer_bytes?: number; unread_seconds?: number };
};

/** A busy machine may take longer than a caller would wait, and a test is not about that. */
const patientMs = 60_000;

class TestClock {
  #now = new Date();
  now(): Date {
    return new Date(this.#now);
  }
  set(date: Date | string): void {
    this.#now = new Date(date);
  }
  advance(ms: number): void {
    this.#now = new Date(this.#now.getTime() + ms);
  }
}

type Place = {
  database: string;
  admin: Sql;
  sql: Sql;
  connection(user: string): never;
  /** Of services that have stopped, by their settings. */
  readonly idle: Map<string, Database[]>;
};

/** Tests of what a service says after such a wait ask for a shorter one. */
const patient: StartOptions = { share_wait_ms: patientMs, key_wait_ms: patientMs };

let places = 0;
/** In the order in which they were opened. What is closed earlier leaves it, and the memory. */
const opened = new Set<() => Promise<unknown>>();

after(async () => {
  const faults: unknown[] = [];
  // One that fails keeps no other open.
  for (const close of [...opened].reverse()) await close().catch((fault: unknown) => faults.push(fault));
  if (faults.length > 0) throw new AggregateError(faults, 'What tests opened did not close.');
});

function connectionOf(user: string, database: string): never {
  const text = process.env.FOLIO_TEST_SERVER;
  if (!text)
    throw new Error(
      'Run the tests with "npm test" or "npm test -- FILE": they need the PostgreSQL it starts.',
    );
  const { superuser: _, ...options } = JSON.parse(text) as Record<string, unknown> & { superuser: string };
  return { ...options, user, database } as never;
}

async function makePlace(): Promise<Place> {
  const { superuser } = JSON.parse(process.env.FOLIO_TEST_SERVER ?? '{}') as { superuser: string };
  places += 1;
  const database = `t${process.pid}_${places}_${Date.now().toString(36)}`;
  const admin = connect({ target: connectionOf(superuser, 'postgres'), pool_size: 1, role: null });
  await cloneDatabase(admin, process.env.FOLIO_TEST_TEMPLATE ?? '', database);
  // Two hold locks, and one looks who waits.
  const sql = connect({ target: connectionOf(superuser, database), pool_size: 3, role: null });
  const idle: Place['idle'] = new Map();
  opened.add(async () => {
    await Promise.all([...idle.values()].flat().map((db) => db.close()));
    await sql.end();
    await dropDatabase(admin, database);
    await admin.end();
  });
  return { database, admin, sql, connection: (user) => connectionOf(user, database), idle };
}

type ServiceDatabase = { db: Database; giveBack(): Promise<void> };

/**
 * The connections of a service that has stopped serve the next with the same settings. PostgreSQL parses and plans each
 * statement once for a connection. Services that run side by side never share any.
 */
function takeDatabase(place: Place, pool_size: number, share_wait_ms: number | undefined): ServiceDatabase {
  const idle = place.idle.get(`${pool_size} ${share_wait_ms}`) ?? [];
  place.idle.set(`${pool_size} ${share_wait_ms}`, idle);
  const db =
    idle.pop() ??
    openDatabase({
      target: place.connection('folio_service'),
      pool_size,
      role: null,
      ...(share_wait_ms === undefined ? {} : { pool_bounds: { share_wait_ms, wait_ms: 2 * share_wait_ms } }),
    });
  return {
    db,
    async giveBack() {
      const { lent, awaited } = db.use();
      if (lent + awaited === 0) idle.push(db);
      else await db.close();
    },
  };
}

/** In memory where there is room: on a disk each file that the service stores costs three times the processor's time. */
const dataDir = makeEnterableFolder('folio-test-');
after(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 }));

let printing: Pick<Ports, 'printer' | 'scan_reader'> | undefined;
const walks = new Map<string | null, Ports['walks']>();

/**
 * All services of this process share the processes that print and read scans, and the threads that check chains: each takes
 * a good part of a second to start.
 */
function withHelpers(ports: Ports, { FOLIO_AEAT_SCHEMAS: schemas }: Config): Ports {
  if (printing === undefined) {
    const printer = makePrinter({ log: { warn: (...told: unknown[]) => console.error(...told) } });
    const scan_reader = makeScanReader();
    opened.add(() => Promise.all([printer.close(), scan_reader.close()]));
    printing = { printer, scan_reader };
  }
  const shared = walks.get(schemas) ?? makeWalkThreads(schemas);
  walks.set(schemas, shared);
  return { ...ports, ...printing, walks: shared };
}

export type StartApp = (t: Pick<TestContext, 'after'>, options?: StartOptions) => Promise<App>;

/** A database, and one service of it for all tests that ask for nothing special. */
function makeStart(): StartApp {
  let place: Promise<Place> | undefined;
  let shared: Promise<App> | undefined;
  return async (t, options = {}) => {
    place ??= makePlace();
    const is_plain = Object.keys(options).length === 0;
    if (is_plain) {
      shared ??= App.start(await place, patient);
      const app = await shared;
      keepCompiled();
      app.clock.set(new Date());
      return app;
    }
    // Node keeps an ended test's hooks, and a hook keeps what it names.
    const own: { app: App | null } = { app: await App.start(await place, { ...patient, ...options }) };
    t.after(async () => {
      await own.app?.stop();
      own.app = null;
    });
    return own.app!;
  };
}

/** Tests of one process share one service, unless an option asks for their own. Sets the shared clock to now. */
export const startApp = makeStart();

/**
 * `startApp` on a database of its own, for a file that alters a table, fills one, or starts processes, which work all
 * that is due. So the file can share its process.
 */
export const onOwnDatabase = (): StartApp => makeStart();

/** One service with these options for all tests of a file, which stops after the last. Sets its clock to now. */
export function startOnce(options: StartOptions): () => Promise<App> {
  let started: Promise<App> | undefined;
  return async () => {
    started ??= startApp({ after: () => undefined }, options);
    const app = await started;
    app.clock.set(new Date());
    return app;
  };
}

/**
 * `startApp` with a service of its own, for a file that asks for much of what a service gives one address in a minute. So it
 * can share its process with others that do.
 */
export function onOwnService(): StartApp {
  const start = startOnce({ fresh: true });
  return (t, options) => (options === undefined ? start() : startApp(t, options));
}

/** A few operations have each. @param parts of `/v1/invoices/:invoice`, the first of which is empty */
function shapeOf(method: string, parts: readonly string[]): string {
  return `${method} ${parts[2]} ${parts.length}`;
}

let is_kept = false;
/** For the processes that start meanwhile: without this a process keeps what it compiled when it ends. */
function keepCompiled(): void {
  if (!is_kept && process.env.NODE_COMPILE_CACHE) flushCompileCache();
  is_kept = true;
}

export class App {
  readonly clock: TestClock;
  readonly service: Service;
  readonly db: Database;
  /** A superuser's connection: row-level security does not hide rows from it. */
  readonly sql: Sql;
  readonly config: Config;
  readonly log_lines: string[];
  readonly given: Given;
  readonly #agent = new Agent({ keepAliveTimeout: 30_000, connections: 64 });
  /** By method, collection, and number of parts of the path. */
  readonly #operations = new Map<string, { operation: Operation; pattern: readonly string[] }[]>();
  #is_stopped = false;
  readonly #close = () => this.stop();
  readonly #giveBack: () => Promise<void>;

  private constructor(parts: {
    clock: TestClock;
    service: Service;
    db: Database;
    sql: Sql;
    config: Config;
    log_lines: string[];
    operations: readonly Operation[];
    giveBack(): Promise<void>;
  }) {
    this.#giveBack = parts.giveBack;
    this.clock = parts.clock;
    this.service = parts.service;
    this.db = parts.db;
    this.sql = parts.sql;
    this.config = parts.config;
    this.log_lines = parts.log_lines;
    for (const operation of parts.operations) {
      const pattern = operation.path.split('/');
      assert.ok(!pattern[2]?.startsWith(':'), `${operation.path} has to name its collection`);
      const shape = shapeOf(operation.method, pattern);
      this.#operations.set(shape, [...(this.#operations.get(shape) ?? []), { operation, pattern }]);
    }
    this.given = new Given(this);
  }

  static async start(where: Place, options: StartOptions): Promise<App> {
    const clock = new TestClock();
    const log_lines: string[] = [];
    const config = readConfig({
      PORT: '0',
      FOLIO_SECRET_KEY: 'a secret key for the tests, 32 characters or more',
      FOLIO_RATE_LIMITS: 'off',
      FOLIO_LOG_LEVEL: 'info',
      FOLIO_PRODUCER_NAME: 'Productor de pruebas SL',
      FOLIO_PRODUCER_TAX_ID: 'B12345674',
      FOLIO_DATA_DIR: dataDir,
      ...options.env,
    });
    const { db, giveBack } = takeDatabase(where, config.FOLIO_POOL_SIZE, options.share_wait_ms);
    const service = await startService({
      config,
      database: db,
      role: 'api',
      clock,
      log_stream: { write: (line) => void log_lines.push(line) },
      writes_request_log: false,
      // It would go by this service's clock, in the middle of a test whose service has another.
      purge_every_ms: options.purge_every_ms ?? null,
      wrap_job: watchJob,
      ...(options.more_operations ? { more_operations: options.more_operations } : {}),
      ...(options.more_families ? { more_families: options.more_families } : {}),
      ...(options.more_jobs ? { more_jobs: options.more_jobs } : {}),
      ...(options.list_turns ? { list_turns: options.list_turns } : {}),
      ...(options.key_wait_ms === undefined ? {} : { key_wait_ms: options.key_wait_ms }),
      answer_wait_ms: options.answer_wait_ms ?? patientMs,
      wrap_ports: (ports) => (options.wrap_ports ?? ((own) => own))(withHelpers(ports, config)),
      ...(options.serves_mcp ? { serves_mcp: options.serves_mcp } : {}),
      ...(options.body_bounds ? { body_bounds: options.body_bounds } : {}),
      ...(options.answer_bounds ? { answer_bounds: options.answer_bounds } : {}),
    });
    const operations = [...catalog, ...(options.more_operations ?? [])];
    const app = new App({ clock, service, db, sql: where.sql, config, log_lines, operations, giveBack });
    opened.add(app.#close);
    return app;
  }

  async stop(): Promise<void> {
    if (this.#is_stopped) return;
    this.#is_stopped = true;
    opened.delete(this.#close);
    await this.#agent.close();
    await this.service.stop();
    await this.#giveBack();
  }

  get url(): string {
    return this.service.url;
  }

  get(path: string, options: CallOptions = {}): Promise<Answer> {
    return this.call('GET', path, options);
  }
  post(path: string, options: CallOptions = {}): Promise<Answer> {
    return this.call('POST', path, options);
  }
  put(path: string, options: CallOptions = {}): Promise<Answer> {
    return this.call('PUT', path, options);
  }
  delete(path: string, options: CallOptions = {}): Promise<Answer> {
    return this.call('DELETE', path, options);
  }

  async call(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    options: CallOptions = {},
  ): Promise<Answer> {
    const url = new URL(path, this.url);
    for (const [name, value] of Object.entries(options.query ?? {})) url.searchParams.set(name, value);
    const body = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
    const { status, headers, bytes } = await this.#send({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method,
      headers: {
        ...(options.key === undefined ? {} : { authorization: `Bearer ${options.key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    const text = bytes.toString('utf8');
    const is_json = /json/.test(String(headers['content-type']));
    const answer: Answer = { status, headers, body: is_json ? JSON.parse(text) : undefined, text, bytes };
    this.hold(method, url.pathname, answer, options.expects_fault === true);
    return answer;
  }

  /** Without a stream for the body: there are a hundred thousand calls in a run. */
  #send(sent: Dispatcher.DispatchOptions): Promise<Pick<Answer, 'status' | 'headers' | 'bytes'>> {
    return new Promise((resolve, reject) => {
      const parts: Buffer[] = [];
      let status = 0;
      let headers: Answer['headers'] = {};
      this.#agent.dispatch(sent, {
        // The client refuses a handler without it.
        onRequestStart: () => undefined,
        // One that only informs (100 to 199) comes before the answer.
        onResponseStart(_, its_status, its_headers) {
          status = its_status;
          headers = its_headers;
        },
        onResponseData: (_, part) => void parts.push(part),
        onResponseEnd: () => resolve({ status, headers, bytes: Buffer.concat(parts) }),
        onResponseError: (_, error) => reject(error),
      });
    });
  }

  /** Fails for a 500, an undeclared error or event, or a success outside its schema. */
  hold(method: string, path: string, answer: Answer, expects_fault: boolean): void {
    const operation = this.operationOf(method, path);
    if (!expects_fault)
      assert.notEqual(
        answer.status,
        500,
        `${method} ${path} failed: ${answer.text}\n${this.log_lines.slice(-3).join('')}`,
      );
    if (!operation) return;
    holdEvents(operation, String(answer.headers['x-request-id']));
    const media_type = String(answer.headers['content-type']).split(';')[0] ?? '';
    if (answer.status < 300)
      assert.equal(
        operation.output_media_type === 'image/*'
          ? media_type.replace(/^image\/(png|jpeg)$/, 'image/*')
          : operation.output_media_type === '*/*'
            ? media_type.replace(/^(image\/(png|jpeg)|application\/(pdf|xml))$/, '*/*')
            : media_type,
        operation.output_media_type,
        `${operation.name} answered another media type than it declares`,
      );
    if (answer.body === undefined) return;
    if (answer.status < 400) {
      const issues = checkSchema(outputSchema(operation, answer.status), answer.body);
      assert.deepEqual(issues, [], `${operation.name} answered what its schema does not say`);
      return;
    }
    const code: string = answer.body.error?.code ?? answer.body.code;
    const declared =
      commonCodes.has(code) ||
      operation.errors.some((e) => e.code === code) ||
      operation.not_found?.code === code ||
      (code === 'resource_not_found' && operation.params !== null);
    assert.ok(declared, `${operation.name} answered ${code}, which it does not declare`);
  }

  operationOf(method: string, path: string): Operation | undefined {
    const parts = path.split('/');
    const alike = this.#operations.get(shapeOf(method, parts)) ?? [];
    const fits = alike.filter(({ pattern }) => pattern.every((p, i) => p.startsWith(':') || p === parts[i]));
    return (fits.find(({ operation }) => !operation.path.includes(':')) ?? fits[0])?.operation;
  }

  /** Oldest first. */
  async eventTypes(company: { company_id: string } | string, aggregate_id: string): Promise<string[]> {
    const company_id = typeof company === 'string' ? company : company.company_id;
    const rows = await this.sql<{ type: string }[]>`
      select type from events where company_id = ${company_id} and aggregate_id = ${aggregate_id} order by sequence`;
    return rows.map((r) => r.type);
  }
}

class Given {
  readonly #app: App;
  readonly secrets: string[] = [];

  constructor(app: App) {
    this.#app = app;
  }

  /** Has a sandbox and two keys with every scope. */
  async company(
    options: { plan?: PlanName; name?: string; parent_id?: string; tax_id?: string } = {},
  ): Promise<TestCompany> {
    const tax_id = options.tax_id ?? randomTaxId();
    const request = {
      name: options.name ?? 'Acme SL',
      tax_id,
      plan: options.plan ?? 'scale',
      parent_id: options.parent_id ?? null,
      api_version: null,
    };
    const made = await createCompany(this.#app.db, request, this.#app.clock.now());
    this.secrets.push(made.live_key, made.test_key);
    return { ...made, tax_id };
  }

  async apiKey(
    company: { company_id: string },
    options: { scopes: readonly string[]; environment?: Environment; api_version?: string },
  ): Promise<string> {
    const { key } = await createOperatorKey(
      this.#app.db,
      {
        company_id: company.company_id,
        environment: options.environment ?? 'live',
        scopes: options.scopes,
        name: 'Prueba',
        api_version: options.api_version ?? null,
      },
      () => undefined,
      this.#app.clock.now(),
    );
    this.secrets.push(key);
    return key;
  }
}

const taxIds = new Set<string>();

/**
 * Of a limited company, with a valid check digit. None is given twice: an authority knows companies by it, and would take
 * the records of one for those of the other. None is one that a test or the simulated authority names: those begin with
 * other digits.
 */
export function randomTaxId(): string {
  for (;;) {
    const digits = String(randomInt(2_000_000, 5_000_000));
    const whole = Array.from({ length: 10 }, (_, control) => `B${digits}${control}`);
    const tax_id = whole.find((text) => parseSpanishTaxId(text));
    assert.ok(tax_id);
    if (taxIds.has(tax_id)) continue;
    taxIds.add(tax_id);
    return tax_id;
  }
}
