/** More classes for test/scenarios/noisy-neighbour.test.ts: what a company sends until the signal. */
export type HostileCall = (
  hostile: { send(method: string, path: string, body?: string): Promise<number> },
  app: unknown,
  key: string,
  signal: AbortSignal,
) => Promise<void>;

export const hostileCalls: readonly (readonly [what: string, call: HostileCall])[] = [];
