-- The price of a variant or a presentation goes with it, however it is taken from its product. Rows of before are not looked at: one
-- that names a part that is gone stays, priced for nobody, until it is deleted.
alter table price_list_items
  add foreign key (company_id, variant_id) references product_variants (company_id, id) on delete cascade not valid,
  add foreign key (company_id, presentation_id) references product_presentations (company_id, id) on delete cascade not valid;
create index price_list_items_by_presentation on price_list_items (company_id, presentation_id)
  where presentation_id is not null;
