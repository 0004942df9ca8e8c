import type { Calls } from './seed.ts';

export const auditCalls: Calls = {
  list_audit_log: () => ({ query: { action: 'api_key.created' } }),
  list_request_logs: () => ({ query: { method: 'GET' } }),
};
