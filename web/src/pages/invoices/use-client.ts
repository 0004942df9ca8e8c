import { useCan } from '../../app/company.ts';
import { useRead } from '../../app/reading.ts';
import type { Client, Invoice } from '../../printed/resources.ts';
import { getClient } from './calls.ts';

/** The client is undefined until it is read, and for whoever may not read it. */
type ClientRead = { client: Client | undefined; is_awaited: boolean };

/** The client of an invoice as it is today. */
export function useClientOf({ client }: Pick<Invoice, 'client'>): ClientRead {
  const can = useCan();
  const params = { client: client?.id ?? '' };
  const is_enabled = client !== null && can('get_client');
  const { data, isLoading: is_awaited } = useRead(getClient, { params }, { is_enabled });
  return { client: data?.data, is_awaited };
}
