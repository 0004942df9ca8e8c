/** Issuer and recipient on paper (RD 1619/2012, art. 6.1.c, d and e). */
import { addressLines, countryName, type StoredAddress } from './addresses.ts';
import type { PrintedLanguage, PrintedParty } from './printed-document.ts';
import { type PrintedIdKind, printedWords } from './words.ts';
import { euMembers } from '../countries.ts';
import type { InvoiceBundle, InvoiceRow } from '../../modules/invoices/invoices.rows.ts';
import { type RecipientId, recipientId } from '../sales/recipient-id.ts';

/** What a document shows of its issuer: the snapshot of an issued one, the company's data for a draft. */
export type PrintedIssuer = {
  name?: string | null;
  commercial_name?: string | null;
  tax_id?: string | null;
  address?: StoredAddress | null;
  email?: string | null;
  phone?: string | null;
  website?: string | null;
  iban?: string | null;
  colour?: string | null;
};

type PrintedClient = { address?: StoredAddress | null; commercial_name?: string | null };

const clientOf = (invoice: InvoiceRow) => (invoice.client_snapshot ?? {}) as PrintedClient;

const idKinds: Record<string, PrintedIdKind> = {
  nif: 'nif',
  vat_id: 'vat_id',
  passport: 'passport',
  tax_id_foreign: 'tax_id_foreign',
  official_id: 'official_id',
  residence_certificate: 'residence_certificate',
};

const isAbroad = (address: StoredAddress | null | undefined) =>
  address?.country !== undefined && address.country !== null && address.country !== 'ES';

/** Whether the recipient is a business of another member state, known by its European VAT number. */
export function isEuropeanBusiness(invoice: InvoiceRow): boolean {
  const { kind, value } = recipientId(invoice);
  if (kind !== 'vat_id') return false;
  const prefix = value.slice(0, 2).toUpperCase();
  return prefix !== 'ES' && (prefix === 'EL' || prefix === 'XI' || euMembers.has(prefix));
}

/** A supply within the Union asks for the VAT number of both (LIVA, art. 25; Directive 2006/112, art. 226.3). */
function needsVatNumber({ invoice, tax_rows }: InvoiceBundle): boolean {
  const is_within_union = tax_rows.some(
    (row) => row.tax_kind === 'vat' && (row.exemption_reason === 'E5' || row.qualification === 'N2'),
  );
  return is_within_union && isEuropeanBusiness(invoice);
}

export function printedIssuer(
  bundle: InvoiceBundle,
  issuer: PrintedIssuer,
  language: PrintedLanguage,
): PrintedParty {
  const words = printedWords[language];
  const tax_id = issuer.tax_id ?? '';
  const kind = needsVatNumber(bundle) ? 'vat_id' : 'nif';
  return {
    label: words.issuer,
    name: issuer.name ?? '',
    commercial_name: other(issuer.commercial_name, issuer.name),
    tax_id: { label: words.ids[kind], text: kind === 'vat_id' ? `ES${tax_id}` : tax_id },
    address_lines: addressLines(issuer.address ?? null, language, isAbroad(clientOf(bundle.invoice).address)),
    contact: [issuer.email, issuer.phone, issuer.website?.replace(/^https?:\/\/|\/$/gi, '')].filter(
      (text): text is string => text !== null && text !== undefined && text !== '',
    ),
  };
}

/** A second name, where it is another one. */
function other(name: string | null | undefined, first: string | null | undefined): string | null {
  return name && name !== first ? name : null;
}

/** A passport is one of its country; a VAT number and a NIF say theirs themselves. */
function idText({ kind, value, country }: RecipientId, language: PrintedLanguage): string {
  if (kind === 'nif' || kind === 'vat_id' || country === null || country === 'ES') return value;
  return `${value} (${countryName(country, language)})`;
}

/** @returns null for an invoice without a recipient */
export function printedRecipient(
  { invoice }: InvoiceBundle,
  issuer: PrintedIssuer,
  language: PrintedLanguage,
): PrintedParty | null {
  if (invoice.client_id === null) return null;
  const words = printedWords[language];
  const client = clientOf(invoice);
  const id = recipientId(invoice);
  const name = invoice.client_name ?? '';
  return {
    label: words.client,
    name,
    commercial_name: other(client.commercial_name, name),
    tax_id:
      id.value === '' ? null : { label: words.ids[idKinds[id.kind] ?? 'other'], text: idText(id, language) },
    address_lines: addressLines(client.address ?? null, language, isAbroad(issuer.address)),
    contact: [],
  };
}
