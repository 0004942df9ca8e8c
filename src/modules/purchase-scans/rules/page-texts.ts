/** Reads a purchase from the QR and the text of its pages. What does not reconcile is left out, and said. */
import type { Cents } from '../../../domain/money/amount.ts';
import { parseSpanishTaxId } from '../../../domain/spain/tax-id.ts';
import type { ScanReading } from '../ports.ts';
import type { ScanField } from '../purchase-scans.schema.ts';
import { creditName, earlierPaper, isVoid, kindOf, proformaName } from './paper-kind.ts';
import { numbersIn } from './paper-number.ts';
import { amounts, days, labelledParties, taxIds } from './printed-text.ts';
import {
  cents,
  centsText,
  isNumber,
  otherTaxOf,
  plainText,
  type ReadLine,
  type ReadPurchase,
  saysCashAccounting,
} from './read-purchase.ts';
import { findTaxRows, type TaxRows } from './tax-rows.ts';

export type PageQr = { page: number; tax_id: string; number: string; issued_on: string; total: string };
export type PageTexts = { pages: number; texts: readonly string[]; qrs: readonly PageQr[] };

const noRows = 'No se han encontrado bases y cuotas que sumen el total: regístrela a mano.';
const severalQrs = 'El documento lleva códigos QR de varias facturas: no se usa ninguno.';
const otherPaper = 'El código QR es de otra factura que el texto del documento: regístrela a mano.';
const proforma = 'El documento es una factura proforma, que no se registra: espere a la factura.';
const notYetInvoiced = (name: string) => `El documento es ${name}, que no se registra: espere a la factura.`;
const noInvoice = 'El documento lleva la marca de borrador o de anulado, y así no se registra.';
const unsigned = 'El documento es un abono sin signo en sus importes: regístrelo a mano, en negativo.';
const positive =
  'Los importes de la rectificativa son positivos, y propuestos así se suman a los de la factura rectificada: compruebe su signo.';
const otherCurrency = 'El importe no está en euros: regístrela a mano.';

export function readPageTexts({ pages, texts, qrs }: PageTexts): ScanReading {
  const text = texts.join('\n');
  const distinct = [...new Map(qrs.map(({ page: _, ...qr }) => [JSON.stringify(qr), qr])).values()];
  const warnings = distinct.length > 1 ? [severalQrs] : [];
  const [qr] = distinct;
  if (qr && distinct.length === 1 && parseSpanishTaxId(qr.tax_id)) {
    const page = qrs[0]!.page;
    const fields = [
      { name: 'supplier_tax_id', value: qr.tax_id, page },
      { name: 'number', value: plainText(qr.number, 200), page },
      { name: 'issued_on', value: qr.issued_on, page },
      { name: 'total', value: qr.total, page },
    ];
    if (!isOfPaper(qr, text))
      return { method: 'verifactu_qr', fields, warnings: [otherPaper], pages, purchase: null };
    return withRows({ method: 'verifactu_qr', fields, warnings, pages }, text, {
      kind: kindOf(text),
      supplier_tax_ids: [parseSpanishTaxId(qr.tax_id)!.value],
      issuer_tax_id: parseSpanishTaxId(qr.tax_id)!.value,
      buyer_tax_id: null,
      number: isNumber(qr.number) ? qr.number : null,
      issued_on: qr.issued_on,
      totals: [cents(qr.total)!],
      greatest: 0n,
      is_exact: true,
    });
  }
  return distinct.length > 1
    ? { method: 'none', fields: [], warnings, pages, purchase: null }
    : readText(texts, pages);
}

/** A page may carry the code of another invoice. Of a picture there is no text to compare. */
function isOfPaper({ tax_id, number }: Omit<PageQr, 'page'>, text: string): boolean {
  const ids = taxIds(text);
  const compact = (value: string) => value.replace(/[^\p{L}\p{N}]+/gu, '').toUpperCase();
  return (
    ids.length === 0 ||
    (ids.some(({ value }) => value === parseSpanishTaxId(tax_id)?.value) &&
      compact(text).includes(compact(number)))
  );
}

