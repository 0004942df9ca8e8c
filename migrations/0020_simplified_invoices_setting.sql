-- A company may say that it issues no simplified invoices; then none is made by mistake.
alter table companies add column simplified_invoices_enabled boolean not null default true;
