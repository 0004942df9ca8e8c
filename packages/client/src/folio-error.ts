import type { ErrorCode } from './operations.ts';

export type FieldIssue = { param: string; code: string; message: string };

/** The `error` of a refusal, as the API wrote it. */
export type ErrorBody = {
  type: string;
  code: string;
  message: string;
  param: string | null;
  doc_url: string;
  request_id: string;
  subcode?: string;
  line_index?: number;
  errors?: FieldIssue[];
};

/** Where the call stood when it was given up. */
export type Attempted = {
  operation: string;
  /** How often it was sent. */
  attempts: number;
  /** The idempotency key of the call. The same call can be sent again with it later. */
  idempotency_key: string | null;
};

/** The API refused a call. `code` says why, for programs; `message` says it to people, in Spanish. */
export class FolioError<Code extends string = ErrorCode | (string & {})> extends Error {
  override readonly name = 'FolioError';
  readonly code: Code;
  readonly status: number;
  readonly type: string;
  readonly param: string | null;
  readonly doc_url: string;
  readonly request_id: string;
  readonly subcode: string | undefined;
  /** The line of the document, from 0. */
  readonly line_index: number | undefined;
  /** Each field that is wrong, one too, with what is wrong with it; empty where `message` says all. */
  readonly issues: readonly FieldIssue[];
  /** As `Retry-After` said. */
  readonly retry_after_seconds: number | undefined;
  readonly attempted: Attempted;

  constructor(
    status: number,
    body: ErrorBody,
    more: { retry_after_seconds: number | undefined; attempted: Attempted },
  ) {
    super(body.message);
    this.code = body.code as Code;
    this.status = status;
    this.type = body.type;
    this.param = body.param;
    this.doc_url = body.doc_url;
    this.request_id = body.request_id;
    this.subcode = body.subcode;
    this.line_index = body.line_index;
    this.issues = body.errors ?? [];
    this.retry_after_seconds = more.retry_after_seconds;
    this.attempted = more.attempted;
  }

  /** Narrows to some codes: `if (error.is('resource_not_found'))`. */
  is<C extends ErrorCode>(...codes: readonly C[]): this is FolioError<C> {
    return (codes as readonly string[]).includes(this.code);
  }
}

/** No answer of the API came: the network failed, the time was over, or something in between answered. */
export class FolioConnectionError extends Error {
  override readonly name = 'FolioConnectionError';
  /** Of what stands in between, such as a proxy; null when nothing answered. */
  readonly status: number | null;
  readonly attempted: Attempted;

  constructor(message: string, status: number | null, attempted: Attempted, cause?: unknown) {
    super(message, { cause });
    this.status = status;
    this.attempted = attempted;
  }
}
