/**
 * Traces of what the service does (ADR 73). Until somebody keeps them, each of these functions is one comparison. A trace holds
 * names, counts and codes that the code itself wrote: no address, body, value or message.
 */
import { Problem } from './problem.ts';

/** `server` and `consumer` begin what somebody else asked for; `client` asks somebody else. */
export type SpanKind = 'server' | 'consumer' | 'client' | 'internal';

/** All that a span may say. A route is its pattern, a statement its verb and table. */
export type SpanFacts = {
  'http.request.method'?: string;
  'http.route'?: string;
  'http.response.status_code'?: number;
  'folio.operation'?: string | undefined;
  'folio.request_id'?: string;
  'folio.outcome'?: string;
  'folio.attempt'?: number;
  'folio.count'?: number;
};

export type OpenSpan = {
  /** W3C Trace Context, for whoever goes on with it. */
  readonly traceparent: string;
  /** What the work begins is part of the span. */
  within<T>(work: () => T): T;
  add(facts: SpanFacts): void;
  /** @param fault its code; null when the work was done */
  end(fault: string | null): void;
};

/** Puts work into the span that was current at `keep()`. */
export type Keep = <T>(work: () => T) => T;

export type Tracing = {
  /**
   * @param parent the caller's W3C Trace Context; null or unreadable: a new trace. Undefined: part of the current span
   * @returns null for a part without a current span
   */
  open(name: string, kind: SpanKind, facts: SpanFacts, parent?: string | null): OpenSpan | null;
  /** Of the current span; null without one. */
  traceparent(): string | null;
  keep(): Keep;
  without: Keep;
};

let kept: Tracing | null = null;

/** For the whole process. @param tracing null: nobody keeps traces any more */
export function keepTraces(tracing: Tracing | null): void {
  kept = tracing;
}

/** Null where nobody keeps traces. */
export function tracing(): Tracing | null {
  return kept;
}

const asItIs: Keep = (work) => work();

/** For work that others begin later. */
export function keepSpan(): Keep {
  return kept === null ? asItIs : kept.keep();
}

/** For loops that serve many: what they do is part of no caller's span. */
export function withoutSpan<T>(work: () => T): T {
  return kept === null ? work() : kept.without(work);
}

/** For work that goes on in a job or a delivery; null without a span. */
export function currentTraceparent(): string | null {
  return kept === null ? null : kept.traceparent();
}

/** Does the work in a span. @param parent as of `Tracing.open` */
export async function traced<T>(
  name: string,
  kind: SpanKind,
  facts: SpanFacts,
  work: (span: OpenSpan | null) => Promise<T>,
  parent?: string | null,
): Promise<T> {
  const span = kept?.open(name, kind, facts, parent) ?? null;
  if (span === null) return work(null);
  try {
    const result = await span.within(() => work(span));
    span.end(null);
    return result;
  } catch (error) {
    span.end(faultCode(error));
    throw error;
  }
}

/** A problem's code, a code of the system or the database, or the error's kind: never its message, which may hold values. */
export function faultCode(error: unknown): string {
  if (error instanceof Problem) return error.def.code;
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  if (typeof code === 'string' && /^[A-Z0-9_]{1,40}$/.test(code)) return code;
  return typeof name === 'string' && /^[A-Za-z]{1,40}$/.test(name) ? name : 'Error';
}