type Known = Pick<
  ReadPurchase,
  'kind' | 'supplier_tax_ids' | 'issuer_tax_id' | 'buyer_tax_id' | 'number' | 'issued_on'
> & {
  totals: readonly Cents[];
  /** The greatest of what the text names its total. Rows that give less are not all. */
  greatest: Cents;
  /** The total has its taxes and no retention. */
  is_exact: boolean;
};

function readText(texts: readonly string[], pages: number): ScanReading {
  const text = texts.join('\n');
  const found = taxIds(text);
  const ids = [...new Set(found.map(({ value }) => value))].slice(0, 10);
  const number = one(numbersIn(text));
  const issued_on = one(issueDays(text));
  const { totals, greatest } = totalsIn(text);
  const { buyer: buyer_tax_id, issuer: issuer_tax_id } = labelledParties(text, found);
  const pageOf = (value: (page: string) => boolean) => {
    const at = texts.length === 1 ? 0 : texts.findIndex(value);
    return at === -1 ? null : at + 1;
  };
  const fields: ScanField[] = [
    ...ids.map((value) => ({
      name: 'tax_id',
      value,
      page: pageOf((page) => taxIds(page).some((id) => id.value === value)),
    })),
    ...(number === null
      ? []
      : [{ name: 'number', value: number, page: pageOf((page) => page.includes(number)) }]),
    ...(issued_on === null
      ? []
      : [
          {
            name: 'issued_on',
            value: issued_on,
            page: pageOf((page) => days(page).some(({ value }) => value === issued_on)),
          },
        ]),
  ];
  // Without an id and an amount it is no invoice.
  if (ids.length === 0 || totals.length === 0) {
    const warning = 'No se ha encontrado en el texto un NIF válido y un total.';
    return { method: 'none', fields: [], warnings: [warning], pages, purchase: null };
  }
  return withRows({ method: 'text', fields, warnings: [], pages }, text, {
    kind: kindOf(text),
    supplier_tax_ids: ids.filter((id) => id !== buyer_tax_id),
    issuer_tax_id,
    buyer_tax_id,
    number,
    issued_on,
    totals,
    greatest,
    is_exact: false,
  });
}

const foreignSign = /[$£¥₺₽₹]|\b(?:USD|GBP|CHF)\b/;
/** Codes that may be words are asked for beside an amount. */
const foreignCodes =
  'SEK|NOK|DKK|ISK|kr\\.?|PLN|zł|CZK|Kč|HUF|Ft|BGN|JPY|CNY|HKD|SGD|INR|MXN|ARS|COP|CLP|PEN|BRL|MAD|CAD|AUD|NZD|TRY|RUB|UAH|ILS|AED|SAR|ZAR';
const foreignAmount = new RegExp(
  `[.,]\\d\\d[^\\S\\n]?(?:${foreignCodes})(?!\\p{L})|(?<!\\p{L})(?:${foreignCodes})[^\\S\\n]?[-\u2212\u2013]?[\\d.,' ]{1,12}[.,]\\d\\d(?!\\d)`,
  'u',
);

const one = (values: readonly string[]) => (new Set(values).size === 1 ? values[0]! : null);

