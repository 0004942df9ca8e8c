/** Every statement names the role, so that a client's id never finds a supplier. */
import type { Tx } from '../../kernel/operation.ts';
import type { PageRequest } from '../../kernel/page.ts';
import type { Finders } from '../../platform/bounded-page.ts';
import {
  hasRange,
  isAsked,
  likePattern,
  rangeCondition,
  readPageRows,
  valueCondition,
} from '../../platform/page-rows.ts';
import { removeRow, updateRow } from '../../platform/row-changes.ts';
import { type Columns, insertRows } from '../../platform/rows.ts';
import type { ContactFields, ContactRow } from './contacts.fields.ts';
import type { Role } from './contacts.roles.ts';

const writableColumns: Columns = {
  name: 'text',
  business_name: 'text',
  commercial_name: 'text',
  tax_id: 'text',
  vat_id: 'text',
  email: 'text',
  phone: 'text',
  fax: 'text',
  mobile: 'text',
  website: 'text',
  contact_person: 'text',
  billing_emails: 'text[]',
  address: 'jsonb',
  coordinates: 'jsonb',
  iban: 'text',
  bank_accounts: 'jsonb',
  default_taxes_id: 'uuid',
  default_discount: 'numeric',
  default_vat_rate: 'numeric',
  default_retention_rate: 'numeric',
  is_private_person: 'boolean',
  is_surcharge_subject: 'boolean',
  preferred_operation_regime: 'text',
  accumulate_347: 'boolean',
  alternative_id: 'jsonb',
  payment_preferences: 'jsonb',
  external_id: 'text',
  notes: 'text',
  metadata: 'jsonb',
  is_active: 'boolean',
  updated_at: 'timestamptz',
};

const columns: Columns = { id: 'uuid', role: 'text', ...writableColumns, created_at: 'timestamptz' };

/** Percentages have at most four decimals, which a double holds. */
const rowText = ['id', 'role', ...Object.keys(writableColumns), 'created_at']
  .map((name) => `t.${name}${writableColumns[name] === 'numeric' ? '::float8' : ''}`)
  .join(', ');

export async function findContact(
  tx: Tx,
  company_id: string,
  role: Role['object'],
  id: string,
): Promise<ContactRow | undefined> {
  const [row] = await tx<ContactRow[]>`
    select ${tx.unsafe(rowText)} from contacts t
     where t.company_id = ${company_id} and t.role = ${role} and t.id = ${id}`;
  return row;
}

/** All that an issued document copies. */
export type DocumentClient = ContactRow;

export function findDocumentClient(
  tx: Tx,
  company_id: string,
  id: string,
): Promise<DocumentClient | undefined> {
  return findContact(tx, company_id, 'client', id);
}

/** In no order. */
export async function findDocumentParties(
  tx: Tx,
  company_id: string,
  role: Role['object'],
  ids: readonly string[],
): Promise<DocumentClient[]> {
  if (ids.length === 0) return [];
  const rows = await tx<ContactRow[]>`
    select ${tx.unsafe(rowText)} from contacts t
     where t.company_id = ${company_id} and t.role = ${role} and t.id = any(${[...ids]}::uuid[])`;
  return [...rows];
}

/** A unique key allows one active contact. */
export async function findContactByExternalId(
  tx: Tx,
  company_id: string,
  role: Role['object'],
  external_id: string,
): Promise<ContactRow | undefined> {
  const [row] = await tx<ContactRow[]>`
    select ${tx.unsafe(rowText)} from contacts t
     where t.company_id = ${company_id} and t.role = ${role} and t.external_id = ${external_id} and t.is_active`;
  return row;
}

/** Edits of a contact wait for one another. */
export async function lockContact(
  tx: Tx,
  company_id: string,
  role: Role['object'],
  id: string,
): Promise<ContactRow | undefined> {
  const [row] = await tx<ContactRow[]>`
    select ${tx.unsafe(rowText)} from contacts t
     where t.company_id = ${company_id} and t.role = ${role} and t.id = ${id}
       for update`;
  return row;
}

export type ContactFilter = {
  q?: string;
  /** The spellings that match the tax id. */
  tax_ids?: readonly string[];
  emails?: readonly string[];
  is_active?: boolean;
} & Record<string, unknown>;

/**
 * contacts_by_role and contacts_by_name serve the orders. Filters by text, e-mail, tax id and external id
 * have their own indexes.
 */
export function listContacts(
  tx: Tx,
  company_id: string,
  role: Role['object'],
  filter: ContactFilter,
  page: PageRequest,
): Promise<ContactRow[]> {
  const { q, tax_ids, emails, is_active } = filter;
  const of_role = tx`from contacts t where t.company_id = ${company_id} and t.role = ${role}`;
  const text = q === undefined ? null : tx`and t.search like lower(${likePattern(q)})`;
  const indexed = [
    ...(tax_ids === undefined ? [] : [tx`and t.tax_id = any(${[...tax_ids]})`]),
    ...(isAsked(filter, 'external_id') ? [valueCondition(tx, 't.external_id', filter, 'external_id')] : []),
    ...(emails === undefined
      ? []
      : [tx`and t.email_key = any(array(select lower(e) from unnest(${[...emails]}::text[]) e))`]),
    ...['created', 'updated'].flatMap((field) =>
      hasRange(filter, field) ? [rangeCondition(tx, `t.${field}_at`, filter, field)] : [],
    ),
  ];
  const where = tx`
    and t.role = ${role} ${text ?? tx``} ${indexed.reduce((all, one) => tx`${all} ${one}`, tx``)}
    ${is_active === undefined ? tx`` : tx`and t.is_active = ${is_active}`}`;
  const finders: Finders = {
    walk: () => of_role,
    is_whole: false,
    matches: indexed.map((condition) => tx`${of_role} ${condition}`),
    text: text && tx`${of_role} ${text}`,
    bounds: [],
  };
  return readPageRows(tx, company_id, page, {
    table: 'contacts',
    of: tx`and t.role = ${role}`,
    columns: tx.unsafe(rowText),
    sorts: { name: 't.name_key' },
    where,
    ...(text || indexed.length > 0 ? { finders } : {}),
  });
}

const suppliersMax = 10;

/** Those in use; the last ones first. */
export function findSuppliersByTaxId(
  tx: Tx,
  company_id: string,
  tax_ids: readonly string[],
): Promise<ContactRow[]> {
  if (tax_ids.length === 0) return Promise.resolve([]);
  const page: PageRequest = {
    limit: suppliersMax,
    order: { field: 'created', descending: true },
    cursor: null,
  };
  return listContacts(tx, company_id, 'supplier', { tax_ids, is_active: true }, page);
}

/** A duplicate external id violates contacts_external_id. */
export async function insertContact(tx: Tx, company_id: string, row: ContactRow): Promise<void> {
  await insertRows(tx, company_id, 'contacts', columns, [row]);
}

/** A duplicate external id violates contacts_external_id. */
export async function updateContact(
  tx: Tx,
  company_id: string,
  id: string,
  fields: ContactFields & { updated_at: Date },
): Promise<void> {
  await updateRow(tx, company_id, 'contacts', writableColumns, id, fields);
}

/** @returns false when a document refers to it */
export function removeContact(tx: Tx, company_id: string, id: string): Promise<boolean> {
  return removeRow(tx, company_id, 'contacts', id);
}
