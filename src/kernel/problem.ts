/** Errors as values. Each is declared once, with its Spanish message and its page's text under /docs/errors. */
import type { Words } from './words.ts';

export type ProblemType =
  | 'authentication_error'
  | 'authorization_error'
  | 'not_found_error'
  | 'idempotency_error'
  | 'invalid_request_error'
  | 'rate_limit_error'
  | 'api_error';

/** `values` of the throw fill {placeholders} in `message`. The pages of errors are in both languages. */
export type ProblemDef = {
  readonly code: string;
  readonly status: number;
  readonly type: ProblemType;
  /** Answers have the Spanish one. */
  readonly message: Words;
  readonly help: Words;
};

export type FieldIssue = { param: string; code: string; message: string };

/** What a call carries beside its input. Each surface has its own names: REST has headers. */
export type CallMember = 'idempotency_key' | 'active_profile' | 'version' | 'expected_tags';

export type ProblemDetails = {
  param?: string | null;
  /** In place of `param`, when the fault is not in the input. */
  member?: CallMember;
  subcode?: string;
  line_index?: number;
  errors?: FieldIssue[];
  retry_after_seconds?: number;
  /** The stored refusal of an earlier call with this idempotency key. */
  is_replay?: boolean;
  /** The version of that call. */
  version?: string;
  /** The body, and no more of it is read: the connection ends with the answer. */
  is_unread?: boolean;
  /** If the call lacks a scope: all scopes that it needs. */
  scopes?: readonly string[];
  values?: Record<string, string | number>;
  message?: never;
};

const registry = new Map<string, ProblemDef>();

/** The names in braces of a message. */
type Placeholders<Message extends string> = Message extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

type Declared = Omit<ProblemDef, 'code'>;

/** @throws Error when two modules declare one code */
export function defineProblems<const D extends Record<string, Declared>>(
  defs: D,
): { readonly [P in keyof D]: ProblemDef & Pick<D[P], 'message'> } {
  const out: Record<string, ProblemDef> = {};
  for (const [code, declared] of Object.entries(defs)) {
    if (registry.has(code)) throw new Error(`The error ${code} is declared twice.`);
    const def = { code, ...declared };
    registry.set(code, def);
    out[code] = def;
  }
  return out as { readonly [P in keyof D]: ProblemDef & Pick<D[P], 'message'> };
}

export function findProblem(code: string): ProblemDef | undefined {
  return registry.get(code);
}

export function declaredProblems(): readonly ProblemDef[] {
  return [...registry.values()].sort((a, b) => (a.code < b.code ? -1 : 1));
}

/** `message` is the code, for tests and logs. */
export class Problem extends Error {
  readonly def: ProblemDef;
  readonly details: ProblemDetails;

  constructor(def: ProblemDef, details: ProblemDetails = {}) {
    super(def.code);
    this.name = 'Problem';
    this.def = def;
    this.details = details;
  }
}

/** What fills the message. Of an error that is known only when the program runs, as in a state table, nothing is asked. */
type Filled<D extends ProblemDef> = [Placeholders<D['message']['es']>] extends [never]
  ? [details?: ProblemDetails]
  : [details: ProblemDetails & { values: Record<Placeholders<D['message']['es']>, string | number> }];

/** `throw fail(c.resource_not_found, { param: 'invoice' })`. A message with {placeholders} asks for its values. */
export function fail<D extends ProblemDef>(def: D, ...[details]: Filled<D>): Problem {
  return new Problem(def, details);
}

/** A refusal that was stored before its message told a reason has none: then the message ends before it. */
export function problemMessage(def: ProblemDef, values: Record<string, string | number> = {}): string {
  const message = values.reason === undefined ? def.message.es.replace(/: \{reason\}$/, '.') : def.message.es;
  return message.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
}

/** `line_index` of a field that lies in a line of the body; nothing for any other. */
export function placeInLines(param: string | null | undefined): { line_index?: number } {
  const line = /^lines\.(\d+)(?:\.|$)/.exec(param ?? '')?.[1];
  return line === undefined ? {} : { line_index: Number(line) };
}

/** Where there is no list of fields beside the message: of the first field, what is wrong with it. */
export function reasonText({ def, details }: Problem): string {
  return details.errors?.[0]?.message ?? problemMessage(def, details.values);
}

export type RefusedCall = {
  request_id: string;
  /** See Addresses. */
  docs_url: string;
  /** The surface's names; ours when left out. */
  member_names?: Readonly<Record<CallMember, string>>;
};

export type ProblemBody = {
  type: ProblemType;
  message: string;
  code: string;
  param: string | null;
  doc_url: string;
  request_id: string;
  subcode?: string;
  line_index?: number;
  errors?: FieldIssue[];
};

export function problemBody({ def, details }: Problem, call: RefusedCall): ProblemBody {
  const { member, subcode, line_index, errors } = details;
  const member_name = member && (call.member_names?.[member] ?? member);
  return {
    type: def.type,
    message: problemMessage(def, details.values),
    code: def.code,
    param: member_name ?? details.param ?? null,
    doc_url: `${call.docs_url}/docs/errors/${def.code}`,
    request_id: call.request_id,
    ...(subcode === undefined ? {} : { subcode }),
    ...(line_index === undefined ? {} : { line_index }),
    ...(errors === undefined ? {} : { errors: nameMember(errors, member_name) }),
  };
}

function nameMember(errors: FieldIssue[], member_name: string | undefined): FieldIssue[] {
  return member_name === undefined ? errors : errors.map((issue) => ({ ...issue, param: member_name }));
}
