import { commonErrors as c } from '../kernel/common.errors.ts';
import type { Preparing } from '../kernel/operation.ts';
import { fail, Problem } from '../kernel/problem.ts';
import { type Call, companyOf, type RunParts } from './call.ts';
import { ShareSpent } from './connection-pool.ts';
import { isUnreachable, sqlState } from './db.ts';
import { PlanStale } from './issuing-call.ts';
import { insertRealJob } from './jobs.ts';

/** What `prepare` of an operation makes: once for a call, however often its transaction is tried again. */
export class Preparation {
  readonly #parts: RunParts;
  readonly #call: Call;
  readonly #around: Preparing;
  #made: Promise<unknown> | undefined;

  constructor(parts: RunParts, call: Call) {
    const { db, clock } = parts;
    const company_id = companyOf(call);
    this.#parts = parts;
    this.#call = call;
    this.#around = {
      caller: call.caller,
      company_id,
      read: (work) => db.read(company_id, work),
      enqueue: (kind, payload, run_at) =>
        db.transaction(company_id, (tx) => insertRealJob(tx, company_id, { kind, payload, run_at })),
      refuseGone() {
        if (call.hasGone?.()) throw fail(c.request_aborted);
      },
      realNow: () => clock.now(),
    };
  }

  async get(): Promise<unknown> {
    const { operation, input } = this.#call;
    this.#made ??= operation.prepare?.(this.#parts.ports, input, this.#around);
    try {
      return await this.#made;
    } catch (error) {
      this.#made = undefined;
      throw error;
    }
  }

  /** A row names what was made. */
  keep(): void {
    this.#made = undefined;
  }

  /** After a transaction that failed. What a row may name, since its commit may have been done, is kept. */
  heed(error: unknown): void {
    if (error instanceof PlanStale) this.discard();
    else if (!isUndone(error)) this.keep();
  }

  /** Nobody waits for it. The next `get` makes it anew. */
  discard(): void {
    const { operation } = this.#call;
    const { ports, log } = this.#parts;
    const made = this.#made;
    this.#made = undefined;
    void made
      ?.then((prepared) => operation.discard?.(ports, prepared, this.#around))
      .catch((error: unknown) =>
        log.warn({ err: error, operation: operation.name }, 'what a call prepared is left behind'),
      );
  }
}

function isUndone(error: unknown): boolean {
  if (error instanceof Problem || error instanceof ShareSpent) return true;
  return sqlState(error) !== undefined && !isUnreachable(error);
}
