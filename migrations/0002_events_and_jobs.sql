-- Events, due work and jobs: written in the transaction of the change that caused them.

create table events (
  company_id uuid not null references companies,
  id uuid not null,
  type text not null,
  aggregate_id uuid not null,
  sequence integer not null,
  api_version text not null,
  livemode boolean not null,
  is_test boolean not null default false,
  data jsonb not null,
  correlation_id text,
  created_at timestamptz not null,
  primary key (company_id, id),
  unique (company_id, aggregate_id, sequence)
);
select distribute('events', 'tenant');
create index events_by_type on events (company_id, type, id);
create index events_by_time on events (company_id, created_at, id);

-- What a worker has to do next, and nothing about it but ids, due times and leases (scale rules 6, 14).
-- kind 'event' is the outbox of the webhooks: id is the event's id, order_key its aggregate.
create table due_work (
  company_id uuid not null,
  id uuid not null,
  kind text not null,
  order_key uuid,
  due_at timestamptz not null,
  lease_until timestamptz,
  lease_id uuid,
  -- How often a lease ran out with the work undone: whoever held it died, or stood still for long.
  takeovers integer not null default 0,
  primary key (company_id, id)
);
select distribute('due_work', 'index');
create index due_work_by_time on due_work (due_at, id);
create index due_work_by_order on due_work (company_id, order_key, id) where order_key is not null;

-- When a job was enqueued is in its id (UUID v7). One with a schedule recurs: it is kept and given its next time.
create table jobs (
  company_id uuid not null references companies,
  id uuid not null,
  kind text not null,
  payload jsonb not null,
  clock text not null check (clock in ('company', 'real')),
  run_at timestamptz not null,
  order_key uuid,
  schedule text,
  attempts integer not null default 0,
  status text not null check (status in ('queued', 'failed_permanently')),
  last_error text,
  failed_at timestamptz,
  primary key (company_id, id)
);
select distribute('jobs', 'tenant');
create unique index jobs_one_per_schedule on jobs (company_id, schedule) where schedule is not null;
