-- VeriFactu: billing records, their chain, the log of events, what is sent and answered (RD 1007/2023, Orden HAC/1177/2024).
-- What the law wants unchanged (records, signed events) may be inserted and read by the service, and nothing else;
-- what changes while records are sent is in tables of its own.

-- Rides along with every call, so it is part of the company: null while VeriFactu is off. The next mode takes
-- effect on a day of the company (1 January), for whoever issues from its first instant on.
alter table companies add verifactu_mode text;
alter table companies add constraint companies_verifactu_mode check (verifactu_mode in ('verifactu', 'no_verifactu'));
alter table companies add verifactu_next_mode text;
alter table companies add constraint companies_verifactu_next_mode check (verifactu_next_mode in ('verifactu', 'no_verifactu', 'off'));
alter table companies add verifactu_next_on date;

-- The ends of both chains lie in the row that issuing locks: position, link and stamp are taken under its lock,
-- in the transaction that takes the number (Orden, art. 7). kept_count: records of no-verifactu mode, which are
-- not sent, so that what was sent need not be counted; unsent_count: records that wait for the authority;
-- is_sender_due: the sender has been told of them, so issuing need not tell it again.
alter table issuing_heads add record_position bigint not null default 0;
alter table issuing_heads add record_tax_id text;
alter table issuing_heads add record_number text;
alter table issuing_heads add record_issued_on date;
alter table issuing_heads add record_huella text;
alter table issuing_heads add last_recorded_at timestamptz;
alter table issuing_heads add kept_count bigint not null default 0;
alter table issuing_heads add unsent_count integer not null default 0;
alter table issuing_heads add is_sender_due boolean not null default false;
alter table issuing_heads add event_position bigint not null default 0;
alter table issuing_heads add event_type text;
alter table issuing_heads add event_stamped_at text;
alter table issuing_heads add event_huella text;
alter table issuing_heads add last_event_at timestamptz;

-- Only an invoice with a record is asked for it.
alter table invoices add has_record boolean not null default false;

create table verifactu_settings (
  company_id uuid primary key references companies,
  -- Never repeats for a taxpayer: one per company, made when VeriFactu is first turned on.
  installation_number text not null,
  enabled_at timestamptz,
  -- 31 December of the year in which it stops sending, declared with each message from then on.
  ends_on date,
  -- Waits that the authority stated, in company time; null: at once.
  send_after timestamptz,
  wait_seconds integer not null default 60,
  -- Records in one message at most: less after the authority refused a whole one for a fault it did not name.
  batch_max integer not null default 1000,
  -- Messages that got no answer, one after the other; and since when.
  failures integer not null default 0,
  failing_since timestamptz,
  -- Why nothing of this company can be sent; null when it can.
  block_reason text,
  -- The alarm of Orden, arts. 6 and 8: stays until integrity is back.
  alarm text,
  alarm_raised_at timestamptz,
  last_summary_at timestamptz,
  -- Records up to there are in a summary of the log of events (type 10).
  summed_position bigint not null default 0,
  updated_at timestamptz not null
);
select distribute('verifactu_settings', 'tenant');

create table verifactu_records (
  company_id uuid not null references companies,
  id uuid not null,
  -- 1, 2, 3 … without gap: the order of the chain.
  position bigint not null,
  kind text not null check (kind in ('alta', 'anulacion')),
  mode text not null check (mode in ('verifactu', 'no_verifactu')),
  -- The document that it records.
  invoice_id uuid not null,
  -- The record of the same invoice that it mends or annuls.
  follows_id uuid,
  tax_id text not null,
  number text not null,
  issued_on date not null,
  invoice_type text,
  is_subsanacion boolean not null,
  prior_rejection text,
  has_no_prior_record boolean not null,
  tax_total numeric(16, 2),
  total numeric(16, 2),
  huella text not null,
  previous_huella text,
  stamped_at text not null,
  recorded_at timestamptz not null,
  -- Address and mode of the invoice's QR: those of its first record, whatever the mode has become.
  qr_url text,
  qr_mode text not null check (qr_mode in ('verifactu', 'no_verifactu')),
  -- The exact text, as it is sent, signed and exported.
  xml text not null,
  primary key (company_id, id)
);
select distribute('verifactu_records', 'tenant');
revoke update, delete on verifactu_records from folio_service;
create unique index verifactu_records_chain on verifactu_records (company_id, position);
create index verifactu_records_by_invoice on verifactu_records (company_id, invoice_id, position);
create index verifactu_records_by_huella on verifactu_records (company_id, huella);
create index verifactu_records_by_number on verifactu_records (company_id, number, position);
create index verifactu_records_by_day on verifactu_records (company_id, issued_on, id);
-- Those that few companies have, or few of a company's are, for lists.
create index verifactu_records_kept on verifactu_records (company_id, id) where mode = 'no_verifactu';
create index verifactu_records_anulaciones on verifactu_records (company_id, id) where kind = 'anulacion';

