-- `q` finds a contact by its VAT number, another identification, and a tax id that was written with blanks or hyphens. No row is written.
-- Writes of contacts wait while the two indexes are built: each holds only the contacts that have such a number. The other identifications
-- lie in JSON, which no index serves under row-level security (0005_invoice_filters.sql), so the second one tells which rows to look at.
create index contacts_by_vat_id on contacts using gin (company_id, vat_id gin_trgm_ops) where vat_id is not null;
create index contacts_of_other_id on contacts (company_id, id) where alternative_id is not null or tax_id ~ '[ .-]';
