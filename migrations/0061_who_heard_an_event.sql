-- Which endpoints an event of the outbox is for must not depend on the clocks of two processes. Each turn of an endpoint raises
-- companies.settings_version, and an event keeps the version that its transaction read. So both are ordered by the company's row.

-- Endpoints come before due work, as in the transactions of the service.
-- The versions at which it was enabled, disabled, enabled …: the last ones. Without any, or where the version before has turned it, the
-- clocks are compared.
alter table webhook_endpoints add column turns integer[] not null default '{}';
-- Of an event. Null in rows of the version before: then the clocks are compared.
alter table due_work add column settings_version integer;
