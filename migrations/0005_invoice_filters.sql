-- Filters of the long lists that find their rows in an index at any size. Under forced row-level security an index
-- serves leakproof comparisons only, so what is looked for is kept as plain texts, days and instants: equality on
-- (company_id, field, id) gives a filter its rows in the order of the list, a day's range those of each day.

create index invoices_by_type on invoices (company_id, type, id);
create index invoices_by_series on invoices (company_id, series_id, id);
-- A series of years ago stands together in the order of numbers, far from where its page begins.
create index invoices_by_series_and_number on invoices (company_id, series_id, number_key, id);
create index invoices_by_issued_on on invoices (company_id, issued_on, id) where issued_on is not null;
create index invoices_by_due_on on invoices (company_id, due_on, id) where due_on is not null;

-- An id carries the instant it was made at, so a range of created is a range of ids, but where the company has a
-- clock of its own (sandbox). Those rows are told apart here, to a minute; real ones are not in the index.
alter table invoices add column has_own_clock boolean not null generated always as
  (abs(('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint
       - (extract(epoch from created_at at time zone 'UTC') * 1000)::bigint) > 60000) stored;
create index invoices_of_own_clock on invoices (company_id, created_at, id) where has_own_clock;

-- The comparisons of arrays are not leakproof, those of texts are: a tag of an invoice is a row. Only invoices with
-- tags have any. No foreign key: it would ask for a second index, and what deletes a draft knows its tags.
create table invoice_tags (
  company_id uuid not null,
  tag text not null,
  invoice_id uuid not null,
  primary key (company_id, tag, invoice_id)
);
select distribute('invoice_tags', 'tenant');

-- The same for the clients: text in any case, and e-mail without it.
alter table contacts
  add column email_key text generated always as (lower(email)) stored,
  add column search text not null generated always as
    (lower(name || ' ' || coalesce(tax_id, '') || ' ' || coalesce(email, ''))) stored;
create index contacts_by_email on contacts (company_id, role, email_key, id) where email_key is not null;
create index contacts_by_text on contacts using gin (company_id, role, search gin_trgm_ops);

-- Tags of before, company by company: the owner too sees the rows of one company at a time.
do $$
declare one uuid;
begin
  for one in select distinct c.company_id from credentials c loop
    perform set_config('app.company', one::text, true);
    insert into invoice_tags (company_id, tag, invoice_id)
    select distinct t.company_id, u.tag, t.id from invoices t cross join lateral unnest(t.tags) u(tag)
     where t.company_id = one;
  end loop;
  perform set_config('app.company', '', true);
end $$;

-- The one comparison that cannot be had otherwise: `like`, for trigrams. Its only error is of a pattern that ends in
-- the escape sign, which the service never sends (likePattern), so it tells nothing of the rows it is asked about.
-- Saying so is a superuser's right; where the owner is none, text in the middle of a long list reads its rows.
do $$
begin
  if (select rolsuper from pg_roles where rolname = current_user) then
    alter function pg_catalog.textlike(text, text) leakproof;
  end if;
end $$;
