/**
 * Creates up to 100 invoices in one commit. Refused elements do not stop the others. An `external_id` that exists, also within
 * the call, gets the existing invoice.
 */
import { isStorable } from '../../../kernel/check.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { elementIssues } from '../../../kernel/elements.ts';
import { type Ctx, defineOperation, largestBody } from '../../../kernel/operation.ts';
import { fail, placeInLines, Problem, problemMessage } from '../../../kernel/problem.ts';
import { invalidParam } from '../../../kernel/resource-input.ts';
import { Nullable, OneWarned, Shape, Type, Described, Uuid } from '../../../kernel/schema.ts';
import type { Steps } from '../../../kernel/steps.ts';
import { EventBuffer, type NewEvent } from '../../../platform/events.ts';
import { inTurns, makeGivingWay } from '../../../platform/give-way.ts';
import type { IssuingCall } from '../../../platform/issuing-call.ts';
import { storedFrom } from '../../../platform/stored-answers.ts';
import type { InvoiceBundle } from '../invoices.rows.ts';
import { Invoice, present } from '../invoices.family.ts';
import type { Showing } from '../../sales/index.ts';
import { InvoiceInput, type InvoiceInputBody } from '../invoices.schema.ts';
import { findInvoices, withSomePayments } from '../stored-invoices.ts';
import { blocksOf, commitParts } from '../issuing/commit-plans.ts';
import { type Committed, type PartOutcome, showingOf } from '../issuing/group.ts';
import { waitForPdfBlocks } from '../issuing/pdf-blocks.ts';
import { storedRowsOf } from '../issuing/lock-group.ts';
import type { InvoicePlan } from '../issuing/plan.ts';
import {
  type CreationReads,
  externalIdsOf,
  isIssued,
  prepareCreation,
  readForCreation,
} from '../issuing/prepare-creation.ts';
import { checkReplay, warningsOfIssued } from '../issuing/replay.ts';
import { addressWarningCodes } from '../rules/addresses.ts';
import { type Warned, warningMembers } from '../rules/warnings.ts';
import { requestHash } from '../rules/request-hash.ts';

const Failure = Type.Object({
  index: Type.Integer({ description: 'Lugar en la lista enviada, desde 0' }),
  external_id: Nullable(Type.String({ description: 'El que llevaba' })),
  error_code: Type.String({ description: 'Código del error' }),
  error_message: Type.String({ description: 'Por qué se ha rechazado' }),
  subcode: Nullable(Type.String({ description: 'Precisa error_code, si tiene varias causas' })),
  param: Nullable(Type.String({ description: 'Campo que hay que corregir' })),
  line_index: Nullable(Type.Integer({ description: 'Línea en la que está, desde 0' })),
  errors: Type.Array(Type.Object({ param: Type.String(), code: Type.String(), message: Type.String() }), {
    description: 'Todos los campos que hay que corregir, si error_code es parameter_invalid',
  }),
});

const BulkResult = Type.Object({
  object: Type.Literal('bulk_result'),
  id: Described(Uuid, 'Id de la empresa'),
  total: Type.Integer({ description: 'Facturas enviadas' }),
  successful: Type.Integer({ description: 'Creadas, o que ya existían' }),
  failed: Type.Integer({ description: 'Rechazadas' }),
  invoices: Type.Array(Invoice, { description: 'Las creadas o que ya existían, en su orden' }),
  failures: Type.Array(Failure, { description: 'Las rechazadas, y por qué' }),
});

type Element =
  | { plan: InvoicePlan; events: readonly NewEvent[] }
  | { existing: InvoiceBundle; blocks: Record<string, unknown> }
  | { problem: Problem }
  /** Index of the earlier element with the external id. */
  | { same_as: number };

/**
 * Of the payments of all invoices that exist already. As many as there may be have half of it, unless they are full of notes and metadata:
 * then they are gigabytes.
 */
const paymentBytesMax = 32_000_000;

type BulkPlan = { elements: readonly Element[]; external_ids: readonly (string | null)[] };

