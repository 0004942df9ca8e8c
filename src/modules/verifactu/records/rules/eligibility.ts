/**
 * Whether the authority would take a record, asked before issuing takes a number.
 * The rules of documents have already checked how lines, dates and types fit together.
 */
import { printedToCents } from '../../../../domain/money/printed.ts';
import { amountLimits, parseAmount } from '../../../../domain/money/amount.ts';
import { type FiscalFields, recordRefusal } from '../../../../domain/tax/fiscal-rules.ts';
import type { TaxKind } from '../../../../domain/tax/spanish-taxes.ts';
import { commonErrors as c } from '../../../../kernel/common.errors.ts';
import { fail, type Problem } from '../../../../kernel/problem.ts';
import { countCharacters, isLongerThan } from '../../../../kernel/text-length.ts';
import { fitsXml } from '../../../../kernel/xml-characters.ts';
import type { AltaContent, BreakdownRow, Party } from '../../record.ts';
import { verifactuErrors as e } from '../../verifactu.errors.ts';
import { acceptedCountries } from './accepted-countries.ts';
import { nameMax } from './taxpayer.ts';

const rowsMax = 12;
const ceilingCents = 300_000n;
const withRecipients: ReadonlySet<string> = new Set(['F1', 'F3', 'R1', 'R2', 'R3', 'R4']);
/** The publication of Orden HAC/1177/2024 (code 1152). */
const firstDay = '2024-10-28';

