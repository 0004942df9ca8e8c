/** Takes the locks of a group in their order (docs/request-path.md), and finds which members can go on. */
import type { Tx } from '../../../kernel/operation.ts';
import { Problem } from '../../../kernel/problem.ts';
import { lastSequences } from '../../../platform/events.ts';
import { claimKeys, type StoredAnswer } from '../../../platform/idempotency.ts';
import { PlanStale, Replay } from '../../../platform/issuing-call.ts';
import { type ChainHead, findRegistration, lockChainHead } from '../../verifactu/index.ts';
import type { Member, Outcome } from './group.ts';
import type { InvoicePlan } from './plan.ts';
import { findMovedRecords } from './record-plan.ts';
import { type CounterRow, lockCounters, startCounters } from '../../series/index.ts';
import { groupByKind, type Companion, companionKind } from '../../sales/index.ts';
import { readSettingsVersion } from '../../companies/index.ts';
import { invoices } from '../invoices.family.ts';
import { type ExternalInvoice, findByExternalIds } from '../invoices.store.ts';

export type LockedGroup = {
  settings_version: number;
  /** Null when nothing is numbered or recorded. */
  head: (ChainHead & { last_issued_at: Date | null }) | null;
  registration: Awaited<ReturnType<typeof findRegistration>>;
  counters: Map<string, CounterRow>;
  versions: Map<string, number>;
  external: Map<string, ExternalInvoice>;
  claims: Map<string, StoredAnswer | Problem | 'claimed'>;
  sequences: Map<string, number>;
  /** Invoices whose annulment has to be prepared again. */
  moved_records: ReadonlySet<string>;
};

export const counterName = (series_id: string, period: string) => `${series_id} ${period}`;

export async function lockGroup(
  tx: Tx,
  company_id: string,
  members: readonly Member[],
): Promise<LockedGroup> {
  const plans = members.flatMap((m) => m.parts.map((part) => part.plan));
  const numberings = plans.flatMap((plan) => plan.numbering ?? []);
  const wanted = new Map(
    numberings.map((n) => [counterName(n.series.id, n.period), { series_id: n.series.id, period: n.period }]),
  );
  const stored_ids = plans.flatMap((plan) => storedRowsOf(plan).map(({ stored }) => stored.id));
  const external_ids = plans.flatMap((plan) => plan.external_id ?? []);
  const first = members[0]!.call;
  const claims = members.flatMap((m) => m.call.claim ?? []);
  const is_recording = plans.some((plan) => plan.record !== null);
  const [head, registration, counters, versions, settings_seen, external, claimed, sequences, moved_records] =
    await Promise.all([
      numberings.length > 0 || is_recording ? lockChainHead(tx, company_id) : null,
      is_recording ? findRegistration(tx, company_id) : undefined,
      lockCounters(tx, company_id, [...wanted.values()]),
      lockStored(tx, company_id, plans),
      readSettingsVersion(tx, company_id),
      findByExternalIds(tx, company_id, external_ids),
      claimKeys(tx, company_id, claims, first.secrets, first.clock.now()),
      lastSequences(tx, company_id, [...stored_ids, ...new Set(numberings.map((n) => n.series.id))]),
      findMovedRecords(tx, company_id, plans),
    ]);
  const found = new Map(counters.map((row) => [counterName(row.series_id, row.period), row]));
  const missing = [...wanted].filter(([name]) => !found.has(name)).map(([, key]) => key);
  let settings_version = settings_seen;
  if (missing.length > 0) {
    const first_numbers = new Map(numberings.map((n) => [n.series.id, n.series.first_number]));
    for (const row of await startCounters(tx, company_id, missing, first_numbers)) {
      found.set(counterName(row.series_id, row.period), row);
    }
    // Starting a counter waits for a concurrent change of its series, so the settings are read again.
    settings_version = await readSettingsVersion(tx, company_id);
  }
  return {
    settings_version,
    head,
    registration,
    counters: found,
    versions,
    external: new Map(external.map((row) => [row.external_id, row])),
    claims: claimed,
    sequences,
    moved_records,
  };
}

type Stored = { kind: Companion['kind']; stored: NonNullable<Companion['stored']> };

/** Every stored row that the plan relies on, its own invoice first. */
export function storedRowsOf(plan: InvoicePlan): Stored[] {
  const own = plan.stored ? [{ kind: companionKind(invoices), stored: plan.stored }] : [];
  return [
    ...own,
    ...plan.companions.flatMap(({ kind, stored }) => (stored === null ? [] : [{ kind, stored }])),
  ];
}

/** Unique among all kinds. */
export function storedName({ kind, stored }: Stored): string {
  return `${kind.name} ${stored.id}`;
}

/** Locks by kind and id. */
async function lockStored(
  tx: Tx,
  company_id: string,
  plans: readonly InvoicePlan[],
): Promise<Map<string, number>> {
  const kinds = groupByKind(plans.flatMap(storedRowsOf));
  const found = await Promise.all(
    kinds.map(async ([kind, rows]) => {
      const ids = [...new Set(rows.map(({ stored }) => stored.id))];
      return (await kind.lock(tx, company_id, ids)).map((stored) => ({ kind, stored }));
    }),
  );
  return new Map(found.flat().map((row) => [storedName(row), row.stored.version]));
}

const stale = (why: string): Outcome => ({ ok: false, error: new PlanStale(why) });

/** Undefined when the member goes on. */
export function outcomeWithoutCommit(member: Member, locked: LockedGroup): Outcome | undefined {
  const { call } = member;
  const claim = call.claim ? locked.claims.get(call.claim.key) : 'claimed';
  if (claim instanceof Problem) return { ok: false, error: claim };
  if (claim !== undefined && claim !== 'claimed') return { ok: true, result: new Replay(claim) };
  for (const { plan } of member.parts) {
    const known = plan.external_id === null ? undefined : locked.external.get(plan.external_id);
    if (known) return stale('The external id was taken meanwhile.');
    if (plan.settings_version !== locked.settings_version) return stale('The settings changed.');
    if (storedRowsOf(plan).some((row) => locked.versions.get(storedName(row)) !== row.stored.version))
      return stale('The invoice changed.');
    if (locked.moved_records.has(plan.bundle.document.id)) return stale('The invoice has another record.');
  }
  return undefined;
}
