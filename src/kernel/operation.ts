/**
 * The definition of an operation. REST route, OpenAPI, MCP tool and reference are derived from it (ADR 4). Of HTTP it
 * knows method, path and status.
 */
import type { Sql } from 'postgres';
import type { Elements } from './elements.ts';
import type { InputScope } from './input-scopes.ts';
import type { Log } from './log.ts';
import type { PlanModule } from './plans.ts';
import type { Ports } from './ports.ts';
import type { ProblemDef } from './problem.ts';
import type { Static, TObject, TSchema } from './schema.ts';
import type { ApiVersion } from './versions.ts';

/** SQL within a transaction whose company is set. */
export type Tx = Sql;

export type Environment = 'live' | 'test';

export const principalKinds = ['api_key', 'oauth', 'user', 'system', 'link'] as const;

export type PrincipalKind = (typeof principalKinds)[number];

/** Who acts: a key, an OAuth grant, a person, a job, or whoever opened a document by its public address. */
export type Principal = {
  kind: PrincipalKind;
  id: string;
  name: string;
};

/** What a token was made for. A key reaches both. */
export type Audience = 'v1' | 'mcp';

/** Comes from the credential or the job, never from the input. */
export type Caller = {
  principal: Principal;
  /** The person behind a token or a session (ADR 55). */
  user_id: string | null;
  /** Of a person in a session, in the company worked for. */
  role?: 'owner' | 'developer' | 'accountant' | 'reader';
  /** The live company that the principal belongs to. */
  key_company_id: string;
  /** The live company that owns the keys of `company_id`. */
  owner_company_id: string;
  company_id: string;
  environment: Environment;
  scopes: readonly string[];
  modules: readonly PlanModule[];
  tier: string;
  api_version: string | null;
  ip: string | null;
  /** As the call says; undefined where nothing asks for it. */
  user_agent?: string | null;
  /** Set for a rotated secret: when it stops working. */
  previous_secret: { expires_at: Date; hours_left: number } | null;
};

export type CompanyContext = {
  company_id: string;
  environment: Environment;
  time_zone: string;
  settings_version: number;
  webhook_endpoints_enabled: number;
  name: string | null;
  tax_id: string;
  default_vat: Record<string, unknown>;
  simplified_invoices_enabled: boolean;
  /** Whether a client may answer an offer on its public page. */
  public_acceptance: boolean;
  /** Of clients without a price list of their own. */
  default_price_list_id: string | null;
  /** By kind of document. */
  default_validity_days: Record<string, number>;
  /** Null while VeriFactu is off. `modeOn` of verifactu tells the mode on a day. */
  verifactu_mode: 'verifactu' | 'no_verifactu' | null;
  verifactu_next_mode: 'verifactu' | 'no_verifactu' | 'off' | null;
  verifactu_next_on: string | null;
};

export type EmitOptions = {
  data?: Record<string, unknown>;
  correlation_id?: string;
  /** A creation is the first event of its aggregate unless this says that there may be others. */
  is_known?: boolean;
};

export type JobOptions = {
  /** In company time; now when left out. */
  run_at?: Date;
  /** Jobs with one key run one after another, in the order enqueued. */
  order_key?: string;
  /** The clock of `run_at`: the company's when left out. */
  clock?: 'company' | 'real';
};

export type AuditEntry = {
  action: string;
  object: string;
  object_id: string;
  details?: Record<string, unknown>;
};

export type LoadingCompany = Promise<Pick<Ctx, 'company' | 'today'>> & {
  /** As the company was when it was read last: a guess, for what is sent before its row arrives (ADR 90). */
  supposed?(): Pick<Ctx, 'company' | 'today'> | undefined;
};