export const bulkCreateInvoices = defineOperation({
  name: 'bulk_create_invoices',
  method: 'POST',
  path: '/v1/invoices/bulk-create',
  scope: 'invoices:write',
  input_scopes: [{ param: 'invoices.*.options.send_automatically', scope: 'invoices:send' }],
  tag: 'invoices',
  summary: 'Crea hasta 100 facturas de una vez.',
  description:
    'Crea hasta 100 facturas en una llamada, cada una con los datos que admite create_invoice, en borrador o emitidas. Una que se rechaza no detiene a las demás: la respuesta es 200, con las creadas en invoices y las rechazadas en failures, cada una con su lugar en la lista y su motivo. También un elemento con campos no válidos es uno de los rechazados (parameter_invalid, con todos sus campos en errors); solo se rechaza todo si invoices falta, no es una lista o no tiene de 1 a 100 elementos. Las creadas se guardan todas a la vez. Un external_id que ya existe responde la factura que lo tiene y no crea otra, así que la llamada se puede repetir; si los cobros de las que ya existen pasan de 32 MB, las demás se rechazan (business_rule_violation).',
  transaction: 'issuing',
  mcp: true,
  irreversible: true,
  // Its elements are not checked yet.
  irreversible_for: ({ body }) =>
    body.invoices.some((one) => typeof one === 'object' && one !== null && isIssued(one)),
  reaches_outside: true,
  status: 200,
  body_limit: largestBody,
  body: Shape({
    invoices: Type.Array(InvoiceInput, {
      minItems: 1,
      maxItems: 100,
      description: 'Facturas, de 1 a 100, como en create_invoice; options.dry_run no se admite',
    }),
  }),
  elements: { list: 'invoices' },
  output: OneWarned(BulkResult, addressWarningCodes),
  errors: [],
  events: [
    'invoice.created',
    'invoice.number_assigned',
    'invoice.simplified_created',
    'invoice.simplified_substituted',
    'invoice.substituted_by_complete',
    'invoice.rectified',
    'invoice.overdue',
    'payment.received',
    'invoice.paid',
    'series.number_consumed',
    'series.year_reset',
    'series.month_reset',
    'invoice.verifactu_failed',
  ],
  examples: [
    {
      title: 'Dos tickets',
      body: {
        invoices: [
          {
            type: 'F2',
            external_id: 'caja-1-0001',
            lines: [{ description: 'Café', unit_price: 1.5, tax_rate: 10 }],
            options: { issue: true },
          },
          {
            type: 'F2',
            external_id: 'caja-1-0002',
            lines: [{ description: 'Menú', unit_price: 13.64, tax_rate: 10 }],
            options: { issue: true },
          },
        ],
      },
    },
  ],

  prefetch: (tx, company_id, { body }) => readForCreation(tx, company_id, body.invoices.filter(isSound)),
  external_ids: ({ body }) => externalIdsOf(body.invoices.filter(isSound)),

  async handle(ctx, { body }, { rows, known }): Promise<BulkPlan> {
    const { invoices } = body;
    const external_ids = invoices.map(externalIdOf);
    const { tx, company } = ctx;
    const ids = known.map((one) => one.id);
    const found = ids.length === 0 ? [] : await findInvoices(tx, company.company_id, ids);
    const stored = await withSomePayments(tx, company.company_id, found, paymentBytesMax);
    const shown = new Set(stored.map(({ document }) => document.id));
    const too_long = new Set(known.flatMap(({ id, external_id }) => (shown.has(id) ? [] : external_id)));
    const elements: Element[] = [];
    const readsOf = ({ external_id }: InvoiceInputBody, at: number): CreationReads => ({
      known: known.find((one) => one.external_id === external_id),
      bundle: stored.find(({ document: invoice }) => external_id && invoice.external_id === external_id),
      rows: () => Promise.resolve(rows),
      taken: takenByOthers(elements, at),
    });
    const giveWay = makeGivingWay();
    for (const [index, one] of invoices.entries()) {
      await giveWay();
      if (!isSound(one)) {
        elements[index] = { problem: malformed(one) };
        continue;
      }
      if (one.external_id && too_long.has(one.external_id)) {
        elements[index] = { problem: tooLong() };
        continue;
      }
      const first = elements.findIndex(
        (element, at) => 'plan' in element && one.external_id && external_ids[at] === one.external_id,
      );
      const element =
        first < 0
          ? await prepareElement(ctx, one, readsOf(one, index))
          : await prepareRepeated(
              ctx,
              { elements, first, before: invoices[first]!, reads: readsOf(one, first) },
              one,
            );
      elements[index] = element;
    }
    return { elements, external_ids };
  },
  commit: commitBulk,
  after_commit: waitForPdfBlocks,
});

/** Invoices that the other elements so far replace. */
function takenByOthers(elements: readonly Element[], at: number): Set<string> {
  const others = elements.filter((_, index) => index !== at);
  const rows = others.flatMap((one) => ('plan' in one ? storedRowsOf(one.plan) : []));
  return new Set(rows.map(({ stored }) => stored.id));
}

const isSound = (element: unknown) => elementIssues(InvoiceInput, element).length === 0;

function malformed(element: unknown): Problem {
  const errors = elementIssues(InvoiceInput, element);
  const { param } = errors[0]!;
  return fail(c.parameter_invalid, { param, errors: [...errors], ...placeInLines(param) });
}

const tooLong = () =>
  fail(c.business_rule_violation, {
    param: 'external_id',
    values: {
      reason: 'la factura existe, y con sus cobros no cabe en esta respuesta: repita su creación sola.',
    },
  });

/** @param element of any form */
function externalIdOf(element: unknown): string | null {
  const { external_id } = (element ?? {}) as { external_id?: unknown };
  return typeof external_id === 'string' && isStorable(external_id) ? external_id : null;
}

