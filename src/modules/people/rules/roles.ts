/** What a role may do, as scopes. A scope that plan or sandbox refuse is refused in use, whatever the role. */
import type { Environment } from '../../../kernel/operation.ts';
import { type Role, roles } from '../../../kernel/roles.ts';
import { type ScopeEntry, type ScopeGroup, scopeCatalogue, SUPER_SCOPE } from '../../../kernel/scopes.ts';

export { type Role, roles };

/** Closed to persons, or to all. */
const keptFromPersons: ReadonlySet<ScopeGroup> = new Set(['managed_companies', 'stores', 'reserved']);

/** Groups that an accountant works in. */
const books: ReadonlySet<ScopeGroup> = new Set([
  'contacts',
  'products',
  'invoices',
  'quotes',
  'proformas',
  'delivery_notes',
  'purchase_invoices',
  'recurring_invoices',
  'catalogs',
  'verifactu',
  'facturae',
]);

const isRead = ({ scope, group }: ScopeEntry) => scope.endsWith(':read') && group !== 'workforce';
const isReadOfBooks = (entry: ScopeEntry) => isRead(entry) && entry.scope !== 'developers:read';

const developerWrites: ReadonlySet<string> = new Set([
  'account:write',
  'webhooks:write',
  'webhooks:delete',
  'integration_events:write',
  'paygw_autoinvoicing:write',
]);

const everything = [SUPER_SCOPE];
const only = (test: (entry: ScopeEntry) => boolean): readonly string[] =>
  scopeCatalogue
    .filter((entry) => !keptFromPersons.has(entry.group) && test(entry))
    .map(({ scope }) => scope);

const accountant = only(
  (entry) => isReadOfBooks(entry) || (books.has(entry.group) && entry.scope !== 'delivery_notes:gdpr_forget'),
);
const reader = only(isReadOfBooks);

const scopes: Readonly<Record<Role, Readonly<Record<Environment, readonly string[]>>>> = {
  owner: { live: everything, test: everything },
  developer: {
    live: only((entry) => isRead(entry) || developerWrites.has(entry.scope)),
    test: everything,
  },
  accountant: { live: accountant, test: accountant },
  reader: { live: reader, test: reader },
};

export function scopesOfRole(role: Role, environment: Environment): readonly string[] {
  return scopes[role][environment];
}
