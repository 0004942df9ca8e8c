/** Requests to the service. An answer that is no success is thrown as an ApiError. */
import type { ProblemBody } from '../../../src/kernel/problem.ts';
import { publicPath } from './server-words.ts';

export class ApiError extends Error {
  readonly status: number;
  readonly problem: ProblemBody | null;
  readonly retry_after_seconds: number | null;

  constructor(status: number, problem: ProblemBody | null, retry_after_seconds: number | null) {
    super(problem?.code ?? `status ${status}`);
    this.name = 'ApiError';
    this.status = status;
    this.problem = problem;
    this.retry_after_seconds = retry_after_seconds;
  }
}

/** What was shown when the call was made is no longer what the service has (ADR 33). */
export const isStale = (error: Error | null): boolean => error instanceof ApiError && error.status === 412;

/** What the page shows or names is not there, or not any more. */
export const isGone = (error: Error | null): boolean =>
  error instanceof ApiError && error.problem?.code === 'resource_not_found';

/** The state of something does not allow it, and may be another than the one that is shown. */
export const isConflict = (error: Error | null): boolean => error instanceof ApiError && error.status === 409;

/** The service was not reached, or its answer was not read to its end. */
export class NoAnswer extends Error {}

export type Sent = {
  method?: string;
  query?: Readonly<Record<string, unknown>> | undefined;
  body?: unknown;
  csrf?: string;
  idempotency_key?: string;
  if_match?: string | undefined;
  signal?: AbortSignal | undefined;
};

/** The company of the address is not one of the person's, or not any more. */
export const isOfNoCompany = (error: ApiError): boolean =>
  isGone(error) && error.problem?.param === 'company';

/** @param path under `/dashboard/api` */
export const request = async <T>(path: string, sent: Sent = {}): Promise<T> =>
  (await requestTagged<T>(path, sent)).body;

/** With the tag of a resource, which `if_match` sends back. */
export async function requestTagged<T>(
  path: string,
  sent: Sent = {},
): Promise<{ body: T; etag: string | undefined }> {
  const response = await send(path, sent);
  const text = await response.text().catch(() => {
    throw new NoAnswer();
  });
  const type = response.headers.get('Content-Type') ?? '';
  const body: unknown = type.includes('json') && text !== '' ? JSON.parse(text) : null;
  if (!response.ok) throw refusal(response, body);
  // A page of somebody on the way, as of a proxy that asks who one is: the service was not reached.
  if (type.includes('html')) throw new NoAnswer();
  return { body: body as T, etag: tagOf(response) };
}

/** As the service wrote it: what compresses on the way marks it as weak, or as that of another coding. */
function tagOf({ headers }: Response): string | undefined {
  const [tag] = /"[\w-]{27}/.exec(headers.get('ETag') ?? '') ?? [];
  return tag === undefined ? undefined : `${tag}"`;
}

function refusal(response: Response, body: unknown): ApiError {
  const problem = (body as { error?: ProblemBody } | null)?.error ?? null;
  const wait = Number(response.headers.get('Retry-After') ?? Number.NaN);
  const refused = new ApiError(response.status, problem, Number.isFinite(wait) ? wait : null);
  for (const [status, tell] of listeners) if (status === response.status) tell(refused);
  return refused;
}

async function send(path: string, sent: Sent) {
  const { method = 'GET', query, body, csrf, idempotency_key, if_match, signal } = sent;
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (csrf !== undefined) headers['X-Folio-CSRF'] = csrf;
  if (idempotency_key !== undefined) headers['Idempotency-Key'] = idempotency_key;
  if (if_match !== undefined) headers['If-Match'] = if_match;
  try {
    return await fetch(addressOf(path, query), {
      method,
      headers,
      credentials: 'same-origin',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new NoAnswer();
  }
}

/** As the browser asks for it: for frames, downloads and links. */
export function addressOf(path: string, query: Readonly<Record<string, unknown>> = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null && value !== '') parameters.set(name, String(value));
  const text = parameters.toString();
  return `${publicPath}/dashboard/api${path}${text === '' ? '' : `?${text}`}`;
}

type Listener = readonly [status: number, tell: (refused: ApiError) => void];

const listeners = new Set<Listener>();

/** @returns what ends the listening */
export function onRefusal(status: number, tell: (refused: ApiError) => void): () => void {
  const listener: Listener = [status, tell];
  listeners.add(listener);
  return () => listeners.delete(listener);
}
