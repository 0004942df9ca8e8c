-- The request log is asked for the calls of one operation, and for those of one key or grant (ADR 16). No value is left out here, as
-- no operation and no caller is that of most calls.
create index request_logs_by_operation on request_logs (company_id, operation, id);
create index request_logs_by_principal on request_logs (company_id, principal_id, id);
