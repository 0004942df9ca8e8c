/** A program on types of openapi-typescript. It asks for `error.code` and `data.id` without finding out first what came. */
import createClient from 'openapi-fetch';
import type {
  ErrorResponse,
  MediaType,
  ResponseObjectMap,
  SuccessResponse,
} from 'openapi-typescript-helpers';
import type { operations, paths } from './types.ts';

const client = createClient<paths>({
  baseUrl: 'http://127.0.0.1:3000',
  headers: { Authorization: 'Bearer …' },
});

export async function sell(client_id: string): Promise<string> {
  const { data, error } = await client.POST('/v1/invoices', {
    params: { header: { 'Idempotency-Key': crypto.randomUUID() } },
    body: { client_id, lines: [{ description: 'Consultoría', unit_price: 100, tax_rate: 21 }] },
  });
  if (error) {
    const code: string = error.error.code;
    return code;
  }
  const id: string | null = data.data.id;
  const buyer = await client.GET('/v1/clients/{client}', { params: { path: { client: client_id } } });
  if (buyer.error) return buyer.error.error.code === 'resource_not_found' ? 'nobody' : buyer.error.error.code;
  const buyer_id: string = buyer.data.data.id;
  const page = await client.GET('/v1/invoices', {
    params: { query: { limit: 10, 'created[gte]': '2026-01-01' } },
  });
  for (const { number } of page.data?.data ?? []) console.log(number);
  return `${id} ${buyer_id}`;
}

type Answered = Exclude<keyof operations, `on_${string}`>;
type File = `get_${string}_${'pdf' | 'file' | 'xml' | 'image'}`;
type Refusal<K extends Answered> = ErrorResponse<ResponseObjectMap<operations[K]>, MediaType>;
type Answer<K extends Answered> = SuccessResponse<ResponseObjectMap<operations[K]>, 'application/json'>;
type WithoutCode = { [K in Answered]: Refusal<K> extends { error: { code: string } } ? never : K }[Answered];
type WithoutId = {
  [K in Exclude<Answered, File>]: Answer<K> extends { data: { id: unknown } | readonly unknown[] }
    ? never
    : K;
}[Exclude<Answered, File>];

/** Every operation says its code and its id. */
export const without: Record<WithoutCode | WithoutId, never> = {};

type Created = operations['create_client']['responses'][201]['headers'];
/** A header that may be absent is optional, one that always comes is not. */
export const optional: undefined extends Created['Idempotent-Replayed'] ? true : never = true;
export const always: undefined extends Created['X-Request-Id'] ? never : true = true;
