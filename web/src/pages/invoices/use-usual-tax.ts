import { useState } from 'react';
import { useCan } from '../../app/company.ts';
import { getCompany } from '../../app/company-details.ts';
import { useRead } from '../../app/reading.ts';
import type { Client } from '../../printed/resources.ts';
import { activeTaxes, getClient, listTaxes } from './calls.ts';
import { usualTax } from './usual-tax.ts';

/**
 * @param before id of the client that the draft has
 * @returns the tax of the client chosen last, and what tells of another one
 */
export function useUsualTax(before: string | undefined) {
  const can = useCan();
  const [chosen, setChosen] = useState<Client | null | undefined>();
  const params = { client: before ?? '' };
  const read = useRead(getClient, { params }, { is_enabled: before !== undefined && can('get_client') });
  const company = useRead(getCompany, {}, { is_enabled: can('get_company') });
  const taxes = useRead(listTaxes, activeTaxes);
  const client = chosen === undefined ? (read.data?.data ?? null) : chosen;
  const known = company.data?.data.default_vat;
  const rates = known as Record<string, unknown> | undefined;
  const rate = typeof rates?.invoice === 'number' ? rates.invoice : null;
  const of_company = { rate, default_kind: known?.tax_kind ?? 'vat', taxes: taxes.data?.data ?? [] };
  return { tax: usualTax(client, of_company), setClient: setChosen };
}
