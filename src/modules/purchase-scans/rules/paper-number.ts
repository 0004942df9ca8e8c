/** Finds the numbers that a text gives itself as an invoice. What may be another thing is not read. */
import { amounts, days, taxIds } from './printed-text.ts';
import { sameLineBefore } from './same-line.ts';

const numberPattern =
  /(?:factura(?: simplificada| rectificativa)?|invoice)(\s{0,3}(?:n\.?\s?[ºo°]\.?|number|n[úu]m(?:ero|\.)?|no\.)?\s{0,3}[:#]?\s{0,3})(?!(?:factura|invoice)\b)([A-Z0-9][A-Z0-9/_.-]{0,58}[A-Z0-9])/gi;

/** Of the invoice that another corrects or names. */
const ofAnother =
  /(?<!\p{L})(?:las?|sus?|nuestras?|dichas?|[úu]ltima|anterior|rectifica|corrige|abona|anula|sustituye(?: a)?|(?:abono|devoluci[óo]n|anulaci[óo]n|rectificaci[óo]n|rectificativa)(?: de| a)?)\s{1,3}$/iu;
/** Names of days, sums and parties, in the line of the word. */
const notTheNumber =
  /(?<!\p{L})(?:fecha|per[ií]odo|mes|importe|total|base|vencimiento|vto\.?|cliente)(?: de)?[^\S\n]{1,3}$/iu;
/** The number goes on behind a blank, it is the whole part of an amount, or it counts papers. */
const goesOn =
  /^(?:[^\S\n]?[/\\][^\S\n]?[A-Z0-9]|[^\S\n]-[^\S\n]?\d|[^\S\n]\d|[^\S\n]de[^\S\n]\d|[.,]\d|[^\S\n]?(?:€|EUR\b))/i;

/** So many hours, days or parts of a hundred: what is invoiced, or for how long. Not the name of a time or day behind: `Hora: 12:30`. */
const counted =
  /^(?:[^\S\n]?%|[^\S\n]{1,3}(?:h|hrs?|horas?|min|minutos?|d[ií]as?|semanas?|mes(?:es)?|a[ñn]os?|hours?|days?|weeks?|months?|years?)(?![\p{L}\p{N}]|[^\S\n]{0,3}(?::|\d{1,4}[:/.-]\d)))/iu;
const ordinal = /^\d{1,2}er$/i;

/** In the line before the word: only what makes it the name of a number. */
const numberOf = /^[^\S\n]*(?:(?:n\.?\s?[ºo°]\.?|n[úu]m(?:ero|\.)?)\s?(?:de\s)?(?:la\s)?)?$/i;
/** In English the word ends its title. */
const titleBefore = /(?:simplified|corrective|tax|vat|sales|commercial)[^\S\n]$/i;
/** As `Tel.600123456` or a page of the web. */
const abbreviation = /^\p{Ll}?\p{L}\p{Ll}{1,3}\./u;

/** Behind the blank at its beginning, or behind `de`. */
const beginsWithDayOrId = (behind: string) =>
  [1, 4].includes(days(behind)[0]?.at ?? -1) || taxIds(behind)[0]?.at === 1;

/**
 * Below a line with other words there may be the value of another column, and below a heading the address of a party.
 *
 * @param label what stands between the word and the value, with the line's end
 */
function isOfLineAbove(
  above: string,
  { label, value, behind }: Record<'label' | 'value' | 'behind', string>,
) {
  const before = above.replace(titleBefore, '');
  if (!numberOf.test(before)) return false;
  if (before.trim() !== '' || label.trim() !== '') return true;
  const [rest = ''] = behind.split('\n', 1);
  return !abbreviation.test(value) && (rest.trim() === '' || beginsWithDayOrId(rest));
}

/** With a digit, whole, of this paper, and no day, id, amount or count. */
export function numbersIn(text: string): string[] {
  return [...text.matchAll(numberPattern)].flatMap((match) => {
    const [all, label = '', value = ''] = match;
    const end = match.index + all.length;
    const behind = text.slice(end, end + 40);
    const before = text.slice(Math.max(0, match.index - 40), match.index);
    const is_other = ofAnother.test(before) || notTheNumber.test(before);
    const is_day = days(value + behind)[0]?.at === 0;
    const is_cut = is_day || (goesOn.test(behind) && !beginsWithDayOrId(behind));
    const is_count = ordinal.test(value) || (/^\d+$/.test(value) && counted.test(behind));
    const is_number = /\d/.test(value) && [days, taxIds, amounts].every((read) => read(value).length === 0);
    if (!is_number || is_other || is_cut || is_count) return [];
    const above = sameLineBefore(text, match.index, 40);
    const is_below = label.slice(label.trimEnd().length).includes('\n');
    return is_below && !isOfLineAbove(above, { label, value, behind }) ? [] : [value];
  });
}
