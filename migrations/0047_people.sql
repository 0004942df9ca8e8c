-- People, their roles in companies, and their sessions (ADR 55). A person belongs to no company: what holds persons is found by their
-- id, their address or the hash of a secret, and names of a company its id alone. What a person may do in a company is a
-- row of that company.

-- The person behind a token or a session.
alter table audit_log add column actor_user_id uuid;

create table users (
  id uuid primary key,
  name text not null,
  language text not null check (language in ('es', 'en')),
  -- PHC text of argon2id; it tells the parameters that it was made with.
  password_hash text,
  -- Sessions proved before it are over, also one that began while the password changed.
  password_set_at timestamptz,
  email_confirmed_at timestamptz,
  disabled_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
select distribute('users', 'index');

-- An address in lower case leads to one person.
create table user_emails (
  email text primary key,
  user_id uuid not null
);
create index user_emails_by_user on user_emails (user_id);
select distribute('user_emails', 'index');

-- Where somebody may have a role: the live company. Whether, and which, says the row in members.
create table user_companies (
  user_id uuid not null,
  company_id uuid not null,
  primary key (user_id, company_id)
);
select distribute('user_companies', 'index');

-- Of a live company, and for its sandbox too.
create table members (
  company_id uuid not null references companies,
  user_id uuid not null,
  role text not null check (role in ('owner', 'developer', 'accountant', 'reader')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (company_id, user_id)
);
select distribute('members', 'tenant');

-- expires_at moves with the use of a session, and never past 30 days after created_at.
create table sessions (
  token_hash bytea primary key,
  id uuid not null,
  user_id uuid not null,
  -- How the person proved who they are (RFC 8176): pwd.
  amr text[] not null,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  confirmed_at timestamptz not null,
  expires_at timestamptz not null,
  ip text not null,
  user_agent text
);
create index sessions_by_user on sessions (user_id);
create index sessions_by_age on sessions (expires_at);
select distribute('sessions', 'index');

-- Links that open once: the first set-up, an invitation, a new password.
create table account_links (
  token_hash bytea primary key,
  kind text not null check (kind in ('setup', 'invitation', 'reset')),
  user_id uuid,
  company_id uuid,
  email text,
  role text check (role in ('owner', 'developer', 'accountant', 'reader')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index account_links_by_age on account_links (expires_at);
select distribute('account_links', 'index');

-- Tries to sign in with one address, by its hash: what is typed there may be anything. A right password takes its try back.
create table sign_in_tries (
  email_hash bytea primary key,
  since timestamptz not null,
  used integer not null
);
create index sign_in_tries_by_age on sign_in_tries (since);
select distribute('sign_in_tries', 'index');