/** A job's also has `job` (platform/job-handler.ts). */
export type Ctx = {
  /** Of an `own` or `read` operation, or of the job. */
  tx: Tx;
  caller: Caller;
  company: CompanyContext;
  /** The company's time, which a sandbox's clock moves. A sandbox's job sees its due time (ADR 26). */
  now: Date;
  today: string;
  /** For what no sandbox clock moves. */
  realNow(): Date;
  version: string;
  request_id: string;
  ports: Ports;
  /** Records an event in this transaction. The aggregate's row must be locked or new. */
  emit(type: string, aggregate_id: string, options?: EmitOptions): void;
  enqueue(kind: string, payload: Record<string, unknown>, options?: JobOptions): void;
  audit(entry: AuditEntry): void;
  /**
   * For an `own` operation: its last writes, already sent, whose answers nobody needs. They share a round trip with
   * events and audit. If they fail, the call is refused.
   */
  alongside?(writes: Promise<unknown>): void;
  /**
   * For an `own` operation that may take away what admitted its own caller: it asks before that, after its last lock. Of others the engine
   * asks when they are done (ADR 102).
   * @throws Problem for a caller who lost it meanwhile
   */
  refuseLost?(): Promise<void>;
  log: Log;
};

export type Input<P, Q, B> = { params: P; query: Q; body: B };

/** What a surface tells of a file besides its bytes. */
export type FileFacts = {
  name: string;
  /** To be saved, not shown. */
  is_attachment: boolean;
  /** The operation's when left out. */
  media_type?: string;
  /** Somebody uploaded it: no browser may run what it holds. */
  is_foreign?: boolean;
};

export type Handled<O> = {
  status?: number;
  body: O;
  /** An earlier call with the same `external_id`, or the same content, made what this one asks for. */
  is_repeat?: boolean;
  file?: FileFacts | undefined;
  /**
   * Of a file, strong and with its quotes (RFC 9110, 8.8.3). Without one, no copy of the file may be kept. A caller who has
   * the file already is told only that.
   */
  tag?: string | undefined;
};

export const jsonMedia = 'application/json';

export type Services = {
  /**
   * Runs what is due of a company, in due order.
   * @returns whether nothing due is left
   */
  runDue(company_id: string, runs_max: number): Promise<boolean>;
};

/** For work before the transaction. No connection is held between two reads. */
export type Preparing = {
  caller: Caller;
  /** The company that the operation works on. */
  company_id: string;
  /** In a read transaction of the company. */
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Commits a job at once, by the real clock. It clears up what `prepare` makes next, if nobody is left to do it: `handle`
   * calls it off. @returns its id
   */
  enqueue(kind: string, payload: Record<string, unknown>, run_at: Date): Promise<string>;
  /** For long work in steps. @throws 400 request_aborted once nobody waits for the answer */
  refuseGone(): void;
  realNow(): Date;
};

/** For work after the commit. No transaction is open, no connection is held. */
export type AfterCommit = {
  caller: Caller;
  services: Services;
  ports: Ports;
  log: Log;
  wait_ms: number;
  realNow(): Date;
  /** In a short transaction of the call's company. */
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
};

/** An `issuing` handler returns a plan that `commit` carries out (ADR 5). */
export type TransactionMode = 'own' | 'read' | 'issuing';

export type IdempotencyRule = 'none' | 'optional' | 'required';

/** `withdraw` takes something out of force or out of the service. */
export type Effects = 'read' | 'write' | 'withdraw';

/** `output` is the operation's when left out. */
export type OtherStatus = { status: 200 | 202; when: string; output?: TSchema };

export type Example = {
  title: string;
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
};

/**
 * Announced to callers of REST: `since` and `sunset` are days, `successor` is the address of the replacement, relative
 * to its own.
 */
export type Deprecated = { since: string; sunset: string; successor: string };

/** From this version on, answers no longer have these errors and these members of `data` (docs/changelog.md). */
export type GoneSince = {
  version: ApiVersion;
  errors?: readonly ProblemDef[];
  members?: readonly string[];
};

