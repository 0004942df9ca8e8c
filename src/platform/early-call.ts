/**
 * A call that begins before its caller is known (ADR 12, ADR 87). Credential, company and prefetch share a pipeline. The
 * company is a guess from an earlier call. Nothing read is used before the credential's row admits this call.
 */
import { commonErrors as c } from '../kernel/common.errors.ts';
import type { Input, Operation, Tx } from '../kernel/operation.ts';
import { fail } from '../kernel/problem.ts';
import type { Clock } from './clock.ts';
import { type LoadedCompany, loadCompany } from './company-context.ts';
import { type Credential, findCredential } from './credentials.ts';
import type { Database } from './db.ts';

type AnyInput = Input<unknown, unknown, unknown>;
type Work<T> = (tx: Tx, loaded: LoadedCompany, prefetched: unknown) => Promise<T>;

export type EarlyCall = {
  readonly company_id: string;
  readonly credential: Promise<Credential | undefined>;
  /** Until it runs or is released. */
  isOpen(): boolean;
  /**
   * Call it once, for an admitted caller of this company.
   * @throws 400 request_aborted when it was released: the caller has gone
   */
  run<T>(work: Work<T>): Promise<T>;
  /** Ends the transaction if `run` did not. Always call it, or a connection stays held. */
  release(): void;
};

type Wanted = {
  secret: string;
  company_id: string;
  operation: Operation;
  /** Null when the operation does not accept it. */
  input: AnyInput | null;
};

/** For `own` a transaction that may write, for all others one that only reads. */
export function beginEarlyCall(
  db: Database,
  clock: Clock,
  { secret, company_id, operation, input }: Wanted,
): EarlyCall {
  const credential = Promise.withResolvers<Credential | undefined>();
  const goOn = Promise.withResolvers<Work<unknown> | null>();
  const open = operation.transaction === 'own' ? db.transaction : db.read;
  const done = open(company_id, async (tx) => {
    const found = findCredential(tx, secret);
    found.then(credential.resolve, credential.reject);
    const loading = loadCompany(tx, company_id, clock.now());
    const read = Promise.all([
      loading,
      input ? operation.prefetch?.(tx, company_id, input, loading) : undefined,
    ]);
    read.catch(() => undefined);
    const work = await goOn.promise;
    if (!work) return undefined;
    const [loaded, prefetched] = await read;
    return work(tx, loaded, prefetched);
  });
  credential.promise.catch(() => undefined);
  done.catch(credential.reject);
  let state: 'open' | 'running' | 'released' = 'open';
  return {
    company_id,
    credential: credential.promise,
    isOpen: () => state === 'open',
    run<T>(work: Work<T>): Promise<T> {
      if (state !== 'open') return Promise.reject(fail(c.request_aborted));
      state = 'running';
      goOn.resolve(work);
      return done as Promise<T>;
    },
    release() {
      if (state === 'open') state = 'released';
      goOn.resolve(null);
    },
  };
}

/**
 * Whether a call may hold a connection before it is admitted. It must wait for nobody then: not for a call with the same key or
 * external id, not for work before its transaction, not for a row.
 * @param input that the operation accepts
 */
export function mayBeginEarly(
  operation: Operation,
  input: AnyInput,
  idempotency_key: string | null,
): boolean {
  const { transaction, acts_on, prepare, prefetch_locks, elements, external_ids } = operation;
  if (acts_on !== 'company') return false;
  if (transaction === 'read') return true;
  if (prepare || prefetch_locks || elements || idempotency_key !== null) return false;
  return (external_ids?.(input) ?? []).length === 0;
}
