-- Pro-forma invoices: offers as quotes are (migration 0033), with carriage. Its cost includes the tax, and `total` includes it.
create table proformas (like quotes including defaults including generated including constraints);
alter table proformas
  add column shipping_cost numeric(16, 2),
  -- The tax that carriage states, as it was then; null follows the lines.
  add column shipping_tax jsonb,
  add primary key (company_id, id),
  add foreign key (company_id) references companies,
  add foreign key (company_id, series_id) references series (company_id, id),
  add foreign key (company_id, client_id) references contacts (company_id, id);
create unique index proformas_number on proformas (company_id, number) where number is not null;
create unique index proformas_series_number on proformas (company_id, series_id, series_period, series_number)
  where series_number is not null;
create unique index proformas_external_id on proformas (company_id, external_id) where external_id is not null;
create index proformas_by_total on proformas (company_id, total_cents, id);
create index proformas_by_number on proformas (company_id, number_key, id);
create index proformas_by_valid_until_last on proformas (company_id, valid_until_last, id);
create index proformas_by_valid_until_first on proformas (company_id, valid_until_first, id);
create index proformas_by_client on proformas (company_id, client_id, id);
create index proformas_by_status on proformas (company_id, status, id);
create index proformas_by_converted on proformas (company_id, converted, id);
create index proformas_by_series on proformas (company_id, series_id, id);
create index proformas_by_series_and_number on proformas (company_id, series_id, number_key, id);
create index proformas_by_issued_on on proformas (company_id, issued_on, id) where issued_on is not null;
create index proformas_by_valid_until on proformas (company_id, valid_until, id) where valid_until is not null;
create index proformas_by_update on proformas (company_id, updated_at, id);
create index proformas_by_currency on proformas (company_id, currency, id) where currency <> 'EUR';
create index proformas_by_metadata on proformas using gin (company_id, metadata_text gin_trgm_ops)
  where metadata_text <> '{}';
create index proformas_by_text on proformas using gin (company_id, search gin_trgm_ops);
create index proformas_of_own_clock on proformas (company_id, created_at, id) where has_own_clock;
create index proformas_to_expire on proformas (company_id, valid_until, id) where status = 'pending';

create table proforma_lines (like invoice_lines including all);
create table proforma_tax_rows (like invoice_tax_rows including all);
create table proforma_tags (like invoice_tags including all);
alter table proforma_lines rename invoice_id to proforma_id;
alter table proforma_tax_rows rename invoice_id to proforma_id;
alter table proforma_tags rename invoice_id to proforma_id;
alter table proforma_lines add foreign key (company_id, proforma_id) references proformas (company_id, id) on delete cascade;
alter table proforma_tax_rows add foreign key (company_id, proforma_id) references proformas (company_id, id) on delete cascade;

select distribute('proformas', 'tenant'), distribute('proforma_lines', 'tenant'),
       distribute('proforma_tax_rows', 'tenant'), distribute('proforma_tags', 'tenant');

-- As of quotes.
revoke update on proformas from folio_service;
grant update (version, status, metadata, tags, custom_fields, sent_at, link_renewed_at, updated_at, valid_until,
              is_valid_until_stated, content_version, acceptance, rejection, converted_to_kind, converted_to_id)
  on proformas to folio_service;
create policy only_open on proformas as restrictive for delete using (status in ('draft', 'pending') or is_sandbox);
revoke update, delete on proforma_lines, proforma_tax_rows from folio_service;
