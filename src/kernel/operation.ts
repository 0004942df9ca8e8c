/**
 * The definition of an operation: everything a surface needs to offer it. REST route, OpenAPI, MCP
 * tool and reference page are derived from it, so nothing here knows HTTP beyond method, path and
 * status, and a handler never sees a request (decisions, section 2).
 */
import type { Sql } from 'postgres';
import type { Log } from './log.ts';
import type { PlanModule } from './plans.ts';
import type { Ports } from './ports.ts';
import type { ProblemDef } from './problem.ts';
import type { Static, TObject, TSchema } from './schema.ts';

/** SQL within the one transaction of the call; the company is set in it. */
export type Tx = Sql;

export type Environment = 'live' | 'test';

/** Who acts: a key, the grant of an application, a person, or a job of the service. */
export type Principal = {
  kind: 'api_key' | 'oauth' | 'user' | 'system';
  /** Of the key, the grant, the person or the job. */
  id: string;
  name: string;
};

/** Who calls, and for whom. It comes from the credential, or is a job; never from the input. */
export type Caller = {
  principal: Principal;
  /** The live company that the principal belongs to. */
  key_company_id: string;
  /** The live company that owns the keys of the company worked on. */
  owner_company_id: string;
  /** The company whose data the call works on. */
  company_id: string;
  environment: Environment;
  scopes: readonly string[];
  modules: readonly PlanModule[];
  tier: string;
  api_version: string | null;
  ip: string | null;
  /** When the secret used stops working, if it is one that was rotated out. */
  previous_secret: { expires_at: Date; hours_left: number } | null;
};

/** What of a company rides along with every call. */
export type CompanyContext = {
  company_id: string;
  environment: Environment;
  time_zone: string;
  settings_version: number;
  webhook_endpoints_enabled: number;
  name: string | null;
  tax_id: string;
  default_vat: Record<string, unknown>;
  /** How its billing records are kept; null while VeriFactu is off. What holds on a day: `modeOn` of verifactu. */
  verifactu_mode: 'verifactu' | 'no_verifactu' | null;
  /** The mode from a day on, once that is decided. */
  verifactu_next_mode: 'verifactu' | 'no_verifactu' | 'off' | null;
  verifactu_next_on: string | null;
};

export type EmitOptions = { data?: Record<string, unknown>; correlation_id?: string };

export type JobOptions = {
  /** Company time when the job becomes due; now when left out. */
  run_at?: Date;
  /** Jobs with one key run one after the other, in the order they were enqueued. */
  order_key?: string;
  /** Whose time `run_at` is: the company's when left out. */
  clock?: 'company' | 'real';
};

export type AuditEntry = {
  action: string;
  object: string;
  object_id: string;
  details?: Record<string, unknown>;
};

/** What differs per call. A job gets the same, and `job` besides (platform/job-handler.ts). */
export type Ctx = {
  /** The transaction of an `own` or `read` operation, or of the job. */
  tx: Tx;
  caller: Caller;
  company: CompanyContext;
  /** The company's time: a sandbox may have moved its clock. A job of a sandbox sees its own due time (ADR 26). */
  now: Date;
  /** The day it is for the company. */
  today: string;
  /** Real time, read when asked: for what no sandbox clock moves. */
  realNow(): Date;
  version: string;
  request_id: string;
  ports: Ports;
  /** Records an event of the resource, in this transaction. The aggregate's row must be locked or new. */
  emit(type: string, aggregate_id: string, options?: EmitOptions): void;
  enqueue(kind: string, payload: Record<string, unknown>, options?: JobOptions): void;
  audit(entry: AuditEntry): void;
  log: Log;
};

export type Input<P, Q, B> = { params: P; query: Q; body: B };

/** With an `ETag` among its headers, a caller who has that text already is told so instead (RFC 9110, 13.1.2). */
export type Handled<O> = {
  status?: number;
  body: O;
  headers?: Record<string, string>;
};

/** What an answer that was given before carries. */
export const replayedHeaders = { 'Idempotent-Replayed': 'true' } as const;

/** What nearly every operation answers. */
export const jsonMedia = 'application/json';

/** What work after a commit may use; main brings it. */
export type Services = {
  /**
   * Runs what is due of a company now, in due order.
   * @param runs_max the bound
   * @returns whether nothing due is left
   */
  runDue(company_id: string, runs_max: number): Promise<boolean>;
};

/** What is there once a call has committed: no transaction, and no connection is held. */
export type AfterCommit = {
  caller: Caller;
  services: Services;
  ports: Ports;
  log: Log;
  /** How long the caller may be kept waiting for what is done only now. */
  wait_ms: number;
  /** Real time. */
  realNow(): Date;
  /** Reads once more, in a short transaction of the company that the call works on. */
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
};

/** How the call gets its transaction. An `issuing` handler returns a plan that `commit` carries out. */
export type TransactionMode = 'own' | 'read' | 'issuing';

export type IdempotencyRule = 'none' | 'optional' | 'required';

