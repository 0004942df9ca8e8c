-- Payments of purchases carry what payments of invoices do. A process of the version before writes neither.
alter table purchase_invoice_payments
  add column external_id text,
  add column metadata jsonb not null default '{}';
create unique index purchase_invoice_payments_external_id on purchase_invoice_payments (company_id, external_id)
  where external_id is not null;
