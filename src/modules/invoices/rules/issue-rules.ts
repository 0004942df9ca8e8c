/**
 * What refuses an issue beyond the rules of single lines: type, dates and client (with AEAT codes), the ceiling of simplified
 * invoices, and the rates of the day.
 */
import { parseAmount, powerOfTen } from '../../../domain/money/amount.ts';
import { printedToCents, trimZeros } from '../../../domain/money/printed.ts';
import { type FiscalRefusal, fiscalRefusal } from '../../../domain/tax/fiscal-rules.ts';
import type { Qualification } from '../../../domain/tax/record-codes.ts';
import type { TaxKind } from '../../../domain/tax/spanish-taxes.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { fail, type Problem } from '../../../kernel/problem.ts';
import type { Reasons } from '../../../kernel/reasons.ts';
import {
  isForeignVatId,
  isIntraCommunity,
  needsForeignId,
  nifOf,
} from '../../../domain/sales/recipient-id.ts';
import type { LineRow, TaxRow } from '../../../domain/sales/rows.ts';
import type { InvoiceRow } from '../invoices.rows.ts';
import { type InvoiceType, isCorrective, isQualifiedSimplified } from './invoice-types.ts';

export type Recipient = {
  tax_id: string | null;
  vat_id: string | null;
  alternative_id: { type: string; value?: string } | null;
  preferred_operation_regime?: string | null;
};

export type ToIssue = {
  invoice: Pick<
    InvoiceRow,
    | 'type'
    | 'client_id'
    | 'operation_on'
    | 'subtotal'
    | 'taxes_total'
    | 'exchange_rate'
    | 'no_recipient_art61d'
    | 'print_recipient'
    | 'correction_type'
    | 'third_party'
  >;
  issued_on: string;
  lines: readonly LineRow[];
  tax_rows: readonly TaxRow[];
  /** Null also when the client is unknown. */
  client: Recipient | null;
  issuer_tax_id: string | null;
  /** A registered invoice leaves the recipient and the ceiling to the record's own rules. */
  is_registered: boolean;
};

type Identified = { nif: string | null; has_vat_id: boolean; has_other: boolean };

type Party = Recipient & Identified;

type Seen = {
  type: InvoiceType;
  issued_on: string;
  operation_on: string | null;
  client: Party | null;
  /** Includes a client who is only printed, and so is no recipient. */
  party: Party | null;
  /** With or without a recipient. */
  is_simplified: boolean;
  is_registered: boolean;
};

/** As `recipientId` does for the record. */
function identify(recipient: Recipient, tax_rows: readonly TaxRow[]): Identified {
  const { tax_id, vat_id, alternative_id } = recipient;
  const nif = nifOf(recipient) ?? null;
  if (nif !== null && alternative_id !== null) return { nif, has_vat_id: false, has_other: false };
  const has_foreign_vat_id = isForeignVatId(vat_id);
  const has_vat_id = has_foreign_vat_id || alternative_id?.type === 'vat_id';
  return {
    nif: has_foreign_vat_id && tax_rows.some(isIntraCommunity) ? null : nif,
    has_vat_id,
    has_other: has_vat_id || alternative_id !== null || (tax_id !== null && nif === null),
  };
}

/** A VAT number of another member state. */
function hasUnionVatId({ vat_id, alternative_id }: Recipient): boolean {
  const ids = [vat_id, alternative_id?.type === 'vat_id' ? alternative_id.value : null];
  return ids.some((id) => id && isForeignVatId(id));
}

const isIdentified = ({ tax_id, vat_id, alternative_id }: Recipient): boolean =>
  tax_id !== null || vat_id !== null || alternative_id !== null;

type RowRule = {
  /** Of the authority, or the law where it has none. */
  readonly codes: string;
  /** Of the line; with a leading `/`, of the document. */
  readonly field: 'qualification' | 'regime_key' | '/client_id' | '/operation_on' | '/type';
  readonly reason: string;
  applies(row: TaxRow): boolean;
  refuses(seen: Seen & { row: TaxRow }): boolean;
};

const withKey = (key: string) => (row: TaxRow) =>
  row.regime_key === key && (row.tax_kind === 'vat' || row.tax_kind === 'igic');
const isReverseCharge = (row: TaxRow) => row.qualification === 'S2';
const isTaxedElsewhere = (row: TaxRow) => row.tax_kind === 'vat' && row.qualification === 'N2';
const hasSurcharge = (row: TaxRow) => Number(row.surcharge_rate ?? 0) !== 0;

const fullTypes: ReadonlySet<InvoiceType> = new Set(['F1', 'F3', 'R1', 'R2', 'R3', 'R4']);
const worksTypes: ReadonlySet<InvoiceType> = new Set(['F1', 'R1', 'R2', 'R3', 'R4']);

