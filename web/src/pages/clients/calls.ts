import { call, type ListQuery, type One, type Page } from '../../app/operation.ts';
import type { ChangedClient, Client } from '../../printed/resources.ts';

export type { Client };
type OfClient = { client: string };

export const listClients = call<{
  query: ListQuery & { q?: string; is_active?: boolean };
  answer: Page<Client>;
}>('list_clients');
export const getClient = call<{ params: OfClient; answer: One<Client> }>('get_client');
export const updateClient = call<{ params: OfClient; body: ChangedClient; answer: One<Client> }>(
  'update_client',
);
export const archiveClient = call<{ params: OfClient; answer: One<Client> }>('archive_client');
export const unarchiveClient = call<{ params: OfClient; answer: One<Client> }>('unarchive_client');
