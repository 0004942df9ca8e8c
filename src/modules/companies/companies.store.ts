/** A transaction sees only the company that it runs as. */
import type { Tx } from '../../kernel/operation.ts';
import { setCompanyText } from '../../platform/db.ts';
import type { CompanyRow } from './companies.schema.ts';

export async function getCompany(tx: Tx, company_id: string): Promise<CompanyRow> {
  const [row] = await tx<CompanyRow[]>`select * from companies where company_id = ${company_id}`;
  if (!row) throw new Error('The company of the transaction does not exist.');
  return row;
}

/**
 * What documents copy of their issuer. Of the logo only the hash, because every issue reads this and logos
 * may be large.
 */
export type Issuer = Pick<
  CompanyRow,
  | 'name'
  | 'commercial_name'
  | 'tax_id'
  | 'address'
  | 'require_addresses'
  | 'registry_data'
  | 'email'
  | 'phone'
  | 'website'
  | 'iban'
  | 'colour'
  | 'language'
  | 'logo_hash'
>;

/** What a numbered document keeps of its issuer. */
export function issuerSnapshot({ require_addresses: _, ...kept }: Issuer): Record<string, unknown> {
  return kept;
}

export async function getIssuer(tx: Tx, company_id: string): Promise<Issuer> {
  const [row] = await tx<Issuer[]>`
    select name, commercial_name, tax_id, address, require_addresses, registry_data, email, phone, website, iban, colour, language, logo_hash
      from companies where company_id = ${company_id}`;
  if (!row) throw new Error('The company of the transaction does not exist.');
  return row;
}

export async function findPrintingIssuer(tx: Tx, company_id: string) {
  const [row] = await tx<(Issuer & Pick<CompanyRow, 'environment' | 'public_link_months'>)[]>`
    select name, commercial_name, tax_id, address, require_addresses, registry_data, email, phone, website, iban, colour, language, logo_hash, environment, public_link_months
      from companies where company_id = ${company_id}`;
  return row;
}

/**
 * Edits of the settings wait for one another. `for update` would deadlock: every row of the company refers to
 * this one, so each edit would wait for the idempotency key that the other has claimed.
 */
export async function lockCompany(tx: Tx, company_id: string): Promise<CompanyRow> {
  const [row] = await tx<
    CompanyRow[]
  >`select * from companies where company_id = ${company_id} for no key update`;
  if (!row) throw new Error('The company of the transaction does not exist.');
  return row;
}

/** The new version tells prepared plans that something they relied on has changed. */
export async function updateCompany(tx: Tx, row: CompanyRow): Promise<void> {
  await tx`
    update companies
       set name = ${row.name}, commercial_name = ${row.commercial_name}, tax_id = ${row.tax_id},
           address = ${row.address as never}::jsonb, require_addresses = ${row.require_addresses},
           registry_data = ${row.registry_data}, email = ${row.email}, phone = ${row.phone}, website = ${row.website},
           logo = ${row.logo}, logo_hash = ${row.logo_hash}, colour = ${row.colour}, language = ${row.language}, time_zone = ${row.time_zone},
           iban = ${row.iban}, default_vat = ${row.default_vat as never}::jsonb, reminders = ${row.reminders as never}::jsonb,
           reminders_through = ${row.reminders_through}, simplified_invoices_enabled = ${row.simplified_invoices_enabled},
           public_acceptance = ${row.public_acceptance}, public_link_months = ${row.public_link_months}, default_validity_days = ${row.default_validity_days as never}::jsonb,
           settings_version = settings_version + 1, updated_at = ${row.updated_at}
     where company_id = ${row.company_id}`;
}

/** Tells plans whether settings changed. The query is sent at once. */
export async function readSettingsVersion(tx: Tx, company_id: string): Promise<number> {
  const [row] = await tx<{ settings_version: number }[]>`
    select settings_version from companies where company_id = ${company_id}`.execute();
  return row?.settings_version ?? 0;
}

/** The schedule of enabled reminders. */
export async function findReminders(tx: Tx, company_id: string, locked = tx``) {
  const [row] = await tx<{ days_after_due: number[]; through: string | null }[]>`
    select reminders -> 'days_after_due' as days_after_due, reminders_through as through
      from companies where company_id = ${company_id} and reminders ->> 'enabled' = 'true' ${locked}`;
  return row;
}

/** Locked so that each is sent once. */
export const lockReminders = (tx: Tx, company_id: string) =>
  findReminders(tx, company_id, tx`for no key update`);

/** @param through the last day for which reminders have been sent */
export function setRemindersThrough(tx: Tx, company_id: string, through: string): Promise<unknown> {
  return tx`update companies set reminders_through = ${through} where company_id = ${company_id}`.execute();
}

/** Locks the issuing head: this counts an issue in flight, and a later issue sees the changed settings. */
export async function hasIssued(tx: Tx, company_id: string): Promise<boolean> {
  const [row] = await tx<{ issued_count: string }[]>`
    select issued_count from issuing_heads where company_id = ${company_id} for update`;
  return Number(row?.issued_count ?? 0) > 0;
}

export type NewCompany = Pick<
  CompanyRow,
  | 'company_id'
  | 'environment'
  | 'live_company_id'
  | 'sandbox_company_id'
  | 'parent_company_id'
  | 'share_owner_id'
  | 'name'
  | 'tax_id'
  | 'address'
  | 'plan'
  | 'created_at'
>;

/** Also inserts the issuing head. The transaction then runs as that company. */
export async function insertCompany(tx: Tx, row: NewCompany): Promise<void> {
  await Promise.all([
    tx.unsafe(setCompanyText(row.company_id)).execute(),
    tx`insert into companies (company_id, environment, live_company_id, sandbox_company_id, parent_company_id, share_owner_id,
                              name, tax_id, address, plan, created_at, updated_at)
       values (${row.company_id}, ${row.environment}, ${row.live_company_id}, ${row.sandbox_company_id},
               ${row.parent_company_id}, ${row.share_owner_id}, ${row.name}, ${row.tax_id}, ${row.address as never}::jsonb, ${row.plan}, ${row.created_at}, ${row.created_at})`.execute(),
    tx`insert into issuing_heads (company_id) values (${row.company_id})`.execute(),
  ]);
}

export async function insertChild(
  tx: Tx,
  parent_id: string,
  child_id: string,
  owner_id: string,
): Promise<void> {
  await tx`insert into company_children (company_id, child_id, owner_id) values (${parent_id}, ${child_id}, ${owner_id})`.execute();
}

export async function updatePlan(
  tx: Tx,
  company_id: string,
  plan: { plan: string; boost_tier: string | null; boost_until: Date | null },
): Promise<void> {
  await tx`update companies set plan = ${plan.plan}, boost_tier = ${plan.boost_tier}, boost_until = ${plan.boost_until}
            where company_id = ${company_id}`;
}

/** SQL: whether the account has more than one company. */
export function isOneOfMany(tx: Tx, company_id: string) {
  return tx`(select c.parent_company_id is not null
                    or exists (select 1 from company_children k where k.company_id = ${company_id})
               from companies c where c.company_id = ${company_id})`;
}
