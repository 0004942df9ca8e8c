-- What a company sells for, apart from its products: price lists and their items.
create table price_lists (
  company_id uuid not null references companies,
  id uuid not null,
  name text not null,
  name_key text not null generated always as (lower(name)) stored,
  code text,
  currency text not null,
  prices_include_tax boolean not null,
  valid_from date,
  valid_to date,
  is_active boolean not null,
  notes text,
  external_id text,
  metadata jsonb not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (company_id, id)
);
select distribute('price_lists', 'tenant');
create unique index price_lists_code on price_lists (company_id, code) where code is not null and is_active;
create index price_lists_by_name on price_lists (company_id, name_key, id);

-- Goes with its list and with its product. One price for each combination, quantity and first day.
create table price_list_items (
  company_id uuid not null references companies,
  id uuid not null,
  price_list_id uuid not null,
  product_id uuid not null,
  variant_id uuid,
  presentation_id uuid,
  min_quantity numeric(18, 6) not null check (min_quantity > 0),
  unit_price numeric(20, 8),
  discount_percent numeric(7, 4),
  valid_from date,
  valid_to date,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (company_id, id),
  foreign key (company_id, price_list_id) references price_lists (company_id, id) on delete cascade,
  foreign key (company_id, product_id) references products (company_id, id) on delete cascade,
  check ((unit_price is null) <> (discount_percent is null))
);
select distribute('price_list_items', 'tenant');
-- Finds the steps of a combination, in their order.
create unique index price_list_items_step on price_list_items
  (company_id, price_list_id, product_id, variant_id, presentation_id, min_quantity, valid_from nulls first)
  nulls not distinct;
create index price_list_items_by_list on price_list_items (company_id, price_list_id, id);
create index price_list_items_by_creation on price_list_items (company_id, price_list_id, created_at, id);
create index price_list_items_by_update on price_list_items (company_id, price_list_id, updated_at, id);
create index price_list_items_by_product on price_list_items (company_id, product_id, price_list_id, id);
create index price_list_items_by_variant on price_list_items (company_id, variant_id, price_list_id, id)
  where variant_id is not null;

-- In a row that every call reads, so that who has no default list pays nothing for it. No foreign key: tables refer to companies.
alter table companies add column default_price_list_id uuid;

alter table contacts add column price_list_id uuid;
alter table contacts add foreign key (company_id, price_list_id) references price_lists (company_id, id);
create index contacts_by_price_list on contacts (company_id, price_list_id) where price_list_id is not null;
