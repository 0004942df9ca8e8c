/** Commits together, per company, what waited while a commit ran (ADR 5). Waiting calls hold no connection. */

import { type Keep, keepSpan } from '../kernel/tracing.ts';

export type GroupMember = {
  /** No two members of a group share one: an idempotency key, an external id, a document. */
  exclusive: readonly string[];
  size: number;
};

type Waiting<M, R> = { member: M; within: Keep; resolve(result: R): void; reject(error: unknown): void };

export type MemberOutcome<R> = { ok: true; result: R } | { ok: false; error: unknown };

/** Counts documents, and what is as heavy as one. A member of this size or more commits alone. */
export const groupMax = 100;

/**
 * @param commit when it throws for a group, its members run again one by one
 * @param isShared whether the error would meet each member, or the commit may have happened: then all fail with it
 */
export function makeGroupCommit<M extends GroupMember, R>(
  commit: (company_id: string, members: readonly M[]) => Promise<MemberOutcome<R>[]>,
  isShared: (error: unknown) => boolean = () => false,
) {
  const queues = new Map<string, Waiting<M, R>[]>();

  async function runGroup(company_id: string, group: readonly Waiting<M, R>[]): Promise<void> {
    try {
      const members = group.map((w) => w.member);
      // A trace shows the commit with the call that came first.
      const outcomes = await group[0]!.within(() => commit(company_id, members));
      for (const [i, outcome] of outcomes.entries()) {
        if (outcome.ok) group[i]!.resolve(outcome.result);
        else group[i]!.reject(outcome.error);
      }
    } catch (error) {
      if (group.length === 1 || isShared(error)) {
        for (const waiting of group) waiting.reject(error);
        return;
      }
      for (const waiting of group) await runGroup(company_id, [waiting]);
    }
  }

  function takeGroup(queue: Waiting<M, R>[]): Waiting<M, R>[] {
    const taken: Waiting<M, R>[] = [];
    const names = new Set<string>();
    let size = 0;
    for (let i = 0; i < queue.length && size < groupMax; ) {
      const { exclusive, size: more } = queue[i]!.member;
      const is_too_large = taken.length > 0 && size + more > groupMax;
      if (is_too_large || exclusive.some((name) => names.has(name))) {
        i += 1;
        continue;
      }
      for (const name of exclusive) names.add(name);
      size += more;
      taken.push(...queue.splice(i, 1));
    }
    return taken;
  }

  async function drain(company_id: string, queue: Waiting<M, R>[]): Promise<void> {
    while (queue.length > 0) await runGroup(company_id, takeGroup(queue));
    queues.delete(company_id);
  }

  /** At once, so that an idle queue commits them together. */
  function submitAll(company_id: string, members: readonly M[]): Promise<R>[] {
    const settling = members.map(() => Promise.withResolvers<R>());
    const within = keepSpan();
    const waiting = members.map((member, i) => ({ member, within, ...settling[i]! }));
    const queue = queues.get(company_id);
    if (queue) queue.push(...waiting);
    else if (waiting.length > 0) {
      queues.set(company_id, waiting);
      void drain(company_id, waiting);
    }
    return settling.map(({ promise }) => promise);
  }

  return {
    submitAll,
    submit: (company_id: string, member: M): Promise<R> => submitAll(company_id, [member])[0]!,
  };
}
