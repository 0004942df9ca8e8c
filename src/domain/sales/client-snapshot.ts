/** What an invoice keeps of its client besides name and tax id: all that its record and its paper say. */
import type { DocumentClient } from '../../modules/contacts/index.ts';

export type SnapshotClient = Pick<
  DocumentClient,
  'address' | 'vat_id' | 'alternative_id' | 'email' | 'commercial_name' | 'payment_preferences'
>;

/** A draft has that of its client as the contact is now; an issued invoice that of its issue. */
export function clientSnapshot(client: SnapshotClient): Record<string, unknown> {
  return {
    address: client.address,
    vat_id: client.vat_id,
    alternative_id: client.alternative_id,
    email: client.email,
    commercial_name: client.commercial_name,
    payment_method: client.payment_preferences?.method ?? null,
  };
}
