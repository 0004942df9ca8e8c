/** Owns webhook endpoints and what is delivered to them. */
import type { Operation } from '../../kernel/operation.ts';

export type * from './ports.ts';
export type * from './webhooks.rows.ts';

export const webhooksOperations: readonly Operation[] = [];
