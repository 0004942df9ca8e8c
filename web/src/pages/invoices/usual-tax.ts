/** What a new line says of its tax until somebody chooses one. */
import { useState } from 'react';
import { useCan } from '../../app/company.ts';
import { getCompany } from '../../app/company-details.ts';
import { useRead } from '../../app/reading.ts';
import type { Client } from '../../printed/resources.ts';
import { getClient } from './calls.ts';

/** The tax of a line of which nobody has chosen one. */
export const unchosen = 'unchosen';

/** Nothing: the service has a tax for the client or the company. */
const ofService = '';
const commonRate = 'rate:21';

/** The surcharge comes with a rate, which the line says. */
const decidingRegimes: ReadonlySet<Client['preferred_operation_regime']> = new Set([
  'intra_community',
  'export',
  'exempt',
  'reverse_charge',
]);

type ClientTax = Pick<Client, 'preferred_operation_regime' | 'default_taxes_id' | 'default_vat_rate'>;

/** @param company_rate of the company's invoices, if it has one */
export function usualTax(client: ClientTax | null, company_rate: number | null): string {
  const is_of_client =
    client !== null &&
    (client.default_taxes_id !== null ||
      client.default_vat_rate !== null ||
      decidingRegimes.has(client.preferred_operation_regime));
  return is_of_client || company_rate !== null ? ofService : commonRate;
}

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
  const client = chosen === undefined ? (read.data?.data ?? null) : chosen;
  return { tax: usualTax(client, company.data?.data.default_vat.invoice ?? null), setClient: setChosen };
}
