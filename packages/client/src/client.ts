import { FolioConnectionError, FolioError, type Attempted, type ErrorBody } from './folio-error.ts';
import { version as documentVersion } from './generated/table.ts';
import {
  type Answer,
  type CallName,
  type FileName,
  type Input,
  type Item,
  type ListName,
  type OperationName,
  type Route,
  routeOf,
} from './operations.ts';
import { type Outcome, pauseBefore, type RetrySettings, retryAfterSeconds } from './retries.ts';

export type FolioSettings = {
  /** A key of the API, `svc_live_…` or `svc_test_…`, or an OAuth token. It belongs on a server, never in a page. */
  key: string;
  /** Where the service answers, such as `https://folio.example.com`. */
  base_url: string;
  /** Version of the API. Default: the version of the types. */
  version?: string;
  /** Sendings after the first; 4 when left out. */
  retries?: number;
  /** The longest total wait of one call, in milliseconds. Default: 60,000. */
  wait_max_ms?: number;
  /** The longest time of one sending, in milliseconds. Default: 60,000. */
  timeout_ms?: number;
  /** In place of the global `fetch`. */
  fetch?: typeof fetch;
};

export type CallOptions = {
  /** The client makes one when left out. Keep it yourself to send the same call again after a crash. */
  idempotency_key?: string;
  /** The `etag` of what `exchange` read: 412 `precondition_failed` when it has changed since. */
  if_match?: string;
  /** The id of a company that the key's company manages. */
  active_profile?: string;
  /** Ends the call, its waits too. */
  signal?: AbortSignal;
};

/** A file of the API. */
export type FolioFile = {
  bytes: Uint8Array;
  media_type: string;
  /** As the service would save it. */
  file_name: string | null;
};

/** An answer with what its headers say of it. */
export type Exchange<K extends CallName> = {
  json: Answer<K>;
  status: number;
  /** Of the resource that was read, for `if_match`; null for a list, and of a change. */
  etag: string | null;
  /** The call had been done before, by its idempotency key or its `external_id`. */
  is_replayed: boolean;
  request_id: string | null;
};

/** As an `Input`, with its types erased. */
type AnyInput = { path?: object; query?: object; body?: unknown };

type Arguments<K extends OperationName> =
  Record<never, never> extends Input<K>
    ? [input?: Input<K>, options?: CallOptions]
    : [input: Input<K>, options?: CallOptions];

const defaults = { retries: 4, wait_max_ms: 60_000, timeout_ms: 60_000 };

/**
 * Calls the API. Each change has an idempotency key. A call is sent again only if that does it once, after the wait
 * that the service asks for. Every refusal is a `FolioError`.
 */
export class Folio {
  readonly #settings: FolioSettings & Required<Omit<FolioSettings, 'fetch'>>;
  readonly #fetch: typeof fetch;

  /** @throws TypeError for no key or one with characters that no header has, and for what is no address */
  constructor(settings: FolioSettings) {
    // JavaScript hands on a variable of the environment that is not set.
    if (!settings.key?.trim()) throw new TypeError('There is no key.');
    if (!/^https?:\/\/[^/]/i.test(settings.base_url ?? ''))
      throw new TypeError('base_url must begin with https:// or http://.');
    // `Request` would refuse it too, but with the key in its message.
    if (/[^ -~]/.test(settings.key.trim())) throw new TypeError('The key has characters that no key has.');
    const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
    this.#settings = { ...defaults, version: documentVersion, ...(given as FolioSettings) };
    this.#fetch = settings.fetch ?? ((input, init) => fetch(input, init));
  }

