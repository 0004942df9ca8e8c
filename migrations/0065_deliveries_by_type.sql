-- Deliveries of one type to an endpoint are found at any size (ADR 16). A delivery writes a seventh more for it.
create index webhook_deliveries_by_type on webhook_deliveries (company_id, endpoint_id, event_type, id);
