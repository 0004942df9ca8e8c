/** Statements name the role, so that a client's id never finds a supplier. */
import type { Fragment } from 'postgres';
import { identificationIn } from '../../domain/spain/tax-id.ts';
import type { Tx } from '../../kernel/operation.ts';
import type { PageRequest } from '../../kernel/page.ts';
import type { Finders } from '../../platform/bounded-page.ts';
import { idRange, readIdsByHalving } from '../../platform/created-ids.ts';
import {
  hasRange,
  isAsked,
  rangeCondition,
  inSpanishOrder,
  readPageRows,
  valueCondition,
} from '../../platform/page-rows.ts';
import { likePattern, textCondition, textFinder } from '../../platform/text-search.ts';
import { removeRow, updateRow } from '../../platform/row-changes.ts';
import { type Columns, insertRows } from '../../platform/rows.ts';
import type { ContactRow } from './contacts.fields.ts';
import { type ContactRole, contactRoles, noRole, type RoleState, storedStates } from './rules/role-states.ts';

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
  price_list_id: 'uuid',
  notes: 'text',
  metadata: 'jsonb',
  updated_at: 'timestamptz',
  // What the states of its roles are made of.
  role: 'text',
  is_active: 'boolean',
  also_supplier: 'text',
};

const columns: Columns = { id: 'uuid', ...writableColumns, created_at: 'timestamptz' };

const stateColumns: Readonly<Record<ContactRole, string>> = {
  client: 't.client_state',
  supplier: 't.supplier_state',
};

/** Percentages have at most four decimals, which a double holds. */
const fieldsText = ['id', ...Object.keys(writableColumns), 'created_at']
  .filter((name) => !(name in storedStates(noRole)))
  .map((name) => `t.${name}${writableColumns[name] === 'numeric' ? '::float8' : ''}`)
  .join(', ');

/** As a contact of each role. One without the role is not active in it. */
const rowTexts = Object.fromEntries(
  contactRoles.map((role) => [
    role,
    `${fieldsText}, '${role}' as role, t.client_state, t.supplier_state, coalesce(${stateColumns[role]} = 'active', false) as is_active`,
  ]),
) as Readonly<Record<ContactRole, string>>;

/** Constants in the text: an index holds the contacts of one role. */
const ofRole = (tx: Tx, role: ContactRole): Fragment => tx`and ${tx.unsafe(stateColumns[role])} is not null`;
const inState = (tx: Tx, role: ContactRole, state: RoleState): Fragment =>
  tx`and ${tx.unsafe(`${stateColumns[role]} = '${state}'`)}`;

