import { keepAliveMs } from '../../kernel/keep-alive.ts';
import type { Ending } from './messages.ts';

/** How long requests in flight may take once a process is asked to end. */
export const drainMs = 30_000;

/** How long a connection may be open without a request: what its client was told, and a second for the way. */
export const idleMs = keepAliveMs + 1000;

/** How long an end takes at most. */
export const endingMs: Readonly<Record<Ending, number>> = {
  leave: idleMs + 3 * drainMs,
  end: 2 * drainMs,
  abandon: 10_000,
};
