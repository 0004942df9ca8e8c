/**
 * The one function that commits invoices: creations, issues and moves of one company in one transaction, up to
 * 50 of them, or all of a bulk creation (request path, "Issuing"). Lock order: issuing head, series counters by id, documents by id.
 * A number is taken from a locked counter in the transaction that stores the invoice: no gap, no duplicate,
 * and dates that never run backwards within a series. A member that loses leaves the group on its own.
 */
import { renderNumber } from '../../../domain/series-format.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import type { Tx } from '../../../kernel/operation.ts';
import { fail, Problem } from '../../../kernel/problem.ts';
import { constraintOf, type Database, heldTable, isUnreachable, sqlState } from '../../../platform/db.ts';
import { insertAudit } from '../../../platform/audit.ts';
import { EventBuffer, insertEvents, lastSequences, type NewEvent } from '../../../platform/events.ts';
import { companyTime } from '../../../platform/clock.ts';
import { dayIn } from '../../../kernel/dates.ts';
import { makeGroupCommit, type MemberOutcome } from '../../../platform/group-commit.ts';
import {
  briefly,
  claimKeys,
  releaseKeys,
  type StoredAnswer,
  storeAnswers,
} from '../../../platform/idempotency.ts';
import { type IssuingCall, PlanStale, Replay } from '../../../platform/issuing-call.ts';
import { insertJobs } from '../../../platform/jobs.ts';
import { insertPayments, reversePayments } from '../../payments/index.ts';
import {
  chainRecords,
  type ChainHead,
  findRegistration,
  isClockBehind,
  type KeptRecord,
  lockChainHead,
  makeRecorder,
  modeOn,
  numberFault,
  type Recorder,
  saveChainHead,
  setAlarm,
  signRecords,
  storeRecords,
  summaryOfKept,
  wakeSender,
} from '../../verifactu/index.ts';
import { present } from '../invoices.schema.ts';
import { checkSeriesDay } from '../rules/dates.ts';
import { checkSeriesIssuer } from '../rules/series-by-issuer.ts';
import { insertInvoices, replaceDrafts, updateInvoices } from '../invoices.store.ts';
import { type InvoicePlan, numbered } from './plan.ts';
import { checkoutBlock } from './record-plan.ts';
import { replayExternal } from './replay.ts';
import * as store from './issuing.store.ts';

/** One invoice of a member, with the events that its preparation gathered. */
export type Part = { plan: InvoicePlan; events: readonly NewEvent[] };
/** What became of a part: the invoice as committed, or why it was refused while the others went on. */
export type PartOutcome = { bundle: InvoicePlan['bundle'] } | { problem: Problem };

/** One call: a single invoice, or the many of a bulk creation, which are committed together. */
type Member = {
  parts: readonly Part[];
  call: IssuingCall;
  exclusive: readonly string[];
  size: number;
  /** Makes the answer; throws the refusal of a call that is refused as a whole. */
  answer(outcomes: readonly PartOutcome[]): Committed;
};
export type Committed = {
  status: number;
  body: { data: Record<string, unknown> };
  headers?: Record<string, string>;
};
type Outcome = MemberOutcome<Committed | Replay>;

const failed = (error: unknown): Outcome => ({ ok: false, error });

