import type { Calls } from './seed.ts';

export const apiKeysCalls: Calls = {
  get_account: () => ({}),
  list_api_keys: () => ({}),
  create_api_key: () => ({
    body: {
      name: 'Informes',
      scopes: ['invoices:read', 'events:read'],
      environment: 'test',
      expires_at: '2190-01-01T00:00:00Z',
      allowed_ips: ['127.0.0.1', '10.0.0.0/8'],
    },
  }),
  get_api_key: () => ({}),
  rotate_api_key_secret: () => ({}),
  revoke_api_key: () => ({ body: { reason: 'Ya no se usa' } }),
};