async function prepareElement(ctx: Ctx, body: InvoiceInputBody, reads: CreationReads): Promise<Element> {
  const events = new EventBuffer(ctx.request_id);
  const own: Ctx = { ...ctx, emit: (type, aggregate_id, options) => events.add(type, aggregate_id, options) };
  try {
    if (body.options?.dry_run)
      throw invalidParam('options.dry_run', 'Una creación en bloque no se prueba: use create_invoice.');
    const prepared = await prepareCreation(own, body, reads);
    if ('ready' in prepared) throw new Error('A bulk creation has no dry run.');
    if ('replay' in prepared) return { existing: prepared.replay, blocks: prepared.blocks };
    return { plan: prepared, events: events.events };
  } catch (error) {
    if (error instanceof Problem) return { problem: error };
    throw error;
  }
}

/**
 * An element that repeats an external id counts as sent afterwards. What it adds to the first (issue, payment, e-mail) is done
 * with the first.
 */
async function prepareRepeated(
  ctx: Ctx,
  its: { elements: Element[]; first: number; before: InvoiceInputBody; reads: CreationReads },
  body: InvoiceInputBody,
): Promise<Element> {
  const { elements, first, before, reads } = its;
  const first_element = elements[first]!;
  if (!('plan' in first_element)) throw new Error('Only a planned invoice is repeated.');
  // The hash recognises a repeated request, since prices and defaults may have changed.
  const { external_hash } = first_element.plan.bundle.document;
  if (body.options?.dry_run || requestHash(body) !== external_hash) {
    const problem = await refusalOfRepeated(ctx, first_element.plan, body, reads);
    if (problem) return { problem };
  }
  const payment = before.payment ?? body.payment;
  const { send_automatically, send_to } = before.options?.send_automatically
    ? before.options
    : (body.options ?? {});
  const is_email_same = send_automatically === before.options?.send_automatically;
  if (isIssued(before) === isIssued(body) && payment === before.payment && is_email_same)
    return { same_as: first };
  const more = {
    ...before,
    ...(payment ? { payment } : {}),
    options: {
      ...before.options,
      ...(isIssued(body) ? { issue: true } : {}),
      ...(send_automatically ? { send_automatically, send_to: send_to ?? null } : {}),
    },
  };
  const completed = await prepareElement(ctx, more, reads);
  if ('problem' in completed) return completed;
  elements[first] = completed;
  return { same_as: first };
}

async function refusalOfRepeated(
  ctx: Ctx,
  first: InvoicePlan,
  body: InvoiceInputBody,
  reads: CreationReads,
): Promise<Problem | undefined> {
  const asked = await prepareElement(ctx, body, { ...reads, known: undefined, bundle: undefined });
  if ('problem' in asked) return asked.problem;
  if (!('plan' in asked)) throw new Error('An unknown external id was replayed.');
  const { external_type, external_total } = first.bundle.document;
  const { document: invoice } = asked.plan.bundle;
  try {
    const type = invoice.external_type ?? '';
    checkReplay({ external_type, external_total }, { type, total: invoice.external_total ?? '' });
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

function* answerBulk(
  { elements, external_ids }: BulkPlan,
  outcomes: readonly PartOutcome[],
  showing: Showing,
): Steps<Committed> {
  const invoices: Record<string, unknown>[] = [];
  const failures: Record<string, unknown>[] = [];
  const warned: Warned[] = [];
  let next = 0;
  const became = elements.map((element) => ('plan' in element ? outcomes[next++]! : element));
  for (const [index, own] of elements.entries()) {
    const at = 'same_as' in own ? own.same_as : index;
    const [element, outcome] = [elements[at]!, became[at]!];
    if ('problem' in outcome) {
      const { def, details } = outcome.problem;
      failures.push({
        index,
        external_id: external_ids[index] ?? null,
        error_code: def.code,
        error_message: problemMessage(def, details.values),
        subcode: details.subcode ?? null,
        param: details.param ?? null,
        line_index: details.line_index ?? null,
        errors: details.errors ?? [],
      });
    } else if ('bundle' in outcome) {
      invoices.push({
        ...present(outcome.bundle, showing),
        ...('plan' in element ? blocksOf(element.plan, outcome.bundle) : {}),
      });
    } else if ('existing' in outcome) {
      invoices.push({ ...present(outcome.existing, showing), ...outcome.blocks });
    }
    if (!('problem' in outcome)) warned.push({ codes: warningsOf(element), place: `invoices.${index}` });
    yield;
  }
  const counts = { total: elements.length, successful: invoices.length, failed: failures.length };
  const { company_id } = showing.company;
  const data = { object: 'bulk_result', id: company_id, ...counts, invoices, failures };
  return { status: 200, body: { data, ...warningMembers(warned) } };
}

function warningsOf(element: Element) {
  if ('plan' in element) return element.plan.warnings;
  return 'existing' in element ? warningsOfIssued(element.existing.document) : [];
}

async function commitBulk(plan: BulkPlan, call: IssuingCall) {
  const showing = showingOf(call);
  const parts = plan.elements.flatMap((element) => ('plan' in element ? [element] : []));
  if (parts.length > 0)
    return commitParts(parts, call, (outcomes) => inTurns(answerBulk(plan, outcomes, showing)));
  const answer = await inTurns(answerBulk(plan, [], showing));
  return (await call.keep(storedFrom(answer))) ?? answer;
}