/** `withdraw`: it takes something out of force or out of the service, as deleting and annulling do. */
export type Effects = 'read' | 'write' | 'withdraw';

/** `output` is left out where the answer is that of the operation's own status. */
export type OtherStatus = { status: 200 | 202; when: string; output?: TSchema };

export type Example = {
  title: string;
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
};

export type OperationDef<P extends TObject, Q extends TObject, B extends TSchema, O extends TSchema, F> = {
  name: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  /** The scope the call needs; null: any key. */
  scope: string | null;
  /** Scopes that it needs besides. */
  also_scopes?: readonly string[];
  tag: string;
  summary: string;
  description?: string;
  /** `read` or `write`; GET is a read and all else a write when left out. */
  rate?: 'read' | 'write';
  /**
   * The class of one call, where its body decides it: `rate` is then that of a body that cannot be read. It is asked before
   * the input is checked.
   */
  rate_of?(input: Input<unknown, unknown, unknown>): 'read' | 'write';
  idempotency?: IdempotencyRule;
  /** Length of the Idempotency-Key, where the specification narrows it. */
  idempotency_length?: { min: number; max: number };
  transaction: TransactionMode;
  /** Whose rows it works on: the company called for, the one that owns its keys, or the calling key's own. */
  acts_on?: 'company' | 'key_owner' | 'key';
  /** Only keys of this environment may call it; others are told that they lack the scope there. */
  environment?: Environment;
  mcp: boolean;
  status?: 200 | 201 | 202;
  /** Other statuses of a success, and when they are given: the replay of a creation, work left for later. */
  other_statuses?: readonly OtherStatus[];
  /** The answer carries a secret: a stored copy of it is encrypted. */
  holds_secret?: boolean;
  /**
   * What is answered when it is not JSON: the handler's `body` is then the file itself, a Buffer or a text, and
   * `output` describes it. Only for operations that change nothing.
   */
  output_media_type?: string;
  body_limit?: number;
  params?: P;
  query?: Q;
  body?: B;
  /** A body may be left out altogether. */
  body_optional?: boolean;
  output: O;
  errors: readonly ProblemDef[];
  /** The events that the call itself may emit. The harness fails a test that sees another one. */
  events?: readonly string[];
  /** What the call does to the company's data; `read` for a read and `write` for all else when left out. */
  effects?: Effects;
  /** Nothing takes the effect back: a number taken, a record sent, a row deleted. */
  irreversible?: boolean;
  /** Somebody outside the service learns of it: a mail server, the tax authority, a receiver of webhooks. */
  reaches_outside?: boolean;
  /** What an id in the path that is no id at all answers; `resource_not_found` when left out. */
  not_found?: ProblemDef;
  examples?: readonly Example[];
  /**
   * What is read by company and input alone, for `read` and `issuing`: it is sent in the pipeline that reads the
   * company, and for a read together with the look-up of the credential, so it decides nothing. Reads only.
   */
  prefetch?(
    tx: Tx,
    company_id: string,
    input: Input<Static<P>, Static<Q>, B extends TSchema ? Static<B> : undefined>,
  ): Promise<F>;
  /**
   * Works out what takes long and needs no rows, for `own`, before a connection is taken. Refuses nothing itself:
   * what it answers is handed to `handle`.
   */
  prepare?(
    ports: Ports,
    input: Input<Static<P>, Static<Q>, B extends TSchema ? Static<B> : undefined>,
  ): Promise<F>;
  /**
   * The `external_id`s of the documents it creates. Two calls that share one never run at once: the second waits up
   * to 20 seconds, then 409 `resource_locked` (specification, section 4).
   */
  external_ids?(
    input: Input<Static<P>, Static<Q>, B extends TSchema ? Static<B> : undefined>,
  ): readonly string[];
  handle(
    ctx: Ctx,
    input: Input<Static<P>, Static<Q>, B extends TSchema ? Static<B> : undefined>,
    prefetched: F,
  ): Promise<unknown>;
  /** For `issuing`: commits the plan that `handle` returned, and answers. */
  commit?: IssuingCommit;
  /**
   * Goes on after the commit, before the caller is answered: what can be known or done only then. What `handle`
   * answered must be true without it, for that is stored with the effect; what this answers replaces it, also for
   * replays. Not run for a replay; what it throws is a fault and leaves the first answer to them. Of a read it makes
   * what takes long to make: nothing is stored of it, it may refuse, and it is not asked by one who has the answer
   * already (`Handled`).
   */
  after_commit?(ctx: AfterCommit, answer: Handled<unknown>): Promise<Handled<unknown> | undefined>;
};

/**
 * Commits a prepared plan, alone or with others of the same company. What the call brings along is the
 * engine's (platform/issuing-call.ts); the kernel only passes it through.
 */
export type IssuingCommit = (plan: never, call: never) => Promise<unknown>;

export type IdempotencyClaim = {
  key: string;
  operation: string;
  body_hash: Buffer;
  /** A job claims it: the answer is kept for as long as a run may be repeated, and a refusal is not stored (ADR 26). */
  of_job?: boolean;
};

