/** Parts of products, each kind in a table of its own. They are read with their product and written as far as they changed. */
import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '../../kernel/operation.ts';
import { type Columns, insertRows } from '../../platform/rows.ts';
import type { Configuration } from './configuration.ts';

const order = { product_id: 'uuid', position: 'integer' };
const plain = { id: 'uuid', ...order, name: 'text' };

type Table = { columns: Columns; rows(kept: Configuration, product_id: string): (object & { id: string })[] };

/** Owners before what they own. */
const tables: Readonly<Record<string, Table>> = {
  product_attributes: {
    columns: { ...plain, values: 'jsonb' },
    rows: ({ attributes }, product_id) => placed(attributes, { product_id }),
  },
  product_variants: {
    columns: {
      ...plain,
      code: 'text',
      barcode: 'text',
      values: 'jsonb',
      unit_price: 'numeric',
      taxes_id: 'uuid',
      is_active: 'boolean',
    },
    rows: ({ variants }, product_id) => placed(variants, { product_id }),
  },
  product_presentations: {
    columns: {
      ...plain,
      unit: 'text',
      factor: 'numeric',
      unit_price: 'numeric',
      code: 'text',
      barcode: 'text',
      variant_ids: 'uuid[]',
      is_default: 'boolean',
      is_active: 'boolean',
    },
    rows: ({ presentations }, product_id) => placed(presentations, { product_id }),
  },
  product_option_groups: {
    columns: { ...plain, is_required: 'boolean', variant_ids: 'uuid[]' },
    rows: ({ option_groups }, product_id) =>
      placed(
        option_groups.map(({ values: _, ...group }) => group),
        { product_id },
      ),
  },
  product_option_values: {
    columns: { ...plain, group_id: 'uuid', price_delta: 'numeric', is_active: 'boolean' },
    rows: ({ option_groups }, product_id) =>
      option_groups.flatMap(({ id, values }) => placed(values, { product_id, group_id: id })),
  },
};

function placed<T extends { id: string }>(list: readonly T[], owner: object) {
  return list.map((one, position) => ({ ...one, ...owner, position }));
}

const componentColumns: Columns = {
  product_id: 'uuid',
  position: 'integer',
  component_id: 'uuid',
  variant_id: 'uuid',
  presentation_id: 'uuid',
  quantity: 'numeric',
};

function components({ pack }: Configuration, product_id: string) {
  return (pack?.components ?? []).map(({ product_id: component_id, ...one }, position) => ({
    ...one,
    product_id,
    component_id,
    position,
  }));
}

function replacing(columns: Columns): string {
  const names = Object.keys(columns).filter((name) => name !== 'id');
  return `on conflict (company_id, id) do update set ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`;
}

/**
 * The caller has locked the product. Sent in one go.
 * @param before what is stored
 */
export async function writeConfiguration(
  tx: Tx,
  company_id: string,
  product_id: string,
  before: Configuration,
  after: Configuration,
): Promise<void> {
  const writes: Promise<unknown>[] = [];
  const packed = components(after, product_id);
  const has_new_pack = !isDeepStrictEqual(components(before, product_id), packed);
  if (has_new_pack && before.pack !== null)
    writes.push(
      tx`delete from product_pack_components
          where company_id = ${company_id} and product_id = ${product_id}`.execute(),
    );
  for (const [table, { columns, rows }] of Object.entries(tables)) {
    const known = new Map(rows(before, product_id).map((row) => [row.id, row]));
    const next = rows(after, product_id);
    const changed = next.filter((row) => !isDeepStrictEqual(known.get(row.id), row));
    for (const { id } of next) known.delete(id);
    const gone = [...known.keys()];
    if (gone.length > 0)
      writes.push(
        tx`delete from ${tx(table)} where company_id = ${company_id} and id = any(${gone}::uuid[])`.execute(),
      );
    writes.push(insertRows(tx, company_id, table, columns, changed, replacing(columns)));
  }
  if (has_new_pack)
    writes.push(insertRows(tx, company_id, 'product_pack_components', componentColumns, packed));
  await Promise.all(writes);
}

