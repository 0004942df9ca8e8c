-- A contact has one or two roles, each with a state of its own (ADR 50). The version before goes on reading and writing `role` and
-- `is_active`: they are the client's where the contact is one, else the supplier's. What they cannot say, that a client is a supplier
-- too, is in `also_supplier`. Both states follow from the three, for rows of either version.
alter table contacts
  add column also_supplier text check (also_supplier in ('active', 'archived'));
alter table contacts
  add column client_state text generated always as
    (case when role = 'client' then case when is_active then 'active' else 'archived' end end) stored,
  add column supplier_state text generated always as
    (case when role = 'supplier' then case when is_active then 'active' else 'archived' end else also_supplier end) stored;

-- Each role has the indexes that `role` has, of its own contacts alone. Those of `role` stay for the version before.
create index contacts_clients on contacts (company_id, id) where client_state is not null;
create index contacts_clients_by_state on contacts (company_id, client_state, id) where client_state is not null;
create index contacts_clients_by_name on contacts (company_id, name_key, id) where client_state is not null;
create index contacts_clients_by_external_id on contacts (company_id, external_id)
  where external_id is not null and client_state is not null;
create index contacts_clients_by_tax_id on contacts (company_id, tax_id) where client_state is not null;
create index contacts_clients_by_email on contacts (company_id, email_key, id)
  where email_key is not null and client_state is not null;
create index contacts_clients_by_update on contacts (company_id, updated_at, id) where client_state is not null;
create index contacts_clients_by_text on contacts using gin (company_id, search gin_trgm_ops) where client_state is not null;
create unique index contacts_client_external_id on contacts (company_id, external_id)
  where external_id is not null and client_state = 'active';

create index contacts_suppliers on contacts (company_id, id) where supplier_state is not null;
create index contacts_suppliers_by_state on contacts (company_id, supplier_state, id) where supplier_state is not null;
create index contacts_suppliers_by_name on contacts (company_id, name_key, id) where supplier_state is not null;
create index contacts_suppliers_by_external_id on contacts (company_id, external_id)
  where external_id is not null and supplier_state is not null;
create index contacts_suppliers_by_tax_id on contacts (company_id, tax_id) where supplier_state is not null;
create index contacts_suppliers_by_email on contacts (company_id, email_key, id)
  where email_key is not null and supplier_state is not null;
create index contacts_suppliers_by_update on contacts (company_id, updated_at, id) where supplier_state is not null;
create index contacts_suppliers_by_text on contacts using gin (company_id, search gin_trgm_ops) where supplier_state is not null;
create unique index contacts_supplier_external_id on contacts (company_id, external_id)
  where external_id is not null and supplier_state = 'active';
