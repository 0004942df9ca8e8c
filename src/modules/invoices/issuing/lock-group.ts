/** The locks of a group, in their order, and what is read under them: who can go on is known only then. */
import type { Tx } from '../../../kernel/operation.ts';
import { Problem } from '../../../kernel/problem.ts';
import { lastSequences } from '../../../platform/events.ts';
import { claimKeys, type StoredAnswer } from '../../../platform/idempotency.ts';
import { PlanStale, Replay } from '../../../platform/issuing-call.ts';
import { type ChainHead, findRegistration, lockChainHead } from '../../verifactu/index.ts';
import type { Member, Outcome } from './group.ts';
import type { InvoicePlan } from './plan.ts';
import * as store from './issuing.store.ts';

/** What the transaction read under its locks. */
export type Locked = {
  settings_version: number;
  /** Null when nothing is numbered or recorded. */
  head: (ChainHead & { last_issued_at: Date | null }) | null;
  registration: Awaited<ReturnType<typeof findRegistration>>;
  counters: Map<string, store.CounterRow>;
  versions: Map<string, number>;
  external: Map<string, store.ExternalRow>;
  claims: Map<string, StoredAnswer | Problem | 'claimed'>;
  sequences: Map<string, number>;
};

export const counterName = (series_id: string, period: string) => `${series_id} ${period}`;

export async function lockAll(tx: Tx, company_id: string, members: readonly Member[]): Promise<Locked> {
  const plans = members.flatMap((m) => m.parts.map((part) => part.plan));
  const numberings = plans.flatMap((plan) => plan.numbering ?? []);
  const wanted = new Map(
    numberings.map((n) => [counterName(n.series.id, n.period), { series_id: n.series.id, period: n.period }]),
  );
  const stored_ids = plans.flatMap((plan) => storedOf(plan).map((s) => s.id));
  const external_ids = plans.flatMap((plan) => plan.external?.external_id ?? []);
  const first = members[0]!.call;
  const claims = members.flatMap((m) => m.call.claim ?? []);
  const is_recording = plans.some((plan) => plan.record !== null);
  const [head, registration, counters, versions, settings_seen, external, claimed, sequences] =
    await Promise.all([
      numberings.length > 0 || is_recording ? lockChainHead(tx, company_id) : null,
      is_recording ? findRegistration(tx, company_id) : undefined,
      store.lockCounters(tx, company_id, [...wanted.values()]),
      store.lockVersions(tx, company_id, stored_ids),
      store.readSettingsVersion(tx, company_id),
      store.findExternal(tx, company_id, external_ids),
      claimKeys(tx, company_id, claims, first.secrets, first.clock.now()),
      lastSequences(tx, company_id, [...stored_ids, ...new Set(numberings.map((n) => n.series.id))]),
    ]);
  const found = new Map(counters.map((row) => [counterName(row.series_id, row.period), row]));
  const missing = [...wanted].filter(([name]) => !found.has(name)).map(([, key]) => key);
  let settings_version = settings_seen;
  if (missing.length > 0) {
    const first_numbers = new Map(numberings.map((n) => [n.series.id, n.series.first_number]));
    for (const row of await store.startCounters(tx, company_id, missing, first_numbers)) {
      found.set(counterName(row.series_id, row.period), row);
    }
    // A first counter waits for a change of its series that is under way: only now is its outcome seen.
    settings_version = await store.readSettingsVersion(tx, company_id);
  }
  return {
    settings_version,
    head,
    registration,
    counters: found,
    versions: new Map(versions.map((row) => [row.id, row.version])),
    external: new Map(external.map((row) => [row.external_id, row])),
    claims: claimed,
    sequences,
  };
}

/** Every stored invoice that the plan relies on. */
export function storedOf(plan: InvoicePlan): { id: string; version: number }[] {
  return [...(plan.stored ? [plan.stored] : []), ...plan.also.map((other) => other.stored)];
}

const stale = (why: string): Outcome => ({ ok: false, error: new PlanStale(why) });

/** Why a member leaves the group, or undefined when it goes on. */
export function leave(member: Member, locked: Locked): Outcome | undefined {
  const { call } = member;
  const claim = call.claim ? locked.claims.get(call.claim.key) : 'claimed';
  if (claim instanceof Problem) return { ok: false, error: claim };
  if (claim !== undefined && claim !== 'claimed') return { ok: true, result: new Replay(claim) };
  for (const { plan } of member.parts) {
    const known = plan.external ? locked.external.get(plan.external.external_id) : undefined;
    if (known) return stale('The external id was taken meanwhile.');
    if (plan.settings_version !== locked.settings_version) return stale('The settings changed.');
    if (storedOf(plan).some((s) => locked.versions.get(s.id) !== s.version))
      return stale('The invoice changed.');
  }
  return undefined;
}
