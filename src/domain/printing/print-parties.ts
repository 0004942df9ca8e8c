/** Issuer and recipient on paper (RD 1619/2012, art. 6.1.c, d and e). */
import { euMembers } from '../countries.ts';
import { isIntraCommunity, type RecipientId, recipientId } from '../sales/recipient-id.ts';
import { addressLines, countryName, type StoredAddress } from './addresses.ts';
import { websiteText } from './contact-links.ts';
import type { PrintedBundle, PrintedDocumentSource, PrintedIssuer } from './print-source.ts';
import type { PrintedLanguage, PrintedParty } from './printed-document.ts';
import { type PrintedIdKind, printedWords } from './words.ts';

type PrintedClient = { address?: StoredAddress | null; commercial_name?: string | null };

const clientOf = ({ client_snapshot }: Pick<PrintedDocumentSource, 'client_snapshot'>) =>
  (client_snapshot ?? {}) as PrintedClient;

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

export function isEuropeanBusiness({ document, tax_rows }: PrintedBundle): boolean {
  const { kind, value } = recipientId(document, tax_rows);
  if (kind !== 'vat_id') return false;
  const prefix = value.slice(0, 2).toUpperCase();
  return prefix !== 'ES' && (prefix === 'EL' || prefix === 'XI' || euMembers.has(prefix));
}

/**
 * A supply within the Union states both parties' VAT numbers (LIVA, art. 25; Directive 2006/112, art. 226.3).
 */
function needsVatNumber(bundle: PrintedBundle): boolean {
  const is_within_union = bundle.tax_rows.some(
    (row) => isIntraCommunity(row) || (row.tax_kind === 'vat' && row.qualification === 'N2'),
  );
  return is_within_union && isEuropeanBusiness(bundle);
}

export function printedIssuer(
  bundle: PrintedBundle,
  issuer: PrintedIssuer,
  language: PrintedLanguage,
): PrintedParty {
  const words = printedWords[language];
  const tax_id = issuer.tax_id ?? '';
  const kind = needsVatNumber(bundle) ? 'vat_id' : 'nif';
  return {
    label: words.issuer,
    name: issuer.name ?? '',
    commercial_name: secondName(issuer.commercial_name, issuer.name),
    tax_id: { label: words.ids[kind], text: kind === 'vat_id' ? `ES${tax_id}` : tax_id },
    address_lines: addressLines(
      issuer.address ?? null,
      language,
      isAbroad(clientOf(bundle.document).address),
    ),
    contact: [issuer.email, issuer.phone, websiteText(issuer.website)].filter(
      (text): text is string => text !== null && text !== undefined && text !== '',
    ),
  };
}

function secondName(name: string | null | undefined, first: string | null | undefined): string | null {
  return name && name !== first ? name : null;
}

/** NIF and VAT numbers show their country themselves. */
function idText({ kind, value, country }: RecipientId, language: PrintedLanguage): string {
  if (kind === 'nif' || kind === 'vat_id' || country === null || country === 'ES') return value;
  return `${value} (${countryName(country, language)})`;
}

export function printedRecipient(
  { document, tax_rows }: PrintedBundle,
  issuer: PrintedIssuer,
  language: PrintedLanguage,
): PrintedParty | null {
  if (document.client_id === null) return null;
  const words = printedWords[language];
  const client = clientOf(document);
  const id = recipientId(document, tax_rows);
  const name = document.client_name ?? '';
  return {
    label: words.client,
    name,
    commercial_name: secondName(client.commercial_name, name),
    tax_id:
      id.value === '' ? null : { label: words.ids[idKinds[id.kind] ?? 'other'], text: idText(id, language) },
    address_lines: addressLines(client.address ?? null, language, isAbroad(issuer.address)),
    contact: [],
  };
}
