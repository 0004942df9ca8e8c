/** Makes the invoice of the next occurrence ahead of its day. It counts, and the calendar goes on after it. */
import { lineErrors } from '../../../domain/sales/lines.errors.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { type Ctx, defineOperation } from '../../../kernel/operation.ts';
import { fail, Problem } from '../../../kernel/problem.ts';
import { Reasons } from '../../../kernel/reasons.ts';
import { DayText, Described, OneWarned, Shape, Type } from '../../../kernel/schema.ts';
import {
  addressWarningCodes,
  amountsOf,
  commitInvoicePlan,
  Invoice,
  invoiceErrors as e,
  invoiceRunOutput,
  type InvoicePlan,
  type Replayed,
} from '../../invoices/index.ts';
import { dryRunInput, findBundle, idOf, idParams, isDryRun, presentDryRun } from '../../sales/index.ts';
import { nextStatus } from '../moves.ts';
import {
  type Asked,
  checkRecipient,
  type Occurrence,
  planInvoice,
  prepareInvoice,
  readForInvoices,
  type Recurrence,
} from '../occurrences.ts';
import { recurringInvoices as family } from '../recurring-invoices.family.ts';
import { nextOccurrence } from '../rules/states.ts';

const DryRun = invoiceRunOutput('can_emit', family.the);

/** @throws what the state table says; 409 for another day than the next one */
function askedOccurrence(
  { today }: Ctx,
  { document: row }: Recurrence,
  asked: string | undefined,
): Occurrence {
  nextStatus(row, 'emit');
  const next = nextOccurrence(row, today);
  if (!next) {
    const reason = 'no le queda ninguna factura por hacer.';
    throw fail(c.business_rule_violation, { param: family.object, values: { reason } });
  }
  if (asked !== undefined && asked !== next.day) {
    const values = { reason: `la siguiente factura es la del ${next.day}.` };
    throw fail(c.invalid_status_transition, { param: 'occurrence_on', values });
  }
  return next;
}

/** Keeps the dry run from reporting a missing recipient twice. */
function withoutSending(asked: Asked): Asked {
  return { ...asked, body: { ...asked.body, options: { ...asked.body.options, send_automatically: false } } };
}

/** A recurrence that leaves drafts asks nothing of the issue. */
async function dryRun(ctx: Ctx, bundle: Recurrence, asked: string | undefined): Promise<Replayed> {
  const reasons = new Reasons(true);
  const gather = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      reasons.refuse(error);
      return undefined;
    }
  };
  let amounts: ReturnType<typeof amountsOf> = null;
  const occurrence = await gather(async () => askedOccurrence(ctx, bundle, asked));
  if (occurrence) {
    const is_dry = bundle.document.auto_issue;
    const ran = await gather(async () => {
      const [asked] = await readForInvoices(ctx, [{ recurrence: bundle, occurrence }], { is_dry });
      reasons.attempt(() => checkRecipient(asked!));
      return prepareInvoice(ctx, reasons.problems.length === 0 ? asked! : withoutSending(asked!));
    });
    if (ran && 'ready' in ran) {
      const { reasons: of_invoice, ...rest } = ran.ready.body.data as { reasons: unknown[] };
      const own = presentDryRun('can_emit', bundle.document.id, reasons).reasons as unknown[];
      const found = [...own, ...of_invoice];
      const data = {
        ...rest,
        object: 'dry_run',
        id: bundle.document.id,
        can_emit: found.length === 0,
        reasons: found,
      };
      const { can_issue: _, ...shown } = data as typeof data & { can_issue?: boolean };
      return { ready: { ...ran.ready, body: { ...ran.ready.body, data: shown } } };
    }
    if (ran && 'bundle' in ran) amounts = amountsOf(ran);
  }
  const data = { ...presentDryRun('can_emit', bundle.document.id, reasons), amounts };
  return { ready: { status: 200, body: { data } } };
}

export const emitRecurringInvoice = defineOperation({
  name: 'emit_recurring_invoice',
  method: 'POST',
  path: '/v1/recurring_invoices/:recurring_invoice/emit',
  scope: 'recurring_invoices:transition',
  tag: family.collection,
  summary: 'Hace ya la próxima factura de una factura recurrente.',
  description:
    'Hace la factura del próximo día sin esperar a que llegue, como la haría el calendario pero con fecha de hoy: emitida si auto_issue es true, y enviada si auto_send lo es; si no, en borrador. Cuenta como una más, y el calendario sigue por el día siguiente a ese; en pausa también se puede. occurrence_on, si se envía, tiene que ser el próximo día: si otra llamada o el calendario ya lo han hecho se rechaza con invalid_status_transition. dry_run dice todo lo que lo impediría y no guarda nada. El próximo día lo dice preview_recurring_invoice.',
  transaction: 'issuing',
  mcp: true,
  irreversible: true,
  irreversible_for: ({ body }) => !isDryRun(body),
  reaches_outside: true,
  rate_of: ({ body }) => (isDryRun(body) ? 'read' : 'write'),
  params: idParams(family),
  body: Shape({
    occurrence_on: Type.Optional(
      Described(DayText, 'El día que se quiere hacer, YYYY-MM-DD: solo el próximo. Si se omite, ese'),
    ),
    dry_run: dryRunInput,
  }),
  body_optional: true,
  status: 201,
  other_statuses: [
    {
      status: 200,
      when: 'La llamada era de prueba (dry_run).',
      output: OneWarned(DryRun, addressWarningCodes),
    },
  ],
  output: OneWarned(Invoice, addressWarningCodes),
  errors: [
    c.resource_not_found,
    c.invalid_status_transition,
    c.missing_required_param,
    c.business_rule_violation,
    lineErrors.amount_reconciliation_failed,
    e.simplified_invoices_disabled,
    e.operation_date_after_issue_date,
    e.verifactu_not_eligible,
  ],
  events: [
    'recurring_invoice.executed',
    'recurring_invoice.completed',
    'invoice.created',
    'invoice.number_assigned',
    'invoice.simplified_created',
    'series.number_consumed',
    'series.year_reset',
    'series.month_reset',
    'invoice.verifactu_failed',
  ],
  examples: [{ title: 'La próxima, ya' }],

  async handle(ctx, { params, body = {} }): Promise<InvoicePlan | Replayed> {
    const bundle = await findBundle(ctx.tx, family, ctx.company.company_id, idOf(family, params));
    if (!bundle) throw fail(c.resource_not_found, { param: family.object });
    if (isDryRun(body)) return dryRun(ctx, bundle, body.occurrence_on);
    const occurrence = askedOccurrence(ctx, bundle, body.occurrence_on);
    const [asked] = await readForInvoices(ctx, [{ recurrence: bundle, occurrence }]);
    return planInvoice(ctx, asked!, null);
  },
  commit: commitInvoicePlan,
});
