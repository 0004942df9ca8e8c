-- Secrets of the installation itself, which it makes on its own first start: the key behind the addresses that open a
-- document without an API key. Sealed with FOLIO_SECRET_KEY; when that key changes, the same secret is added once more,
-- sealed with the new one, so that no address ends with it. Rows are only ever added: a process that still has the key
-- before reads its own row, and no fault of the service can lose a secret that addresses depend on.

create table service_secrets (
  name text not null,
  revision integer not null,
  sealed bytea not null,
  created_at timestamptz not null default now(),
  primary key (name, revision)
);
-- One small table for all companies, so it stays where the migrations are; nothing joins it.
select distribute('service_secrets', 'local');
grant select, insert on service_secrets to folio_service;
