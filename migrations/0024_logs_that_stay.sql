-- Events and audit entries are written once. The service may add and read them, not change or delete them (ADR 36).
-- It never did; this keeps it so for a version with a fault, and for whoever gets hold of the service's login.
revoke update, delete on audit_log from folio_service;
revoke update on events from folio_service;

-- A sandbox that is emptied loses its events; nobody's real ones ever go.
create policy sandbox_only on events as restrictive for delete using (not livemode);
