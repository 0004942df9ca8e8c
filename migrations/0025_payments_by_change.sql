-- Payments can be listed by their last change, as other lists (migration 0021).
create index payments_by_update on payments (company_id, updated_at, id);
