-- Filters of products and of the request log find their rows in an index at any size (ADR 16). What is looked for is kept
-- as plain text, since under forced row-level security an index serves leakproof comparisons only.

-- The parts of the text are told apart, so that no search finds the end of one with the beginning of the next.
alter table products
  add column search text not null generated always as
    (lower(name || E'\n' || coalesce(code, '') || E'\n' || coalesce(description, ''))) stored;
create index products_by_text on products using gin (company_id, search gin_trgm_ops);
create index products_by_code on products (company_id, code, id) where code is not null;

-- Most calls succeed and have no error, so these are small. A request id names one call.
create index request_logs_by_request on request_logs (company_id, request_id);
create index request_logs_by_error on request_logs (company_id, error_code, id) where error_code is not null;
create index request_logs_by_refusal on request_logs (company_id, status, id) where status >= 400;
