/** What is committed together: the calls of one company, with what each made of its plans and what it answers. */
import type { Problem } from '../../../kernel/problem.ts';
import type { NewEvent } from '../../../platform/events.ts';
import type { MemberOutcome } from '../../../platform/group-commit.ts';
import type { IssuingCall, Replay } from '../../../platform/issuing-call.ts';
import type { EmailRow } from '../../emails/index.ts';
import type { KeptRecord } from '../../verifactu/index.ts';
import type { Showing } from '../../sales/index.ts';
import type { InvoicePlan } from './plan.ts';

/** One invoice of a member, with the events that its preparation gathered. */
export type Part = { plan: InvoicePlan; events: readonly NewEvent[] };
/** What became of a part: the invoice as committed, or why it was refused while the others went on. */
export type PartOutcome = { bundle: InvoicePlan['bundle'] } | { problem: Problem };

/** For whom a call's invoices are presented. */
export function showingOf({ loaded, ports }: IssuingCall): Showing {
  return { company: loaded.company, ports };
}

/** One call: a single invoice, or the many of a bulk creation, which are committed together. */
export type Member = {
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
export type Outcome = MemberOutcome<Committed | Replay>;

/** Nothing to commit: the invoice that already answers for an external id, or an answer that is ready (a dry run, a move that changes nothing). */
export type Replayed =
  | { replay: InvoicePlan['bundle']; blocks: Record<string, unknown> }
  | { ready: Committed };

/** A part that goes on, with its number, its record and all its events. */
export type Kept = {
  member: Member;
  plan: InvoicePlan;
  bundle: InvoicePlan['bundle'];
  events: readonly NewEvent[];
  record: KeptRecord | null;
  /** The e-mail that it is sent with. */
  email: EmailRow | null;
};
