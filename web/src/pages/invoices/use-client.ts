import { useCan } from '../../app/company.ts';
import { useRead } from '../../app/reading.ts';
import type { Client, Invoice } from '../../printed/resources.ts';
import { getClient } from './calls.ts';

/** The client of an invoice as it is today. Undefined until it is read, and for whoever may not read it. */
export function useClientOf({ client }: Pick<Invoice, 'client'>): Client | undefined {
  const can = useCan();
  const params = { client: client?.id ?? '' };
  const is_enabled = client !== null && can('get_client');
  return useRead(getClient, { params }, { is_enabled }).data?.data;
}
