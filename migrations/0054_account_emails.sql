-- Messages about accounts: a forgotten password, a new account, an invitation, a change (ADR 62). They belong to no company and open
-- accounts, so no list of e-mails shows them, and what they hold is sealed. A message that was accepted, was refused for good or is
-- over is deleted.

create table account_emails (
  id uuid primary key,
  -- JSON: to whom, in which language, and about what.
  sealed bytea not null,
  created_at timestamptz not null,
  -- Before this nobody sends it: a process that sends it moves it on.
  due_at timestamptz not null,
  attempts integer not null default 0,
  expires_at timestamptz not null
);
create index account_emails_by_due on account_emails (due_at);
create index account_emails_by_age on account_emails (expires_at);
select distribute('account_emails', 'index');

alter table account_links drop constraint account_links_kind_check;
alter table account_links add constraint account_links_kind_check
  check (kind in ('setup', 'invitation', 'reset', 'sign_up'));
