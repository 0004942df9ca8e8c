import type {
  ApiKey,
  ApiKeyInput,
  ApiKeyListItem,
  NewApiKey,
  RotatedApiKey,
} from '../../../../src/modules/api-keys/api-keys.schema.ts';
import type { AuditEntry } from '../../../../src/modules/audit/audit.schema.ts';
import { call, type ListQuery, type One, type Page, type Wire } from '../../app/operation.ts';

export type ListedKey = Wire<typeof ApiKeyListItem>;
export type Key = Wire<typeof ApiKey>;
export type KeyInput = Wire<typeof ApiKeyInput>;
export type MadeKey = Wire<typeof NewApiKey>;
type OfKey = { api_key: string };

export const listApiKeys = call<{ query: ListQuery; answer: Page<ListedKey> }>('list_api_keys');
export const getApiKey = call<{ params: OfKey; answer: One<Key> }>('get_api_key');
export const createApiKey = call<{ body: KeyInput; answer: One<MadeKey> }>('create_api_key');
export const rotateApiKeySecret = call<{ params: OfKey; answer: One<Wire<typeof RotatedApiKey>> }>(
  'rotate_api_key_secret',
);
export const revokeApiKey = call<{ params: OfKey; body: { reason?: string | null }; answer: One<Key> }>(
  'revoke_api_key',
);
export const listAuditLog = call<{
  query: ListQuery & { action?: string; 'created[gte]'?: string };
  answer: Page<Wire<typeof AuditEntry>>;
}>('list_audit_log');
