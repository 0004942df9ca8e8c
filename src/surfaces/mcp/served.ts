import type { Exchange } from './exchange.ts';

/** What stands behind the route. */
export type Served = { answer(request: Request, body: unknown, exchange: Exchange): Promise<Response> };
