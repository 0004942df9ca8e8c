-- The filter `action` of the audit log: a rare action in a long log was found by reading all of it.
create index audit_log_by_action on audit_log (company_id, action, id);
