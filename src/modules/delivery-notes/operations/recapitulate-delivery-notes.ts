/** Bills the deliveries of a month in one draft invoice: all of them or none (RD 1619/2012, art. 13). */
import type { DocumentRow } from '../../../domain/sales/rows.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation, type Tx } from '../../../kernel/operation.ts';
import { Reasons } from '../../../kernel/reasons.ts';
import { OneWarned, Shape, Type, Uuid } from '../../../kernel/schema.ts';
import { checkSurchargeApart, invoiceTarget } from '../../invoices/index.ts';
import {
  type BundleOf,
  conversionBody,
  conversionWarningCodes,
  documentOutput,
  draftFromAll,
  dryRunOutput,
  findDocuments,
  isDryRun,
  keepConversion,
  listLinesTogether,
  lockDocuments,
  presentDocument,
  presentDryRun,
  replayOf,
  warningsOf,
  withParts,
} from '../../sales/index.ts';
import { deliveryNotes } from '../delivery-notes.family.ts';
import {
  checkTogether,
  inOrder,
  isPastDeadline,
  operationDay,
  operationDayOf,
} from '../rules/recapitulation.ts';

const late = 'recapitulative_deadline_passed';
const codes = [...conversionWarningCodes, late] as const;
const lateText =
  'El plazo para expedir esta factura recapitulativa ha pasado (RD 1619/2012, art. 13.2): expídala cuanto antes.';

const { target: _, ...shared } = conversionBody({ targets: [invoiceTarget] });
const Invoice = documentOutput(invoiceTarget.family);

type Body = {
  delivery_note_ids: string[];
  operation_on?: string | null;
  issued_on?: string | null;
  external_id?: string | null;
  dry_run?: boolean;
};

type Warned = { warnings?: string[]; warning_codes?: string[] };

function withLate(told: Warned, is_late: boolean): Warned {
  if (!is_late) return told;
  return {
    warnings: [...(told.warnings ?? []), lateText],
    warning_codes: [...(told.warning_codes ?? []), late],
  };
}

async function readById(tx: Tx, company_id: string, ids: readonly string[]) {
  const found = await findDocuments(tx, deliveryNotes, company_id, ids);
  return new Map(found.map((note) => [note.id, note]));
}

export const recapitulateDeliveryNotes = defineOperation({
  name: 'recapitulate_delivery_notes',
  method: 'POST',
  path: '/v1/delivery_notes/recapitulate',
  scope: 'delivery_notes:transition',
  tag: 'delivery_notes',
  summary: 'Reúne los albaranes de un mes en una factura recapitulativa en borrador.',
  description:
    'Copia las líneas de 1 a 100 albaranes pendientes, entregados o firmados en una factura en borrador, por día y número, cada una con su origen, y todos quedan facturados; o se rechaza y no cambia nada. Un albarán en otro estado se rechaza (invalid_status_transition). Tienen que ser del mismo cliente, moneda y forma de precio, y sus entregas del mismo mes natural (business_rule_violation; RD 1619/2012, art. 13); las líneas con recargo de equivalencia van en otra factura (art. 16.4). Lo devuelto, con cantidad negativa, se descuenta (art. 15.2). operation_on es el último día del mes si ya ha pasado en issued_on (hoy, si se omite) y, si no, el de la última entrega, o el que se envíe. No emite la factura: para eso está issue_invoice. Si se borra el borrador, o se anula la factura, los albaranes vuelven al estado que tenían. Si el plazo para expedirla ha pasado, lo dice en warnings y no lo impide. Con dry_run dice todo lo que lo impediría y no guarda nada.',
  transaction: 'own',
  mcp: true,
  rate_of: ({ body }) => (isDryRun(body) ? 'read' : 'write'),
  status: 201,
  other_statuses: [
    {
      status: 200,
      when: 'Ya estaba hecha con este external_id, y se responde con la factura que creó; o la llamada era de prueba (dry_run).',
      output: OneWarned(Type.Union([Invoice, dryRunOutput('can_convert', 'la factura')]), codes),
    },
  ],
  body: Shape({
    delivery_note_ids: Type.Array(Uuid, {
      minItems: 1,
      maxItems: 100,
      uniqueItems: true,
      description: 'Ids de los albaranes, de 1 a 100 y sin repetir',
    }),
    ...shared,
  }),
  output: OneWarned(Invoice, codes),
  errors: [c.invalid_status_transition, c.missing_required_param, c.business_rule_violation],
  events: ['invoice.created', 'delivery_note.converted', 'delivery_note.status_changed'],
  examples: [{ title: 'Un albarán', body: { delivery_note_ids: ['{delivery_note}'] } }],
  external_ids: ({ body }) => [(body as Body | undefined)?.external_id ?? []].flat(),

  async handle(ctx, { body: sent }) {
    const { tx, today } = ctx;
    const { company_id } = ctx.company;
    const body = sent as Body;
    const { delivery_note_ids: ids } = body;
    const is_dry = isDryRun(body);
    const reasons = new Reasons(is_dry);
    const locked = is_dry ? undefined : await lockDocuments(tx, deliveryNotes, company_id, ids);
    const sources = ids.map((id) => ({ object: 'delivery_note', id }));
    const replay = await replayOf(ctx, invoiceTarget, sources, body, reasons);
    const dry = (told: Warned = {}) => ({
      status: 200,
      body: { data: presentDryRun('can_convert', null, reasons), ...told },
    });
    if (replay) return is_dry ? dry(replay.told) : replay.answer;
    const byId = locked ?? (await readById(tx, company_id, ids));
    const known = inOrder(
      checkTogether(
        ids.map((id) => byId.get(id)),
        reasons,
      ),
    );
    const lines = await listLinesTogether(
      tx,
      deliveryNotes,
      company_id,
      known.map(({ id }) => id),
      'delivery_note_ids',
    ).catch((error) => reasons.refuse(error));
    if (!lines) return dry();
    const bundles = await withParts(tx, deliveryNotes, company_id, known, Promise.resolve(lines));
    const [first, ...rest] = bundles.map((bundle) => ({
      object: 'delivery_note',
      bundle,
      operation_on: operationDay(bundle.document),
    }));
    if (!first) return dry();
    reasons.attempt(() => checkSurchargeApart(lines));
    const issued_on = body.issued_on ?? today;
    const operation_on = body.operation_on ?? operationDayOf(known, issued_on);
    const draft = (await draftFromAll(
      ctx,
      invoiceTarget,
      { sources: [first, ...rest], param: 'delivery_note_ids' },
      { ...body, operation_on },
      reasons,
    )) as BundleOf<DocumentRow, object>;
    const delivered_on = operationDay(first.bundle.document);
    const is_business = draft.document.client_snapshot?.is_private_person !== true;
    const is_late = delivered_on !== null && isPastDeadline(delivered_on, issued_on, is_business);
    const told = withLate(warningsOf(draft.lines), is_late);
    if (is_dry) return dry(told);
    const converted = bundles.map(({ document: source }) => ({ source, status: 'invoiced' }));
    const sourced = {
      ...draft,
      document: {
        ...draft.document,
        sources: known.map(({ id, number }) => ({ object: 'delivery_note', id, number })),
      },
    };
    await keepConversion(ctx, deliveryNotes, converted, { family: invoiceTarget.family, draft: sourced });
    return { status: 201, body: { data: presentDocument(invoiceTarget.family, sourced, ctx), ...told } };
  },
});