export type OperationDef<P extends TObject, Q extends TObject, B extends TSchema, O extends TSchema, F> = {
  name: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  /** Null: any key. */
  scope: string | null;
  also_scopes?: readonly string[];
  /** Needed besides, when the call works for another company than the caller's own. */
  profile_scope?: string;
  /** Of a person in a session, in place of `scope`: the handler keeps them to what is theirs. */
  scope_of_people?: string;
  input_scopes?: readonly InputScope[];
  tag: string;
  summary: string;
  description?: string;
  /** When left out, GET is a read, all else a write. */
  rate?: 'read' | 'write';
  /** The class by the unchecked input. `rate` is then the class of a body that cannot be read. */
  rate_of?(input: Input<unknown, unknown, unknown>): 'read' | 'write';
  idempotency?: IdempotencyRule;
  /** `usualKeyLength` when left out. */
  idempotency_length?: { min: number; max: number };
  transaction: TransactionMode;
  /** Whose rows it works on: the company called for, the owner of its keys, or the calling key's company. */
  acts_on?: 'company' | 'key_owner' | 'key';
  /** Only keys of this environment may call it; others are refused for lack of scope. */
  environment?: Environment;
  /** Who may call it, whatever their scopes; every kind when left out. */
  callers?: readonly PrincipalKind[];
  mcp: boolean;
  deprecated?: Deprecated;
  status?: 200 | 201 | 202;
  /** Such as the replay of a creation, or work left for later. */
  other_statuses?: readonly OtherStatus[];
  /** The stored answer is encrypted, and comes again only to whom it was made for (`check-call.ts`). */
  holds_secret?: boolean;
  /** For a file, reads only. `body` is then a Buffer or a text, and `output` describes it. */
  output_media_type?: string;
  /** Bytes; 64 KiB when left out. */
  body_limit?: number;
  /** The member of the body that is a file in base64. A surface decodes it while it arrives (ADR 51). */
  upload?: string;
  /** Its body or its answer is a file of many megabytes, so it needs a place (ADR 51). */
  moves_file?: boolean;
  /** It reads and answers much, so those of one company take turns while another calls (ADR 34). */
  takes_turn?: boolean;
  params?: P;
  query?: Q;
  body?: B;
  body_optional?: boolean;
  /** Members of the body that `handle` asks for, with a code of its own where they lack. Tools name them as required. */
  asks_for?: readonly string[];
  /** `handle` refuses the elements with `elementIssues`. */
  elements?: Elements;
  output: O;
  errors: readonly ProblemDef[];
  /** What `errors` and `data` of `output` have for earlier versions alone. */
  gone_since?: GoneSince;
  /** The harness fails a test that sees another event. */
  events?: readonly string[];
  /** The kind of document that it removes. The sources of such a document open again, with events of their own kind. */
  reopens?: string;
  /** When left out, `read` for a read, `write` for all else. */
  effects?: Effects;
  /** Nothing takes it back: a number taken, a record sent, a row deleted. */
  irreversible?: boolean;
  /** Whether a checked input is irreversible, where some are not: a draft, a dry run. */
  irreversible_for?(input: Input<Static<P>, Static<Q>, B extends TSchema ? Static<B> : undefined>): boolean;
  /**
   * For the GET of a resource: the table whose row is locked while the tag that a call expects is compared
   * and the call runs. The row is the one of the last id in the path.
   */
  row?: string;
  /** In place of `row`: a table with one row of the company, which is locked. */
  company_row?: string;
  /** The path of the GET of what it acts on, where its own path does not begin with that. */
  resource_path?: string;
  /** Somebody outside learns of it: a mail server, the tax authority, a receiver of webhooks. */
  reaches_outside?: boolean;
  /** For a path id that is not a UUID; `resource_not_found` when left out. */
  not_found?: ProblemDef;
  examples?: readonly Example[];
  /**
   * Reads what company and input alone decide, with the read of the company. It may be sent before the caller is
   * admitted, so it decides nothing and writes nothing. Not together with `prepare`.
   * @param loading the company, whose row is the first that arrives: what depends on it is sent while the rest is under way
   */
  prefetch?(
    tx: Tx,
    company_id: string,
    input: Input<Static<P>, Static<Q>, B extends TSchema ? Static<B> : undefined>,
    loading: LoadingCompany,
  ): Promise<F>;
  /** It waits for locks, so it is sent for an admitted caller alone. */
  prefetch_locks?: boolean;
  /**
   * For `own`: slow work without rows, before a connection is taken. It refuses only what is never stored, such as too
   * much work at once; `handle` gets its answer. It is done once for a call, and again after `PlanStale`. A replay does
   * without.
   */
  prepare?(
    ports: Ports,
    input: Input<Static<P>, Static<Q>, B extends TSchema ? Static<B> : undefined>,
    around: Preparing,
  ): Promise<F>;
  /** Takes back what `prepare` made, when the call had no effect: it was refused, or repeats an earlier one. */
  discard?(ports: Ports, prepared: F, around: Preparing): Promise<void>;
  /**
   * The `external_id`s of the documents it creates. Calls that share one take turns: the second waits up to 20
   * seconds, then gets 409 `resource_locked`.
   */
  external_ids?(
    input: Input<Static<P>, Static<Q>, B extends TSchema ? Static<B> : undefined>,
  ): readonly string[];
  handle(
    ctx: Ctx,
    input: Input<Static<P>, Static<Q>, B extends TSchema ? Static<B> : undefined>,
    prefetched: F,
  ): Promise<unknown>;
  /** For `issuing`: commits the plan of `handle`, and answers. */
  commit?: IssuingCommit;
  /**
   * Work between commit and answer, skipped for a replay. Its answer replaces the stored one of `handle`, which must
   * be true by itself. If it throws, that is a fault, and replays get the stored answer.
   * For a read, it makes what takes long. Nothing is stored, it may refuse, and a caller who has the answer skips it
   * (`Handled`).
   */
  after_commit?(ctx: AfterCommit, answer: Handled<unknown>): Promise<Handled<unknown> | undefined>;
};