function withRows(
  reading: Omit<ScanReading, 'purchase'>,
  text: string,
  { totals, greatest, is_exact, ...known }: Known,
): ScanReading {
  const notProposed = (warning: string): ScanReading => ({
    ...reading,
    warnings: [...reading.warnings, warning],
    purchase: null,
    paper: { ...known, supplier_vat_id: null },
  });
  if (isVoid(text)) return { ...reading, warnings: [...reading.warnings, noInvoice], purchase: null };
  const is_foreign = foreignSign.test(text) || foreignAmount.test(text);
  if (!is_exact && proformaName.test(text))
    return { ...reading, warnings: [...reading.warnings, proforma], purchase: null };
  const earlier = is_exact ? undefined : earlierPaper(text);
  if (earlier)
    return { ...reading, warnings: [...reading.warnings, notYetInvoiced(earlier)], purchase: null };
  const rows = is_foreign ? undefined : findTaxRows(text, totals);
  const is_wrong =
    rows === undefined || (is_exact && !totals.includes(rows.total)) || size(rows.total) < greatest;
  if (is_wrong) return notProposed(is_foreign ? otherCurrency : noRows);
  const other = otherTaxOf(rows.taxes);
  if (other) return notProposed(other);
  const is_positive_corrective = known.kind === 'corrective' && rows.total > 0n;
  // Its QR says the sign, a text that prints none does not.
  if (is_positive_corrective && !is_exact && creditName.test(text)) return notProposed(unsigned);
  const warnings = is_positive_corrective ? [...reading.warnings, positive] : reading.warnings;
  const total = centsText(rows.total);
  const fields = [
    ...reading.fields.filter(({ name }) => name !== 'total'),
    { name: 'total', value: total, page: reading.fields.find(({ name }) => name === 'total')?.page ?? null },
    ...rows.taxes.flatMap(({ tax_rate, base, tax }) => [
      { name: `base_${tax_rate}`, value: base, page: null },
      { name: `tax_${tax_rate}`, value: tax, page: null },
    ]),
  ];
  return {
    ...reading,
    fields,
    warnings,
    purchase: purchaseOf({ ...known, cash_accounting: saysCashAccounting(text) }, rows),
  };
}

function purchaseOf(
  known: Omit<Known, 'totals' | 'greatest' | 'is_exact'> & { cash_accounting: boolean },
  rows: TaxRows,
): ReadPurchase {
  return {
    ...known,
    supplier_vat_id: null,
    operation_on: null,
    due_on: null,
    currency: 'EUR',
    lines: rows.taxes.map(
      ({ tax_kind, tax_rate, base }): ReadLine => ({
        description: `Base al ${tax_rate.replace('.', ',')} %`,
        quantity: '1',
        unit_price: base,
        tax_kind,
        tax_rate,
        retention_rate: rows.retention_rate,
      }),
    ),
    taxes: rows.taxes,
    total: centsText(rows.total),
  };
}

/** Whole words: `ley` is a part of names. */
const otherWholeWords =
  'l[ií]mite|alta|baja|nacimiento|lectura|salida|entrada|env[ií]o|impresi[óo]n|mercanc[ií]a|mandato|permanencia|pr[óo]xima|[úu]ltima|anterior|abonad[oa]|inscrit[oa]|registro mercantil|ley|decreto|orden|shipped|fins';
const otherWords = `venc|vto|pag|cobr|cargo|pedido|albar|entrega|operaci|servicio|devengo|valor|per[ií]od|desde|hasta|contrato|oferta|presupuesto|caduc|v[aá]lid|due|order|delivery|from|until|date of supply|paid|payment|renew|expir|lliurament|comanda|epemuga|(?<!\\p{L})(?:${otherWholeWords})(?!\\p{L})`;
const issueLabel =
  /(?:fecha(?: de)?(?: expedici[óo]n| emisi[óo]n| factura)?|date of issue|(?:issue|invoice) date)[\s:]{0,4}$/i;
/** Apart from a label that has its own value: `Payment: card  Date:`. With one blank it would be a `card date`. */
const dateApart = /:[^\S\n]?\p{L}[^\n:]{0,60}[^\S\n]{2}date:[^\S\n]?$/iu;
/** Of the invoice that a corrective names, also where it says `de fecha`. */
const correctedLabel = /(?<!\p{L})(?:rectifica(?!tiva)|corrige|anula|sustituye)[^\n]{0,60}$/iu;
/** A day behind these is another. A number may stand between: `Albarán 7 de`. */
const otherLabel = new RegExp(`(?:${otherWords})[^\\d]{0,30}(?:[\\w/-]{1,20},? de )?$`, 'iu');
const otherName = new RegExp(otherWords, 'iu');
const issueName = new RegExp(`fecha(?! (?:del? )?(?:${otherWords}))`, 'iu');
/** From one day to another. */
const rangeSign = /^\s?(?:[-\u2013]|al?|hasta(?: el)?|fins(?: al?)?|to|through)\s?$/i;
const labelNear = 80;

