/** What a document copies of its client, besides name and tax id: all that its record and its paper state. */

export type SnapshotClient = {
  address: object | null;
  vat_id: string | null;
  alternative_id: object | null;
  email: string | null;
  commercial_name: string | null;
  payment_preferences: { method?: string | null } | null;
};

/** Drafts show their client as the contact is now. Numbered documents keep this copy. */
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
