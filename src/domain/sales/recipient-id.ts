/**
 * The NIF identifies a recipient, else a foreign identification (RD 1619/2012, art. 6.1.d). Record and paper
 * use the same one.
 */
import { parseSpanishTaxId } from '../spain/tax-id.ts';

type AlternativeId = { type: string; value: string; country_code: string | null };

type ClientIds = {
  address?: { country?: string | null } | null;
  vat_id?: string | null;
  alternative_id?: AlternativeId | null;
};

/** `kind` is `nif` or a kind of alternative id; `country` an ISO code; `value` may be empty. */
export type RecipientId = { kind: string; value: string; country: string | null };

export function recipientId(document: {
  client_tax_id: string | null;
  client_snapshot: Record<string, unknown> | null;
}): RecipientId {
  const { vat_id = null, alternative_id = null, address } = (document.client_snapshot ?? {}) as ClientIds;
  const tax_id = document.client_tax_id;
  const nif = tax_id === null || alternative_id ? undefined : parseSpanishTaxId(tax_id)?.value;
  if (nif !== undefined) return { kind: 'nif', value: nif, country: 'ES' };
  const country = alternative_id?.country_code ?? address?.country ?? null;
  if (alternative_id) return { kind: alternative_id.type, value: alternative_id.value, country };
  if (vat_id !== null && !vat_id.startsWith('ES')) return { kind: 'vat_id', value: vat_id, country };
  return { kind: 'tax_id_foreign', value: tax_id ?? '', country };
}
