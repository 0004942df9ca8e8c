/**
 * Commits prepared plans, the only way to an invoice's number (docs/request-path.md). One transaction commits a group of calls of one
 * company. A refused member does not stop the others.
 */
import { dayIn } from '../../../kernel/dates.ts';
import type { Tx } from '../../../kernel/operation.ts';
import { Problem } from '../../../kernel/problem.ts';
import { presentTime } from '../../../platform/company-context.ts';
import { type Database, heldTable, isOutOfUse, ShareSpent } from '../../../platform/db.ts';
import { makeGivingWay } from '../../../platform/give-way.ts';
import { groupMax, makeGroupCommit } from '../../../platform/group-commit.ts';
import type { IssuingCall, Replay } from '../../../platform/issuing-call.ts';
import { storedFrom } from '../../../platform/stored-answers.ts';
import {
  beginDueMode,
  isClockBehind,
  raiseClockAlarm,
  type Recorder,
  signRecords,
} from '../../verifactu/index.ts';
import { invoices, present } from '../invoices.family.ts';
import { explainWrite, writeEmail } from '../../sales/index.ts';
import {
  type Committed,
  type AcceptedPart,
  type Member,
  type Outcome,
  type Part,
  type PartOutcome,
  type Replayed,
  showingOf,
} from './group.ts';
import { record, recordEvents, recorderOf, writeRecords } from './group-records.ts';
import { type LockedGroup, lockGroup, outcomeWithoutCommit, storedName, storedRowsOf } from './lock-group.ts';
import { warningMembers } from '../rules/warnings.ts';
import type { InvoicePlan } from './plan.ts';
import { checkoutBlock } from './record-plan.ts';
import { replayExternal } from './replay.ts';
import { eventsOf, takeNumber } from './take-number.ts';
import { readyGroupAnswers, writeGroup } from './write-group.ts';

const failed = (error: unknown): Outcome => ({ ok: false, error });

type Commit = {
  locked: LockedGroup;
  /** Null where nothing is recorded. */
  recorder: Recorder | Problem | null;
  current: IssuingCall;
  now: Date;
  today: string;
  stamp: Date;
  /** The day that has begun by the clock of any process. */
  newest_day: string;
};

/** Takes number and record. */
function attemptPart(
  member: Member,
  part: Part,
  { locked, recorder, current, now, today, stamp, newest_day }: Commit,
): AcceptedPart | { problem: Problem } {
  const { plan } = part;
  try {
    if (plan.record && recorder instanceof Problem) throw recorder;
    const numbered = takeNumber(plan, locked, stamp.toISOString(), newest_day);
    const days = { now, today };
    const { bundle, record: chained } = record(
      plan,
      numbered,
      recorder as Recorder | null,
      locked,
      current,
      days,
    );
    const { call } = member.call;
    const events = [...eventsOf(part, call, locked), ...recordEvents(chained, call)];
    const of = { company: current.loaded.company, now, ports: current.ports };
    const email = plan.email && writeEmail(of, invoices, plan.email, bundle.document);
    return { member, plan, bundle, events, record: chained, email };
  } catch (error) {
    if (error instanceof Problem) return { problem: error };
    throw error;
  }
}

/** A change of settings, so the members prepare again. */
async function beginModeOfDay(tx: Tx, { ports, loaded, clock }: IssuingCall): Promise<void> {
  const { company } = loaded;
  const now = presentTime(loaded, clock.now());
  await beginDueMode({ tx, ports, company, now, today: dayIn(company.time_zone, now) });
}

/** @returns the refusals of callers who lost what admitted them while the group waited (ADR 102) */
async function refuseLost(
  tx: Tx,
  company_id: string,
  members: readonly Member[],
): Promise<Map<Member, Outcome>> {
  const refused = new Map<Member, Outcome>();
  const ask = async (member: Member) => {
    try {
      await member.call.call.refuseLost?.(tx, company_id);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      refused.set(member, failed(error));
    }
  };
  await Promise.all(members.map(ask));
  return refused;
}

