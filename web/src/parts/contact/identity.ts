import type { Contact } from './contact-kind.ts';

/** The number that a contact is known by. One of another state may have its VAT number alone. */
export function identityOf({
  tax_id,
  alternative_id,
  vat_id,
}: Pick<Contact, 'tax_id' | 'alternative_id' | 'vat_id'>): string | null {
  return tax_id ?? alternative_id?.value ?? vat_id;
}
