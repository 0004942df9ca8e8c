/**
 * Tells of a change. A contact's roles share its fields, so a change by either path is told of both. A client has
 * events, a supplier an entry in the audit log. That log names fields, never what they hold.
 */
import type { Ctx } from '../../kernel/operation.ts';
import { changedKeys } from '../../kernel/resource-input.ts';
import type { ContactRow } from './contacts.fields.ts';
import { changeOf, noRole } from './rules/role-states.ts';

/** Kept beside the fields. */
const apart: ReadonlySet<string> = new Set([
  'role',
  'client_state',
  'supplier_state',
  'is_active',
  'updated_at',
]);

/** @param before null for a new contact */
function sharedChanges(before: ContactRow | null, after: ContactRow): string[] {
  return before === null ? [] : changedKeys(before, after).filter((name) => !apart.has(name));
}

/**
 * @param before null for a new contact
 * @param after its roles may be none: it is gone
 */
export function tellContact(
  ctx: Pick<Ctx, 'emit' | 'audit'>,
  before: ContactRow | null,
  after: ContactRow,
): void {
  const shared = sharedChanges(before, after);
  tellClient(ctx, before, after, shared);
  tellSupplier(ctx, before, after, shared);
}

function tellClient(
  { emit }: Pick<Ctx, 'emit'>,
  before: ContactRow | null,
  after: ContactRow,
  shared: readonly string[],
): void {
  const { id } = after;
  const change = changeOf(before ?? noRole, after, 'client');
  // It may have been a client before, with events from that time.
  if (change === 'added') emit('client.created', id, { is_known: before !== null });
  else if (after.client_state !== null) {
    const has_fields = shared.some((name) => name !== 'metadata');
    if (has_fields || change === 'unarchived') emit('client.updated', id);
    if (shared.includes('metadata')) emit('client.metadata_changed', id);
  }
  if (change === 'archived' || change === 'removed') emit('client.deleted', id);
}

const supplierMoves = {
  added: 'create',
  archived: 'archive',
  unarchived: 'unarchive',
  removed: 'delete',
} as const;

function tellSupplier(
  { audit }: Pick<Ctx, 'audit'>,
  before: ContactRow | null,
  after: ContactRow,
  shared: readonly string[],
): void {
  const change = changeOf(before ?? noRole, after, 'supplier');
  const supplier = { object: 'supplier', object_id: after.id };
  if (change !== 'added' && after.supplier_state !== null && shared.length > 0)
    audit({ action: 'supplier.update', ...supplier, details: { keys: shared } });
  if (change) audit({ action: `supplier.${supplierMoves[change]}`, ...supplier });
}
