/** Callers that repeat nothing: a refused connection, a reset and any other status are told. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';

export type Watched = {
  /** Invoices, by their ids. */
  acknowledged: Map<string, string>;
  reads: number;
  /** One line for each call that was not answered as it should be. */
  failures: string[];
};

type Callers = {
  key: string;
  /** Where a call goes. */
  address(): string;
  /** So many callers issue invoices, each over a connection that it keeps. As many others read, each call over a new connection. */
  count: number;
  is_over(): boolean;
};

const pauseMs = 25;

const body = JSON.stringify({
  type: 'F2',
  lines: [{ description: 'Café', unit_price: 1.5, tax_rate: 10 }],
  options: { issue: true },
});

/** Goes on until it is over. */
export async function callWithoutRepeating({ key, address, count, is_over }: Callers): Promise<Watched> {
  const seen: Watched = { acknowledged: new Map(), reads: 0, failures: [] };
  // One connection: none is idle for long, as an old process waits for those.
  const keeps = new Agent({ connections: 1 });
  const forgets = new Agent({ pipelining: 0 });
  const authorization = `Bearer ${key}`;
  async function issue(): Promise<void> {
    const headers = { authorization, 'content-type': 'application/json' };
    const options = { method: 'POST', headers, body, dispatcher: keeps } as const;
    const { statusCode, body: answer } = await request(`${address()}/v1/invoices`, options);
    const text = await answer.text();
    if (statusCode !== 201) throw new Error(`${statusCode} ${text}`);
    const { id, number } = (JSON.parse(text) as { data: { id: string; number: string } }).data;
    seen.acknowledged.set(id, number);
  }
  async function read(): Promise<void> {
    const options = { headers: { authorization }, dispatcher: forgets } as const;
    const { statusCode, body: answer } = await request(`${address()}/v1/account`, options);
    const text = await answer.text();
    if (statusCode !== 200) throw new Error(`${statusCode} ${text}`);
    seen.reads += 1;
  }
  const caller = async (call: () => Promise<void>) => {
    // The pause leaves the processor to the service.
    for (; !is_over(); await sleep(pauseMs))
      await call().catch((error: Error & { code?: string }) => {
        seen.failures.push(`${call.name}: ${error.code ?? ''} ${error.message}`);
      });
  };
  await Promise.all(Array.from({ length: count }, () => [caller(issue), caller(read)]).flat());
  await Promise.all([keeps.close(), forgets.close()]);
  return seen;
}
