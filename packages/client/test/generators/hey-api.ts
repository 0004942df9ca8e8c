/** The same program on a client of @hey-api/openapi-ts. */
import { createInvoice, getClient, listInvoices } from './hey-api/index.ts';

export async function sell(client_id: string): Promise<string> {
  const { data, error } = await createInvoice({
    headers: { 'Idempotency-Key': crypto.randomUUID() },
    body: { client_id, lines: [{ description: 'Consultoría', unit_price: 100, tax_rate: 21 }] },
  });
  if (error) {
    const code: string = error.error.code;
    return code;
  }
  const id: string | null = data.data.id;
  const buyer = await getClient({ path: { client: client_id } });
  if (buyer.error) return buyer.error.error.code === 'resource_not_found' ? 'nobody' : buyer.error.error.code;
  const buyer_id: string = buyer.data.data.id;
  const page = await listInvoices({ query: { limit: 10, 'created[gte]': '2026-01-01' } });
  for (const { number } of page.data?.data ?? []) console.log(number);
  return `${id} ${buyer_id}`;
}
