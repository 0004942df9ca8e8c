-- Companies, their keys, and what admits a caller (decisions, sections 1 and 5).
-- Every tenant table: company_id first in its keys, row-level security forced. Index tables hold hashes,
-- ids, due times and leases (and, for a credential, what admits or refuses); src/platform/tenancy.ts lists them.

-- The only place that knows of distribution: nothing on plain PostgreSQL (scale rule 17).
create function distribute(table_name text, kind text) returns void language plpgsql as $$
begin
  if kind not in ('tenant', 'index', 'local') then
    raise exception 'unknown kind of distribution: %', kind;
  end if;
  if kind = 'tenant' then
    execute format('alter table %I enable row level security', table_name);
    execute format('alter table %I force row level security', table_name);
    execute format(
      'create policy tenant on %I using (company_id = nullif(current_setting(''app.company'', true), '''')::uuid) '
      'with check (company_id = nullif(current_setting(''app.company'', true), '''')::uuid)', table_name);
  end if;
  if kind <> 'local' then
    execute format('grant select, insert, update, delete on %I to folio_service', table_name);
  end if;
end $$;

create table companies (
  company_id uuid primary key,
  environment text not null check (environment in ('live', 'test')),
  live_company_id uuid,
  sandbox_company_id uuid,
  parent_company_id uuid,
  name text,
  commercial_name text,
  tax_id text not null,
  address jsonb,
  email text,
  phone text,
  website text,
  logo text,
  colour text,
  language text not null default 'es',
  time_zone text not null default 'Europe/Madrid',
  iban text,
  default_vat jsonb not null default '{}',
  reminders jsonb,
  plan text not null,
  boost_tier text,
  boost_until timestamptz,
  settings_version integer not null default 1,
  webhook_endpoints_enabled integer not null default 0,
  clock_offset_ms bigint not null default 0,
  clock_frozen_at timestamptz,
  archived_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (environment = 'live' or live_company_id is not null)
);
select distribute('companies', 'tenant');

create table api_keys (
  company_id uuid not null references companies,
  id uuid not null,
  opens_company_id uuid not null,
  environment text not null check (environment in ('live', 'test')),
  name text not null,
  prefix text not null,
  scopes text[] not null,
  allowed_ips text[] not null default '{}',
  api_version text,
  created_by_key_id uuid,
  created_at timestamptz not null,
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz,
  primary key (company_id, id)
);
select distribute('api_keys', 'tenant');

-- One row per secret that may be presented, current or previous. Found by its hash alone, before any
-- company is known; the row itself admits or refuses (request path, step 2).
create table credentials (
  secret_hash bytea primary key,
  key_id uuid not null,
  key_company_id uuid not null,
  company_id uuid not null,
  environment text not null,
  scopes text[] not null,
  plan text not null,
  boost_tier text,
  boost_until timestamptz,
  api_version text,
  allowed_ips text[] not null,
  expires_at timestamptz,
  previous_until timestamptz,
  is_revoked boolean not null default false,
  clock_offset_ms bigint not null default 0,
  clock_frozen_at timestamptz
);
create index credentials_by_key on credentials (key_company_id, key_id);
select distribute('credentials', 'index');

-- Children of a master company, by environment: (live parent, live child) and (sandbox, sandbox). owner_id is
-- the live company of the child, where its key rows are.
create table company_children (
  company_id uuid not null,
  child_id uuid not null,
  owner_id uuid not null,
  is_archived boolean not null default false,
  primary key (company_id, child_id)
);
select distribute('company_children', 'index');

-- Requests of a key in a window of one minute, leased to the processes in shares.
create table rate_windows (
  key_id uuid not null,
  rate_class text not null,
  window_at timestamptz not null,
  used integer not null,
  primary key (key_id, rate_class, window_at)
);
create index rate_windows_by_age on rate_windows (window_at);
select distribute('rate_windows', 'index');

create table audit_log (
  company_id uuid not null references companies,
  id uuid not null,
  actor text not null,
  actor_key_id uuid,
  action text not null,
  object text not null,
  object_id uuid not null,
  details jsonb not null default '{}',
  ip text,
  request_id text,
  created_at timestamptz not null,
  primary key (company_id, id)
);
select distribute('audit_log', 'tenant');

create table request_logs (
  company_id uuid not null references companies,
  id uuid not null,
  request_id text not null,
  key_id uuid,
  operation text,
  method text not null,
  path text not null,
  status integer not null,
  error_code text,
  duration_ms numeric(12, 3) not null,
  ip text,
  api_version text not null,
  idempotency_key text,
  created_at timestamptz not null,
  primary key (company_id, id)
);
select distribute('request_logs', 'tenant');
create index request_logs_by_time on request_logs (company_id, created_at);

-- Committed in the same transaction as the effect. An answer that holds a secret is kept sealed.
create table idempotency_keys (
  company_id uuid not null references companies,
  key text not null,
  operation text not null,
  body_hash bytea not null,
  status integer,
  answer text,
  sealed_answer bytea,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (company_id, key)
);
select distribute('idempotency_keys', 'tenant');
create index idempotency_keys_by_age on idempotency_keys (company_id, expires_at);