async function commitGroup(company_id: string, members: readonly Member[]): Promise<Outcome[]> {
  const first = members[0]!.call;
  return first.db.transaction(company_id, async (tx) => {
    // Rarely planned: without it the locks go out with the transaction's begin.
    if (first.loaded.company.verifactu_next_mode !== null) await beginModeOfDay(tx, first);
    const locked = await lockGroup(tx, company_id, members);
    const outcomes = await refuseLost(tx, company_id, members);
    const accepted: AcceptedPart[] = [];
    // Prefer a member with today's settings: the clock may have moved since another was prepared.
    const is_current = ({ call }: Member) => call.loaded.company.settings_version === locked.settings_version;
    const current = members.find(is_current)?.call ?? first;
    const { loaded, clock } = current;
    const now = presentTime(loaded, clock.now());
    const today = dayIn(loaded.company.time_zone, now);
    // The stamp never runs backwards within a company, whatever its clock does.
    const last = locked.head?.last_issued_at;
    const stamp = last && last > now ? last : now;
    // Clocks of processes differ by seconds. A stamp that is further ahead was wrong, and does not count.
    const newest_day = isClockBehind(last ?? null, now) ? today : dayIn(loaded.company.time_zone, stamp);
    const recorder = await recorderOf(current, locked, now, today);
    const giveWay = makeGivingWay();
    for (const member of members) {
      const gone = outcomes.get(member) ?? outcomeWithoutCommit(member, locked);
      if (gone) {
        outcomes.set(member, gone);
        continue;
      }
      const counters = [...locked.counters].map(([name, row]) => [name, { ...row }] as const);
      const ends = { ...locked.head! };
      try {
        const own: AcceptedPart[] = [];
        const parts: PartOutcome[] = [];
        for (const part of member.parts) {
          await giveWay();
          const made = attemptPart(member, part, {
            locked,
            recorder,
            current,
            now,
            today,
            stamp,
            newest_day,
          });
          if ('bundle' in made) own.push(made);
          parts.push(made);
        }
        const result = await member.answer(parts);
        accepted.push(...own);
        outcomes.set(member, { ok: true, result });
      } catch (error) {
        // Gives back the refused member's numbers before the next member takes its own.
        for (const [name, row] of counters) locked.counters.set(name, row);
        if (locked.head) locked.head = ends;
        outcomes.set(member, failed(error));
      }
    }
    const records = accepted.flatMap((one) => one.record ?? []);
    if (recorder !== null && !(recorder instanceof Problem) && records.length > 0) {
      const { ports } = current;
      await signRecords(ports, recorder, records);
      await raiseClockAlarm({ tx, ports, company: loaded.company, now, today }, recorder, locked.head!);
    }
    const kept = await readyGroupAnswers(tx, members, outcomes, locked);
    await Promise.all([
      ...writeGroup(tx, company_id, current, accepted, kept, locked, stamp),
      ...writeRecords(tx, company_id, current, recorder, locked, records, now),
    ]);
    return members.map((member) => outcomes.get(member)!);
  });
}

/** Faults that hit every member: the head stayed locked too long, or the database is away, perhaps since the commit. */
const isShared = (error: unknown) =>
  isOutOfUse(error) || error instanceof ShareSpent || heldTable(error) === 'issuing_heads';

const makeGroups = () => makeGroupCommit<Member, Committed | Replay>(commitGroup, isShared);
/** One set per database, because a group uses the connection of one of its members. */
const groups = new WeakMap<Database, ReturnType<typeof makeGroups>>();

function groupsOf(db: Database): ReturnType<typeof makeGroups> {
  const known = groups.get(db) ?? makeGroups();
  groups.set(db, known);
  return known;
}

/**
 * Commits a prepared plan, with others of the company that wait. An `issuing` operation names this function.
 * @throws Problem that refuses this invoice alone; PlanStale when it has to be prepared again
 */
export async function commitInvoicePlan(
  plan: InvoicePlan | Replayed,
  call: IssuingCall,
): Promise<Committed | Replay> {
  if ('ready' in plan) return (await call.keep(storedFrom(plan.ready))) ?? plan.ready;
  if ('replay' in plan) return replayExternal(plan, call);
  const parts = [{ plan, events: call.gathered.events.events }];
  return commitParts(parts, call, ([outcome]) => {
    if (!outcome || 'problem' in outcome) throw outcome?.problem ?? new Error('A plan has one outcome.');
    return {
      status: plan.status,
      is_repeat: plan.is_repeat,
      body: {
        data: { ...present(outcome.bundle, showingOf(call)), ...blocksOf(plan, outcome.bundle) },
        ...warningMembers([{ codes: plan.warnings }]),
      },
    };
  });
}

export function blocksOf(
  plan: InvoicePlan,
  { document: invoice }: InvoicePlan['bundle'],
): Record<string, unknown> {
  const { blocks, record_block } = plan;
  if (record_block === 'absent') return blocks;
  return { ...blocks, verifactu: checkoutBlock(invoice, record_block === 'with_picture') };
}

/** `answer`: what it throws refuses the call. */
export type CallToCommit = Pick<Member, 'parts' | 'call' | 'answer'>;

function memberOf({ parts, call, answer }: CallToCommit): Member {
  const exclusive = [
    ...(call.claim ? [`key ${call.claim.key}`] : []),
    ...parts.flatMap(({ plan }) => (plan.external_id === null ? [] : [`external ${plan.external_id}`])),
    ...parts.flatMap(({ plan }) => storedRowsOf(plan).map(storedName)),
  ];
  // A payment that is taken back is told whole, with its metadata: many of them commit alone.
  const weight = parts.reduce((sum, { plan }) => sum + 1 + plan.reversed_payments.length, 0);
  // A job that sees its due time commits alone, because the others of a group see the present.
  const size = call.loaded.due_time ? Math.max(groupMax, weight) : weight;
  return { parts, call, exclusive, size, answer };
}

/** Commits the invoices of one call, with others of the company that wait. A refused part does not stop the rest. */
export async function commitParts(
  parts: readonly Part[],
  call: IssuingCall,
  answer: Member['answer'],
): Promise<Committed | Replay> {
  const [committed] = commitCalls([{ parts, call, answer }]);
  return committed!;
}

/** Commits calls of one company together, if nothing hinders it. Each stands alone. */
export function commitCalls(calls: readonly CallToCommit[]): Promise<Committed | Replay>[] {
  const [first] = calls;
  if (!first) return [];
  const { db, loaded } = first.call;
  return groupsOf(db)
    .submitAll(loaded.company.company_id, calls.map(memberOf))
    .map((committed) =>
      committed.catch((error: unknown) => {
        throw explainWrite(invoices, error);
      }),
    );
}
