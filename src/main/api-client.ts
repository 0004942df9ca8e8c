/** For commands that have a key and no database. */
import { request } from 'undici';
import { CommandError } from './command-error.ts';

const timeoutMs = 30_000;

/** The message is for the person at the terminal. */
export class ApiFault extends CommandError {
  /** Null when the service did not answer. */
  readonly status: number | null;
  readonly retry_after_ms: number;

  constructor(message: string, status: number | null, retry_after_ms = 0) {
    super(message);
    this.status = status;
    this.retry_after_ms = retry_after_ms;
  }

  /** Whether the same call may succeed later. */
  get may_pass(): boolean {
    return this.status === null || this.status === 429 || this.status >= 500;
  }
}

type Headers = Record<string, string | string[] | undefined>;

export type Answer<T> = { body: T; headers: Headers };

/** The body is JSON text, or a value that is sent as JSON. */
export type CallOptions = {
  query?: Readonly<Record<string, string | readonly string[]>>;
  body?: unknown;
  body_text?: string;
  headers?: Readonly<Record<string, string>>;
};

export class ApiClient {
  readonly #url: string;
  readonly #key: string;

  /** @param url without /v1 */
  constructor(url: string, key: string) {
    this.#url = url.replace(/\/+$/, '');
    this.#key = key;
  }

  /** @throws ApiFault without an answer and for every refusal */
  async call<T>(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    options: CallOptions = {},
  ): Promise<Answer<T>> {
    const { body, headers, refuse } = await this.send(method, path, options);
    const read = parse(body.toString());
    return read === undefined ? refuse() : { body: read as T, headers };
  }

  /**
   * Any answer that is no refusal, as it came.
   * @param path begins with one slash: the key goes to this service alone
   * @throws ApiFault without an answer and for every refusal
   */
  async send(
    method: string,
    path: string,
    { query = {}, body, body_text, headers: more = {} }: CallOptions = {},
  ): Promise<{ body: Buffer; headers: Headers; refuse(): never }> {
    const url = new URL(`${this.#url}${path}`);
    for (const [name, value] of Object.entries(query))
      for (const one of [value].flat()) url.searchParams.append(name, one);
    const sent = body === undefined ? body_text : JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${this.#key}`,
      ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
      ...more,
    };
    let status: number;
    let bytes: Buffer;
    let answered: Headers;
    try {
      const response = await request(url, {
        method: method as 'GET',
        headers,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
        ...(sent === undefined ? {} : { body: sent }),
      });
      status = response.statusCode;
      answered = response.headers;
      bytes = Buffer.from(await response.body.bytes());
    } catch (error) {
      const cause = (error as { code?: string }).code ?? (error as Error).message;
      throw new ApiFault(
        `There is no answer from ${this.#url} (${cause}): start the service, or say with --url where it is.`,
        null,
      );
    }
    const refuse = (): never => {
      const told = parse(bytes.toString()) as { error?: Refusal } | undefined;
      const said = `${method} ${url.pathname}: ${status} ${reasonOf(told?.error)}`;
      throw new ApiFault(said, status, Number(answered['retry-after'] ?? 0) * 1000);
    };
    return status < 400 ? { body: bytes, headers: answered, refuse } : refuse();
  }
}

type Refusal = {
  code: string;
  message: string;
  param: string | null;
  errors?: readonly { param: string; message: string }[];
};

const fieldsMax = 10;

/** With the fields that are at fault: the message of several names none of them. */
function reasonOf(refusal: Refusal | undefined): string {
  if (refusal === undefined) return 'is no answer of Folio.';
  const { code, message, param, errors = [] } = refusal;
  const fields = errors.slice(0, fieldsMax).map((field) => `${field.param}: ${field.message}`);
  if (errors.length > fieldsMax) fields.push(`… ${errors.length - fieldsMax} more`);
  if (errors.length === 0 && param) fields.push(`(${param})`);
  return [`${code}: ${message}`, ...fields].join(' ');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
