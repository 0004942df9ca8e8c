-- Invoices with their lines, tax breakdown and payments. Amounts are exact numerics; texts that the law
-- wants kept as issued (issuer, client, product, tax) are copied into the document.

create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- What an issuing transaction locks first: one row per company (request path, "Issuing").
create table issuing_heads (
  company_id uuid primary key references companies,
  last_issued_at timestamptz,
  issued_count bigint not null default 0
);
select distribute('issuing_heads', 'tenant');

create table invoices (
  company_id uuid not null references companies,
  id uuid not null,
  version integer not null default 1,
  type text not null,
  status text not null,
  number text,
  series_id uuid,
  series_code text,
  series_period text,
  series_number integer,
  client_id uuid,
  client_name text,
  client_tax_id text,
  client_snapshot jsonb,
  issuer_snapshot jsonb,
  description text,
  issued_on date,
  operation_on date,
  due_on date,
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
  -- Sorted by: under row-level security an index finds a position by leakproof expressions only, which the
  -- comparison of bigints is and that of numerics is not, nor is coalesce.
  total_cents bigint not null generated always as ((total * 100)::bigint) stored,
  number_key text not null generated always as (coalesce(number, '')) stored,
  amount_due numeric(16, 2) not null,
  paid_amount numeric(16, 2) not null default 0,
  -- What correctives and substitutions took from or added to what is left to pay.
  corrected_amount numeric(16, 2) not null default 0,
  correction_type text,
  correction_reason text,
  corrected_invoices jsonb not null default '[]',
  corrective_ids uuid[] not null default '{}',
  substituted_invoices jsonb not null default '[]',
  substituted_by_id uuid,
  -- issuer, recipient or third_party; the third party's name and tax id.
  issued_by text not null default 'issuer',
  third_party jsonb,
  no_recipient_art61d boolean not null default false,
  notes text,
  external_id text,
  external_total numeric(16, 2),
  external_hash text,
  metadata jsonb not null default '{}',
  tags text[] not null default '{}',
  custom_fields jsonb not null default '[]',
  issued_at timestamptz,
  sent_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  search text generated always as
    (lower(coalesce(number, '') || ' ' || coalesce(client_name, '') || ' ' || coalesce(client_tax_id, ''))) stored,
  primary key (company_id, id),
  foreign key (company_id, series_id) references series (company_id, id),
  foreign key (company_id, client_id) references contacts (company_id, id)
);
select distribute('invoices', 'tenant');
create unique index invoices_number on invoices (company_id, number) where number is not null;
create unique index invoices_series_number on invoices (company_id, series_id, series_period, series_number)
  where series_number is not null;
create unique index invoices_external_id on invoices (company_id, external_id) where external_id is not null;
create index invoices_by_total on invoices (company_id, total_cents, id);
create index invoices_by_number on invoices (company_id, number_key, id);
create index invoices_by_client on invoices (company_id, client_id, id);
create index invoices_by_status on invoices (company_id, status, id);
-- Free text over number, client name and tax id: trigrams find a part of a word, whatever its case.
create index invoices_by_text on invoices using gin (company_id, search gin_trgm_ops);
create index invoices_due on invoices (company_id, due_on) where status in ('issued', 'sent');

create table invoice_lines (
  company_id uuid not null,
  invoice_id uuid not null,
  position integer not null,
  id uuid not null,
  description text not null,
  product_id uuid,
  product_name text,
  quantity numeric(20, 6) not null,
  unit text,
  unit_price numeric(20, 8) not null,
  discount_percent numeric(7, 4),
  taxes_id uuid,
  tax_name text,
  tax_kind text not null,
  tax_rate numeric(7, 4),
  retention_rate numeric(7, 4),
  surcharge_rate numeric(7, 4),
  qualification text,
  exemption_reason text,
  exemption_reason_text text,
  -- Null for taxes without regimes (other).
  regime_key text,
  subtotal numeric(16, 2) not null,
  taxes numeric(16, 2) not null,
  total numeric(16, 2) not null,
  primary key (company_id, invoice_id, position),
  foreign key (company_id, invoice_id) references invoices (company_id, id) on delete cascade
);
select distribute('invoice_lines', 'tenant');
create index invoice_lines_by_product on invoice_lines (company_id, product_id) where product_id is not null;

create table invoice_tax_rows (
  company_id uuid not null,
  invoice_id uuid not null,
  position integer not null,
  tax_kind text not null,
  regime_key text,
  qualification text,
  exemption_reason text,
  tax_rate numeric(7, 4),
  surcharge_rate numeric(7, 4),
  base numeric(16, 2) not null,
  tax numeric(16, 2) not null,
  surcharge numeric(16, 2) not null,
  primary key (company_id, invoice_id, position),
  foreign key (company_id, invoice_id) references invoices (company_id, id) on delete cascade
);
select distribute('invoice_tax_rows', 'tenant');

create table payments (
  company_id uuid not null,
  id uuid not null,
  invoice_id uuid not null,
  amount numeric(16, 2) not null,
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
  primary key (company_id, id),
  foreign key (company_id, invoice_id) references invoices (company_id, id)
);
select distribute('payments', 'tenant');
create index payments_by_invoice on payments (company_id, invoice_id, id);
