/** What a recurrence says of its own, and whether it fits together. */
import { isEmailAddress } from '../../../domain/email-address.ts';
import { addressesOf } from '../../../domain/sales/recipients.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { fail } from '../../../kernel/problem.ts';
import { brokenRule, invalidField, missingParam, refuseIssues } from '../../../kernel/resource-input.ts';
import type { RecurringRow } from '../recurring-invoices.schema.ts';
import { firstIndexOf, isDue, scheduledAt } from './states.ts';
import { tokenNames, unknownToken } from './calendar.ts';

export type Sent = Partial<RecurringRow> & {
  lines?: readonly { description?: string | null }[];
};

type Own = Pick<
  RecurringRow,
  | 'name'
  | 'type'
  | 'frequency'
  | 'interval'
  | 'starts_on'
  | 'ends_on'
  | 'max_occurrences'
  | 'auto_issue'
  | 'auto_send'
  | 'send_to'
  | 'payment_terms_days'
>;

const blank: Omit<Own, 'name' | 'frequency' | 'starts_on'> = {
  type: 'F1',
  interval: 1,
  ends_on: null,
  max_occurrences: null,
  auto_issue: false,
  auto_send: false,
  send_to: null,
  payment_terms_days: null,
};

/** Nothing has run yet. */
export const notRun = {
  next_index: 0,
  next_occurrence_on: null,
  next_run_at: null,
  occurrences_count: 0,
  last_occurrence_on: null,
  last_run_at: null,
  last_invoice_id: null,
  last_error: null,
} as const;

const ownKeys = ['name', 'frequency', 'starts_on', ...Object.keys(blank)] as (keyof Own)[];

/** @throws 422 parameter_invalid with `line_index` */
function checkTokens(sent: Sent): void {
  const texts = [
    ...(['description', 'notes'] as const).map((param) => ({
      param,
      text: sent[param],
      line_index: undefined,
    })),
    ...(sent.lines ?? []).map(({ description }, line_index) => ({
      param: `lines.${line_index}.description`,
      text: description,
      line_index,
    })),
  ];
  for (const { param, text, line_index } of texts) {
    const token = unknownToken(text);
    if (token === undefined) continue;
    const known = tokenNames.map((one) => `{${one}}`).join(', ');
    const errors = [invalidField(param, `No se conoce ${token}: se admiten ${known}.`)];
    throw fail(c.parameter_invalid, { param, errors, ...(line_index === undefined ? {} : { line_index }) });
  }
}

/**
 * @returns the row's own columns, as sent or as stored
 * @throws 422 parameter_invalid, missing_required_param, business_rule_violation
 */
export function readFields(
  stored: RecurringRow | null,
  sent: Sent,
  { client_id, today }: { client_id: string | null; today: string },
): Own {
  const known: Partial<Own> = stored ?? blank;
  const own = Object.fromEntries(
    ownKeys.map((key) => [key, sent[key] === undefined ? known[key] : sent[key]]),
  ) as Own;
  checkTokens(sent);
  if (own.type === 'F1' && client_id === null)
    throw missingParam('client_id', 'Indique el cliente: una factura completa (F1) lo necesita.');
  if (sent.currency !== undefined && sent.currency !== 'EUR')
    throw brokenRule(
      'currency',
      'una factura recurrente va en euros: no se conoce el cambio de un día futuro.',
    );
  if (own.ends_on !== null && own.ends_on < own.starts_on)
    throw brokenRule('ends_on', 'el último día no puede ser anterior al primero.');
  if (own.auto_send && !own.auto_issue)
    throw brokenRule('auto_send', 'solo se envía una factura emitida: active también auto_issue.');
  if (own.send_to !== null && !isEmailAddress(own.send_to))
    refuseIssues([invalidField('send_to', 'No es una dirección de correo.')]);
  if (stored === null) return own;
  if (own.max_occurrences !== null && own.max_occurrences < stored.occurrences_count)
    throw brokenRule('max_occurrences', `ya ha hecho ${stored.occurrences_count} facturas.`);
  if (stored.occurrences_count > 0 && hasNewCalendar(stored, own) && own.starts_on < today)
    throw missingParam(
      'starts_on',
      'Ya ha hecho facturas: indique desde qué día, hoy o después, cuenta el nuevo calendario.',
    );
  return own;
}

const calendarKeys = ['frequency', 'interval', 'starts_on'] as const;

export function hasNewCalendar(stored: RecurringRow, own: Own): boolean {
  return calendarKeys.some((key) => own[key] !== stored[key]);
}

/** A new calendar would forget the days that are due. @throws 422 business_rule_violation */
export function refuseLateChange(stored: RecurringRow, row: RecurringRow, now: Date): void {
  const param = calendarKeys.find((key) => row[key] !== stored[key]);
  const { last_error, next_occurrence_on } = stored;
  // A refused day waits for its next attempt, and the days after it wait behind it.
  const is_tried_again = next_occurrence_on !== null && last_error?.occurrence_on === next_occurrence_on;
  if (param !== undefined && (is_tried_again || isDue(stored, now)))
    throw brokenRule(
      param,
      'le falta hacer facturas de días que ya han llegado: espere a que se hagan, o páusela.',
    );
}

function hasNewLimits(stored: RecurringRow, own: Own): boolean {
  return (['ends_on', 'max_occurrences'] as const).some((key) => own[key] !== stored[key]);
}

/**
 * Status and next run of a new or edited recurrence.
 * @throws 422 business_rule_violation for a new one that would make nothing
 */
export function scheduleFields(
  stored: RecurringRow | null,
  row: RecurringRow,
  { today, time_zone }: { today: string; time_zone: string },
): Partial<RecurringRow> {
  if (stored === null) {
    const next = scheduledAt(row, firstIndexOf(row, today), time_zone);
    if (next.status === 'completed')
      throw brokenRule('ends_on', 'no queda ningún día en que hacer una factura.');
    return next as Partial<RecurringRow>;
  }
  if (hasNewCalendar(stored, row))
    return scheduledAt(row, firstIndexOf(row, today), time_zone) as Partial<RecurringRow>;
  if (hasNewLimits(stored, row)) {
    const index =
      row.status === 'paused' ? Math.max(row.next_index, firstIndexOf(row, today)) : row.next_index;
    const next = scheduledAt(row, index, time_zone) as Partial<RecurringRow>;
    if (next.status === 'completed') return next;
  }
  return {};
}

type Client = Parameters<typeof addressesOf>[0];

/** The guard of automatic delivery. @throws 422 business_rule_violation */
export function checkDelivery(
  { auto_send, send_to }: Pick<Own, 'auto_send' | 'send_to'>,
  client: Client,
): void {
  if (!auto_send || send_to !== null || addressesOf(client).length > 0) return;
  throw brokenRule(
    'auto_send',
    'no hay a quién enviar las facturas: indique send_to, o dé una dirección al cliente.',
  );
}

/** One that made an invoice stays. @throws 409 invalid_status_transition */
export function refuseAfterRun({ occurrences_count }: Pick<RecurringRow, 'occurrences_count'>): void {
  if (occurrences_count === 0) return;
  const values = { reason: 'la factura recurrente ya ha hecho facturas.' };
  throw fail(c.invalid_status_transition, { param: 'recurring_invoice', values });
}
