-- The outbox: every e-mail that was decided to be sent, as it was written, in the transaction that decided it. What is
-- queued has a job `email.send`; what is never sent (a sandbox, no mail server configured) has none and stays readable.
-- A row is one message: it goes out under one Message-ID, however often that takes.

create table emails (
  company_id uuid not null references companies,
  id uuid not null,
  -- invoice, payment_reminder, …: src/modules/emails/emails.rows.ts has the list. More kinds of document bring more.
  purpose text not null,
  -- The document it is about; of any kind, hence no foreign key. Null for one about no document.
  document_kind text,
  document_id uuid,
  status text not null check (status in ('queued', 'sent', 'failed', 'not_sent')),
  -- Why it has failed or was not sent.
  reason text check (reason in ('sandbox', 'not_configured', 'withdrawn', 'refused', 'gave_up', 'bounced')),
  from_name text not null,
  reply_to text,
  "to" text[] not null,
  cc text[] not null,
  subject text not null,
  text text not null,
  html text not null,
  -- What is attached, by reference: the bytes are made when it is sent.
  attachments jsonb not null,
  -- The one it goes out under, with its angle brackets; null for one that is never sent.
  message_id text,
  attempts integer not null default 0,
  last_attempt_at timestamptz,
  -- Null once it has ended.
  next_attempt_at timestamptz,
  -- What the mail server said last, or what went wrong.
  answer text,
  -- Recipients for whom the server has not taken it yet. It may take a message for some and put others off.
  waiting text[] not null,
  -- Recipients who did not get it: [{address, answer}].
  refused jsonb not null default '[]',
  -- When the mail server took it.
  sent_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- As of invoices (migration 0005): its time is of a sandbox's own clock, not the one in its id.
  has_own_clock boolean not null generated always as
    (abs(('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint
         - (extract(epoch from created_at at time zone 'UTC') * 1000)::bigint) > 60000) stored,
  primary key (company_id, id),
  check ((document_kind is null) = (document_id is null)),
  check ((reason is null) = (status in ('queued', 'sent')))
);
select distribute('emails', 'tenant');
create index emails_by_document on emails (company_id, document_id, id) where document_id is not null;
create index emails_by_status on emails (company_id, status, id);
create index emails_by_purpose on emails (company_id, purpose, id);
create index emails_of_own_clock on emails (company_id, created_at, id) where has_own_clock;

-- What was written is not changed afterwards and not deleted; what became of it is told beside it.
revoke update, delete on emails from folio_service;
grant update (status, reason, attempts, last_attempt_at, next_attempt_at, answer, waiting, refused,
              sent_at, updated_at) on emails to folio_service;
