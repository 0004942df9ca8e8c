-- Lists by name stand in the order of a Spanish dictionary: Álvarez beside Alvarado, ñ after n. Most databases compare by bytes, or in
-- the order of another language. No row is written, and the version before goes on with its own indexes, which a later migration drops.
do $$
begin
  create collation spanish_names (provider = icu, locale = 'es');
exception
  -- A server that was built without ICU, or a database of encoding SQL_ASCII: names stand in the order of their bytes there.
  when feature_not_supported then create collation spanish_names (provider = libc, locale = 'C');
end
$$;
create index contacts_clients_in_order on contacts (company_id, name_key collate spanish_names, id) where client_state is not null;
create index contacts_suppliers_in_order on contacts (company_id, name_key collate spanish_names, id) where supplier_state is not null;
create index products_in_order on products (company_id, name_key collate spanish_names, id);
create index price_lists_in_order on price_lists (company_id, name_key collate spanish_names, id);
