-- Archived products are found at any size (ADR 16): most companies have few among many. Only archiving writes an entry.
create index products_archived on products (company_id, id) where not is_active;
