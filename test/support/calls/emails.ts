import type { Calls } from './seed.ts';

export const emailsCalls: Calls = {
  list_emails: (seed) => ({ query: { status: 'not_sent', purpose: 'invoice', document_id: seed.issued } }),
  get_email: () => ({}),
};