/** In the order of checking. Without a client they do not apply: the type decides whether one is needed. */
const rowRules: readonly RowRule[] = [
  {
    codes: '1197',
    field: 'qualification',
    reason: 'una factura simplificada sin destinatario no admite inversión del sujeto pasivo (S2).',
    applies: isReverseCharge,
    refuses: ({ type }) => !fullTypes.has(type),
  },
  {
    codes: '1202',
    field: 'regime_key',
    reason: 'la clave 06 no se admite en F2, F3 ni R5.',
    applies: withKey('06'),
    refuses: ({ type }) => type === 'F3' || !fullTypes.has(type),
  },
  {
    codes: '1205',
    field: 'regime_key',
    reason: 'la clave 10 solo se admite en F1.',
    applies: withKey('10'),
    refuses: ({ type }) => type !== 'F1',
  },
  {
    codes: '1205',
    field: '/client_id',
    reason: 'con la clave 10 el cliente tiene que identificarse con NIF.',
    applies: withKey('10'),
    refuses: ({ client }) => client !== null && client.nif === null,
  },
  {
    codes: '1147',
    field: '/operation_on',
    reason:
      'con la clave 14 la fecha de operación es obligatoria y posterior a la de expedición; si el impuesto ya se ha devengado, la línea va con regime_key 01.',
    applies: withKey('14'),
    refuses: ({ operation_on, issued_on }) => operation_on === null || operation_on <= issued_on,
  },
  {
    codes: '1148',
    field: 'regime_key',
    reason: 'la clave 14 solo se admite en F1 y de R1 a R4.',
    applies: withKey('14'),
    refuses: ({ type }) => !worksTypes.has(type),
  },
  {
    codes: '1149',
    field: '/client_id',
    reason: 'con la clave 14 el NIF del cliente tiene que empezar por P, Q, S o V.',
    applies: withKey('14'),
    refuses: ({ client }) => client !== null && !/^[PQSV]/.test(client.nif ?? ''),
  },
  {
    codes: '1289',
    field: '/client_id',
    reason: needsForeignId,
    applies: isIntraCommunity,
    refuses: ({ client }) => client !== null && !client.has_other,
  },
  {
    // A corrective must also be able to undo an older invoice, so it passes.
    codes: 'LIVA, arts. 25 and 69.1.1',
    field: '/client_id',
    reason: 'con el régimen intra_community el cliente se identifica con su NIF-IVA de otro Estado miembro.',
    applies: (row) => isIntraCommunity(row) || isTaxedElsewhere(row),
    refuses: ({ client, type }) =>
      client?.preferred_operation_regime === 'intra_community' &&
      !hasUnionVatId(client) &&
      !isCorrective(type),
  },
  {
    // A registered invoice needs no check: the record refuses a client without identification.
    codes: 'RD 1619/2012, art. 6.1.d.2',
    field: '/client_id',
    reason:
      'con inversión del sujeto pasivo (S2) el cliente se identifica con NIF, NIF-IVA u otro documento extranjero.',
    applies: isReverseCharge,
    refuses: ({ client, type, is_registered }) =>
      client !== null && !is_registered && !isCorrective(type) && !isIdentified(client),
  },
  {
    // A client subject to it is a retailer established in Spain. The record refuses one without identification.
    codes: 'RD 1619/2012, art. 6.1.d.3',
    field: '/client_id',
    reason: 'con recargo de equivalencia el cliente se identifica con NIF.',
    applies: hasSurcharge,
    refuses({ client, party, type, is_registered }) {
      if (party === null || isCorrective(type)) return false;
      const { nif, has_other } = party;
      return nif === null && (has_other || client === null || !is_registered);
    },
  },
  {
    codes: 'RD 1619/2012, art. 4.4.a and d',
    field: '/type',
    reason:
      'lo que se entrega (E5) o presta (N2) a un empresario de otro Estado miembro va en una factura completa, no en una simplificada.',
    applies: (row) => isIntraCommunity(row) || isTaxedElsewhere(row),
    refuses: ({ is_simplified, party, row }) =>
      is_simplified && (isIntraCommunity(row) || party?.preferred_operation_regime === 'intra_community'),
  },
];

/** How each type requires the recipient to be identified. The record itself refuses an invoice without identification. */
const typeRules: readonly {
  codes: string;
  type: InvoiceType;
  reason: string;
  refuses(client: Identified): boolean;
}[] = [
  {
    codes: '1191',
    type: 'R3',
    reason: 'en una R3 el cliente tiene que identificarse con NIF, y con la exención E5 cuenta su NIF-IVA.',
    refuses: ({ nif, has_other }) => nif === null && has_other,
  },
  {
    codes: '1192',
    type: 'R2',
    reason: 'en una R2 el cliente tiene que identificarse con NIF o NIF-IVA.',
    refuses: ({ nif, has_vat_id, has_other }) => nif === null && has_other && !has_vat_id,
  },
  {
    // The corrective of a simplified invoice with a recipient is R1 to R4.
    codes: '1190',
    type: 'R5',
    reason: 'una R5 rectifica una simplificada sin destinatario, y no lleva cliente.',
    refuses: () => true,
  },
];

function refusal(param: string, reason: string, line_index?: number): Problem {
  return fail(c.business_rule_violation, {
    param,
    ...(line_index === undefined || line_index < 0 ? {} : { line_index }),
    values: { reason },
  });
}

