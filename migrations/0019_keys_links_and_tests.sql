-- Test events can be listed apart at any size of the log. They are few beside the real ones.
create index events_of_test on events (company_id, id) where is_test;

-- A company's keys in force are counted at each new one. Those that ended stay for ever.
create index api_keys_in_force on api_keys (company_id, expires_at) where revoked_at is null;

-- An owner ends the public address of a document by making a new one. Addresses of before carry no instant, and open
-- while this is null.
alter table invoices add column link_renewed_at timestamptz;
grant update (link_renewed_at) on invoices to folio_service;
-- Months that public addresses open. Null: for good.
alter table companies add column public_link_months integer;

-- What a live company keeps for the law, its sandbox may forget (DELETE /v1/sandbox/data). Each row says which it is when it is
-- inserted (src/platform/rows.ts); the service may not change that, and deletes no row that does not say so.
alter table invoices add column is_sandbox boolean not null default false;
alter table payments add column is_sandbox boolean not null default false;
alter table emails add column is_sandbox boolean not null default false;
alter table verifactu_records add column is_sandbox boolean not null default false;
alter table verifactu_events add column is_sandbox boolean not null default false;

drop policy only_drafts on invoices;
create policy only_drafts on invoices as restrictive for delete using (number is null or is_sandbox);
create policy only_sandbox on payments as restrictive for delete using (is_sandbox);
create policy only_sandbox on emails as restrictive for delete using (is_sandbox);
create policy only_sandbox on verifactu_records as restrictive for delete using (is_sandbox);
create policy only_sandbox on verifactu_events as restrictive for delete using (is_sandbox);
grant delete on payments, emails, verifactu_records, verifactu_events to folio_service;

-- Rows of before, company by company: the owner too sees the rows of one company at a time.
do $$
declare one uuid;
begin
  for one in select distinct c.company_id from credentials c where c.environment = 'test' loop
    perform set_config('app.company', one::text, true);
    update invoices set is_sandbox = true where company_id = one;
    update payments set is_sandbox = true where company_id = one;
    update emails set is_sandbox = true where company_id = one;
    update verifactu_records set is_sandbox = true where company_id = one;
    update verifactu_events set is_sandbox = true where company_id = one;
  end loop;
  perform set_config('app.company', '', true);
end $$;
