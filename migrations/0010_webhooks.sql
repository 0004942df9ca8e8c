-- Webhook endpoints and their deliveries (specification, sections 4 and 6). An event that somebody may listen to is a
-- row of due work (kind 'event') from the transaction that caused it; the loop turns it into deliveries. Due work of
-- them is one row per endpoint (kind 'endpoint', with the endpoint's id): whoever holds its lease sends all of them, so
-- that order and concurrency per endpoint hold however many processes work, and none waits behind another endpoint's.

create table webhook_endpoints (
  company_id uuid not null references companies,
  id uuid not null,
  url text not null,
  description text,
  enabled_events text[] not null,
  status text not null check (status in ('enabled', 'disabled')),
  -- Since when; an event from before then is still for it.
  disabled_at timestamptz,
  -- `whsec_…`, sealed with FOLIO_SECRET_KEY; the previous one signs beside it until its time.
  sealed_secret bytea not null,
  previous_sealed_secret bytea,
  previous_secret_valid_until timestamptz,
  timeout_seconds integer not null default 10 check (timeout_seconds between 1 and 30),
  ip_allowlist text[] not null default '{}',
  last_success_at timestamptz,
  failing_since timestamptz,
  consecutive_failures integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (company_id, id)
);
select distribute('webhook_endpoints', 'tenant');

create table webhook_deliveries (
  company_id uuid not null,
  id uuid not null,
  endpoint_id uuid not null,
  -- Null for a ping, which is no event.
  event_id uuid,
  event_type text not null,
  aggregate_id uuid,
  is_test boolean not null default false,
  status text not null check (status in ('queued', 'delivered', 'failed', 'failed_permanently')),
  -- Attempts made since it was queued or replayed: 0 to 8.
  attempt integer not null default 0,
  -- Null once it has ended.
  next_attempt_at timestamptz,
  -- When the last attempt was over.
  last_attempt_at timestamptz,
  response_status integer,
  duration_ms integer,
  -- The bytes that every attempt sends.
  request_body text not null,
  -- Of the last attempt, as sent and as received; the answer cut at 4 KB.
  request_headers jsonb,
  response_body text,
  error text,
  created_at timestamptz not null,
  primary key (company_id, id),
  foreign key (company_id, endpoint_id) references webhook_endpoints (company_id, id) on delete cascade
);
select distribute('webhook_deliveries', 'tenant');
-- One delivery of an event to an endpoint, whoever makes it: a loop that died in the middle makes none twice.
create unique index webhook_deliveries_once on webhook_deliveries (company_id, event_id, endpoint_id)
  where event_id is not null;
create index webhook_deliveries_by_endpoint on webhook_deliveries (company_id, endpoint_id, id);
create index webhook_deliveries_by_status on webhook_deliveries (company_id, endpoint_id, status, id);
-- What is still to be sent, in the order in which it is.
create index webhook_deliveries_waiting on webhook_deliveries (company_id, endpoint_id, next_attempt_at, id)
  where next_attempt_at is not null;
create index webhook_deliveries_by_age on webhook_deliveries (company_id, last_attempt_at)
  where next_attempt_at is null;

-- How often something was added to work that stands for several things: who holds it sees that there is more.
alter table due_work add column revision integer not null default 0;
-- And when at last, by the clock of whoever did: what is added later is never stamped earlier, whatever another clock says.
alter table due_work add column added_at timestamptz;
create index due_work_endpoints on due_work (due_at, id) where kind = 'endpoint';
