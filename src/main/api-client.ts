/** For commands that have a key and no database. */
import { request } from 'undici';
import { CommandError } from './explain.ts';

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

export type Answer<T> = { body: T; headers: Record<string, string | string[] | undefined> };

export class ApiClient {
  readonly #url: string;
  readonly #key: string;

  /** @param url without /v1 */
  constructor(url: string, key: string) {
    this.#url = url;
    this.#key = key;
  }

  /** @throws ApiFault without an answer and for every refusal */
  async call<T>(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    options: { query?: Record<string, string>; body?: unknown } = {},
  ): Promise<Answer<T>> {
    const url = new URL(path, this.#url);
    for (const [name, value] of Object.entries(options.query ?? {})) url.searchParams.set(name, value);
    const has_body = options.body !== undefined;
    const headers = {
      authorization: `Bearer ${this.#key}`,
      ...(has_body ? { 'content-type': 'application/json' } : {}),
    };
    let status: number;
    let text: string;
    let answered: Answer<T>['headers'];
    try {
      const response = await request(url, {
        method,
        headers,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
        ...(has_body ? { body: JSON.stringify(options.body) } : {}),
      });
      status = response.statusCode;
      answered = response.headers;
      text = await response.body.text();
    } catch (error) {
      const cause = (error as { code?: string }).code ?? (error as Error).message;
      throw new ApiFault(
        `There is no answer from ${this.#url} (${cause}): start the service, or say with --url where it is.`,
        null,
      );
    }
    const body = parse(text);
    if (status < 400 && body !== undefined) return { body: body as T, headers: answered };
    const { code = '', message = 'no answer of Folio' } =
      (body as { error?: { code?: string; message?: string } } | undefined)?.error ?? {};
    const said = `${method} ${url.pathname}: ${status} ${code}: ${message}`;
    throw new ApiFault(said, status, Number(answered['retry-after'] ?? 0) * 1000);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
