import type { Calls } from './seed.ts';

export const eventsCalls: Calls = {
  list_events: () => ({ query: { type: 'invoice.created' } }),
  get_event: () => ({}),
  list_event_catalog: () => ({}),
};