/** Of these parts, those that a pack names. */
export async function partsInPacks(tx: Tx, company_id: string, ids: readonly string[]): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select variant_id as id from product_pack_components
     where company_id = ${company_id} and variant_id = any(${[...ids]}::uuid[])
    union
    select presentation_id from product_pack_components
     where company_id = ${company_id} and presentation_id = any(${[...ids]}::uuid[])`;
  return rows.map(({ id }) => id);
}

/** Whether a pack holds the product. */
export async function isInPack(tx: Tx, company_id: string, product_id: string): Promise<boolean> {
  const [row] = await tx<{ found: boolean }[]>`
    select exists (select from product_pack_components
                    where company_id = ${company_id} and component_id = ${product_id}) as found`;
  return row?.found === true;
}

const list = (table: string, fields: string, alias: string, of = 'product_id = t.id') =>
  `coalesce((select json_agg(json_build_object(${fields}) order by ${alias}.position)
     from ${table} ${alias} where ${alias}.company_id = t.company_id and ${alias}.${of}), '[]'::json)`;
const member = (alias: string, ...names: string[]) =>
  names.map((name) => `'${name}', ${alias}.${name}`).join(', ');
const number = (alias: string, name: string) => `'${name}', trim_scale(${alias}.${name})::text`;

export const variantFields = (v: string) =>
  `${member(v, 'id', 'name', 'code', 'barcode', 'values', 'taxes_id', 'is_active')}, ${number(v, 'unit_price')}`;
export const presentationFields = (p: string) =>
  `${member(p, 'id', 'name', 'unit', 'code', 'barcode', 'is_default', 'is_active')}, ${number(p, 'factor')}, ${number(p, 'unit_price')}`;
export const valueFields = (o: string) =>
  `${member(o, 'id', 'name', 'is_active')}, ${number(o, 'price_delta')}`;

/** SQL: all parts of product t as one JSON object, null for a plain one. */
export const configurationText = `case when t.is_configured then json_build_object(
  'attributes', ${list('product_attributes', member('a', 'id', 'name', 'values'), 'a')},
  'variants', ${list('product_variants', variantFields('v'), 'v')},
  'presentations', ${list('product_presentations', `${presentationFields('p')}, 'variant_ids', p.variant_ids`, 'p')},
  'option_groups', ${list(
    'product_option_groups',
    `${member('g', 'id', 'name', 'is_required', 'variant_ids')}, 'values', ${list('product_option_values', valueFields('o'), 'o', 'group_id = g.id')}`,
    'g',
  )},
  'pack', case when t.pack_pricing is not null then json_build_object('pricing', t.pack_pricing, 'expand', t.pack_expand,
    'discount_percent', trim_scale(t.pack_discount_percent)::text, 'components', ${list(
      'product_pack_components',
      `'product_id', c.component_id, ${member('c', 'variant_id', 'presentation_id')}, ${number('c', 'quantity')}`,
      'c',
    )}) end) end as configuration`;

/** Of the variants and presentations with these ids: whose they are. */
export async function findOwnersOfParts(
  tx: Tx,
  company_id: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, { product_id: string; part: 'variant' | 'presentation' }>> {
  if (ids.length === 0) return new Map();
  const rows = await tx<{ id: string; product_id: string; part: 'variant' | 'presentation' }[]>`
    select t.id, t.product_id, 'variant' as part from product_variants t
     where t.company_id = ${company_id} and t.id = any(${[...ids]}::uuid[])
    union all
    select t.id, t.product_id, 'presentation' as part from product_presentations t
     where t.company_id = ${company_id} and t.id = any(${[...ids]}::uuid[])`;
  return new Map(rows.map((row) => [row.id, row]));
}
