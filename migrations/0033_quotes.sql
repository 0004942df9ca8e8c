-- Days that an offer is valid from its own day, where it does not say until when.
alter table companies add column default_validity_days jsonb not null default '{"quote": 30, "proforma": 30}';

-- Quotes: what any sales document has (migrations 0004, 0005, 0020 and 0021 say why), and what an offer has.
create table quotes (
  company_id uuid not null references companies,
  id uuid not null,
  version integer not null default 1,
  status text not null check (status in ('draft', 'pending', 'accepted', 'rejected', 'expired', 'cancelled', 'converted')),
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
  -- The last day on which it can be accepted; null: without end. Until it is stated, it follows the day of issue.
  valid_until date,
  is_valid_until_stated boolean not null,
  -- Counts the changes of content, so that nobody accepts what he has not read. `version` counts all changes of the row.
  content_version integer not null default 1,
  acceptance jsonb,
  rejection jsonb,
  converted_to_kind text,
  converted_to_id uuid,
  currency text not null,
  prices_include_tax boolean not null,
  subtotal numeric(16, 2) not null,
  discount_total numeric(16, 2) not null,
  taxes_total numeric(16, 2) not null,
  surcharge_total numeric(16, 2) not null,
  retention_total numeric(16, 2) not null,
  total numeric(16, 2) not null,
  total_cents bigint not null generated always as ((total * 100)::bigint) stored,
  number_key text not null generated always as (coalesce(number, '')) stored,
  amount_due numeric(16, 2) not null,
  notes text,
  external_id text,
  external_total numeric(16, 2),
  external_hash text,
  metadata jsonb not null default '{}',
  metadata_text text not null generated always as (metadata::text) stored,
  tags text[] not null default '{}',
  custom_fields jsonb not null default '[]',
  sent_at timestamptz,
  link_renewed_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  search text generated always as
    (lower(coalesce(number, '') || ' ' || coalesce(client_name, '') || ' ' || coalesce(client_tax_id, ''))) stored,
  has_own_clock boolean not null generated always as
    (abs(('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint
         - (extract(epoch from created_at at time zone 'UTC') * 1000)::bigint) > 60000) stored,
  -- Sorted by: an offer without end comes last in either direction.
  valid_until_last date not null generated always as (coalesce(valid_until, 'infinity'::date)) stored,
  valid_until_first date not null generated always as (coalesce(valid_until, '-infinity'::date)) stored,
  -- A text: comparisons of texts are leakproof and serve an index as a filter.
  converted text not null generated always as (case when status = 'converted' then 'true' else 'false' end) stored,
  -- A sandbox may forget its rows (migration 0019).
  is_sandbox boolean not null default false,
  primary key (company_id, id),
  foreign key (company_id, series_id) references series (company_id, id),
  foreign key (company_id, client_id) references contacts (company_id, id)
);
create unique index quotes_number on quotes (company_id, number) where number is not null;
create unique index quotes_series_number on quotes (company_id, series_id, series_period, series_number)
  where series_number is not null;
create unique index quotes_external_id on quotes (company_id, external_id) where external_id is not null;
create index quotes_by_total on quotes (company_id, total_cents, id);
create index quotes_by_number on quotes (company_id, number_key, id);
create index quotes_by_valid_until_last on quotes (company_id, valid_until_last, id);
create index quotes_by_valid_until_first on quotes (company_id, valid_until_first, id);
create index quotes_by_client on quotes (company_id, client_id, id);
create index quotes_by_status on quotes (company_id, status, id);
create index quotes_by_converted on quotes (company_id, converted, id);
create index quotes_by_series on quotes (company_id, series_id, id);
create index quotes_by_series_and_number on quotes (company_id, series_id, number_key, id);
create index quotes_by_issued_on on quotes (company_id, issued_on, id) where issued_on is not null;
create index quotes_by_valid_until on quotes (company_id, valid_until, id) where valid_until is not null;
create index quotes_by_update on quotes (company_id, updated_at, id);
create index quotes_by_currency on quotes (company_id, currency, id) where currency <> 'EUR';
create index quotes_by_metadata on quotes using gin (company_id, metadata_text gin_trgm_ops) where metadata_text <> '{}';
create index quotes_by_text on quotes using gin (company_id, search gin_trgm_ops);
create index quotes_of_own_clock on quotes (company_id, created_at, id) where has_own_clock;
create index quotes_to_expire on quotes (company_id, valid_until, id) where status = 'pending';

create table quote_lines (like invoice_lines including all);
create table quote_tax_rows (like invoice_tax_rows including all);
create table quote_tags (like invoice_tags including all);
alter table quote_lines rename invoice_id to quote_id;
alter table quote_tax_rows rename invoice_id to quote_id;
alter table quote_tags rename invoice_id to quote_id;
alter table quote_lines add foreign key (company_id, quote_id) references quotes (company_id, id) on delete cascade;
alter table quote_tax_rows add foreign key (company_id, quote_id) references quotes (company_id, id) on delete cascade;

select distribute('quotes', 'tenant'), distribute('quote_lines', 'tenant'), distribute('quote_tax_rows', 'tenant'),
       distribute('quote_tags', 'tenant');

-- Content changes by deletion and insertion under the same id, in the states that allow it; what was answered or converted
-- cannot change. `mutable` of the family has the same columns, and a test compares the two.
revoke update on quotes from folio_service;
grant update (version, status, metadata, tags, custom_fields, sent_at, link_renewed_at, updated_at, valid_until,
              is_valid_until_stated, content_version, acceptance, rejection, converted_to_kind, converted_to_id)
  on quotes to folio_service;
create policy only_open on quotes as restrictive for delete using (status in ('draft', 'pending') or is_sandbox);
revoke update, delete on quote_lines, quote_tax_rows from folio_service;
