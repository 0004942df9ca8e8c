/**
 * A full invoice states both addresses. A simplified one that names a recipient states theirs. Neither needs the
 * address of a private person (RD 1619/2012, arts. 6.1.e and 7.2).
 */
import type { Problem } from '../../../kernel/problem.ts';
import { missingParam } from '../../../kernel/resource-input.ts';
import type { InvoiceRow } from '../invoices.rows.ts';
import { isQualifiedSimplified, needsRecipient } from './invoice-types.ts';

export const addressWarningCodes = ['issuer_address_missing', 'recipient_address_missing'] as const;
export type AddressWarning = (typeof addressWarningCodes)[number];

export const addressTexts: Readonly<Record<AddressWarning, string>> = {
  issuer_address_missing:
    'La factura no lleva el domicilio de la empresa (RD 1619/2012, art. 6.1.e): indique la calle y la población de la empresa.',
  recipient_address_missing:
    'La factura no lleva el domicilio del cliente (RD 1619/2012, art. 6.1.e): indique la calle y la población del cliente, o que es un particular.',
};

const params: Record<AddressWarning, string> = {
  issuer_address_missing: 'company.address',
  recipient_address_missing: 'client_id',
};

type Address = { line1?: string | null; postal_code?: string | null; city?: string | null };

const isSaid = (text: string | null | undefined): boolean => (text ?? '').trim() !== '';

/** A street, and the town by its name or its postal code. */
function isAddress(address: unknown): boolean {
  const { line1, postal_code, city } = (address ?? {}) as Address;
  return isSaid(line1) && (isSaid(city) || isSaid(postal_code));
}

type Parties = Pick<
  InvoiceRow,
  'type' | 'client_id' | 'client_snapshot' | 'issuer_snapshot' | 'print_recipient'
>;

/** Of an issued invoice, from what it keeps of its parties. */
export function missingAddresses(invoice: Parties): AddressWarning[] {
  const { type, issuer_snapshot, client_snapshot } = invoice;
  const missing: AddressWarning[] = [];
  const is_full = needsRecipient(type);
  if (is_full && issuer_snapshot && !isAddress(issuer_snapshot.address))
    missing.push('issuer_address_missing');
  const has_recipient = is_full || isQualifiedSimplified(invoice);
  const is_private = client_snapshot?.is_private_person === true;
  if (has_recipient && client_snapshot && !is_private && !isAddress(client_snapshot.address))
    missing.push('recipient_address_missing');
  return missing;
}

/** For a company that requires addresses. */
export function addressRefusal(warning: AddressWarning): Problem {
  return missingParam(params[warning], addressTexts[warning]);
}