export async function findContact(
  tx: Tx,
  company_id: string,
  role: ContactRole,
  id: string,
): Promise<ContactRow | undefined> {
  const [row] = await tx<ContactRow[]>`
    select ${tx.unsafe(rowTexts[role])} from contacts t
     where t.company_id = ${company_id} and t.id = ${id} ${ofRole(tx, role)}`;
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

/**
 * In no order. A new document refuses a contact without the role, as it refuses an archived one. A stored document
 * keeps it: a contact may lose the role at the moment in which a document takes it.
 */
export async function findDocumentParties(
  tx: Tx,
  company_id: string,
  role: ContactRole,
  ids: readonly string[],
): Promise<DocumentClient[]> {
  if (ids.length === 0) return [];
  const rows = await tx<ContactRow[]>`
    select ${tx.unsafe(rowTexts[role])} from contacts t
     where t.company_id = ${company_id} and t.id = any(${[...ids]}::uuid[])`;
  return [...rows];
}

/** A unique key allows one active contact. */
export async function findContactByExternalId(
  tx: Tx,
  company_id: string,
  role: ContactRole,
  external_id: string,
): Promise<ContactRow | undefined> {
  const [row] = await tx<ContactRow[]>`
    select ${tx.unsafe(rowTexts[role])} from contacts t
     where t.company_id = ${company_id} and t.external_id = ${external_id} ${inState(tx, role, 'active')}`;
  return row;
}

/** In any role. Edits of a contact wait for one another. @param as what it is read as */
export async function lockContactToAdd(
  tx: Tx,
  company_id: string,
  as: ContactRole,
  id: string,
): Promise<ContactRow | undefined> {
  const [row] = await tx<ContactRow[]>`
    select ${tx.unsafe(rowTexts[as])} from contacts t
     where t.company_id = ${company_id} and t.id = ${id} for update`;
  return row;
}

/** Edits of a contact wait for one another. */
export async function lockContact(
  tx: Tx,
  company_id: string,
  role: ContactRole,
  id: string,
): Promise<ContactRow | undefined> {
  const [row] = await tx<ContactRow[]>`
    select ${tx.unsafe(rowTexts[role])} from contacts t
     where t.company_id = ${company_id} and t.id = ${id} ${ofRole(tx, role)}
       for update`;
  return row;
}

/** A short number is in many others. */
const identifiedMost = 500;

/**
 * Contacts of any role by a VAT number, another identification, or a tax id with separators. The last two are as somebody wrote them.
 * @param number from `identificationIn`
 */
async function findByOtherNumber(tx: Tx, company_id: string, number: string): Promise<string[]> {
  const spelled = [...number].join('[ .-]*');
  const rows = await tx<{ id: string }[]>`
    (select t.id from contacts t
      where t.company_id = ${company_id} and t.vat_id is not null and t.vat_id like ${likePattern(number)}
      limit ${identifiedMost})
    union all
    (select t.id from contacts t
      where t.company_id = ${company_id} and (t.alternative_id is not null or t.tax_id ~ '[ .-]')
        and (upper(t.alternative_id ->> 'value') ~ ${spelled} or upper(t.tax_id) ~ ${spelled})
      limit ${identifiedMost})`;
  return rows.map(({ id }) => id);
}

/**
 * For lists that are searched by text: the rows of the contacts whose number the text may be, in any usual spelling.
 * @param contact_id the column, a constant of the calling store
 * @returns begins with `or`; undefined where the text is no number
 */
export async function orOfNumber(
  tx: Tx,
  company_id: string,
  q: string | undefined,
  contact_id: 't.id' | 't.client_id',
): Promise<{ sql: Fragment } | undefined> {
  const number = q === undefined ? null : identificationIn(q);
  if (q === undefined || number === null) return undefined;
  const ids = await findByOtherNumber(tx, company_id, number);
  const bare = number.toLowerCase();
  const as_stored = bare === q.toLowerCase() ? tx`` : tx`or t.search like ${likePattern(bare)}`;
  const others = ids.length === 0 ? tx`` : tx`or ${tx.unsafe(contact_id)} = any(${ids}::uuid[])`;
  // An awaited fragment is run, so it comes within an object.
  return { sql: tx`${as_stored} ${others}` };
}

export type ContactFilter = {
  q?: string;
  /** The spellings that match the tax id. */
  tax_ids?: readonly string[];
  emails?: readonly string[];
  is_active?: boolean;
} & Record<string, unknown>;

/** Each role has indexes for the orders, and for the filters by state, text, e-mail, tax id and external id. */
export async function listContacts(
  tx: Tx,
  company_id: string,
  role: ContactRole,
  filter: ContactFilter,
  page: PageRequest,
): Promise<ContactRow[]> {
  const { q, tax_ids, emails, is_active } = filter;
  const order = { table: 'contacts', company_id, of: ofRole(tx, role) };
  const ids = idRange(tx, await readIdsByHalving(tx, order, filter));
  const of_role = tx`from contacts t where t.company_id = ${company_id} ${ofRole(tx, role)}`;
  const or = (await orOfNumber(tx, company_id, q, 't.id'))?.sql;
  const text = q === undefined ? null : textCondition(tx, q, or);
  const indexed = [
    ...(tax_ids === undefined ? [] : [tx`and t.tax_id = any(${[...tax_ids]})`]),
    ...(isAsked(filter, 'external_id') ? [valueCondition(tx, 't.external_id', filter, 'external_id')] : []),
    ...(emails === undefined
      ? []
      : [tx`and t.email_key = any(array(select lower(e) from unnest(${[...emails]}::text[]) e))`]),
    ...['created', 'updated'].flatMap((field) =>
      hasRange(filter, field) ? [rangeCondition(tx, `t.${field}_at`, filter, field)] : [],
    ),
    ...(is_active === undefined ? [] : [inState(tx, role, is_active ? 'active' : 'archived')]),
  ];
  const where = tx`
    ${ofRole(tx, role)} ${ids} ${text ?? tx``} ${indexed.reduce<Fragment>((all, one) => tx`${all} ${one}`, tx``)}`;
  const finders: Finders = {
    // The order by name does not have the ids: a walk along it would read on and on.
    walk: () => tx`${of_role} ${page.order.field === 'created' ? ids : tx``}`,
    is_whole: false,
    matches: indexed.map((condition) => tx`${of_role} ${condition}`),
    text: q === undefined ? null : tx`${of_role} ${textFinder(tx, q, or)}`,
    bounds: [],
  };
  return readPageRows(tx, company_id, page, {
    table: 'contacts',
    of: ofRole(tx, role),
    columns: tx.unsafe(rowTexts[role]),
    sorts: { name: inSpanishOrder('t.name_key') },
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

/** A duplicate external id violates a unique index of the role. */
export async function insertContact(tx: Tx, company_id: string, row: ContactRow): Promise<void> {
  await insertRows(tx, company_id, 'contacts', columns, [{ ...row, ...storedStates(row) }]);
}

/** A duplicate external id violates a unique index of the role. */
export async function updateContact(tx: Tx, company_id: string, row: ContactRow): Promise<void> {
  await updateRow(tx, company_id, 'contacts', writableColumns, row.id, { ...row, ...storedStates(row) });
}

/** @returns false when a document refers to it */
export function removeContact(tx: Tx, company_id: string, id: string): Promise<boolean> {
  return removeRow(tx, company_id, 'contacts', id);
}
