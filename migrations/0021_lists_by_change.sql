-- Lists take `updated[gte|lte|gt|lt]`: a program that keeps a copy asks what changed since its last look. The indexes
-- serve the lists that grow without bound; the others are short or sorted by what they have. A key's rotation had no time
-- of its own.
create index invoices_by_update on invoices (company_id, updated_at, id);
create index contacts_by_update on contacts (company_id, role, updated_at, id);
create index products_by_update on products (company_id, updated_at, id);
create index emails_by_update on emails (company_id, updated_at, id);
alter table api_keys add column rotated_at timestamptz;

-- A stored answer has the shape of the version that made it, and is given again with that version's name. Rows of before,
-- and of processes of before, have none.
alter table idempotency_keys add column api_version text;
