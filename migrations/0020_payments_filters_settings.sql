-- A company may say that it issues no simplified invoices; then none is made by mistake.
alter table companies add column simplified_invoices_enabled boolean not null default true;

-- Payments have a list of their own. The client is the invoice's, which never changes after the issue; it is kept here
-- because a list filters by indexes of its own table. has_own_clock: as of invoices (migration 0005).
alter table payments
  add column client_id uuid,
  add column external_id text,
  add column metadata jsonb not null default '{}',
  add column has_own_clock boolean not null generated always as
    (abs(('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint
         - (extract(epoch from created_at at time zone 'UTC') * 1000)::bigint) > 60000) stored;

-- Company by company: the owner too sees the rows of one company at a time. The process of the version before writes
-- payments without client_id; the filter by client looks at their invoices instead (names_client).
alter table payments add column names_client boolean not null default false;
do $$
declare one uuid;
begin
  for one in select distinct c.company_id from credentials c union select child_id from company_children loop
    perform set_config('app.company', one::text, true);
    update payments p set client_id = i.client_id, names_client = true
      from invoices i
     where p.company_id = one and i.company_id = one and i.id = p.invoice_id;
  end loop;
  perform set_config('app.company', '', true);
end $$;

create unique index payments_external_id on payments (company_id, external_id) where external_id is not null;
create index payments_by_client on payments (company_id, client_id, id) where client_id is not null;
create index payments_of_unnamed_client on payments (company_id, id) where not names_client;
create index payments_by_method on payments (company_id, payment_method, id);
create index payments_by_day on payments (company_id, payment_date, id);
create index payments_reversed on payments (company_id, id) where is_reversed;
create index payments_of_own_clock on payments (company_id, created_at, id) where has_own_clock;

-- Filters of invoices (ADR 16). Comparisons of bigints and texts are leakproof, those of numerics and jsonb are not.
-- pending_cents: as rules/pending.ts says it. metadata_text: trigrams find a pair of key and value.
alter table invoices
  add column pending_cents bigint not null generated always as
    (case when settled_in_id is not null or status in ('voided', 'annulled') then 0
          else ((amount_due + corrected_amount - paid_amount - carried_amount) * 100)::bigint end) stored,
  add column metadata_text text not null generated always as (metadata::text) stored;

create index invoices_by_pending on invoices (company_id, pending_cents, id) where pending_cents <> 0;
create index invoices_by_currency on invoices (company_id, currency, id) where currency <> 'EUR';
create index invoices_by_operation_on on invoices (company_id, operation_on, id) where operation_on is not null;
create index invoices_by_metadata on invoices using gin (company_id, metadata_text gin_trgm_ops)
  where metadata_text <> '{}';
-- In the order of the list, where the index of before found them in none.
create index invoice_lines_by_product_and_invoice on invoice_lines (company_id, product_id, invoice_id)
  where product_id is not null;
drop index invoice_lines_by_product;
