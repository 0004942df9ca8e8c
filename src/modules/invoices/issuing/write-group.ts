/** What a group writes, as sets. */
import type { Tx } from '../../../kernel/operation.ts';
import { actorOf, insertAudits } from '../../../platform/audit.ts';
import { insertEvents } from '../../../platform/events.ts';
import {
  withShortLockWait,
  type ReadyAnswer,
  readyAnswers,
  releaseKeys,
  type StoredAnswer,
  storeAnswers,
} from '../../../platform/idempotency.ts';
import { type IssuingCall, Replay } from '../../../platform/issuing-call.ts';
import { insertJobs, JobBuffer } from '../../../platform/jobs.ts';
import { storedFrom } from '../../../platform/stored-answers.ts';
import { dueNote, noteCommit } from '../../../platform/commit-notes.ts';
import { emailJobKind, insertEmails, jobPayload } from '../../emails/index.ts';
import { insertPayments, reversePayments } from '../../payments/index.ts';
import { saveChainHead } from '../../verifactu/index.ts';
import { insertInvoices, replaceDrafts, updateInvoices } from '../stored-invoices.ts';
import type { AcceptedPart, Member, Outcome } from './group.ts';
import type { LockedGroup } from './lock-group.ts';
import { groupByKind } from '../../sales/index.ts';
import { type CounterRow, dropCounters, saveCounters } from '../../series/index.ts';

/** Undefined when neither the numbers nor the record chain moved. */
function saveHead(
  tx: Tx,
  company_id: string,
  { head }: LockedGroup,
  used: readonly CounterRow[],
  accepted: readonly AcceptedPart[],
  stamp: Date,
): Promise<unknown> | undefined {
  const records = accepted.flatMap((one) => one.record?.sending ?? []);
  const is_recorded = accepted.some((one) => one.record !== null);
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

function writeEmails(
  tx: Tx,
  company_id: string,
  accepted: readonly AcceptedPart[],
  { loaded, clock }: IssuingCall,
): Promise<unknown>[] {
  const emails = accepted.flatMap((one) => one.email ?? []);
  if (emails.length === 0) return [];
  const jobs = new JobBuffer();
  for (const email of emails) if (email.status === 'queued') jobs.add(emailJobKind, jobPayload(email));
  if (jobs.jobs.length > 0) noteCommit(tx, dueNote);
  const stamp = { company_id, clock: loaded.clock, now: loaded.now, real_now: clock.now() };
  return [insertEmails(tx, company_id, emails), insertJobs(tx, jobs.jobs, stamp)];
}

/** What of the group's idempotency keys is stored with it. */
type KeptAnswers = { answers: readonly { key: string; answer: ReadyAnswer }[]; released: readonly string[] };

/** Sends long answers ahead. */
export async function readyGroupAnswers(
  tx: Tx,
  members: readonly Member[],
  outcomes: ReadonlyMap<Member, Outcome>,
  locked: LockedGroup,
): Promise<KeptAnswers> {
  const given: { key: string; answer: StoredAnswer }[] = [];
  const released: string[] = [];
  for (const member of members) {
    const key = member.call.claim?.key;
    if (key === undefined || locked.claims.get(key) !== 'claimed') continue;
    const outcome = outcomes.get(member)!;
    if (outcome.ok && !(outcome.result instanceof Replay))
      given.push({ key, answer: storedFrom(outcome.result) });
    else released.push(key);
  }
  const ready = await readyAnswers(
    tx,
    given.map(({ answer }) => answer),
  );
  return { answers: given.map(({ key }, at) => ({ key, answer: ready[at]! })), released };
}

export function writeGroup(
  tx: Tx,
  company_id: string,
  current: IssuingCall,
  accepted: readonly AcceptedPart[],
  { answers, released }: KeptAnswers,
  locked: LockedGroup,
  stamp: Date,
): Promise<unknown>[] {
  const created = accepted.filter(({ plan }) => plan.stored === null);
  const drafts = accepted.filter(({ plan }) => plan.stored !== null && plan.numbering !== null);
  const changed = accepted.filter(({ plan }) => plan.stored !== null && plan.numbering === null);
  const used = [...locked.counters.values()].filter((row) => row.taken > 0);
  const unused = [...locked.counters.values()].filter((row) => row.is_started && row.taken === 0);
  const { company, clock } = current.loaded;
  const insert = () =>
    insertInvoices(
      tx,
      company_id,
      created.map(({ bundle }) => bundle),
    );
  const writes = [
    // Another process may be using the same external id. The engine waits without a connection.
    ...(created.some(({ plan }) => plan.external_id !== null) ? withShortLockWait(tx, insert) : insert()),
    // No statement changes what an issued invoice says, so an issued draft is inserted anew.
    ...replaceDrafts(
      tx,
      company_id,
      drafts.map(({ bundle }) => bundle.document),
      drafts.map(({ bundle }) => bundle),
    ),
    updateInvoices(tx, company_id, [...changed.map(({ bundle }) => bundle.document)]),
    ...groupByKind(accepted.flatMap(({ plan }) => plan.companions)).flatMap(([kind, rows]) =>
      kind.write(
        tx,
        company_id,
        rows.map(({ row }) => row),
      ),
    ),
    insertPayments(
      tx,
      company_id,
      accepted.flatMap(({ plan }) => plan.new_payments),
    ),
    reversePayments(
      tx,
      company_id,
      accepted.flatMap(({ plan }) => plan.reversed_payments),
    ),
    saveCounters(tx, company_id, used),
    dropCounters(tx, company_id, unused),
    saveHead(tx, company_id, locked, used, accepted, stamp),
    ...writeEmails(tx, company_id, accepted, current),
    ...storeAnswers(tx, company_id, answers),
    releaseKeys(tx, company_id, released),
  ];
  // One set for several calls, so sequence numbers continue from call to call.
  for (const [version, of] of Map.groupBy(accepted, ({ member }) => member.call.call.version)) {
    const events = of.flatMap((one) => one.events);
    writes.push(insertEvents(tx, events, { company, version, now: current.loaded.now }, locked.sequences));
  }
  const calls = [...new Set(accepted.map((one) => one.member))].map((member) => member.call);
  for (const { gathered, loaded } of calls) {
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
  }
  const audits = calls.flatMap(({ gathered, call }) => {
    const actor = actorOf(call.caller, call.request_id);
    return gathered.audits.map((entry) => ({ actor, entry }));
  });
  writes.push(insertAudits(tx, company_id, audits, current.clock.now()));
  return writes.filter((w) => w !== undefined);
}
