import type { Calls } from './seed.ts';

export const sandboxCalls: Calls = {
  delete_sandbox_data: () => ({}),
  get_sandbox_clock: () => ({}),
  update_sandbox_clock: () => ({ body: { now: null, frozen: false } }),
};
