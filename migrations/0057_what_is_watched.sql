-- What monitors are told of all companies (docs/monitoring.md), and the trace that waiting work belongs to (ADR 73).

-- Ids, counts and days of what waits for somebody, by kind; a company that waits for nobody has no row. Each row is
-- written in the transaction that found it, so a monitor asks no company.
create table watched (
  company_id uuid not null,
  kind text not null,
  things integer not null check (things > 0),
  -- Since when the oldest waits; of a certificate or representation: when it ends.
  at timestamptz not null,
  primary key (company_id, kind)
);
create index watched_by_kind on watched (kind, at);
select distribute('watched', 'index');

-- The strongest lock of a table comes first (docs/sql-rules.md, rule 19).
-- W3C Trace Context, of the call that asked for the work. Null while no traces are kept.
alter table due_work add column traceparent text;
alter table webhook_deliveries add column traceparent text;

-- An e-mail that waits for its next attempt is not due, and still waits.
create index due_work_emails on due_work (id) where kind = 'job:email.send';
