import type { SealedPlace } from '../../platform/secrets.ts';
import { randomBytes } from 'node:crypto';

export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** Both secrets of an endpoint: a rotation moves one value to the other column. */
export const secretPlace = (company_id: string, endpoint_id: string): SealedPlace => ({
  table: 'webhook_endpoints',
  company_id,
  id: endpoint_id,
});