  /**
   * Calls an operation by its name.
   * @throws FolioError for a refusal, FolioConnectionError without an answer of the API, TypeError for what no request
   * can carry, such as a header with characters that no header has
   */
  async call<K extends CallName>(name: K, ...[input, options]: Arguments<K>): Promise<Answer<K>> {
    return (await this.#ask(name, input ?? {}, options)).answer as Answer<K>;
  }

  /** As `call`, with the tag of what was read, and whether the call had been done before. @throws as `call` */
  async exchange<K extends CallName>(name: K, ...[input, options]: Arguments<K>): Promise<Exchange<K>> {
    const { answer, status, headers } = await this.#ask(name, input ?? {}, options);
    return {
      json: answer as Answer<K>,
      status,
      etag: headers.get('etag'),
      is_replayed: headers.get('idempotent-replayed') === 'true',
      request_id: headers.get('x-request-id'),
    };
  }

  /** Reads a file, such as the PDF of an invoice. @throws as `call` */
  async file<K extends FileName>(name: K, ...[input, options]: Arguments<K>): Promise<FolioFile> {
    const { bytes, headers } = await this.#send(name, input ?? {}, options ?? {});
    return {
      bytes,
      media_type: headers.get('content-type') ?? 'application/octet-stream',
      file_name: fileNameOf(headers.get('content-disposition')),
    };
  }

  /** The pages of a list, each fetched when it is wanted; `starting_after` begins in the middle. @throws as `call` */
  async *pages<K extends ListName>(name: K, ...args: Arguments<K>): AsyncGenerator<Answer<K>, void, void> {
    const [input, options] = args as [AnyInput?, CallOptions?];
    const { query = {} } = input ?? {};
    if ('ending_before' in query) throw new TypeError('Pages go forward, from starting_after.');
    let cursor: string | null | undefined;
    do {
      const asked = { ...input, query: cursor ? { ...query, starting_after: cursor } : query };
      const { answer, status, attempted } = await this.#ask(name, asked, options);
      const page = answer as { data?: unknown; next_cursor?: string | null } | null;
      if (!Array.isArray(page?.data))
        throw new FolioConnectionError(notOfTheApi(attempted, status), status, attempted);
      cursor = page.next_cursor;
      yield page as Answer<K>;
    } while (cursor);
  }

  /** The items of a list, over all its pages. @throws as `call` */
  async *list<K extends ListName>(name: K, ...args: Arguments<K>): AsyncGenerator<Item<K>, void, void> {
    for await (const page of this.pages(name, ...args)) yield* (page as { data: Item<K>[] }).data;
  }

  async #ask(name: OperationName, input: AnyInput, options: CallOptions = {}) {
    const { bytes, attempted, status, headers } = await this.#send(name, input, options);
    try {
      return { answer: JSON.parse(new TextDecoder().decode(bytes)) as unknown, attempted, status, headers };
    } catch (error) {
      throw new FolioConnectionError(notOfTheApi(attempted, status), status, attempted, error);
    }
  }

  async #send(name: OperationName, input: AnyInput, options: CallOptions): Promise<Accepted> {
    const route = routeOf(name);
    const { signal } = options;
    const idempotency_key = route.traits.includes('key')
      ? (options.idempotency_key ?? crypto.randomUUID())
      : null;
    const request = this.#requestOf(name, route, input, options, idempotency_key);
    const may_repeat = route.traits.includes('repeatable') || idempotency_key !== null;
    let waited_ms = 0;
    for (let repeated = 0; ; repeated++) {
      const attempted = { operation: name, attempts: repeated + 1, idempotency_key };
      const received = await this.#attempt(request, signal);
      if (received instanceof Received && received.is_good) return { ...received, attempted };
      const failure =
        received instanceof Received ? readFailure(received, attempted) : unreached(received, attempted);
      const pause = pauseBefore(
        failure.outcome,
        may_repeat,
        { repeated, waited_ms, random: Math.random() },
        this.#settings as RetrySettings,
      );
      if (pause === null) throw failure.error;
      await wait(pause, signal);
      waited_ms += pause;
    }
  }

  /** @returns what came, or why nothing did @throws the reason of the caller's signal */
  async #attempt(
    { url, init }: { url: URL; init: RequestInit },
    signal?: AbortSignal,
  ): Promise<Received | Error> {
    signal?.throwIfAborted();
    const late = AbortSignal.timeout(this.#settings.timeout_ms);
    try {
      const both = signal ? AbortSignal.any([signal, late]) : late;
      const { status, headers, ...answer } = await this.#read(url, { ...init, signal: both });
      return new Received(status, headers, answer.bytes);
    } catch (error) {
      signal?.throwIfAborted();
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  async #read(url: URL, init: RequestInit) {
    const response = await this.#fetch(url, init);
    return {
      status: response.status,
      headers: response.headers,
      bytes: new Uint8Array(await response.arrayBuffer()),
    };
  }

  /** @throws TypeError for what no request can carry. It is the caller's fault, so it is found before anything is sent */
  #requestOf(
    name: OperationName,
    { method, path, traits }: Route,
    { path: fields = {}, query = {}, body }: AnyInput,
    { if_match, active_profile }: CallOptions,
    idempotency_key: string | null,
  ): { url: URL; init: RequestInit } {
    const { base_url, key, version } = this.#settings;
    const filled = path.replace(/\{(\w+)\}/g, (_, member: string) => {
      const text = String((fields as Record<string, unknown>)[member] ?? '');
      // Dots would lead to another path, and so to another operation; encoded they do too.
      if (/^\.{0,2}$/.test(text))
        throw new TypeError(`${name}: path.${member} has no value that a path can carry.`);
      return encodeURIComponent(text);
    });
    const url = new URL(base_url.replace(/\/$/, '') + filled);
    for (const [member, value] of Object.entries(query)) addToQuery(url.searchParams, member, value);
    const headers: Record<string, string> = {
      accept: traits.includes('file') ? '*/*' : 'application/json',
      authorization: `Bearer ${key.trim()}`,
      'service-version': version,
    };
    if (body !== undefined) headers['content-type'] = 'application/json';
    if (idempotency_key !== null) headers['idempotency-key'] = idempotency_key;
    if (if_match !== undefined) headers['if-match'] = if_match;
    if (active_profile !== undefined) headers['x-active-profile'] = active_profile;
    // A redirect would send the key elsewhere, and turn a change into a read: RFC 9110, 15.4.
    const init: RequestInit = { method, headers, redirect: 'manual' };
    if (body !== undefined) init.body = JSON.stringify(body);
    new Request(url, init);
    return { url, init };
  }
}

