import { setTimeout as wait } from 'node:timers/promises';
import { commonErrors as c } from '../kernel/common.errors.ts';
import { fail } from '../kernel/problem.ts';
import { sqlStates } from '../kernel/sql-states.ts';
import { constraintOf, sqlState } from './db.ts';
import { PlanStale } from './issuing-call.ts';

const attemptsMax = 14;

/** @throws 409 resource_locked for work that waited in vain for a locked row */
export async function refuseLocked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw sqlState(error) === sqlStates.lock_not_available ? fail(c.resource_locked) : error;
  }
}

/** Two transactions took one number of an aggregate's events, or each waited for the other. */
export function isLostRace(error: unknown): boolean {
  return (
    constraintOf(error) === 'events_company_id_aggregate_id_sequence_key' ||
    sqlState(error) === sqlStates.deadlock
  );
}

/**
 * For work whose plan was stale, whose event's sequence number was taken, or that a deadlock stopped. The waits grow,
 * to some eight seconds in all, so that a crowd can pass.
 * @throws 409 resource_locked when it lost every time
 */
export async function retryLostRace<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof PlanStale || isLostRace(error))) throw error;
      if (attempt >= attemptsMax) throw fail(c.resource_locked);
      await wait(Math.random() * 2 ** attempt);
    }
  }
}
