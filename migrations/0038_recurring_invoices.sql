-- Recurrences: what an invoice says, and on which days one is made. Columns and indexes of a document as in migrations 0004, 0005,
-- 0020, 0021 and 0022. Number, period and issue are always null here: a recurrence has none.

create table recurring_invoices (
  company_id uuid not null references companies,
  id uuid not null,
  version integer not null default 1,
  name text not null,
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
  currency text not null,
  prices_include_tax boolean not null,
  subtotal numeric(16, 2) not null,
  discount_total numeric(16, 2) not null,
  taxes_total numeric(16, 2) not null,
  surcharge_total numeric(16, 2) not null,
  retention_total numeric(16, 2) not null,
  total numeric(16, 2) not null,
  amount_due numeric(16, 2) not null,
  notes text,
  external_id text,
  external_total numeric(16, 2),
  external_hash text,
  metadata jsonb not null default '{}',
  tags text[] not null default '{}',
  custom_fields jsonb not null default '[]',
  sent_at timestamptz,
  link_renewed_at timestamptz,
  frequency text not null,
  "interval" integer not null,
  starts_on date not null,
  ends_on date,
  max_occurrences integer,
  -- Of the next occurrence, counted from starts_on; kept while paused.
  next_index integer not null default 0,
  next_occurrence_on date,
  next_run_at timestamptz,
  occurrences_count integer not null default 0,
  -- The last one made: a new calendar begins after it.
  last_occurrence_on date,
  last_run_at timestamptz,
  last_invoice_id uuid,
  last_error jsonb,
  auto_issue boolean not null default false,
  auto_send boolean not null default false,
  send_to text,
  payment_terms_days integer,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  total_cents bigint not null generated always as ((total * 100)::bigint) stored,
  number_key text not null generated always as (coalesce(number, '')) stored,
  -- Those without a next run are last in both directions. Bigints, since a list compares them (migration 0004).
  run_first bigint not null generated always as
    (coalesce((extract(epoch from next_run_at at time zone 'UTC') * 1000)::bigint, 9000000000000000)) stored,
  run_last bigint not null generated always as
    (coalesce((extract(epoch from next_run_at at time zone 'UTC') * 1000)::bigint, -9000000000000000)) stored,
  search text generated always as
    (lower(name || ' ' || coalesce(client_name, '') || ' ' || coalesce(client_tax_id, ''))) stored,
  metadata_text text not null generated always as (metadata::text) stored,
  has_own_clock boolean not null generated always as
    (abs(('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint
         - (extract(epoch from created_at at time zone 'UTC') * 1000)::bigint) > 60000) stored,
  primary key (company_id, id),
  foreign key (company_id, series_id) references series (company_id, id),
  foreign key (company_id, client_id) references contacts (company_id, id)
);
select distribute('recurring_invoices', 'tenant');
create unique index recurring_invoices_external_id on recurring_invoices (company_id, external_id) where external_id is not null;
create index recurring_invoices_by_total on recurring_invoices (company_id, total_cents, id);
create index recurring_invoices_by_client on recurring_invoices (company_id, client_id, id);
create index recurring_invoices_by_series on recurring_invoices (company_id, series_id, id);
create index recurring_invoices_by_status on recurring_invoices (company_id, status, id);
create index recurring_invoices_by_frequency on recurring_invoices (company_id, frequency, id);
create index recurring_invoices_by_run on recurring_invoices (company_id, next_run_at, id) where next_run_at is not null;
create index recurring_invoices_by_run_first on recurring_invoices (company_id, run_first, id);
create index recurring_invoices_by_run_last on recurring_invoices (company_id, run_last, id);
create index recurring_invoices_by_update on recurring_invoices (company_id, updated_at, id);
create index recurring_invoices_by_currency on recurring_invoices (company_id, currency, id) where currency <> 'EUR';
create index recurring_invoices_by_text on recurring_invoices using gin (company_id, search gin_trgm_ops);
create index recurring_invoices_by_metadata on recurring_invoices using gin (company_id, metadata_text gin_trgm_ops)
  where metadata_text <> '{}';
create index recurring_invoices_of_own_clock on recurring_invoices (company_id, created_at, id) where has_own_clock;

create table recurring_invoice_lines (like invoice_lines including defaults);
alter table recurring_invoice_lines rename invoice_id to recurring_invoice_id;
alter table recurring_invoice_lines
  add primary key (company_id, recurring_invoice_id, position),
  add foreign key (company_id, recurring_invoice_id) references recurring_invoices (company_id, id) on delete cascade;
select distribute('recurring_invoice_lines', 'tenant');
create index recurring_invoice_lines_by_product on recurring_invoice_lines (company_id, product_id, recurring_invoice_id)
  where product_id is not null;

create table recurring_invoice_tax_rows (like invoice_tax_rows including defaults);
alter table recurring_invoice_tax_rows rename invoice_id to recurring_invoice_id;
alter table recurring_invoice_tax_rows
  add primary key (company_id, recurring_invoice_id, position),
  add foreign key (company_id, recurring_invoice_id) references recurring_invoices (company_id, id) on delete cascade;
select distribute('recurring_invoice_tax_rows', 'tenant');

create table recurring_invoice_tags (
  company_id uuid not null,
  tag text not null,
  recurring_invoice_id uuid not null,
  primary key (company_id, tag, recurring_invoice_id)
);
select distribute('recurring_invoice_tags', 'tenant');

-- Its key lets one invoice be made for a day. No foreign key: an edit replaces the recurrence's row under its id.
create table recurring_occurrences (
  company_id uuid not null references companies,
  recurring_invoice_id uuid not null,
  occurrence_on date not null,
  id uuid not null,
  status text not null check (status in ('made', 'skipped', 'failed')),
  invoice_id uuid,
  error jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (company_id, recurring_invoice_id, occurrence_on)
);
create unique index recurring_occurrences_id on recurring_occurrences (company_id, id);
create index recurring_occurrences_by_recurrence on recurring_occurrences (company_id, recurring_invoice_id, id);
select distribute('recurring_occurrences', 'tenant');
