-- Purchase invoices: what a supplier invoiced (ADR 47). Shared columns and indexes as of any document (migrations 0004, 0005, 0020
-- and 0021 say why). `number` is the reception number of the company; the supplier's own is `supplier_number`.
create table purchase_invoices (
  company_id uuid not null references companies,
  id uuid not null,
  version integer not null default 1,
  number text,
  series_id uuid,
  series_code text,
  series_period text,
  series_number integer,
  -- The supplier.
  client_id uuid,
  client_name text,
  client_tax_id text,
  client_snapshot jsonb,
  issuer_snapshot jsonb,
  supplier_number text,
  kind text not null check (kind in ('invoice', 'simplified', 'corrective', 'customs', 'agricultural_receipt')),
  operation text not null check (operation in ('domestic', 'reverse_charge', 'intra_community_goods',
                                               'intra_community_services', 'non_eu_services', 'import')),
  description text,
  issued_on date,
  operation_on date,
  received_on date,
  due_on date,
  deduct_on date,
  -- Until it is stated, it follows the other days.
  is_deduct_on_stated boolean not null default false,
  currency text not null,
  -- Euros for one unit of the currency; null for euros.
  exchange_rate numeric(20, 8),
  prices_include_tax boolean not null,
  subtotal numeric(16, 2) not null,
  discount_total numeric(16, 2) not null,
  taxes_total numeric(16, 2) not null,
  surcharge_total numeric(16, 2) not null,
  retention_total numeric(16, 2) not null,
  total numeric(16, 2) not null,
  amount_due numeric(16, 2) not null,
  -- In euros: what the company owes for the supplier, and what it may deduct once all is due.
  self_charged_total numeric(16, 2) not null,
  deductible_total numeric(16, 2) not null,
  retention_kind text check (retention_kind in ('professional', 'rent', 'agricultural', 'director', 'other')),
  has_recipient_data boolean not null,
  cash_accounting boolean not null,
  has_investment_goods boolean not null,
  corrects jsonb,
  -- Of the payments in force.
  paid_amount numeric(16, 2) not null default 0,
  accounted_at timestamptz,
  cancelled_at timestamptz,
  notes text,
  external_id text,
  external_total numeric(16, 2),
  external_hash text,
  metadata jsonb not null default '{}',
  tags text[] not null default '{}',
  custom_fields jsonb not null default '[]',
  sent_at timestamptz,
  link_renewed_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Derived, as rules/status.ts says it; nothing else stores it.
  status text not null generated always as
    (case when cancelled_at is not null then 'cancelled'
          when number is null then 'draft'
          when amount_due = paid_amount then 'paid'
          when accounted_at is not null then 'accounted'
          else 'received' end) stored,
  total_cents bigint not null generated always as ((total * 100)::bigint) stored,
  number_key text not null generated always as (coalesce(number, '')) stored,
  metadata_text text not null generated always as (metadata::text) stored,
  search text generated always as
    (lower(coalesce(supplier_number, '') || E'\n' || coalesce(number, '') || E'\n' || coalesce(client_name, '') || E'\n' ||
           coalesce(client_tax_id, ''))) stored,
  has_own_clock boolean not null generated always as
    (abs(('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint
         - (extract(epoch from created_at at time zone 'UTC') * 1000)::bigint) > 60000) stored,
  -- Sorted by: what has no day comes last in either direction.
  issued_on_up date not null generated always as (coalesce(issued_on, '9999-12-31')) stored,
  issued_on_down date not null generated always as (coalesce(issued_on, '0001-01-01')) stored,
  due_on_up date not null generated always as (coalesce(due_on, '9999-12-31')) stored,
  due_on_down date not null generated always as (coalesce(due_on, '0001-01-01')) stored,
  -- The last day on which what is left to pay is not late.
  payable_until date not null generated always as
    (case when cancelled_at is null and number is not null and amount_due <> paid_amount then coalesce(due_on, '9999-12-31')
          else '9999-12-31'::date end) stored,
  -- Texts: their comparisons are leakproof and serve an index as a filter.
  is_investment_good text not null generated always as (case when has_investment_goods then 'true' else 'false' end) stored,
  supplier_number_key text generated always as (lower(supplier_number)) stored,
  -- A sandbox may forget its rows (migration 0019).
  is_sandbox boolean not null default is_of_sandbox(),
  primary key (company_id, id),
  foreign key (company_id, series_id) references series (company_id, id),
  foreign key (company_id, client_id) references contacts (company_id, id)
);
create unique index purchase_invoices_number on purchase_invoices (company_id, number) where number is not null;
create unique index purchase_invoices_series_number on purchase_invoices
  (company_id, series_id, series_period, series_number) where series_number is not null;
create unique index purchase_invoices_external_id on purchase_invoices (company_id, external_id) where external_id is not null;
-- One paper is registered once. It also finds papers of the same number and another day.
create unique index purchase_invoices_paper on purchase_invoices (company_id, client_id, supplier_number_key, issued_on)
  where cancelled_at is null;
create index purchase_invoices_by_total on purchase_invoices (company_id, total_cents, id);
create index purchase_invoices_by_number on purchase_invoices (company_id, number_key, id);
create index purchase_invoices_by_supplier_number on purchase_invoices (company_id, supplier_number, id);
create index purchase_invoices_by_issued_on_up on purchase_invoices (company_id, issued_on_up, id);
create index purchase_invoices_by_issued_on_down on purchase_invoices (company_id, issued_on_down, id);
create index purchase_invoices_by_due_on_up on purchase_invoices (company_id, due_on_up, id);
create index purchase_invoices_by_due_on_down on purchase_invoices (company_id, due_on_down, id);
create index purchase_invoices_by_supplier on purchase_invoices (company_id, client_id, id);
create index purchase_invoices_by_status on purchase_invoices (company_id, status, id);
create index purchase_invoices_by_kind on purchase_invoices (company_id, kind, id);
create index purchase_invoices_by_operation on purchase_invoices (company_id, operation, id);
create index purchase_invoices_by_series on purchase_invoices (company_id, series_id, id);
create index purchase_invoices_by_investment on purchase_invoices (company_id, is_investment_good, id);
create index purchase_invoices_by_issued_on on purchase_invoices (company_id, issued_on, id) where issued_on is not null;
create index purchase_invoices_by_due_on on purchase_invoices (company_id, due_on, id) where due_on is not null;
create index purchase_invoices_by_received_on on purchase_invoices (company_id, received_on, id) where received_on is not null;
create index purchase_invoices_by_deduct_on on purchase_invoices (company_id, deduct_on, id) where deduct_on is not null;
create index purchase_invoices_payable_until on purchase_invoices (company_id, payable_until, id);
create index purchase_invoices_by_update on purchase_invoices (company_id, updated_at, id);
create index purchase_invoices_by_currency on purchase_invoices (company_id, currency, id) where currency <> 'EUR';
create index purchase_invoices_in_euros on purchase_invoices (company_id, id) where currency = 'EUR';
create index purchase_invoices_by_metadata on purchase_invoices using gin (company_id, metadata_text gin_trgm_ops)
  where metadata_text <> '{}';
create index purchase_invoices_by_text on purchase_invoices using gin (company_id, search gin_trgm_ops);
create index purchase_invoices_of_own_clock on purchase_invoices (company_id, created_at, id) where has_own_clock;

-- With what is deducted of each line. Amounts of deductions and of tax that the company charges itself are in euros.
create table purchase_invoice_lines (like invoice_lines including all);
alter table purchase_invoice_lines rename invoice_id to purchase_invoice_id;
alter table purchase_invoice_lines
  -- As stated; null is 100.
  add column deductible_percent numeric(7, 4),
  add column non_deductible_reason text,
  -- Why nothing is deducted, whatever was stated.
  add column forced_reason text,
  add column is_investment_good boolean not null default false,
  add column prorata_use text check (prorata_use in ('with_right', 'without_right', 'common')),
  add column expense_account text,
  add column self_charged numeric(16, 2) not null default 0,
  add column deductible numeric(16, 2) not null default 0,
  add foreign key (company_id, purchase_invoice_id) references purchase_invoices (company_id, id) on delete cascade;
create table purchase_invoice_tax_rows (like invoice_tax_rows including all);
alter table purchase_invoice_tax_rows rename invoice_id to purchase_invoice_id;
alter table purchase_invoice_tax_rows
  add column is_tax_stated boolean not null default false,
  add column self_charged numeric(16, 2) not null default 0,
  add column deductible numeric(16, 2) not null default 0,
  add foreign key (company_id, purchase_invoice_id) references purchase_invoices (company_id, id) on delete cascade;
create table purchase_invoice_tags (like invoice_tags including all);
alter table purchase_invoice_tags rename invoice_id to purchase_invoice_id;

-- No foreign key: an edit replaces the row of its purchase. Amounts never change; a reversal keeps the row.
create table purchase_invoice_payments (
  company_id uuid not null references companies,
  id uuid not null,
  purchase_invoice_id uuid not null,
  amount numeric(16, 2) not null,
  -- What it took in euros, where the purchase is in another currency.
  settled_amount numeric(16, 2),
  payment_date date not null,
  payment_method text not null,
  reference text,
  notes text,
  is_reversed boolean not null default false,
  reversed_at timestamptz,
  reversal_reason text,
  reversal_note text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  is_sandbox boolean not null default is_of_sandbox(),
  primary key (company_id, id)
);
create index purchase_invoice_payments_by_purchase on purchase_invoice_payments (company_id, purchase_invoice_id, id);

select distribute('purchase_invoices', 'tenant'), distribute('purchase_invoice_lines', 'tenant'),
       distribute('purchase_invoice_tax_rows', 'tenant'), distribute('purchase_invoice_tags', 'tenant'),
       distribute('purchase_invoice_payments', 'tenant');

-- Content changes by deletion and insertion under the same id, while it is open. `mutable` of the family has the same columns.
revoke update on purchase_invoices from folio_service;
grant update (version, metadata, tags, custom_fields, sent_at, link_renewed_at, updated_at, paid_amount, accounted_at,
              cancelled_at) on purchase_invoices to folio_service;
create policy only_open on purchase_invoices as restrictive for delete using
  ((cancelled_at is null and accounted_at is null and paid_amount = 0) or is_sandbox);
revoke update, delete on purchase_invoice_lines, purchase_invoice_tax_rows from folio_service;
revoke update on purchase_invoice_payments from folio_service;
grant update (is_reversed, reversed_at, reversal_reason, reversal_note, updated_at) on purchase_invoice_payments to folio_service;
create policy only_sandbox on purchase_invoice_payments as restrictive for delete using (is_sandbox);

-- The default series of companies that exist, company by company: the owner too sees the rows of one company at a time. A company
-- that a process of the version before makes gets it with its first purchase.
do $$
declare
  one uuid;
  free text;
begin
  for one in select distinct c.company_id from credentials c union select child_id from company_children loop
    perform set_config('app.company', one::text, true);
    if exists (select from companies where company_id = one)
       and not exists (select from series where company_id = one and document_type = 'purchase_invoice') then
      free := 'C';
      while exists (select from series where company_id = one and code = free) loop
        free := free || 'C';
      end loop;
      insert into series (company_id, id, code, name, document_type, format, reset, is_default, is_archived, first_number,
                          created_at, updated_at)
      -- A UUID v7 of now.
      values (one, (lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0') || '7' ||
                    right(translate(gen_random_uuid()::text, '-', ''), 3) || '8' ||
                    right(translate(gen_random_uuid()::text, '-', ''), 15))::uuid,
              free, 'Facturas recibidas', 'purchase_invoice', '{code}{year}-{number:6}', 'year', true, false, 1, now(), now());
    end if;
  end loop;
  perform set_config('app.company', '', true);
end $$;
