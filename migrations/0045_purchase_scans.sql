-- Papers of suppliers as they came. Their files are in the blob store under scans/{company}/{id} (ADR 51).
create table purchase_scans (
  company_id uuid not null references companies,
  id uuid not null,
  is_sandbox boolean not null default is_of_sandbox(),
  version integer not null,
  status text not null check (status in ('uploaded', 'processing', 'processed', 'failed', 'archived')),
  -- Of an archived one: where a restore leads.
  status_before text check ((status = 'archived') = (status_before is not null)),
  file_name text not null,
  media_type text not null,
  size integer not null,
  sha256 text not null,
  pages integer,
  -- Of the reading under way. It counts those that ended with their process.
  attempts integer not null default 0,
  extraction jsonb,
  proposal jsonb,
  supplier_id uuid,
  supplier_candidates jsonb not null default '[]',
  possible_duplicate_ids uuid[] not null default '{}',
  purchase_invoice_id uuid,
  error jsonb,
  processed_at timestamptz,
  archived_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  search text not null generated always as (lower(file_name)) stored,
  primary key (company_id, id)
);
select distribute('purchase_scans', 'tenant');
-- The same bytes are one scan until that is archived.
create unique index purchase_scans_content on purchase_scans (company_id, sha256) where status <> 'archived';
create index purchase_scans_by_content on purchase_scans (company_id, sha256, id);
create index purchase_scans_by_status on purchase_scans (company_id, status, id);
create index purchase_scans_by_supplier on purchase_scans (company_id, supplier_id, id) where supplier_id is not null;
create index purchase_scans_by_purchase on purchase_scans (company_id, purchase_invoice_id, id) where purchase_invoice_id is not null;
create index purchase_scans_by_creation on purchase_scans (company_id, created_at, id);
create index purchase_scans_by_update on purchase_scans (company_id, updated_at, id);
create index purchase_scans_by_text on purchase_scans using gin (company_id, search gin_trgm_ops);

-- The scans of a purchase's paper, in the order sent. Each of them names the purchase too.
alter table purchase_invoices add column scan_ids uuid[] not null default '{}';

-- An original is never replaced, and leaves with its sandbox alone.
create policy only_sandbox on purchase_scans as restrictive for delete using (is_sandbox);
revoke update on purchase_scans from folio_service;
grant update (version, status, status_before, pages, attempts, extraction, proposal, supplier_id, supplier_candidates,
              possible_duplicate_ids, purchase_invoice_id, error, processed_at, archived_at, updated_at)
  on purchase_scans to folio_service;
