-- What companies will read in their audit log of their people's accounts (ADR 78). A change of an account has no company, so it leaves a
-- row for each company of the person. A transaction of that company deletes the row and writes the entry.

create table account_entries (
  company_id uuid not null,
  -- Of the change: the same in each company.
  id uuid not null,
  user_id uuid not null,
  -- Who changed it: the person, by the name of then, or whoever runs the service.
  actor text not null check (actor in ('user', 'operator')),
  user_name text not null,
  action text not null,
  details jsonb not null,
  created_at timestamptz not null,
  -- Later than created_at once it could not be written.
  due_at timestamptz not null,
  primary key (company_id, id)
);
create index account_entries_by_due on account_entries (due_at, company_id, id);
select distribute('account_entries', 'index');
