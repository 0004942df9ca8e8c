-- What documents refer to: contacts, products, taxes, series.

-- An exempt or not subject tax has no rate but its cause.
create table taxes (
  company_id uuid not null references companies,
  id uuid not null,
  name text not null,
  kind text not null check (kind in ('vat', 'igic', 'ipsi', 'other', 'retention')),
  rate numeric(7, 4),
  surcharge_rate numeric(7, 4),
  qualification text,
  exemption_reason text,
  regime_key text,
  valid_from date,
  valid_to date,
  external_reference text,
  is_active boolean not null default true,
  metadata jsonb not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (company_id, id)
);
select distribute('taxes', 'tenant');

-- Clients and suppliers have the same fields, so they are one table with a role.
create table contacts (
  company_id uuid not null references companies,
  id uuid not null,
  role text not null check (role in ('client', 'supplier')),
  name text not null,
  -- Sorted by: under row-level security an index finds a position by leakproof functions only, and lower() is none.
  name_key text not null generated always as (lower(name)) stored,
  business_name text,
  commercial_name text,
  tax_id text,
  vat_id text,
  email text,
  phone text,
  fax text,
  mobile text,
  website text,
  contact_person text,
  billing_emails text[] not null default '{}',
  address jsonb,
  coordinates jsonb,
  iban text,
  bank_accounts jsonb not null default '[]',
  default_taxes_id uuid,
  default_discount numeric(7, 4),
  default_vat_rate numeric(7, 4),
  default_retention_rate numeric(7, 4),
  is_surcharge_subject boolean not null default false,
  preferred_operation_regime text,
  accumulate_347 boolean not null default true,
  alternative_id jsonb,
  payment_preferences jsonb,
  external_id text,
  notes text,
  metadata jsonb not null default '{}',
  is_active boolean not null default true,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (company_id, id),
  foreign key (company_id, default_taxes_id) references taxes (company_id, id)
);
select distribute('contacts', 'tenant');
create index contacts_by_role on contacts (company_id, role, id);
create index contacts_by_name on contacts (company_id, role, name_key, id);
create index contacts_by_taxes on contacts (company_id, default_taxes_id) where default_taxes_id is not null;
create unique index contacts_external_id on contacts (company_id, role, external_id)
  where external_id is not null and is_active;
create index contacts_by_external_id on contacts (company_id, role, external_id) where external_id is not null;
create index contacts_by_tax_id on contacts (company_id, role, tax_id);

create table products (
  company_id uuid not null references companies,
  id uuid not null,
  name text not null,
  name_key text not null generated always as (lower(name)) stored,
  description text,
  code text,
  kind text not null default 'good' check (kind in ('good', 'service')),
  unit text,
  unit_price numeric(20, 8) not null default 0,
  taxes_id uuid,
  external_id text,
  notes text,
  metadata jsonb not null default '{}',
  tags text[] not null default '{}',
  is_active boolean not null default true,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (company_id, id),
  foreign key (company_id, taxes_id) references taxes (company_id, id)
);
select distribute('products', 'tenant');
create index products_by_name on products (company_id, name_key, id);
create index products_by_taxes on products (company_id, taxes_id) where taxes_id is not null;
create unique index products_code on products (company_id, code) where code is not null and is_active;
create index products_external_id on products (company_id, external_id) where external_id is not null;

create table series (
  company_id uuid not null references companies,
  id uuid not null,
  code text not null,
  name text,
  document_type text not null,
  format text not null,
  reset text not null check (reset in ('never', 'year', 'month')),
  is_default boolean not null default false,
  is_archived boolean not null default false,
  first_number integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (company_id, id)
);
select distribute('series', 'tenant');
create unique index series_code on series (company_id, code);
create unique index series_one_default on series (company_id, document_type) where is_default;

-- The counter of a series in one period: the row that an issuing transaction locks.
create table series_counters (
  company_id uuid not null,
  series_id uuid not null,
  period text not null,
  next_number integer not null,
  last_issued_on date,
  primary key (company_id, series_id, period),
  foreign key (company_id, series_id) references series (company_id, id)
);
select distribute('series_counters', 'tenant');
