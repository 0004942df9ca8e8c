-- A client answers an offer on its public page. The company may close that.
alter table companies add column public_acceptance boolean not null default true;

-- What proves an acceptance on the page: who said that he accepts, from where, and what he was shown. It is apart from the
-- document, which shows less, and goes with it: a document with an acceptance can be deleted in a sandbox alone. Of any kind,
-- hence no foreign key; an edit of a reopened offer replaces its row, and the proof stays.
create table acceptances (
  company_id uuid not null references companies,
  id uuid not null,
  document_kind text not null,
  document_id uuid not null,
  -- Of the content that was accepted.
  version integer not null,
  name text not null,
  email text not null,
  tax_id text,
  note text,
  ip text not null,
  user_agent text,
  -- SHA-256 of the document's printed texts, as hexadecimal digits.
  shown_sha256 text not null,
  accepted_at timestamptz not null,
  -- A sandbox may forget its rows (migrations 0019 and 0026).
  is_sandbox boolean not null default is_of_sandbox(),
  primary key (company_id, id)
);
select distribute('acceptances', 'tenant');
create index acceptances_by_document on acceptances (company_id, document_id, id);

-- A proof does not change.
revoke update on acceptances from folio_service;
create policy only_sandbox on acceptances as restrictive for delete using (is_sandbox);
