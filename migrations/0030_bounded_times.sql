-- More filters find their rows at any size (ADR 16): old clients and products by their day of creation, and what is rare in the
-- request log. Most of its calls are GETs that were answered 200, so its indexes leave these out.
create index contacts_by_creation on contacts (company_id, created_at, id);
create index products_by_creation on products (company_id, created_at, id);
create index request_logs_by_method on request_logs (company_id, method, id) where method <> 'GET';
create index request_logs_by_status on request_logs (company_id, status, id) where status <> 200;
drop index request_logs_by_refusal;