/** The second argument is the engine's (platform/issuing-call.ts). */
export type IssuingCommit = (plan: never, call: never) => Promise<unknown>;

export const usualKeyLength = { min: 1, max: 255 };

export type IdempotencyClaim = {
  key: string;
  operation: string;
  body_hash: Buffer;
  /** Of the same request, spelled otherwise. An answer that was stored under it is this request's. */
  other_hash?: Buffer;
  /** The version under which its answer is made. */
  version: string;
  /** The answer is kept as long as a run may repeat, and a refusal is not stored (ADR 26). */
  of_job?: boolean;
};

/** With its types erased, for surfaces and engine. */
export type Operation = {
  name: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  scope: string | null;
  also_scopes: readonly string[];
  profile_scope: string | null;
  scope_of_people: string | null;
  input_scopes: readonly InputScope[];
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
  callers: readonly PrincipalKind[];
  mcp: boolean;
  deprecated: Deprecated | null;
  status: 200 | 201 | 202;
  other_statuses: readonly OtherStatus[];
  holds_secret: boolean;
  output_media_type: string;
  body_limit: number;
  upload: string | null;
  moves_file: boolean;
  takes_turn: boolean;
  params: TObject | null;
  query: TObject | null;
  body: TSchema | null;
  body_optional: boolean;
  asks_for: readonly string[];
  elements: Elements | null;
  output: TSchema;
  errors: readonly ProblemDef[];
  gone_since: GoneSince | null;
  events: readonly string[];
  reopens: string | null;
  effects: Effects;
  irreversible: boolean;
  irreversible_for: ((input: Input<unknown, unknown, unknown>) => boolean) | null;
  row: string | null;
  company_row: string | null;
  resource_path: string | null;
  reaches_outside: boolean;
  not_found: ProblemDef | null;
  examples: readonly Example[];
  prefetch:
    | ((
        tx: Tx,
        company_id: string,
        input: Input<unknown, unknown, unknown>,
        loading: LoadingCompany,
      ) => Promise<unknown>)
    | null;
  prefetch_locks: boolean;
  prepare:
    | ((ports: Ports, input: Input<unknown, unknown, unknown>, around: Preparing) => Promise<unknown>)
    | null;
  discard: ((ports: Ports, prepared: unknown, around: Preparing) => Promise<void>) | null;
  external_ids: ((input: Input<unknown, unknown, unknown>) => readonly string[]) | null;
  handle(ctx: Ctx, input: Input<unknown, unknown, unknown>, prefetched: unknown): Promise<unknown>;
  commit: ((plan: unknown, call: unknown) => Promise<unknown>) | null;
  after_commit:
    | ((ctx: AfterCommit, answer: Handled<unknown>) => Promise<Handled<unknown> | undefined>)
    | null;
};

