/**
 * The NIF identifies a recipient, else a foreign identification (RD 1619/2012, art. 6.1.d). Record and paper
 * use the same one.
 */
import { parseSpanishTaxId } from '../spain/tax-id.ts';
import type { TaxRow } from './rows.ts';

type AlternativeId = { type: string; value: string; country_code: string | null };

type ClientIds = {
  address?: { country?: string | null } | null;
  vat_id?: string | null;
  alternative_id?: AlternativeId | null;
};

/** `kind` is `nif` or a kind of alternative id; `country` an ISO code; `value` may be empty. */
export type RecipientId = { kind: string; value: string; country: string | null };

const isSpanish = (vat_id: string): boolean => vat_id.startsWith('ES');

export const isForeignVatId = (vat_id: string | null): vat_id is string =>
  vat_id !== null && !isSpanish(vat_id);

/**
 * A Spanish VAT number is ES and the NIF: where it stands for another identification, or is all that a client has, it is the NIF.
 * Any other identification means that the tax id is not Spanish.
 */
export function nifOf({ tax_id, vat_id, alternative_id }: Identifications): string | undefined {
  const own_vat_id = vat_id !== null && isSpanish(vat_id) ? vat_id : null;
  const text = alternative_id === null ? (tax_id ?? own_vat_id) : spanishVatId(alternative_id);
  return text === null ? undefined : parseSpanishTaxId(text)?.value;
}

type Identifications = {
  tax_id: string | null;
  vat_id: string | null;
  alternative_id: { type: string; value?: string } | null;
};

function spanishVatId({ type, value }: NonNullable<Identifications['alternative_id']>): string | null {
  return type === 'vat_id' && value !== undefined && isSpanish(value) ? value : null;
}

type FiscalKind = Pick<TaxRow, 'tax_kind' | 'exemption_reason'>;

/** Goods that go to another member state, which are exempt (LIVA, art. 25). */
export function isIntraCommunity({ tax_kind, exemption_reason }: FiscalKind): boolean {
  return tax_kind === 'vat' && exemption_reason === 'E5';
}

/** Why a recipient that only a NIF identifies is refused with E5 (code 1289). */
export const needsForeignId =
  'con la exención E5 el cliente se identifica con un NIF-IVA u otro documento extranjero.';

/**
 * @param tax_rows of the document. With E5 the foreign VAT number counts, also of a recipient who has a Spanish NIF: the
 * authority refuses the NIF (code 1289)
 */
export function recipientId(
  document: { client_tax_id: string | null; client_snapshot: Record<string, unknown> | null },
  tax_rows: readonly FiscalKind[],
): RecipientId {
  const { vat_id = null, alternative_id = null, address } = (document.client_snapshot ?? {}) as ClientIds;
  const tax_id = document.client_tax_id;
  const foreign_vat_id = isForeignVatId(vat_id) ? vat_id : null;
  const is_by_vat_id = foreign_vat_id !== null && tax_rows.some(isIntraCommunity);
  const nif = is_by_vat_id && alternative_id === null ? undefined : nifOf({ tax_id, vat_id, alternative_id });
  if (nif !== undefined) return { kind: 'nif', value: nif, country: 'ES' };
  const country = alternative_id?.country_code ?? address?.country ?? null;
  if (alternative_id) return { kind: alternative_id.type, value: alternative_id.value, country };
  if (foreign_vat_id !== null) return { kind: 'vat_id', value: foreign_vat_id, country };
  return { kind: 'tax_id_foreign', value: tax_id ?? '', country };
}
