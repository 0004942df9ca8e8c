-- Days from the issue to the due day, where they are not the client's: those of a recurrence, whose draft is issued on another day
-- (ADR 94). Null in rows of the version before, whose drafts keep the due day that they state.
alter table invoices add column terms_days integer;