type Accepted = Pick<Received, 'status' | 'headers' | 'bytes'> & { attempted: Attempted };

class Received {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;

  constructor(status: number, headers: Headers, bytes: Uint8Array) {
    this.status = status;
    this.headers = headers;
    this.bytes = bytes;
  }

  get is_good(): boolean {
    return this.status >= 200 && this.status < 300;
  }
}

/**
 * `metadata: { pedido: '7' }` becomes `metadata[pedido]=7`, and `'status[in]': ['issued', 'sent']` becomes `status[in]=issued,sent`. A date is
 * written as in a body.
 * @throws TypeError for values of `[in]` that the service would read as others
 */
function addToQuery(search: URLSearchParams, name: string, value: unknown): void {
  if (value === undefined || value === null) return;
  if (Array.isArray(value) && name.endsWith('[in]')) return void search.set(name, joined(name, value));
  if (value instanceof Date) search.set(name, value.toISOString());
  else if (typeof value !== 'object') search.set(name, String(value));
  else for (const [key, inner] of Object.entries(value)) addToQuery(search, `${name}[${key}]`, inner);
}

function joined(name: string, values: readonly unknown[]): string {
  if (!values.every((one) => typeof one === 'string' && !one.includes(',')))
    throw new TypeError(
      `${name} takes texts without a comma. One with a comma is asked for by the name alone.`,
    );
  return values.join(',');
}

type Failure = { error: Error; outcome: Outcome };

function unreached(cause: Error, attempted: Attempted): Failure {
  const message = `${attempted.operation}: no answer (${reasonOf(cause)}).`;
  return {
    error: new FolioConnectionError(message, null, attempted, cause),
    outcome: { status: null, code: null, retry_after_seconds: null },
  };
}

/** `fetch` says that it failed, and tells why beneath; of an address with several ones the code alone. */
function reasonOf({ message, cause }: Error): string {
  const { message: told, code } = (cause ?? {}) as { message?: string; code?: string };
  const why = told || code;
  return why ? `${message}: ${why}` : message;
}

/** A browser hides what a redirect says: its status is 0, and it has no Location. */
function redirected({ status, headers }: Received, attempted: Attempted): Failure {
  const location = headers.get('location') ?? 'no Location';
  const message = `${attempted.operation}: an answer ${status} that leads elsewhere (${location}).`;
  return {
    error: new FolioConnectionError(message, status, attempted),
    outcome: { status, code: null, retry_after_seconds: null },
  };
}

function readFailure(received: Received, attempted: Attempted): Failure {
  const { status, headers, bytes } = received;
  if (status < 400) return redirected(received, attempted);
  const retry_after_seconds = retryAfterSeconds(headers.get('retry-after'), Date.now());
  const body = errorOf(new TextDecoder().decode(bytes));
  const error = body
    ? new FolioError(status, body, { retry_after_seconds: retry_after_seconds ?? undefined, attempted })
    : new FolioConnectionError(notOfTheApi(attempted, status), status, attempted);
  return { error, outcome: { status, code: body?.code ?? null, retry_after_seconds } };
}

const notOfTheApi = ({ operation }: Attempted, status: number) =>
  `${operation}: an answer ${status} that is not of the API.`;

function errorOf(text: string): ErrorBody | null {
  try {
    const { error } = JSON.parse(text) as { error?: ErrorBody };
    return typeof error?.code === 'string' && typeof error.request_id === 'string' ? error : null;
  } catch {
    return null;
  }
}

/** RFC 6266: the name in UTF-8 when there is one that can be read. */
function fileNameOf(disposition: string | null): string | null {
  const wide = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1];
  const plain = /filename="([^"]*)"/.exec(disposition ?? '')?.[1] ?? null;
  try {
    return wide ? decodeURIComponent(wide) : plain;
  } catch {
    return plain;
  }
}

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
