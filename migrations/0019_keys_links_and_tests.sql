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
