/**
 * The operation that the job calls: the due occurrences of active recurrences, through the one function that issues. It is no part of
 * the API. A repeated call finds the occurrences that are made, and makes the others.
 */
import { commonErrors as c } from '../../kernel/common.errors.ts';
import { type Ctx, defineOperation, type Tx } from '../../kernel/operation.ts';
import { Problem, reasonText } from '../../kernel/problem.ts';
import { One, Shape, Type, Uuid } from '../../kernel/schema.ts';
import { newId } from '../../kernel/uuid7.ts';
import { withOwnGathered } from '../../platform/call-context.ts';
import { makeGivingWay } from '../../platform/give-way.ts';
import { type IssuingCall, Replay } from '../../platform/issuing-call.ts';
import {
  type CallToCommit,
  commitCalls,
  type Committed,
  invoiceErrors as e,
  type InvoicePlan,
  type PartOutcome,
} from '../invoices/index.ts';
import { findDocuments, listPageLines } from '../sales/index.ts';
import { type Due, planInvoice, readForInvoices } from './occurrences.ts';
import { emitRecurringInvoice } from './operations/emit-recurring-invoice.ts';
import { recurringInvoices as family } from './recurring-invoices.family.ts';
import { hasMissedTooMany, isDue } from './rules/states.ts';

/** Of one company in one call. */
export const runsMax = 100;

export type Refusal = { code: string; message: string; param: string | null };
/** `occurrence_on` was refused in the run with that id. Null: there is nothing to report; only the recurrence's job has to end. */
export type RunResult = { refused: Refusal; occurrence_on: string; run_id: string } | null;

type Prepared = {
  id: string;
  day: string;
  /** Of this run alone, as a request's id is of a request. */
  run_id: string;
  plan: InvoicePlan;
  gathered: IssuingCall['gathered'];
  ends_job: boolean;
};
/** `ended`: the commit has given its job the next time. */
type RunsPlan = { prepared: readonly Prepared[]; results: Record<string, RunResult | 'ended'> };

/** A lock, a full share and a fault of ours are no reason to pause a recurrence: the job is tried again. */
const isRefusal = (error: unknown): error is Problem => error instanceof Problem && error.def.status === 422;

function refusalOf(problem: Problem): Refusal {
  const { def, details } = problem;
  return { code: def.code, message: reasonText(problem), param: details.param ?? null };
}

const readRecurrences = (tx: Tx, company_id: string, ids: readonly string[]) =>
  Promise.all([findDocuments(tx, family, company_id, ids), listPageLines(tx, family, company_id, ids)]);

/** As many as have few enough lines for one pipeline, in the order given. The others are for the next run. */
function dueOf(
  { now, today }: Ctx,
  ids: readonly string[],
  [rows, { lines, whole }]: Awaited<ReturnType<typeof readRecurrences>>,
): Due[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const linesOf = Map.groupBy(lines, (line) => line.document_id);
  return ids.slice(0, whole).flatMap((id) => {
    const document = byId.get(id);
    if (!document || !isDue(document, now) || hasMissedTooMany(document, today)) return [];
    const { next_index: index, next_occurrence_on: day } = document;
    return [{ recurrence: { document, lines: linesOf.get(id) ?? [] }, occurrence: { index, day: day! } }];
  });
}

/** Each is a call of its own: that of the job with its id. */
function callOf({ id, run_id, plan, gathered, ends_job }: Prepared, issuing: IssuingCall): CallToCommit {
  const { caller } = issuing.call;
  const own = { ...caller, principal: { ...caller.principal, id } };
  const call = { ...issuing, gathered, call: { ...issuing.call, caller: own, request_id: run_id } };
  const parts = [{ plan, events: gathered.events.events }];
  const answer = ([outcome]: readonly PartOutcome[]): Committed => {
    if (!outcome || 'problem' in outcome) throw outcome?.problem ?? new Error('A plan has one outcome.');
    return { status: 200, body: { data: { [id]: ends_job ? 'ended' : null } } };
  };
  return { parts, call, answer };
}

/** A run that fails without a refusal is left out of the answer. */
async function commitRuns({ prepared, results }: RunsPlan, issuing: IssuingCall) {
  const data = { ...results };
  const settled = await Promise.allSettled(commitCalls(prepared.map((one) => callOf(one, issuing))));
  for (const [at, outcome] of settled.entries()) {
    const { id, day, run_id } = prepared[at]!;
    if (outcome.status === 'fulfilled') {
      if (outcome.value instanceof Replay) return outcome.value;
      if (prepared[at]!.ends_job) data[id] = 'ended';
    } else if (isRefusal(outcome.reason)) {
      data[id] = { refused: refusalOf(outcome.reason), occurrence_on: day, run_id };
    } else {
      // The only run: its fault is the call's, and the engine may prepare the call again.
      if (Object.keys(results).length === 1) throw outcome.reason;
      delete data[id];
    }
  }
  return { status: 200, body: { data } };
}

export const runRecurringInvoices = defineOperation({
  name: 'run_recurring_invoices',
  method: 'POST',
  path: '/internal/recurring_invoices/run',
  scope: 'recurring_invoices:transition',
  tag: family.collection,
  summary: 'Hace las facturas del día.',
  transaction: 'issuing',
  mcp: false,
  body: Shape({
    jobs: Type.Array(Shape({ id: Uuid, lease_id: Type.Optional(Uuid) }), { minItems: 1, maxItems: runsMax }),
  }),
  status: 200,
  output: One(Type.Object({})),
  errors: [c.missing_required_param, c.business_rule_violation, e.verifactu_not_eligible],
  events: emitRecurringInvoice.events,

  // With the company, in one pipeline.
  prefetch: (tx, company_id, { body }) =>
    readRecurrences(
      tx,
      company_id,
      body.jobs.map(({ id }) => id),
    ),

  async handle(ctx, { body }, read): Promise<RunsPlan> {
    const leases = new Map(body.jobs.map(({ id, lease_id }) => [id, lease_id]));
    const ids = [...leases.keys()];
    const results: RunsPlan['results'] = Object.fromEntries(ids.map((id) => [id, null]));
    const due = dueOf(ctx, ids, read);
    const prepared: Prepared[] = [];
    const giveWay = makeGivingWay();
    for (const asked of due.length === 0 ? [] : await readForInvoices(ctx, due)) {
      await giveWay();
      const { recurrence, occurrence } = asked;
      const { id } = recurrence.document;
      const run_id = newId();
      const own = withOwnGathered(ctx, run_id);
      try {
        const lease_id = leases.get(id);
        const plan = await planInvoice(own.ctx, asked, lease_id === undefined ? {} : { lease_id });
        const ends_job = lease_id !== undefined;
        prepared.push({ id, day: occurrence.day, run_id, plan, gathered: own.gathered, ends_job });
      } catch (error) {
        if (!isRefusal(error)) throw error;
        results[id] = { refused: refusalOf(error), occurrence_on: occurrence.day, run_id };
      }
    }
    return { prepared, results };
  },
  commit: commitRuns,
});
