export type SnapshotClient = {
  address: object | null;
  vat_id: string | null;
  alternative_id: object | null;
  email: string | null;
  commercial_name: string | null;
  is_private_person: boolean;
  payment_preferences: { method?: string | null } | null;
};

/** Numbered documents keep this copy for record and paper. Drafts show the contact as it is now. */
export function clientSnapshot(client: SnapshotClient): Record<string, unknown> {
  return {
    address: client.address,
    vat_id: client.vat_id,
    alternative_id: client.alternative_id,
    email: client.email,
    commercial_name: client.commercial_name,
    ...(client.is_private_person ? { is_private_person: true } : {}),
    payment_method: client.payment_preferences?.method ?? null,
  };
}
