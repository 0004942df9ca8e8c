-- Applications that act for a person (RFC 6749): clients, what a person granted them, and the secrets that they hold.
-- An access token is a row of credentials, so that the one look-up that admits a key admits it too. For a token key_id is
-- the grant, key_company_id the live company, and expires_at counts on real time.
alter table credentials
  add column kind text not null default 'api_key',
  add column audience text,
  add column user_id uuid;
create index credentials_by_expiry on credentials (expires_at) where kind = 'oauth';

-- Of the company that wrote the application. People of any company may use it.
create table oauth_clients (
  company_id uuid not null references companies,
  id uuid not null,
  client_id text not null,
  name text not null,
  type text not null check (type in ('public', 'confidential')),
  redirect_uris text[] not null,
  website text,
  secret_prefix text,
  secret_hash bytea,
  previous_secret_hash bytea,
  previous_until timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (company_id, id),
  check ((type = 'confidential') = (secret_hash is not null))
);
select distribute('oauth_clients', 'tenant');
create index oauth_clients_by_creation on oauth_clients (company_id, created_at, id);
create index oauth_clients_by_update on oauth_clients (company_id, updated_at, id);

create table oauth_client_index (
  client_id text primary key,
  company_id uuid not null,
  id uuid not null,
  -- Until its grants in other companies have ended too.
  deleted_at timestamptz
);
create index oauth_client_index_deleted on oauth_client_index (deleted_at) where deleted_at is not null;
select distribute('oauth_client_index', 'index');

-- One consent of one person. Its row is locked by each exchange and refresh: that lock decides races.
create table oauth_grants (
  -- The live company, also of a grant that opens the sandbox.
  company_id uuid not null references companies,
  id uuid not null,
  opens_company_id uuid not null,
  environment text not null check (environment in ('live', 'test')),
  audience text not null check (audience in ('v1', 'mcp')),
  client_id text not null,
  client_name text not null,
  -- Of a client that is a document, or that runs on the person's own computer.
  client_host text,
  user_id uuid not null,
  scopes text[] not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz,
  primary key (company_id, id)
);
select distribute('oauth_grants', 'tenant');
create index oauth_grants_by_user on oauth_grants (company_id, user_id, id);
create index oauth_grants_by_client on oauth_grants (company_id, client_id, id);
create index oauth_grants_by_creation on oauth_grants (company_id, created_at, id);

-- Kept beyond its use, so that a second one is noticed.
create table oauth_codes (
  code_hash bytea primary key,
  -- A consent is given once: a form that is sent again makes no second code.
  request_id uuid not null unique,
  company_id uuid not null,
  grant_id uuid not null,
  client_id text not null,
  redirect_uri text not null,
  code_challenge text not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index oauth_codes_by_expiry on oauth_codes (expires_at);
select distribute('oauth_codes', 'index');

-- Used ones stay until they expire, so that whoever uses one later is noticed.
create table oauth_refresh_tokens (
  token_hash bytea primary key,
  company_id uuid not null,
  grant_id uuid not null,
  client_id text not null,
  expires_at timestamptz not null,
  first_used_at timestamptz,
  uses integer not null default 0
);
create index oauth_refresh_tokens_by_grant on oauth_refresh_tokens (company_id, grant_id);
create index oauth_refresh_tokens_by_client on oauth_refresh_tokens (client_id);
create index oauth_refresh_tokens_by_expiry on oauth_refresh_tokens (expires_at);
select distribute('oauth_refresh_tokens', 'index');

-- Clients that describe themselves by a document at an address, and addresses that gave none.
create table oauth_documents (
  url text primary key,
  document jsonb,
  expires_at timestamptz not null
);
create index oauth_documents_by_expiry on oauth_documents (expires_at);
select distribute('oauth_documents', 'index');
