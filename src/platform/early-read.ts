/**
 * A read that begins before its caller is known (ADR 12). Credential, company and prefetch share a pipeline. The
 * company is a guess by an earlier call. Nothing read is used before the credential's row admits this call.
 */
import { commonErrors as c } from '../kernel/common.errors.ts';
import type { Input, Operation, Tx } from '../kernel/operation.ts';
import { fail } from '../kernel/problem.ts';
import type { Clock } from './clock.ts';
import { type LoadedCompany, loadCompany } from './company-context.ts';
import { type Credential, findCredential } from './credentials.ts';
import type { Database } from './db.ts';

type Work = (tx: Tx, loaded: LoadedCompany, prefetched: unknown) => Promise<unknown>;

export type EarlyRead = {
  readonly company_id: string;
  readonly credential: Promise<Credential | undefined>;
  /**
   * Call it once, for an admitted caller of this company.
   * @throws 400 request_aborted when it was released: the caller has gone
   */
  run<T>(work: (tx: Tx, loaded: LoadedCompany, prefetched: unknown) => Promise<T>): Promise<T>;
  /** Ends the transaction if `run` did not. Always call it, or a connection stays held. */
  release(): void;
};

type Wanted = {
  secret: string;
  company_id: string;
  operation: Operation;
  /** Null when the operation does not accept it. */
  input: Input<unknown, unknown, unknown> | null;
};

export function beginEarlyRead(
  db: Database,
  clock: Clock,
  { secret, company_id, operation, input }: Wanted,
): EarlyRead {
  const credential = Promise.withResolvers<Credential | undefined>();
  const goOn = Promise.withResolvers<Work | null>();
  const done = db.read(company_id, async (tx) => {
    const found = findCredential(tx, secret);
    found.then(credential.resolve, credential.reject);
    const loading = loadCompany(tx, company_id, clock.now());
    const read = Promise.all([
      loading,
      input ? operation.prefetch?.(tx, company_id, input, loading) : undefined,
    ]);
    read.catch(() => undefined);
    const work = await goOn.promise;
    const [loaded, prefetched] = await read;
    return work?.(tx, loaded, prefetched);
  });
  credential.promise.catch(() => undefined);
  done.catch(credential.reject);
  let is_released = false;
  return {
    company_id,
    credential: credential.promise,
    run<T>(work: (tx: Tx, loaded: LoadedCompany, prefetched: unknown) => Promise<T>): Promise<T> {
      if (is_released) return Promise.reject(fail(c.request_aborted));
      goOn.resolve(work);
      return done as Promise<T>;
    },
    release() {
      is_released = true;
      goOn.resolve(null);
    },
  };
}
