-- Invitations to a company that nobody has taken up yet. The link itself is in account_links, found by its hash.

create table invitations (
  company_id uuid not null references companies,
  id uuid not null,
  email text not null,
  role text not null check (role in ('owner', 'developer', 'accountant', 'reader')),
  invited_by uuid,
  token_hash bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (company_id, id)
);
create unique index invitations_by_email on invitations (company_id, email);
select distribute('invitations', 'tenant');
