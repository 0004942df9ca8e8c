/** What commits together: calls of one company, and their answers. */
import type { Problem } from '../../../kernel/problem.ts';
import type { NewEvent } from '../../../platform/events.ts';
import type { MemberOutcome } from '../../../platform/group-commit.ts';
import type { IssuingCall, Replay } from '../../../platform/issuing-call.ts';
import type { EmailRow } from '../../emails/index.ts';
import type { KeptRecord } from '../../verifactu/index.ts';
import type { Showing } from '../../sales/index.ts';
import type { InvoicePlan } from './plan.ts';

export type Part = { plan: InvoicePlan; events: readonly NewEvent[] };
/** A refused part does not stop the others. */
export type PartOutcome = { bundle: InvoicePlan['bundle'] } | { problem: Problem };

export function showingOf({ call, loaded, ports }: IssuingCall): Showing {
  return { company: loaded.company, ports, caller: call.caller };
}

/** One call: a single invoice, or the many of a bulk creation. */
export type Member = {
  parts: readonly Part[];
  call: IssuingCall;
  exclusive: readonly string[];
  size: number;
  /** What it throws refuses the whole call. */
  answer(outcomes: readonly PartOutcome[]): Committed | Promise<Committed>;
};
export type Committed = {
  status: number;
  body: { data: Record<string, unknown>; warnings?: string[]; warning_codes?: string[] };
  is_repeat?: boolean;
};
export type Outcome = MemberOutcome<Committed | Replay>;

/** Nothing to commit: `replay` is the invoice of the external id, `ready` answers a dry run or a move that changes nothing. */
export type Replayed =
  | { replay: InvoicePlan['bundle']; blocks: Record<string, unknown> }
  | { ready: Committed };

/** With its number, record and all its events. */
export type AcceptedPart = {
  member: Member;
  plan: InvoicePlan;
  bundle: InvoicePlan['bundle'];
  events: readonly NewEvent[];
  record: KeptRecord | null;
  email: EmailRow | null;
};
