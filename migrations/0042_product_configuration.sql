-- What a product is sold as: attributes and variants, presentations, groups of options, or a pack of other products. Lists and
-- lines ask the product's own row whether there is anything of it, so that a plain product costs them nothing more.
alter table products
  -- Any of the following, or attributes.
  add column is_configured boolean not null default false,
  add column has_variants boolean not null default false,
  add column has_presentations boolean not null default false,
  add column has_options boolean not null default false,
  add column pack_pricing text check (pack_pricing in ('sum', 'fixed')),
  add column pack_discount_percent numeric(7, 4),
  add column pack_expand text check (pack_expand in ('components', 'single')),
  -- How many components: a document knows what it would read before it reads it.
  add column pack_size integer not null default 0;

create table product_attributes (
  company_id uuid not null references companies,
  id uuid not null,
  product_id uuid not null,
  position integer not null,
  name text not null,
  -- Of each value its id and name. Nothing else refers to them.
  values jsonb not null,
  primary key (company_id, id),
  foreign key (company_id, product_id) references products (company_id, id) on delete cascade
);
create index product_attributes_by_product on product_attributes (company_id, product_id, position);

create table product_variants (
  company_id uuid not null references companies,
  id uuid not null,
  product_id uuid not null,
  position integer not null,
  name text not null,
  code text,
  barcode text,
  -- Pairs of attribute and value.
  values jsonb not null,
  -- Null: the product's.
  unit_price numeric(20, 8),
  taxes_id uuid,
  is_active boolean not null,
  primary key (company_id, id),
  foreign key (company_id, product_id) references products (company_id, id) on delete cascade,
  foreign key (company_id, taxes_id) references taxes (company_id, id)
);
create index product_variants_by_product on product_variants (company_id, product_id, position);
create index product_variants_by_taxes on product_variants (company_id, taxes_id) where taxes_id is not null;

create table product_presentations (
  company_id uuid not null references companies,
  id uuid not null,
  product_id uuid not null,
  position integer not null,
  name text not null,
  unit text,
  -- Base units in each.
  factor numeric(20, 6) not null check (factor > 0),
  -- Null: factor times the price.
  unit_price numeric(20, 8),
  code text,
  barcode text,
  -- Null: all. Empty: none that is left.
  variant_ids uuid[],
  is_default boolean not null,
  is_active boolean not null,
  primary key (company_id, id),
  foreign key (company_id, product_id) references products (company_id, id) on delete cascade
);
create index product_presentations_by_product on product_presentations (company_id, product_id, position);

create table product_option_groups (
  company_id uuid not null references companies,
  id uuid not null,
  product_id uuid not null,
  position integer not null,
  name text not null,
  is_required boolean not null,
  variant_ids uuid[],
  primary key (company_id, id),
  foreign key (company_id, product_id) references products (company_id, id) on delete cascade
);
create index product_option_groups_by_product on product_option_groups (company_id, product_id, position);

create table product_option_values (
  company_id uuid not null references companies,
  id uuid not null,
  product_id uuid not null,
  group_id uuid not null,
  position integer not null,
  name text not null,
  price_delta numeric(20, 8) not null,
  is_active boolean not null,
  primary key (company_id, id),
  foreign key (company_id, group_id) references product_option_groups (company_id, id) on delete cascade
);
create index product_option_values_by_group on product_option_values (company_id, group_id, position);

-- What a pack names stays: a component cannot be deleted, only archived.
create table product_pack_components (
  company_id uuid not null references companies,
  product_id uuid not null,
  position integer not null,
  component_id uuid not null,
  variant_id uuid,
  presentation_id uuid,
  quantity numeric(20, 6) not null check (quantity > 0),
  primary key (company_id, product_id, position),
  foreign key (company_id, product_id) references products (company_id, id) on delete cascade,
  foreign key (company_id, component_id) references products (company_id, id),
  foreign key (company_id, variant_id) references product_variants (company_id, id),
  foreign key (company_id, presentation_id) references product_presentations (company_id, id)
);
create index product_pack_components_by_component on product_pack_components (company_id, component_id);
create index product_pack_components_by_variant on product_pack_components (company_id, variant_id)
  where variant_id is not null;
create index product_pack_components_by_presentation on product_pack_components (company_id, presentation_id)
  where presentation_id is not null;

select distribute('product_attributes', 'tenant'), distribute('product_variants', 'tenant'),
       distribute('product_presentations', 'tenant'), distribute('product_option_groups', 'tenant'),
       distribute('product_option_values', 'tenant'), distribute('product_pack_components', 'tenant');
