-- Which document became which. A source has one link in force. A link ends when its target is deleted or withdrawn; the source
-- then has its status of before again.
create table document_links (
  company_id uuid not null references companies,
  source_kind text not null,
  source_id uuid not null,
  target_kind text not null,
  target_id uuid not null,
  source_status_before text not null,
  created_at timestamptz not null,
  undone_at timestamptz,
  primary key (company_id, source_kind, source_id, target_id)
);
create unique index document_links_in_force on document_links (company_id, source_kind, source_id) where undone_at is null;
create index document_links_target on document_links (company_id, target_id);
select distribute('document_links', 'tenant');

-- What an invoice was converted from: kind, id and number, as they were.
alter table invoices add column sources jsonb not null default '[]';