/** Printable ASCII without the five characters of code 1287. */
const numberText = /^[ !#-&(-;?-~]{1,60}$/;
const amountText = /^-?\d{1,12}\.\d\d$/;

export function ineligible(param: string, reason: string, line_index?: number): Problem {
  return fail(e.verifactu_not_eligible, {
    param,
    ...(line_index === undefined ? {} : { line_index }),
    values: { reason },
  });
}

/** Codes 1104, 1130 and 1287. */
export function isAdmissibleNumber(number: string): boolean {
  return numberText.test(number) && number.trim() !== '';
}

export function numberFault(number: string): Problem | undefined {
  if (isAdmissibleNumber(number)) return undefined;
  return ineligible(
    'series_id',
    isLongerThan(number, 60)
      ? 'el número de factura pasa de 60 caracteres.'
      : 'el número de factura lleva caracteres que la Agencia Tributaria no admite.',
  );
}

/** The first day of Northern Ireland's VAT numbers (code 1254). */
const firstNorthernIrishDay = '2021-01-01';

/** @param on_date (YYYY-MM-DD) of the operation, else of the issue */
function partyFault(party: Party, on_date: string): string | undefined {
  if (party.name.trim() === '') return 'falta el nombre del cliente.';
  if (isLongerThan(party.name, nameMax)) return 'el nombre del cliente pasa de 120 caracteres.';
  if (!fitsXml(party.name)) return 'el nombre del cliente lleva caracteres que no caben en el registro.';
  if (party.foreign_id === null)
    return countCharacters(party.tax_id) === 9 ? undefined : 'el NIF del cliente no tiene 9 caracteres.';
  const { type, country, id } = party.foreign_id;
  if (isLongerThan(id, 20)) return 'la identificación extranjera del cliente pasa de 20 caracteres.';
  if (id.trim() === '') return 'falta la identificación del cliente.';
  if (!fitsXml(id)) return 'la identificación del cliente lleva caracteres que no caben en el registro.';
  if (type === '02' && id.startsWith('XI') && on_date < firstNorthernIrishDay)
    return 'el NIF-IVA de Irlanda del Norte (XI) solo vale para operaciones desde 2021.';
  if (country === null) return type === '02' ? undefined : 'falta el país de la identificación del cliente.';
  if (!acceptedCountries.has(country)) return 'la Agencia Tributaria no admite el país del cliente.';
  if (country === 'ES' && type !== '03' && type !== '07')
    return 'un cliente con identificación española se identifica con su NIF.';
  // Code 1126.
  if (country !== 'ES' && type === '07') return 'el país de un cliente no censado (07) es ES.';
  return undefined;
}

const taxKinds: Record<BreakdownRow['tax_code'], TaxKind> = {
  '01': 'vat',
  '02': 'ipsi',
  '03': 'igic',
  '05': 'other',
};

function fiscalFieldsOf(row: BreakdownRow): FiscalFields {
  const rate = (text: string | null) =>
    text === null ? null : (parseAmount(text, amountLimits.rate) ?? null);
  return {
    tax_kind: taxKinds[row.tax_code],
    regime_key: row.regime_key,
    qualification: row.qualification,
    exemption_reason: row.exemption_reason,
    tax_rate: rate(row.rate),
    surcharge_rate: rate(row.surcharge_rate),
  };
}

const amountsFit = (amounts: readonly (string | null)[]): boolean =>
  amounts.every((amount) => amount === null || amountText.test(amount));

function rowFits(row: BreakdownRow): boolean {
  return amountsFit([row.base, row.base_at_cost, row.tax, row.surcharge]);
}

/** 10.00 euros, as a product of cents and hundredths of a per cent. */
const taxTolerance = 1000n * 10_000n;

function isOff(base_cents: bigint, amount: string | null, rate: string | null): boolean {
  const off = printedToCents(amount ?? '0.00') * 10_000n - base_cents * printedToCents(rate ?? '0.00');
  return off > taxTolerance || -off > taxTolerance;
}

/**
 * Codes 1143 and 1142. Corrections by differences, R2 and R3 are free. What was rounded in another currency is larger in euros: only a
 * high exchange rate makes it 10.00. The published rule does not name the surcharge, which such a rate moves as well.
 */
function taxFault({ type, correction }: AltaContent, row: BreakdownRow): string | undefined {
  const { tax_code, qualification, rate, tax, surcharge_rate, surcharge } = row;
  if (correction === 'I' || type === 'R2' || type === 'R3') return undefined;
  if (qualification !== 'S1' || (tax_code !== '01' && tax_code !== '03')) return undefined;
  const base = printedToCents(row.base);
  if (base * printedToCents(tax ?? '0.00') < 0n)
    return 'la cuota de un desglose tiene distinto signo que su base.';
  return isOff(base, tax, rate) || isOff(base, surcharge, surcharge_rate)
    ? 'la cuota de un desglose se aparta más de 10,00 euros de su base por su tipo: compruebe el tipo de cambio.'
    : undefined;
}

const yearsMax = 20;

/** The tax of works certificates and continuous supplies falls due later. */
const isNotYetDue = ({ tax_code, regime_key }: BreakdownRow): boolean =>
  (regime_key === '14' || regime_key === '15') && (tax_code === '01' || tax_code === '03');

/** Codes 1125, 1134, 1146 and 1173. */
function operationDayFault(
  { operation_on, issued_on, rows }: AltaContent,
  today: string,
): string | undefined {
  if (operation_on === null) return undefined;
  const year = Number(today.slice(0, 4));
  if (operation_on < `${year - yearsMax}${today.slice(4)}`)
    return 'la fecha de operación tiene más de veinte años.';
  if (operation_on > `${year + 1}-12-31`)
    return 'la fecha de operación pasa del 31 de diciembre del año que viene.';
  if (operation_on > issued_on && !rows.every(isNotYetDue))
    return 'la fecha de operación es posterior a la de expedición, y alguna línea no lleva la clave 14 o 15 de IVA o IGIC.';
  return undefined;
}

/**
 * In the order of the invoice's fields.
 * @param number_known false before the number is taken
 * @param lineOf the line behind a row of the breakdown
 */
export function eligibilityFaults(
  content: AltaContent,
  today: string,
  number_known: boolean,
  lineOf: (row_index: number) => number | undefined = () => undefined,
): Problem[] {
  const found: Problem[] = [];
  const on_date = content.operation_on ?? content.issued_on;
  const add = (param: string, reason: string) => found.push(ineligible(param, reason));
  if (content.issuer.name.trim() === '') {
    const values = { reason: 'la empresa no tiene nombre.' };
    found.push(fail(c.business_rule_violation, { param: 'company_name', values }));
  } else if (isLongerThan(content.issuer.name, nameMax)) {
    add('company_name', 'el nombre de la empresa pasa de 120 caracteres.');
  } else if (!fitsXml(content.issuer.name)) {
    add('company_name', 'el nombre de la empresa lleva caracteres que no caben en el registro.');
  }
  if (content.is_qualified_simplified && (content.type === 'F2' || content.type === 'R5')) {
    add('type', 'este tipo de factura no admite la marca de simplificada con destinatario.');
  }
  if (withRecipients.has(content.type) && content.recipients.length === 0)
    add('client_id', 'una factura completa necesita un cliente.');
  for (const party of content.recipients) {
    const fault = partyFault(party, on_date);
    if (fault) add('client_id', fault);
  }
  // Code 1158.
  if (content.issued_by === 'D' && content.recipients.length === 0)
    add('issued_by', 'una factura sin destinatario no la puede expedir el destinatario.');
  const third = content.third_party && partyFault(content.third_party, on_date);
  if (third) add('third_party', third.replace('del cliente', 'del tercero'));
  const number = number_known ? numberFault(content.number) : undefined;
  if (number) found.push(number);
  if (content.issued_on < firstDay)
    add('issued_on', 'la fecha de expedición es anterior al 28 de octubre de 2024.');
  const operation_day = operationDayFault(content, today);
  if (operation_day !== undefined) add('operation_on', operation_day);
  if (content.corrected_invoices.some((one) => !isAdmissibleNumber(one.number)))
    add('original_invoice_id', 'el número de la factura rectificada no es admisible.');
  const corrected = content.corrected_amounts;
  if (corrected && !amountsFit([corrected.base, corrected.tax, corrected.surcharge]))
    add('corrected_invoices', 'la suma de lo rectificado no cabe en 12 cifras enteras y 2 decimales.');
  if (content.substituted_invoices.some((one) => !isAdmissibleNumber(one.number)))
    add('simplified_invoice_uuids', 'el número de una factura sustituida no es admisible.');
  if (content.rows.length > rowsMax) add('lines', 'la factura tiene más de 12 desgloses de impuestos.');
  if (!content.rows.every(rowFits)) add('lines', 'un importe no cabe en 12 cifras enteras y 2 decimales.');
  for (const [index, row] of content.rows.entries()) {
    const refusal = recordRefusal(fiscalFieldsOf(row), on_date);
    const reason = refusal?.reason ?? (rowFits(row) ? taxFault(content, row) : undefined);
    if (reason !== undefined) found.push(ineligible('lines', reason, lineOf(index)));
  }
  if (!amountText.test(content.total) || !amountText.test(content.tax_total))
    add('total', 'el total o su impuesto no cabe en 12 cifras enteras y 2 decimales.');
  if ((content.type === 'F2' || content.is_qualified_simplified) && !content.is_without_recipient) {
    const sum = content.rows.reduce(
      (all, row) => all + printedToCents(row.base) + printedToCents(row.tax ?? '0.00'),
      0n,
    );
    if (sum > ceilingCents) add('total', 'una factura simplificada no puede pasar de 3.000 euros.');
  }
  return found;
}
