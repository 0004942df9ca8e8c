-- Under row-level security a comparison narrows the walk of an index only if it is leakproof. Those of numeric are not: each step of a
-- combination was fetched from the table to be compared. Millionths are compared as whole numbers, and the index holds all that a price is
-- found by. Generated, so that rows of the version before have them too.
alter table price_list_items
  add column min_quantity_units bigint not null generated always as ((min_quantity * 1000000)::bigint) stored;
drop index price_list_items_step;
create unique index price_list_items_step on price_list_items
  (company_id, price_list_id, product_id, variant_id, presentation_id, min_quantity_units, valid_from nulls first)
  include (id, unit_price, discount_percent, valid_to)
  nulls not distinct;
