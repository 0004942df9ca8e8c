/** One invoice of the deliveries to one client in one calendar month (RD 1619/2012, art. 13). */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { addDays } from '../../../kernel/dates.ts';
import { fail, type Problem } from '../../../kernel/problem.ts';
import type { Reasons } from '../../../kernel/reasons.ts';
import { invalidParam } from '../../../kernel/resource-input.ts';
import type { NoteRow } from '../delivery-notes.rows.ts';
import { noteStates } from './states.ts';

/** The day of the delivery. */
export const operationDay = ({ delivery_date, issued_on }: NoteRow) => delivery_date ?? issued_on;

const monthOf = (day: string | null) => day?.slice(0, 7);

function lastDayOf(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}

const param = (index: number) => `delivery_note_ids.${index}`;

function broken(index: number, reason: string): Problem {
  return fail(c.business_rule_violation, { param: param(index), values: { reason } });
}

/** Why a note does not go with the first one. */
function differenceOf(note: NoteRow, first: NoteRow): string | undefined {
  if (note.client_id !== first.client_id) return 'los albaranes son de clientes distintos.';
  if (note.currency !== first.currency) return 'los albaranes están en monedas distintas.';
  if (note.prices_include_tax !== first.prices_include_tax)
    return 'unos albaranes llevan los impuestos en el precio y otros no.';
  return monthOf(operationDay(note)) === monthOf(operationDay(first))
    ? undefined
    : 'las entregas no son todas del mismo mes natural.';
}

/**
 * @param notes in the order of the ids; undefined for an unknown id
 * @returns those that exist
 * @throws Problem through `reasons`: 422 parameter_invalid, 409 invalid_status_transition, 422 business_rule_violation
 */
export function checkTogether(notes: readonly (NoteRow | undefined)[], reasons: Reasons): readonly NoteRow[] {
  const known = notes.flatMap((note) => note ?? []);
  const [first] = known;
  for (const [index, note] of notes.entries()) {
    if (!note || !first) {
      const message = 'El albarán no existe.';
      reasons.refuse(invalidParam(param(index), message));
      continue;
    }
    reasons.attempt(() => noteStates.next(note.status, 'convert', { param: param(index) }));
    const difference = differenceOf(note, first);
    if (difference !== undefined) reasons.refuse(broken(index, difference));
  }
  return known;
}

/** By day, then by number. */
export function inOrder(notes: readonly NoteRow[]): NoteRow[] {
  const key = (note: NoteRow) =>
    [
      operationDay(note) ?? '',
      note.series_code ?? '',
      note.series_period ?? '',
      String(note.series_number ?? 0).padStart(10, '0'),
    ].join('\n');
  return [...notes].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** The last day of a month that is over at the issue, else the day of the last delivery. */
export function operationDayOf(notes: readonly NoteRow[], issued_on: string): string | null {
  const last =
    notes
      .map((note) => operationDay(note) ?? '')
      .sort()
      .at(-1) ?? '';
  if (last === '') return null;
  const end = lastDayOf(last.slice(0, 7));
  return end < issued_on ? end : last;
}

/**
 * Art. 13.2: before the 16th of the next month to a business, else the month's last day.
 * @param delivered_on any day of the deliveries' month
 */
export function isPastDeadline(delivered_on: string, issued_on: string, is_business: boolean): boolean {
  const end = lastDayOf(delivered_on.slice(0, 7));
  return issued_on > (is_business ? addDays(end, 15) : end);
}
