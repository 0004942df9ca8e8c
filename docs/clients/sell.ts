import { Folio, FolioError } from 'folio-client';

const { FOLIO_URL = 'http://127.0.0.1:3000', FOLIO_API_KEY = '' } = process.env;
const folio = new Folio({ base_url: FOLIO_URL, key: FOLIO_API_KEY });

/** Sells once, however often it is called: the order's number is the external_id of the invoice. */
export async function sell(order: string): Promise<string> {
  const { data } = await folio.call('create_invoice', {
    body: {
      type: 'F2',
      external_id: order,
      lines: [{ description: 'Menú del día', quantity: 2, unit_price: 13.5, tax_rate: 10 }],
      options: { issue: true },
    },
  });
  return data.object === 'invoice' ? `${data.number} ${data.total}` : 'a dry run';
}

/** The tax ids of all clients, over every page. */
export async function taxIds(): Promise<string[]> {
  const found: string[] = [];
  for await (const client of folio.list('list_clients', { query: { limit: 100 } }))
    if (client.tax_id !== null) found.push(client.tax_id);
  return found;
}

/** A client's name, or null where there is no such client. Any other refusal is thrown on. */
export async function nameOf(id: string): Promise<string | null> {
  try {
    return (await folio.call('get_client', { path: { client: id } })).data.name;
  } catch (error) {
    if (error instanceof FolioError && error.is('resource_not_found')) return null;
    throw error;
  }
}