type DayLabel = 'issue' | 'other' | null;

/** A label stands in the line of its day, or alone in the line above. Above several days it may be of any. */
function dayLabel(text: string, at: number, is_next_in_line: boolean): DayLabel {
  const near = text.slice(Math.max(0, at - labelNear), at).split('\n');
  const [above, before = ''] = [near.at(-2), near.at(-1)];
  if (before.trim() !== '' || above === undefined) {
    if (correctedLabel.test(before)) return 'other';
    if (issueLabel.test(before) || dateApart.test(before)) return 'issue';
    return otherLabel.test(before) ? 'other' : null;
  }
  if (is_next_in_line) return null;
  if (otherName.test(above)) return issueName.test(above) ? null : 'other';
  return issueLabel.test(above) ? 'issue' : null;
}

/** The labelled ones, else all that are not labelled as others. */
function issueDays(text: string): string[] {
  const found = days(text);
  const labels: DayLabel[] = [];
  for (const [i, day] of found.entries()) {
    const before = i === 0 ? '' : text.slice(found[i - 1]!.end, day.at);
    const behind = text.slice(day.end, found[i + 1]?.at ?? day.end);
    const is_next_in_line = i + 1 < found.length && !behind.includes('\n');
    const is_until = labels[i - 1] === 'other' && rangeSign.test(before);
    labels.push(is_until ? 'other' : dayLabel(text, day.at, is_next_in_line));
  }
  const wanted: DayLabel = labels.includes('issue') ? 'issue' : null;
  return found.filter((_, i) => labels[i] === wanted).map(({ value }) => value);
}

const totalNames =
  '(?:de )?(?:la )?factura|importe(?: (?:de )?(?:la )?factura)?|a pagar|con iva|general|documento|eur|\\((?:€|eur|euros)\\)|' +
  '\\(?(?:con )?(?:i\\.?v\\.?a\\.?|impuestos) incl(?:u[ií]dos?|\\.)?\\)?';
const totalPattern = new RegExp(
  `(?<!sub)(?<!\\p{L})total( (?:${totalNames}))?[^\\S\\n]{0,4}:?\\s{0,4}`,
  'giu',
);
/** What is paid names the whole, too, in other words. It may be less than the total. */
const payablePattern = /(?<!\p{L})(?:a pagar|l[ií]quido|importe total)[^\S\n]{0,4}:?\s{0,4}/giu;
/** Nothing else than this parts a name of the whole from its amount. Below a bare word a column may begin. */
const nothingBetween = /^(?:€|EUR|euros)?[:\s]{0,4}[-\u2212\u2013]?$/i;

const size = (amount: Cents): Cents => (amount < 0n ? -amount : amount);

/** The amounts right behind the word, and the greatest of those that are named the whole. */
function totalsIn(text: string): { totals: Cents[]; greatest: Cents } {
  let greatest = 0n;
  const found = [...text.matchAll(totalPattern)].flatMap((match) => {
    const begin = match.index + match[0].length;
    const behind = text.slice(begin, begin + 40);
    const [first] = amounts(behind);
    if (!first || first.at > 12) return [];
    const is_named = match[1] !== undefined || !match[0].includes('\n');
    const is_whole = is_named && nothingBetween.test(behind.slice(0, first.at));
    if (is_whole && size(first.value) > greatest) greatest = size(first.value);
    return [first.value];
  });
  for (const { 0: name, index } of text.matchAll(payablePattern)) {
    const behind = text.slice(index + name.length, index + name.length + 40);
    const [first] = amounts(behind);
    const is_whole = first && first.at <= 12 && nothingBetween.test(behind.slice(0, first.at));
    if (is_whole && size(first.value) > greatest) greatest = size(first.value);
  }
  return { totals: [...new Set(found)].slice(0, 20), greatest };
}
