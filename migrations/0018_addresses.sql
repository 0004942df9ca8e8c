-- Addresses on documents (RD 1619/2012, art. 6.1.e): whether a company refuses to issue without them, and who needs none.
-- The data of the company's entry in the Registro Mercantil, for the foot of its documents (Código de Comercio, art. 24).
-- A simplified invoice may print the name of a recipient who is not in its record.
alter table companies add column require_addresses boolean not null default false;
alter table companies add column registry_data text;
alter table contacts add column is_private_person boolean not null default false;
alter table invoices add column print_recipient boolean not null default false;