-- How a record stands with the authority. Records of no-verifactu mode are kept and have no row here.
create table verifactu_sendings (
  company_id uuid not null,
  record_id uuid not null,
  position bigint not null,
  status text not null check (status in ('pending', 'sending', 'accepted', 'accepted_with_errors', 'rejected')),
  is_blocked boolean not null default false,
  block_reason text,
  -- Made or kept while sending did not work: travels with the mark Incidencia.
  is_incident boolean not null default false,
  attempts integer not null default 0,
  batch_id uuid,
  csv text,
  aeat_error_code text,
  aeat_error_message text,
  sent_at timestamptz,
  answered_at timestamptz,
  created_at timestamptz not null,
  primary key (company_id, record_id),
  foreign key (company_id, record_id) references verifactu_records (company_id, id)
);
select distribute('verifactu_sendings', 'tenant');
-- What is still to be sent, in chain order: the sender reads nothing else, and the counts of it need no row.
create index verifactu_sendings_open on verifactu_sendings (company_id, position) include (status, is_blocked, is_incident)
  where status in ('pending', 'sending');
create index verifactu_sendings_by_batch on verifactu_sendings (company_id, batch_id) where batch_id is not null;
create index verifactu_sendings_by_status on verifactu_sendings (company_id, status, record_id);
create index verifactu_sendings_blocked on verifactu_sendings (company_id, record_id) where is_blocked;
create index verifactu_sendings_by_csv on verifactu_sendings (company_id, csv, position) where csv is not null;

-- One message: its records name it, so that after a crash the same bytes go again.
create table verifactu_batches (
  company_id uuid not null references companies,
  id uuid not null,
  status text not null check (status in ('sending', 'answered', 'refused')),
  records_count integer not null,
  first_position bigint not null,
  last_position bigint not null,
  taxpayer jsonb not null,
  is_incident boolean not null,
  ends_on date,
  attempts integer not null default 0,
  csv text,
  wait_seconds integer,
  fault_code text,
  fault_message text,
  -- The authority's answer as it came.
  answer text,
  created_at timestamptz not null,
  sent_at timestamptz,
  answered_at timestamptz,
  primary key (company_id, id)
);
select distribute('verifactu_batches', 'tenant');
create index verifactu_batches_open on verifactu_batches (company_id, id) where status = 'sending';

-- The log of no-verifactu mode, signed and chained on its own.
create table verifactu_events (
  company_id uuid not null references companies,
  id uuid not null,
  position bigint not null,
  type text not null,
  stamped_at text not null,
  occurred_at timestamptz not null,
  huella text not null,
  previous_huella text,
  xml text not null,
  primary key (company_id, id)
);
select distribute('verifactu_events', 'tenant');
revoke update, delete on verifactu_events from folio_service;
create unique index verifactu_events_chain on verifactu_events (company_id, position);

-- Events that nobody could sign when they happened: they wait here, and enter the log as soon as somebody can.
create table verifactu_pending_events (
  company_id uuid not null references companies,
  id uuid not null,
  type text not null,
  details jsonb not null,
  note text,
  occurred_at timestamptz not null,
  -- Retries that a user asked for; those of the service are not counted and have no end.
  attempts integer not null default 0,
  last_error text not null,
  primary key (company_id, id)
);
select distribute('verifactu_pending_events', 'tenant');

-- The company's certificates. The key of the current one is sealed with FOLIO_SECRET_KEY; that of a replaced or
-- removed one is gone. warned_days: the nearest of the warnings before its end that was given.
create table verifactu_certificates (
  company_id uuid not null references companies,
  id uuid not null,
  sealed bytea,
  subject text not null,
  holder_name text not null,
  tax_id text not null,
  kind text not null check (kind in ('person', 'representative', 'seal')),
  issuer text not null,
  serial text not null,
  fingerprint text not null,
  valid_from timestamptz not null,
  valid_until timestamptz not null,
  is_current boolean not null,
  warned_days integer,
  warned_at timestamptz,
  created_at timestamptz not null,
  replaced_at timestamptz,
  primary key (company_id, id),
  check (is_current = (sealed is not null))
);
select distribute('verifactu_certificates', 'tenant');
create unique index verifactu_certificates_current on verifactu_certificates (company_id) where is_current;

-- The company lets the service send, and sign, for it (social collaboration). The current one is the last that was
-- registered, also when it has expired or was revoked.
create table verifactu_representations (
  company_id uuid not null references companies,
  id uuid not null,
  -- Who granted it in the company's name, and the company's own mark of the document.
  representative_name text,
  representative_tax_id text,
  reference text,
  valid_from date not null,
  valid_until date not null,
  is_current boolean not null,
  warned_days integer,
  warned_at timestamptz,
  created_at timestamptz not null,
  replaced_at timestamptz,
  revoked_at timestamptz,
  revoke_reason text,
  primary key (company_id, id)
);
select distribute('verifactu_representations', 'tenant');
create unique index verifactu_representations_current on verifactu_representations (company_id) where is_current;

-- What the simulated authority holds of a sandbox company: written by the simulator, read by nobody else.
create table verifactu_simulated (
  company_id uuid not null references companies,
  record_key text collate "C" not null,
  period text not null,
  held jsonb not null,
  primary key (company_id, record_key)
);
select distribute('verifactu_simulated', 'tenant');
create index verifactu_simulated_by_period on verifactu_simulated (company_id, period, record_key);
