import type { Calls } from './seed.ts';

export const oauthCalls: Calls = {
  list_oauth_clients: () => ({}),
  create_oauth_client: () => ({
    body: {
      name: 'Agenda de cobros',
      type: 'confidential',
      redirect_uris: ['https://agenda.example.com/vuelta', 'http://127.0.0.1/vuelta'],
      website: 'https://agenda.example.com',
    },
  }),
  get_oauth_client: () => ({}),
  update_oauth_client: () => ({
    body: { name: 'Agenda', redirect_uris: ['https://agenda.example.com/otra'], website: null },
  }),
  rotate_oauth_client_secret: () => ({}),
  delete_oauth_client: () => ({}),
  list_oauth_grants: () => ({}),
  get_oauth_grant: () => ({}),
  revoke_oauth_grant: () => ({ body: { reason: 'Ya no se usa' } }),
};