/** An operation with its types erased, as surfaces and the engine see it. */
export type Operation = {
  name: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  scope: string | null;
  also_scopes: readonly string[];
  tag: string;
  summary: string;
  description?: string;
  rate: 'read' | 'write';
  rate_of: ((input: Input<unknown, unknown, unknown>) => 'read' | 'write') | null;
  idempotency: IdempotencyRule;
  idempotency_length: { min: number; max: number };
  transaction: TransactionMode;
  acts_on: 'company' | 'key_owner' | 'key';
  environment: Environment | null;
  mcp: boolean;
  status: 200 | 201 | 202;
  other_statuses: readonly OtherStatus[];
  holds_secret: boolean;
  output_media_type: string;
  body_limit: number;
  params: TObject | null;
  query: TObject | null;
  body: TSchema | null;
  body_optional: boolean;
  output: TSchema;
  errors: readonly ProblemDef[];
  events: readonly string[];
  effects: Effects;
  irreversible: boolean;
  reaches_outside: boolean;
  not_found: ProblemDef | null;
  examples: readonly Example[];
  prefetch:
    | ((tx: Tx, company_id: string, input: Input<unknown, unknown, unknown>) => Promise<unknown>)
    | null;
  prepare: ((ports: Ports, input: Input<unknown, unknown, unknown>) => Promise<unknown>) | null;
  external_ids: ((input: Input<unknown, unknown, unknown>) => readonly string[]) | null;
  handle(ctx: Ctx, input: Input<unknown, unknown, unknown>, prefetched: unknown): Promise<unknown>;
  commit: ((plan: unknown, call: unknown) => Promise<unknown>) | null;
  after_commit:
    | ((ctx: AfterCommit, answer: Handled<unknown>) => Promise<Handled<unknown> | undefined>)
    | null;
};

const mebibyte = 1_048_576;

/** Defines an operation; the defaults are those of the specification's global conventions. */
export function defineOperation<
  P extends TObject = TObject<Record<never, never>>,
  Q extends TObject = TObject<Record<never, never>>,
  B extends TSchema = TSchema,
  O extends TSchema = TSchema,
  F = undefined,
>(def: OperationDef<P, Q, B, O, F>): Operation {
  const mutates = def.method !== 'GET';
  if (def.transaction === 'issuing' && !def.commit)
    throw new Error(`${def.name} is issuing and has no commit.`);
  const output_media_type = def.output_media_type ?? jsonMedia;
  // An answer that is stored for replays is stored as JSON.
  if (output_media_type !== jsonMedia && def.transaction !== 'read')
    throw new Error(`${def.name} answers a file and is no read.`);
  return {
    ...def,
    also_scopes: def.also_scopes ?? [],
    rate: def.rate ?? (mutates ? 'write' : 'read'),
    rate_of: def.rate_of ?? null,
    idempotency: def.idempotency ?? (mutates && def.transaction !== 'read' ? 'optional' : 'none'),
    idempotency_length: def.idempotency_length ?? { min: 1, max: 255 },
    acts_on: def.acts_on ?? 'company',
    environment: def.environment ?? null,
    other_statuses: def.other_statuses ?? [],
    status: def.status ?? (def.method === 'POST' && def.transaction !== 'read' ? 201 : 200),
    holds_secret: def.holds_secret ?? false,
    output_media_type,
    body_limit: def.body_limit ?? mebibyte,
    params: def.params ?? null,
    query: def.query ?? null,
    body: def.body ?? null,
    body_optional: def.body_optional ?? false,
    events: def.events ?? [],
    effects: def.effects ?? (def.transaction === 'read' ? 'read' : 'write'),
    irreversible: def.irreversible ?? false,
    reaches_outside: def.reaches_outside ?? false,
    not_found: def.not_found ?? null,
    examples: def.examples ?? plainCall(def),
    prefetch: (def.prefetch as Operation['prefetch'] | undefined) ?? null,
    prepare: (def.prepare as Operation['prepare'] | undefined) ?? null,
    external_ids: (def.external_ids as Operation['external_ids'] | undefined) ?? null,
    handle: def.handle as Operation['handle'],
    commit: (def.commit as Operation['commit'] | undefined) ?? null,
    after_commit: def.after_commit ?? null,
  };
}

/** The example of an operation that names none: the call without a body, where it needs none. */
function plainCall({
  summary,
  body,
  body_optional,
}: {
  summary: string;
  body?: TSchema;
  body_optional?: boolean;
}): readonly Example[] {
  return body && !body_optional ? [] : [{ title: summary.replace(/\.$/, '') }];
}

/** Every scope that a call needs; none where any key will do. */
export function scopesNeeded({ scope, also_scopes }: Operation): readonly string[] {
  return scope === null ? [] : [scope, ...also_scopes];
}

/** The schema of the answer with this status. */
export function outputSchema({ output, other_statuses }: Operation, status: number): TSchema {
  return other_statuses.find((other) => other.status === status)?.output ?? output;
}