/** Bytes of a body, where the operation says no other. */
export const usualBody = 65_536;
/** Without a file in it. */
export const largestBody = 1_048_576;

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
  // An answer is stored as JSON.
  if (output_media_type !== jsonMedia && def.transaction !== 'read')
    throw new Error(`${def.name} answers a file and is no read.`);
  return {
    ...def,
    also_scopes: def.also_scopes ?? [],
    profile_scope: def.profile_scope ?? null,
    scope_of_people: def.scope_of_people ?? null,
    input_scopes: def.input_scopes ?? [],
    rate: def.rate ?? (mutates ? 'write' : 'read'),
    rate_of: def.rate_of ?? null,
    idempotency: def.idempotency ?? (mutates && def.transaction !== 'read' ? 'optional' : 'none'),
    idempotency_length: def.idempotency_length ?? usualKeyLength,
    acts_on: def.acts_on ?? 'company',
    environment: def.environment ?? null,
    callers: def.callers ?? principalKinds,
    deprecated: def.deprecated ?? null,
    other_statuses: def.other_statuses ?? [],
    status: def.status ?? (def.method === 'POST' && def.transaction !== 'read' ? 201 : 200),
    holds_secret: def.holds_secret ?? false,
    output_media_type,
    body_limit: def.body_limit ?? usualBody,
    upload: def.upload ?? null,
    moves_file: def.moves_file ?? false,
    takes_turn: def.takes_turn ?? false,
    params: def.params ?? null,
    query: def.query ?? null,
    body: def.body ?? null,
    body_optional: def.body_optional ?? false,
    asks_for: def.asks_for ?? [],
    elements: def.elements ?? null,
    gone_since: def.gone_since ?? null,
    events: def.events ?? [],
    reopens: def.reopens ?? null,
    effects: def.effects ?? (def.transaction === 'read' ? 'read' : 'write'),
    irreversible: def.irreversible ?? false,
    irreversible_for: (def.irreversible_for as Operation['irreversible_for'] | undefined) ?? null,
    row: def.row ?? null,
    company_row: def.company_row ?? null,
    resource_path: def.resource_path ?? null,
    reaches_outside: def.reaches_outside ?? false,
    not_found: def.not_found ?? null,
    examples: def.examples ?? plainCall(def),
    prefetch: (def.prefetch as Operation['prefetch'] | undefined) ?? null,
    prefetch_locks: def.prefetch_locks ?? false,
    prepare: (def.prepare as Operation['prepare'] | undefined) ?? null,
    discard: (def.discard as Operation['discard'] | undefined) ?? null,
    external_ids: (def.external_ids as Operation['external_ids'] | undefined) ?? null,
    handle: def.handle as Operation['handle'],
    commit: (def.commit as Operation['commit'] | undefined) ?? null,
    after_commit: def.after_commit ?? null,
  };
}

/** For an operation without examples that needs no body. */
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

/** A GET that answers one object as JSON: the answer has a tag, and calls on the object may expect it. */
export function isResource({ method, output, output_media_type, after_commit }: Operation): boolean {
  const { data } = (output as { properties?: { data?: { type?: unknown } } }).properties ?? {};
  return (
    method === 'GET' && output_media_type === jsonMedia && after_commit === null && data?.type === 'object'
  );
}

/** Whether its calls may expect a tag: it acts on one resource, which its path names. */
export function takesCondition(operation: Operation): boolean {
  const { method, path } = operation;
  return (
    isResource(operation) ||
    method === 'PUT' ||
    method === 'DELETE' ||
    (method === 'POST' && path.includes(':'))
  );
}

/** The GET of what an operation acts on: the one it names, or the one with the longest path that its own begins with. */
export function resourceOf(operation: Operation, catalog: readonly Operation[]): Operation | null {
  const path = operation.resource_path ?? operation.path;
  const fits = catalog.filter(
    (one) => (path === one.path || path.startsWith(`${one.path}/`)) && isResource(one),
  );
  return fits.sort((a, b) => b.path.length - a.path.length)[0] ?? null;
}

/** Empty where any key will do. */
export function scopesNeeded({ scope, also_scopes }: Operation): readonly string[] {
  return scope === null ? [] : [scope, ...also_scopes];
}

/** What a person in a session needs. */
export function scopesNeededOfPeople(operation: Operation): readonly string[] {
  return operation.scope_of_people === null ? scopesNeeded(operation) : [operation.scope_of_people];
}

export function outputSchema({ output, other_statuses }: Operation, status: number): TSchema {
  return other_statuses.find((other) => other.status === status)?.output ?? output;
}
