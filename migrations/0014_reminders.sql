-- Payment reminders by schedule. The due day of an invoice and a stage of so many days after it make one day. The days
-- up to `reminders_through` are done with: the daily task queues what the days since then bring and moves the mark in
-- the same transaction, so each is given once, whatever runs twice. Switching the schedule on sets the mark to that
-- day, and null, where it was on already, counts as today: nothing older is reminded of.
alter table companies add column reminders_through date;

-- What may be reminded of, by its due day: what is paid or withdrawn is not in it.
create index invoices_unpaid on invoices (company_id, due_on, id)
  where status in ('issued', 'sent', 'overdue') and due_on is not null;
