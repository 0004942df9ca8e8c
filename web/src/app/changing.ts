/**
 * A change of the current company. Its answer is handed over and kept nowhere, for it may hold a secret. A second click
 * while the first runs does nothing; a try after one whose fate is unknown has the same idempotency key, so it acts once.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { warnOfFailure } from '../parts/late-failure.tsx';
import { ApiError, isGone, isStale, request } from './api.ts';
import { useCurrentCompany } from './company.ts';
import { useIsShown } from './is-shown.ts';
import { type Call, type CallShape, type Input, operationOf, pathOf } from './operation.ts';
import { useForget } from './reading.ts';
import { useSession } from './session.tsx';

export type Change<S extends CallShape> = {
  /** The answer; null when it was refused, and `error` says why, or when one is running. */
  run(input: Conditional<Input<S>>): Promise<S['answer'] | null>;
  is_running: boolean;
  error: Error | null;
  clear(): void;
};

/**
 * With the tag of what is shown, the call is refused when that has changed. What was read is then read again, and so it is
 * when that is gone, or may have changed by a call whose fate is unknown.
 */
type Conditional<I> = I & { if_match?: string | undefined };

type Attempt = { text: string; key: string };

export function useChange<S extends CallShape>({ name }: Call<S>): Change<S> {
  const { id } = useCurrentCompany();
  const { method } = operationOf(name);
  const send = useCallback(
    ({ params, query, body, if_match }: Conditional<CallShape>, csrf: string, idempotency_key: string) =>
      request<S['answer']>(pathOf(id, name, params), {
        method,
        query: query as Record<string, unknown> | undefined,
        body,
        csrf,
        idempotency_key,
        if_match,
      }),
    [id, name, method],
  );
  const forget = useForget();
  return useSending<Conditional<Input<S>>, S['answer']>(send as never, forget);
}

/** A change of the person's own things, by its path under `/dashboard/api`. Whoever makes it reads them again; here that is done where it fails. */
export function useOwnChange<B, A>(method: string, path: string): OwnChange<B, A> {
  const send = useCallback(
    (body: B, csrf: string, idempotency_key: string) =>
      request<A>(path, { method, body, csrf, idempotency_key }),
    [method, path],
  );
  const client = useQueryClient();
  const forget = useCallback(() => client.invalidateQueries({ queryKey: ['me'] }), [client]);
  return useSending<B, A>(send, undefined, forget);
}

export type OwnChange<B, A> = {
  run(body: B): Promise<A | null>;
  is_running: boolean;
  error: Error | null;
  clear(): void;
};

function useSending<I, A>(
  send: (input: I, csrf: string, idempotency_key: string) => Promise<A>,
  after?: () => Promise<void>,
  /** What is shown may be of before: another tab has changed it, or a try before this one. */
  inDoubt = after,
): OwnChange<I, A> {
  const { session, renew } = useSession();
  const csrf = useRef(session.csrf);
  useEffect(() => {
    csrf.current = session.csrf;
  }, [session.csrf]);
  const running = useRef(false);
  const isShown = useIsShown();
  const attempt = useRef<Attempt | null>(null);
  const [is_running, setRunning] = useState(false);
  const [error, setError] = useState<Error | null>(null);

  /** Who has signed in anew in another tab has another token. */
  const sendAsNow = useCallback(
    async (input: I, key: string): Promise<A> => {
      const token = csrf.current;
      try {
        return await send(input, token, key);
      } catch (thrown) {
        const now = isForeign(thrown) ? await renew().catch(() => null) : null;
        if (now === null || now.user.id !== session.user.id || now.csrf === token) throw thrown;
        return send(input, now.csrf, key);
      }
    },
    [send, renew, session.user.id],
  );
  const run = useCallback(
    async (input: I): Promise<A | null> => {
      if (running.current) return null;
      running.current = true;
      setRunning(true);
      setError(null);
      const text = JSON.stringify(input);
      if (attempt.current?.text !== text)
        attempt.current = { text, key: crypto.randomUUID?.() ?? randomKey() };
      try {
        const answer = await sendAsNow(input, attempt.current.key);
        attempt.current = null;
        void after?.();
        return answer;
      } catch (thrown) {
        if (isSettled(thrown)) attempt.current = null;
        const refused = thrown instanceof Error ? thrown : new Error(String(thrown));
        const is_unknown = isUnknown(thrown);
        const tried = attempt.current;
        const read = isStale(refused) || isGone(refused) || is_unknown ? inDoubt?.() : undefined;
        if (!isShown()) {
          warnOfFailure(refused);
          return null;
        }
        setError(refused);
        // What is read now may take away the place that tells it: it was done, and its answer is lost. The page is drawn before a timer.
        // Where a later try was answered, the place has gone by that.
        const isLost = () => !isShown() && attempt.current === tried;
        if (is_unknown) void read?.then(() => setTimeout(() => isLost() && warnOfFailure(refused)));
        return null;
      } finally {
        running.current = false;
        setRunning(false);
      }
    },
    [sendAsNow, after, inDoubt, isShown],
  );
  const clear = useCallback(() => setError(null), []);
  return { run, is_running, error, clear };
}

const isForeign = (error: unknown): boolean =>
  error instanceof ApiError && error.problem?.code === 'foreign_request';

/** No answer, or one of a proxy or of a fault: it may have been kept. */
const isUnknown = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.problem === null || error.status >= 500;

/**
 * Whether the service refused what was sent, and keeps that for its key. A refusal of session, rate or lock says nothing of the try before it.
 */
function isSettled(error: unknown): boolean {
  if (isUnknown(error)) return false;
  const { status, problem } = error as ApiError;
  return status !== 401 && status !== 429 && problem?.code !== 'resource_locked';
}

/** Over plain http browsers have no `randomUUID`. */
function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}