/** What the transaction read under its locks. */
type Locked = {
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

const counterName = (series_id: string, period: string) => `${series_id} ${period}`;

async function lockAll(tx: Tx, company_id: string, members: readonly Member[]): Promise<Locked> {
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
function storedOf(plan: InvoicePlan): { id: string; version: number }[] {
  return [...(plan.stored ? [plan.stored] : []), ...plan.also.map((other) => other.stored)];
}

/** Why a member leaves the group, or undefined when it goes on. */
function leave(member: Member, locked: Locked): Outcome | undefined {
  const { call } = member;
  const claim = call.claim ? locked.claims.get(call.claim.key) : 'claimed';
  if (claim instanceof Problem) return failed(claim);
  if (claim !== undefined && claim !== 'claimed') return { ok: true, result: new Replay(claim) };
  for (const { plan } of member.parts) {
    const known = plan.external ? locked.external.get(plan.external.external_id) : undefined;
    if (known) return failed(new PlanStale('The external id was taken meanwhile.'));
    if (plan.settings_version !== locked.settings_version)
      return failed(new PlanStale('The settings changed.'));
    if (storedOf(plan).some((s) => locked.versions.get(s.id) !== s.version))
      return failed(new PlanStale('The invoice changed.'));
  }
  return undefined;
}

/**
 * Takes the next number of the counter, whose row is locked.
 * @param today the company's day now: the plan may have been prepared before midnight
 * @throws Problem for a date before the series' last, or a series in which another issues
 */
function takeNumber(
  plan: InvoicePlan,
  locked: Locked,
  issued_at: string,
  today: string,
): InvoicePlan['bundle'] {
  const { numbering, bundle } = plan;
  if (!numbering) return bundle;
  const { series, period, issued_on } = numbering;
  const counter = locked.counters.get(counterName(series.id, period))!;
  const is_late = counter.last_issued_on !== null && issued_on < counter.last_issued_on;
  if (is_late && !numbering.is_day_asked && issued_on < today) throw new PlanStale('The day has turned.');
  checkSeriesIssuer(numbering, counter.issued_by);
  checkSeriesDay(numbering, counter.last_issued_on);
  const series_number = counter.next_number;
  const number = renderNumber(series.parts, { code: series.code, on: issued_on, number: series_number });
  const inadmissible = plan.record ? numberFault(number) : undefined;
  if (inadmissible) throw inadmissible;
  counter.next_number += 1;
  counter.taken += 1;
  for (const row of locked.counters.values()) {
    if (row.series_id === series.id)
      Object.assign(row, { last_issued_on: issued_on, issued_by: numbering.issued_by });
  }
  return { ...bundle, invoice: numbered(bundle.invoice, { number, series_number, period, issued_at }) };
}

/** All events of a part: its own, and those that only the number brings. The plan's stay as they are, for it may run again. */
function eventsOf(part: Part, call: IssuingCall['call'], locked: Locked): readonly NewEvent[] {
  const { numbering } = part.plan;
  if (!numbering) return part.events;
  const { series, period } = numbering;
  const counter = locked.counters.get(counterName(series.id, period))!;
  const events = new EventBuffer(call.request_id);
  if (counter.is_new_period && counter.taken === 1 && series.reset !== 'never') {
    events.add(series.reset === 'year' ? 'series.year_reset' : 'series.month_reset', series.id);
  }
  events.add('series.number_consumed', series.id, {
    data: { series: { id: series.id }, invoice: { id: part.plan.bundle.invoice.id } },
  });
  return [...part.events, ...events.events];
}

/** A record that breaks the authority's schema after all is kept and never sent: that is told at once. */
function recordEvents(kept: KeptRecord | null, call: IssuingCall['call']): readonly NewEvent[] {
  if (!kept?.sending?.is_blocked) return [];
  const events = new EventBuffer(call.request_id);
  events.add('invoice.verifactu_failed', kept.row.invoice_id);
  return events.events;
}

type Kept = {
  member: Member;
  plan: InvoicePlan;
  bundle: InvoicePlan['bundle'];
  events: readonly NewEvent[];
  record: KeptRecord | null;
};

/** With what the company records today; null while VeriFactu is off, or when nothing is recorded. */
async function recorderOf(
  current: IssuingCall,
  locked: Locked,
  now: Date,
  today: string,
): Promise<Recorder | Problem | null> {
  const { company } = current.loaded;
  const mode = modeOn(company, today);
  if (mode === null || !locked.registration) return null;
  try {
    return await makeRecorder(current.ports, company, mode, locked.registration, now, today);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

/**
 * Puts the record of a part into the chain, now that the invoice has its number.
 * @throws PlanStale when VeriFactu was turned on or off by the calendar since the plan was made
 */
function record(
  plan: InvoicePlan,
  bundle: InvoicePlan['bundle'],
  recorder: Recorder | null,
  locked: Locked,
  call: IssuingCall,
  now: Date,
): { bundle: InvoicePlan['bundle']; record: KeptRecord | null } {
  if (plan.record === null) return { bundle, record: null };
  if (recorder === null) throw new PlanStale('VeriFactu was turned off.');
  const { invoice } = bundle;
  const { content, follows_id, qr_url, qr_mode } = plan.record;
  const seed = {
    invoice_id: invoice.id,
    follows_id,
    qr_url,
    qr_mode,
    content: { ...content, number: invoice.number ?? '', issued_on: invoice.issued_on ?? '' },
  };
  const [kept] = chainRecords(call.ports, recorder, locked.head!, now, [seed]);
  if (!kept) throw new Error('A record was not made.');
  return {
    bundle: { ...bundle, invoice: { ...invoice, has_record: true, record: summaryOfKept(kept) } },
    record: kept,
  };
}

async function commitGroup(company_id: string, members: readonly Member[]): Promise<Outcome[]> {
  const { db } = members[0]!.call;
  return db.transaction(company_id, async (tx) => {
    const locked = await lockAll(tx, company_id, members);
    const outcomes = new Map<Member, Outcome>();
    const kept: Kept[] = [];
    // One that was prepared by the settings as they are: the clock of the company may have moved since another was.
    const is_current = ({ call }: Member) => call.loaded.company.settings_version === locked.settings_version;
    const current = (members.find(is_current) ?? members[0]!).call;
    const { loaded, clock } = current;
    const now = companyTime(loaded.clock, clock.now());
    const today = dayIn(loaded.company.time_zone, now);
    // The stamp never runs backwards within a company, whatever its clock does.
    const last = locked.head?.last_issued_at;
    const stamp = last && last > now ? last : now;
    const recorder = await recorderOf(current, locked, now, today);
    for (const member of members) {
      const gone = leave(member, locked);
      if (gone) {
        outcomes.set(member, gone);
        continue;
      }
      const counters = [...locked.counters].map(([name, row]) => [name, { ...row }] as const);
      const ends = { ...locked.head! };
      try {
        const taken: Kept[] = [];
        const parts = member.parts.map((part): PartOutcome => {
          try {
            if (part.plan.record && recorder instanceof Problem) throw recorder;
            const numbered = takeNumber(part.plan, locked, stamp.toISOString(), today);
            const { bundle, record: kept } = record(
              part.plan,
              numbered,
              recorder as Recorder | null,
              locked,
              current,
              now,
            );
            const events = [
              ...eventsOf(part, member.call.call, locked),
              ...recordEvents(kept, member.call.call),
            ];
            taken.push({ member, plan: part.plan, bundle, events, record: kept });
            return { bundle };
          } catch (error) {
            if (error instanceof Problem) return { problem: error };
            throw error;
          }
        });
        const result = member.answer(parts);
        kept.push(...taken);
        outcomes.set(member, { ok: true, result });
      } catch (error) {
        // Numbers that its parts had taken are given back before the next member takes its own.
        for (const [name, row] of counters) locked.counters.set(name, row);
        if (locked.head) locked.head = ends;
        outcomes.set(member, failed(error));
      }
    }
    const records = kept.flatMap((one) => one.record ?? []);
    if (recorder !== null && !(recorder instanceof Problem))
      await signRecords(current.ports, recorder, records);
    await Promise.all([
      ...write(tx, company_id, members, current, kept, outcomes, locked, stamp),
      ...writeRecords(tx, company_id, current, recorder, locked, records, now),
    ]);
    return members.map((member) => outcomes.get(member)!);
  });
}

/** The ends of numbering and chain; undefined when neither moved. */
function saveHead(
  tx: Tx,
  company_id: string,
  { head }: Locked,
  used: readonly store.CounterRow[],
  kept: readonly Kept[],
  stamp: Date,
): Promise<unknown> | undefined {
  const records = kept.flatMap((one) => one.record?.sending ?? []);
  const is_recorded = kept.some((one) => one.record !== null);
  if (head === null || (used.length === 0 && !is_recorded)) return undefined;
  const count = used.reduce((sum, row) => sum + row.taken, 0);
  const unsent_count = head.unsent_count + records.length;
  const last_issued_at = used.length > 0 ? stamp : head.last_issued_at;
  return saveChainHead(
    tx,
    company_id,
    { ...head, last_issued_at, unsent_count, is_sender_due: head.is_sender_due || records.length > 0 },
    count,
  );
}

/** So many waiting records are sent at once, whatever the authority's waiting time (Orden, art. 16.2). */
const fullBatch = 1000;

/** The records with their sending; the sender is told of them once, and again when a batch is full. */
function writeRecords(
  tx: Tx,
  company_id: string,
  { loaded, clock }: IssuingCall,
  recorder: Recorder | Problem | null,
  { head }: Locked,
  records: readonly KeptRecord[],
  now: Date,
): Promise<unknown>[] {
  if (records.length === 0 || head === null || recorder === null || recorder instanceof Problem) return [];
  const writes = storeRecords(tx, company_id, records);
  if (recorder.mode === 'verifactu') {
    const is_full = head.unsent_count < fullBatch && head.unsent_count + records.length >= fullBatch;
    if (!head.is_sender_due || is_full) {
      const { send_after } = recorder;
      const is_waiting = !is_full && send_after !== null && send_after > now && !loaded.clock.clock_frozen_at;
      writes.push(...wakeSender(tx, company_id, is_waiting ? send_after : now, loaded.clock, clock.now()));
    }
  }
  const alarm = isClockBehind(head.last_recorded_at, now) ? 'clock_behind' : null;
  if (alarm !== null && recorder.alarm === null) writes.push(setAlarm(tx, company_id, alarm, now));
  return writes;
}

/** Everything the group writes, sent in one pipeline. */
function write(
  tx: Tx,
  company_id: string,
  members: readonly Member[],
  current: IssuingCall,
  kept: readonly Kept[],
  outcomes: ReadonlyMap<Member, Outcome>,
  locked: Locked,
  stamp: Date,
): Promise<unknown>[] {
  const created = kept.filter(({ plan }) => plan.stored === null);
  const drafts = kept.filter(({ plan }) => plan.stored !== null && plan.numbering !== null);
  const changed = kept.filter(({ plan }) => plan.stored !== null && plan.numbering === null);
  const used = [...locked.counters.values()].filter((row) => row.taken > 0);
  const unused = [...locked.counters.values()].filter((row) => row.is_started && row.taken === 0);
  const answers: { key: string; answer: StoredAnswer }[] = [];
  const released: string[] = [];
  for (const member of members) {
    const key = member.call.claim?.key;
    if (key === undefined || locked.claims.get(key) !== 'claimed') continue;
    const outcome = outcomes.get(member)!;
    if (outcome.ok && !(outcome.result instanceof Replay))
      answers.push({ key, answer: { kind: 'answer', headers: {}, ...outcome.result } });
    else released.push(key);
  }
  const { company, clock } = current.loaded;
  const insert = () =>
    insertInvoices(
      tx,
      company_id,
      created.map(({ bundle }) => bundle.invoice),
      created.flatMap(({ bundle }) => bundle.lines),
      created.flatMap(({ bundle }) => bundle.tax_rows),
    );
  const writes = [
    // Another process may be giving the same external id away: the engine waits for it, without a connection.
    ...(created.some(({ plan }) => plan.external) ? briefly(tx, insert) : insert()),
    // A draft that is issued is written anew: no statement changes what an issued invoice says.
    ...replaceDrafts(
      tx,
      company_id,
      drafts.map(({ bundle }) => bundle.invoice),
      drafts.map(({ bundle }) => bundle),
    ),
    updateInvoices(tx, company_id, [
      ...changed.map(({ bundle }) => bundle.invoice),
      ...kept.flatMap(({ plan }) => plan.also.map((other) => other.row)),
    ]),
    insertPayments(
      tx,
      company_id,
      kept.flatMap(({ plan }) => plan.new_payments),
    ),
    reversePayments(
      tx,
      company_id,
      kept.flatMap(({ plan }) => plan.reversed_payments),
    ),
    store.saveCounters(tx, company_id, used),
    store.dropCounters(tx, company_id, unused),
    saveHead(tx, company_id, locked, used, kept, stamp),
    storeAnswers(tx, company_id, answers),
    releaseKeys(tx, company_id, released),
  ];
  // Events of several calls are one set: their sequence numbers go on from one to the next.
  for (const [version, of] of Map.groupBy(kept, ({ member }) => member.call.call.version)) {
    const events = of.flatMap((one) => one.events);
    writes.push(insertEvents(tx, events, { company, version, now: current.loaded.now }, locked.sequences));
  }
  for (const member of new Set(kept.map((one) => one.member))) {
    const { gathered, loaded, call } = member.call;
    const actor = {
      actor: 'api_key',
      key_id: call.caller.key_id,
      ip: call.caller.ip,
      request_id: call.request_id,
    } as const;
    if (gathered.jobs.jobs.length > 0) {
      writes.push(
        insertJobs(tx, gathered.jobs.jobs, {
          company_id,
          clock,
          now: loaded.now,
          real_now: current.clock.now(),
        }),
      );
    }
    if (gathered.audits.length > 0)
      writes.push(insertAudit(tx, company_id, actor, gathered.audits, current.clock.now()));
  }
  return writes.filter((w) => w !== undefined);
}

/** The head was held for longer than a lock is waited for, or the database is away, perhaps since the commit. */
const isShared = (error: unknown) => isUnreachable(error) || heldTable(error) === 'issuing_heads';

const makeGroups = () => makeGroupCommit<Member, Committed | Replay>(commitGroup, isShared);
/** The queues of each database: what is committed together goes over the connection of one of its members. */
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
  if ('ready' in plan) {
    await call.keep({ kind: 'answer', headers: {}, ...plan.ready });
    return plan.ready;
  }
  if ('replay' in plan) return replayExternal(plan, call);
  const parts = [{ plan, events: call.gathered.events.events }];
  return commitParts(parts, call, ([outcome]) => {
    if (!outcome || 'problem' in outcome) throw outcome?.problem ?? new Error('A plan has one outcome.');
    return {
      status: plan.status,
      headers: plan.headers,
      body: { data: { ...present(outcome.bundle), ...blocksOf(plan, outcome.bundle) } },
    };
  });
}

/** What the answer carries besides the invoice. */
export function blocksOf(plan: InvoicePlan, { invoice }: InvoicePlan['bundle']): Record<string, unknown> {
  return plan.wants_record_block ? { ...plan.blocks, verifactu: checkoutBlock(invoice) } : plan.blocks;
}

/**
 * Commits the invoices of one call together, and with others of the company that wait. A refused part does not
 * stop the rest.
 * @param answer makes the call's answer of what became of each part; what it throws refuses the call
 */
export async function commitParts(
  parts: readonly Part[],
  call: IssuingCall,
  answer: Member['answer'],
): Promise<Committed | Replay> {
  const exclusive = [
    ...(call.claim ? [`key ${call.claim.key}`] : []),
    ...parts.flatMap(({ plan }) => (plan.external ? [`external ${plan.external.external_id}`] : [])),
    ...parts.flatMap(({ plan }) => storedOf(plan).map((stored) => `invoice ${stored.id}`)),
  ];
  try {
    return await groupsOf(call.db).submit(call.loaded.company.company_id, {
      parts,
      call,
      exclusive,
      size: parts.length,
      answer,
    });
  } catch (error) {
    throw explain(error);
  }
}

/** Nothing to commit: the invoice that already answers for an external id, or an answer that is ready (a dry run, a move that changes nothing). */
export type Replayed =
  | { replay: InvoicePlan['bundle']; blocks: Record<string, unknown> }
  | { ready: Committed };

const foreignKeyViolation = '23503';

/** Unique and foreign keys stand behind the checks; what they refuse is said in the caller's terms. */
function explain(error: unknown): unknown {
  // The client, series or product that it refers to was deleted after it was prepared.
  if (sqlState(error) === foreignKeyViolation) return new PlanStale('What the invoice refers to is gone.');
  switch (constraintOf(error)) {
    case 'invoices_external_id':
      return new PlanStale('The external id was taken meanwhile.');
    case 'invoices_number':
    case 'invoices_series_number': {
      const reason =
        'el número que toca en la serie ya existe en otra serie. Cambie el formato de una de las dos.';
      return fail(c.business_rule_violation, { param: 'series_id', values: { reason } });
    }
    default:
      return error;
  }
}
