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
  const rate = company.data?.data.default_vat.invoice ?? null;
  return { tax: usualTax(client, { rate, taxes: taxes.data?.data ?? [] }), setClient: setChosen };
}
