/**
 * Errors as values that are declared once: code, status, type, Spanish message, and what the page of
 * the code under /docs/errors says (specification, section 7; decisions, section 2). Only a surface
 * turns a Problem into an answer.
 */

export type ProblemType =
  | 'authentication_error'
  | 'authorization_error'
  | 'not_found_error'
  | 'idempotency_error'
  | 'invalid_request_error'
  | 'rate_limit_error'
  | 'api_error';

/** One declared error. `message` may hold {placeholders} filled from the details of the throw. */
export type ProblemDef = {
  readonly code: string;
  readonly status: number;
  readonly type: ProblemType;
  readonly message: string;
  readonly help: string;
};

/** One field at fault, as listed in `error.errors`. */
export type FieldIssue = { param: string; code: string; message: string };

export type ProblemDetails = {
  param?: string | null;
  subcode?: string;
  line_index?: number;
  errors?: FieldIssue[];
  headers?: Record<string, string>;
  values?: Record<string, string | number>;
  message?: never;
};

const registry = new Map<string, ProblemDef>();

/**
 * Declares a set of errors; the key is the code.
 * @throws Error when two modules declare one code: an error has one definition.
 */
export function defineProblems<K extends string>(
  defs: Record<K, Omit<ProblemDef, 'code'>>,
): { readonly [P in K]: ProblemDef } {
  const out = {} as Record<K, ProblemDef>;
  for (const code of Object.keys(defs) as K[]) {
    if (registry.has(code)) throw new Error(`The error ${code} is declared twice.`);
    const def = { code, ...defs[code] };
    registry.set(code, def);
    out[code] = def;
  }
  return out;
}

/** Every declared error, by code: what the pages under /docs/errors are made from. */
export function declaredProblems(): readonly ProblemDef[] {
  return [...registry.values()].sort((a, b) => (a.code < b.code ? -1 : 1));
}

/** A refusal on its way to a surface. `message` is the code, so that tests and logs read well. */
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

/** Makes the error to throw: `throw fail(c.resource_not_found, { param: 'invoice' })`. */
export function fail(def: ProblemDef, details: ProblemDetails = {}): Problem {
  return new Problem(def, details);
}

/** The Spanish message of a problem with its placeholders filled. */
export function problemMessage(def: ProblemDef, values: Record<string, string | number> = {}): string {
  return def.message.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
}
