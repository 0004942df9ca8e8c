/**
 * The operation that the job calls: the due occurrences of active recurrences, through the one function that issues. It is no part of
 * the API. A repeated call finds the occurrences that are made, and makes the others.
 */
import { commonErrors as c } from '../../kernel/common.errors.ts';
import { type Ctx, defineOperation } from '../../kernel/operation.ts';
import { Problem, problemMessage } from '../../kernel/problem.ts';
import { One, Shape, Type, Uuid } from '../../kernel/schema.ts';
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
import { hasMissedTooMany, isDue } from './rules/schedule.ts';

/** Of one company in one call. */
export const runsMax = 50;

export type Refusal = { code: string; message: string; param: string | null };
/** `occurrence_on` was refused; null: nothing is left to be said of it, for now. */
export type RunResult = { refused: Refusal; occurrence_on: string } | null;

type Prepared = { id: string; day: string; plan: InvoicePlan; gathered: IssuingCall['gathered'] };
type RunsPlan = { prepared: readonly Prepared[]; results: Record<string, RunResult> };

/** A lock, a full share and a fault of ours are no reason to pause a recurrence: the job is tried again. */
const isRefusal = (error: unknown): error is Problem => error instanceof Problem && error.def.status === 422;

function refusalOf({ def, details }: Problem): Refusal {
  const message = details.errors?.[0]?.message ?? problemMessage(def, details.values);
  return { code: def.code, message, param: details.param ?? null };
}

/** As many as have few enough lines for one pipeline, in the order given. The others are for the next run. */
async function findDue({ tx, company, now, today }: Ctx, ids: readonly string[]): Promise<Due[]> {
  const { company_id } = company;
  const rows = await findDocuments(tx, family, company_id, ids);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const due = ids.flatMap((id) => {
    const row = byId.get(id);
    return row && isDue(row, now) && !hasMissedTooMany(row, today) ? [row] : [];
  });
  const due_ids = due.map(({ id }) => id);
  const { lines, whole } = await listPageLines(tx, family, company_id, due_ids);
  const linesOf = Map.groupBy(lines, (line) => line.document_id);
  return due.slice(0, whole).map((document) => {
    const { next_index: index, next_occurrence_on: day } = document;
    return {
      recurrence: { document, lines: linesOf.get(document.id) ?? [] },
      occurrence: { index, day: day! },
    };
  });
}

/** Each is a call of its own: that of the job with its id. */
function callOf({ id, plan, gathered }: Prepared, issuing: IssuingCall): CallToCommit {
  const { caller } = issuing.call;
  const own = { ...caller, principal: { ...caller.principal, id } };
  const call = { ...issuing, gathered, call: { ...issuing.call, caller: own, request_id: id } };
  const parts = [{ plan, events: gathered.events.events }];
  const answer = ([outcome]: readonly PartOutcome[]): Committed => {
    if (!outcome || 'problem' in outcome) throw outcome?.problem ?? new Error('A plan has one outcome.');
    return { status: 200, body: { data: { [id]: null } } };
  };
  return { parts, call, answer };
}

/** One that fails is left out of the answer. */
async function commitRuns({ prepared, results }: RunsPlan, issuing: IssuingCall) {
  const data = { ...results };
  const settled = await Promise.allSettled(commitCalls(prepared.map((one) => callOf(one, issuing))));
  for (const [at, outcome] of settled.entries()) {
    const { id, day } = prepared[at]!;
    if (outcome.status === 'fulfilled') {
      if (outcome.value instanceof Replay) return outcome.value;
    } else if (isRefusal(outcome.reason)) {
      data[id] = { refused: refusalOf(outcome.reason), occurrence_on: day };
    } else {
      // Alone, it is the call's fault: the engine may prepare it again.
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
  body: Shape({ recurring_invoices: Type.Array(Uuid, { minItems: 1, maxItems: runsMax }) }),
  status: 200,
  output: One(Type.Object({})),
  errors: [c.missing_required_param, c.business_rule_violation, e.verifactu_not_eligible],
  events: emitRecurringInvoice.events,

  async handle(ctx, { body }): Promise<RunsPlan> {
    const ids = body.recurring_invoices;
    const results: Record<string, RunResult> = Object.fromEntries(ids.map((id) => [id, null]));
    const due = await findDue(ctx, ids);
    const prepared: Prepared[] = [];
    const giveWay = makeGivingWay();
    for (const asked of due.length === 0 ? [] : await readForInvoices(ctx, due)) {
      await giveWay();
      const { recurrence, occurrence } = asked;
      const { id } = recurrence.document;
      const own = withOwnGathered(ctx, id);
      try {
        const plan = await planInvoice(own.ctx, asked, 'run');
        prepared.push({ id, day: occurrence.day, plan, gathered: own.gathered });
      } catch (error) {
        if (!isRefusal(error)) throw error;
        results[id] = { refused: refusalOf(error), occurrence_on: occurrence.day };
      }
    }
    return { prepared, results };
  },
  commit: commitRuns,
});
