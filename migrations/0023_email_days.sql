-- Recipients of a company's e-mails by day, in its time zone: its plan says how many a day may have. Counted in the
-- transaction in which a message is first sent, so that all processes hold one limit.
create table email_days (
  company_id uuid not null references companies,
  day date not null,
  recipients integer not null,
  primary key (company_id, day)
);
select distribute('email_days', 'tenant');
