-- Due jobs of one company in their order, without its later ones. Events have an order key, so issuing writes no entry here.
create index due_work_of_company on due_work (company_id, due_at, id) where order_key is null;