/** Index of a row's first line; -1 for none. */
export function lineOf(row: TaxRow, lines: readonly LineRow[]): number {
  const same = (a: string | null, b: string | null) => Number(a ?? 0) === Number(b ?? 0);
  return lines.findIndex(
    (line) =>
      line.tax_kind === row.tax_kind &&
      line.regime_key === row.regime_key &&
      line.qualification === row.qualification &&
      line.exemption_reason === row.exemption_reason &&
      same(line.tax_rate, row.tax_rate) &&
      same(line.surcharge_rate, row.surcharge_rate),
  );
}

/** A simplified invoice with a recipient is recorded as an F1 with the mark of art. 7.2 and 7.3. */
function recordType(invoice: Pick<InvoiceRow, 'type' | 'client_id' | 'print_recipient'>): InvoiceType {
  return isQualifiedSimplified(invoice) ? 'F1' : invoice.type;
}

/** @throws 422 business_rule_violation, or gathers it in a dry run */
export function checkIssue(
  { invoice, issued_on, lines, tax_rows, client: recipient, issuer_tax_id, is_registered }: ToIssue,
  reasons: Reasons,
): void {
  const party = recipient && { ...recipient, ...identify(recipient, tax_rows) };
  // A corrective prints as its original, even if the client is identified now.
  if (invoice.print_recipient && invoice.correction_type === null && party && isIdentified(party))
    reasons.refuse(
      refusal(
        'print_recipient',
        'el cliente tiene identificación fiscal: la factura lo lleva como destinatario, también en el registro.',
      ),
    );
  // A client who is only printed is no recipient of the record.
  const client = invoice.print_recipient ? null : party;
  const { operation_on } = invoice;
  const seen: Seen = {
    type: recordType(invoice),
    issued_on,
    operation_on,
    client,
    party,
    is_simplified: invoice.type === 'F2',
    is_registered,
  };
  for (const row of tax_rows) {
    for (const rule of rowRules) {
      if (!rule.applies(row) || !rule.refuses({ ...seen, row })) continue;
      const line_index = lineOf(row, lines);
      const param = rule.field.startsWith('/') ? rule.field.slice(1) : `lines.${line_index}.${rule.field}`;
      reasons.refuse(refusal(param, rule.reason, line_index));
    }
  }
  for (const rule of typeRules) {
    // The record says so itself, by another code.
    if (is_registered && rule.type === 'R5') continue;
    if (client && rule.type === seen.type && rule.refuses(client))
      reasons.refuse(refusal('client_id', rule.reason));
  }
  if (invoice.third_party !== null && invoice.third_party.tax_id === issuer_tax_id) {
    reasons.refuse(refusal('third_party.tax_id', 'el tercero tiene que ser distinto del emisor.'));
  }
  if (!is_registered && exceedsCeiling(invoice))
    reasons.refuse(
      refusal('total', 'una factura simplificada no puede pasar de 3.000 euros, impuestos incluidos.'),
    );
}

const ceiling_cents = 300_000n;

/**
 * RD 1619/2012, art. 4: base and tax are at most 3,000 euros, with or without a recipient. AEAT code 1150 leaves the surcharge
 * out, and exempts invoices with the mark of art. 6.1.d.
 */
function exceedsCeiling({
  type,
  no_recipient_art61d,
  subtotal,
  taxes_total,
  exchange_rate,
}: ToIssue['invoice']): boolean {
  if (type !== 'F2' || no_recipient_art61d) return false;
  const cents = printedToCents(subtotal) + printedToCents(taxes_total);
  if (exchange_rate === null) return cents > ceiling_cents;
  const rate = parseAmount(trimZeros(exchange_rate), { decimals: 8 });
  if (!rate) throw new Error('A stored exchange rate cannot be read.');
  return cents * rate.units > ceiling_cents * powerOfTen(rate.scale);
}

export function findRefusedRow(
  tax_rows: readonly TaxRow[],
  on_date: string,
): { row: TaxRow; refusal: FiscalRefusal } | undefined {
  for (const row of tax_rows) {
    const rate = (text: string | null) =>
      text === null ? null : (parseAmount(trimZeros(text), { decimals: 4 }) ?? null);
    const fields = {
      tax_kind: row.tax_kind as TaxKind,
      regime_key: row.regime_key,
      qualification: row.qualification as Qualification | null,
      exemption_reason: row.exemption_reason,
      tax_rate: rate(row.tax_rate),
      surcharge_rate: rate(row.surcharge_rate),
    };
    const found = fiscalRefusal(fields, on_date);
    if (found) return { row, refusal: found };
  }
  return undefined;
}

/**
 * A stored draft may have waited past the last day of a rate.
 * @throws 422 business_rule_violation with `line_index`
 */
export function checkRatesOfDay(
  { lines, tax_rows }: Pick<ToIssue, 'lines' | 'tax_rows'>,
  on_date: string,
): void {
  const found = findRefusedRow(tax_rows, on_date);
  if (!found) return;
  const line_index = lineOf(found.row, lines);
  throw refusal(`lines.${line_index}.${found.refusal.field}`, found.refusal.reason, line_index);
}
