-- Delivery notes: a family of sales documents (ADR 28). What all kinds have is taken from invoices, with its indexes; what only
-- invoices have goes.
create table delivery_notes (like invoices including all);
alter table delivery_notes
  drop column type, drop column operation_on, drop column due_on, drop column exchange_rate, drop column exchange_rate_on,
  drop column pending_cents, drop column paid_amount, drop column corrected_amount, drop column carried_amount,
  drop column settled_in_id, drop column correction_type, drop column correction_reason, drop column corrected_invoices,
  drop column corrective_ids, drop column substituted_invoices, drop column substituted_by_id, drop column issued_by,
  drop column third_party, drop column no_recipient_art61d, drop column print_recipient, drop column external_type,
  drop column issued_at, drop column has_record, drop column sources,
  add column delivery_date date,
  add column delivery_address jsonb,
  add column show_prices boolean not null,
  add column vehicle_plate text,
  add column driver jsonb,
  add column tracking jsonb,
  add column received_by jsonb,
  add column billing_emails jsonb not null,
  add column delivered_at timestamptz,
  add column cancelled_at timestamptz,
  add column signed_at timestamptz,
  -- SHA-256 of what was signed (ADR 43).
  add column content_hash text,
  add column converted_to_id uuid,
  add foreign key (company_id) references companies,
  add foreign key (company_id, series_id) references series (company_id, id),
  add foreign key (company_id, client_id) references contacts (company_id, id);
-- A note without a day is last in both directions. Orders and filters are kept as columns of leakproof types (ADR 16).
alter table delivery_notes
  add column delivery_date_up date not null generated always as (coalesce(delivery_date, '9999-12-31')) stored,
  add column delivery_date_down date not null generated always as (coalesce(delivery_date, '0001-01-01')) stored,
  add column convertible text not null generated always as
    (case when status in ('pending', 'delivered', 'signed') then 'true' else 'false' end) stored,
  add column signed text not null generated always as (case when signed_at is null then 'false' else 'true' end) stored;
select distribute('delivery_notes', 'tenant');
create index delivery_notes_by_delivery_date on delivery_notes (company_id, delivery_date, id) where delivery_date is not null;
create index delivery_notes_by_delivery_date_up on delivery_notes (company_id, delivery_date_up, id);
create index delivery_notes_by_delivery_date_down on delivery_notes (company_id, delivery_date_down, id);
create index delivery_notes_convertible on delivery_notes (company_id, convertible, id);
create index delivery_notes_signed on delivery_notes (company_id, signed, id);

create table delivery_note_lines (like invoice_lines including all);
alter table delivery_note_lines rename invoice_id to delivery_note_id;
alter table delivery_note_lines
  add foreign key (company_id, delivery_note_id) references delivery_notes (company_id, id) on delete cascade;
create table delivery_note_tax_rows (like invoice_tax_rows including all);
alter table delivery_note_tax_rows rename invoice_id to delivery_note_id;
alter table delivery_note_tax_rows
  add foreign key (company_id, delivery_note_id) references delivery_notes (company_id, id) on delete cascade;
create table delivery_note_tags (like invoice_tags including all);
alter table delivery_note_tags rename invoice_id to delivery_note_id;
select distribute('delivery_note_lines', 'tenant'), distribute('delivery_note_tax_rows', 'tenant'),
       distribute('delivery_note_tags', 'tenant');

-- Who signed, and how it came. No foreign key: an edit replaces the row of its note. Erasing empties what is personal.
create table delivery_note_signatures (
  company_id uuid not null references companies,
  delivery_note_id uuid not null,
  signed_by text,
  signer_tax_id text,
  image_media_type text check (image_media_type in ('image/png', 'image/jpeg')),
  image bytea,
  ip text,
  user_agent text,
  signed_at timestamptz not null,
  -- The company's day.
  signed_on date not null,
  erased_at timestamptz,
  primary key (company_id, delivery_note_id)
);
select distribute('delivery_note_signatures', 'tenant');

-- What was signed or billed is not replaced, but for the prices of a note that shows none.
create policy only_open on delivery_notes as restrictive for delete using
  (is_sandbox or (status <> 'invoiced' and (signed_at is null or not show_prices)));
revoke update on delivery_notes from folio_service;
grant update (version, status, metadata, tags, custom_fields, sent_at, link_renewed_at, updated_at, received_by, delivered_at,
              cancelled_at, signed_at, content_hash, converted_to_id) on delivery_notes to folio_service;
revoke update, delete on delivery_note_lines, delivery_note_tax_rows from folio_service;
