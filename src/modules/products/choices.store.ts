/**
 * Reads, for each product that lines name, only the parts that decide what is sold, however many it has: the variant
 * asked for or those that tell whether one fits, one or two presentations, the options asked for and the groups that
 * must be answered. One statement serves all lines.
 */
import type {
  ChoiceGroup,
  ChoicePresentation,
  Choices,
  ChoiceValue,
  ChoiceVariant,
} from '../../domain/pricing/selection.ts';
import type { LineProduct } from '../../domain/sales/line-facts.ts';
import type { Tx } from '../../kernel/operation.ts';
import type { Pack } from './configuration.ts';
import { presentationFields, valueFields, variantFields } from './configuration.store.ts';

export type AskedChoice = {
  product_id: string;
  variant_id: string | null;
  presentation_id: string | null;
  value_ids: readonly string[];
};

type ChoiceRow = LineProduct & {
  at: number;
  position: number | null;
  quantity: string | null;
  variant_id: string | null;
  presentation_id: string | null;
  has_variants: boolean;
  has_active_variants: boolean;
  variants: ChoiceVariant[];
  presentations: ChoicePresentation[] | null;
  option_groups: Omit<ChoiceGroup, 'values'>[] | null;
  /** Those asked for, of all groups. They are read once for the line, and put into their groups here. */
  option_values: (ChoiceValue & { group_id: string })[] | null;
  pack_pricing: Pack['pricing'] | null;
  pack_discount_percent: string | null;
  pack_expand: Pack['expand'] | null;
};

export type FoundPack = Omit<Pack, 'components'> & { components: FoundComponent[] };
export type FoundComponent = {
  product: LineProduct;
  variant_id: string | null;
  presentation_id: string | null;
  quantity: string;
  choices: Choices;
};
export type FoundChoice = { product: LineProduct; choices: Choices; pack: FoundPack | null };

/** Which of the variants in question a part fits. Other variants decide nothing. */
const fits = (part: string) =>
  `case when ${part}.variant_ids is null then null
        else array(select i from unnest(v.ids) as i where i = any(${part}.variant_ids)) end`;

/** Groups of the options asked for that not all variants have. */
const restricted = `
  from product_option_groups g
 where g.company_id = $1 and g.product_id = a.product_id and g.variant_ids is not null and g.id = any(picked.group_ids)`;

/** Of a product whose variant is not chosen. */
const isOpen = `s.company_id = $1 and s.product_id = a.product_id and s.is_active
                and (ap.variant_ids is null or s.id = any(ap.variant_ids))`;

/**
 * Two variants that fit, to show that there are several; and one with all the options asked for, at any place: without
 * it the options would seem to be at fault. What the groups allow is an array, which is made once for a line: a join made
 * it anew for each of 500 variants.
 */
const openVariants = `
  (select s.id from product_variants s where ${isOpen} order by s.position limit 2)
  union
  (select s.id from product_variants s
    where ${isOpen} and exists (select ${restricted})
      and s.id = any(array(select i.id
                             from (select unnest(g.variant_ids) as id ${restricted}) i
                            group by i.id
                           having count(*) = (select count(*) ${restricted})))
    order by s.position limit 1)`;

const text = `
with asked as (
  select a.at, null::integer as position, null::numeric as quantity, a.product_id, a.variant_id, a.presentation_id, a.value_ids
    from json_to_recordset($2::text::json)
           as a (at integer, product_id uuid, variant_id uuid, presentation_id uuid, value_ids uuid[])
  union all
  select a.at, c.position, c.quantity, c.component_id, c.variant_id, c.presentation_id, '{}'
    from json_to_recordset($2::text::json) as a (at integer, product_id uuid)
    join product_pack_components c on c.company_id = $1 and c.product_id = a.product_id)
select a.at, a.position, trim_scale(a.quantity)::text as quantity, a.variant_id, a.presentation_id,
       t.id, t.name, t.kind, t.unit, trim_scale(t.unit_price)::text as unit_price, t.taxes_id, t.is_active, t.is_configured,
       t.pack_size, t.has_variants, t.pack_pricing, trim_scale(t.pack_discount_percent)::text as pack_discount_percent,
       t.pack_expand, v.list as variants, p.list as presentations, g.list as option_groups,
       picked.list as option_values,
       case when not t.has_variants then false when cardinality(v.ids) > 0 then true
            else exists (select from product_variants o where o.company_id = $1 and o.product_id = t.id and o.is_active) end
         as has_active_variants
  from asked a
  join products t on t.company_id = $1 and t.id = a.product_id
  left join product_presentations ap
    on ap.company_id = $1 and ap.id = a.presentation_id and ap.product_id = a.product_id
  left join lateral (
    select json_agg(json_build_object('group_id', o.group_id, ${valueFields('o')})) as list, array_agg(o.group_id) as group_ids
      from product_option_values o
     where o.company_id = $1 and o.id = any(a.value_ids)) picked on t.has_options
  cross join lateral (
    select coalesce(json_agg(json_build_object(${variantFields('o')}) order by o.position), '[]') as list,
           coalesce(array_agg(o.id), '{}') as ids
      from ((select w.* from product_variants w
              where w.company_id = $1 and w.id = a.variant_id and w.product_id = a.product_id)
            union all
            (select w.* from (${openVariants}) s join product_variants w on w.company_id = $1 and w.id = s.id
              where a.variant_id is null and t.has_variants)) o) v
  left join lateral (
    select json_agg(json_build_object(${presentationFields('o')}, 'variant_ids', ${fits('o')})) as list
      from ((select ap.*  where ap.id is not null)
            union all
            (select w.* from product_presentations w
              where a.presentation_id is null and w.company_id = $1 and w.product_id = a.product_id and w.is_active
                and (w.variant_ids is null or (cardinality(v.ids) = 1 and v.ids[1] = any(w.variant_ids)))
              order by w.is_default desc, w.position limit 2)) o) p on t.has_presentations
  left join lateral (
    select json_agg(json_build_object('id', w.id, 'name', w.name, 'is_required', w.is_required, 'variant_ids', ${fits('w')})
                    order by w.position) as list
      from product_option_groups w
     where w.company_id = $1 and w.product_id = a.product_id and (w.is_required or w.id = any(picked.group_ids))) g
    on t.has_options
 order by a.at, a.position`;

function choicesOf(row: ChoiceRow): Choices {
  const { id, unit_price, is_active, has_variants, has_active_variants, variants } = row;
  const values = Map.groupBy(row.option_values ?? [], ({ group_id }) => group_id);
  return {
    product: { id, unit_price, is_active },
    has_variants,
    has_active_variants,
    variants,
    presentations: row.presentations ?? [],
    option_groups: (row.option_groups ?? []).map((group) => ({
      ...group,
      values: values.get(group.id) ?? [],
    })),
  };
}

function productOf(row: ChoiceRow): LineProduct {
  const { id, name, kind, unit, unit_price, taxes_id, is_active, is_configured = false, pack_size = 0 } = row;
  return { id, name, kind, unit, unit_price, taxes_id, is_active, is_configured, pack_size };
}

/** @returns in the order asked; undefined for a product that is none of the company's */
export async function findChoices(
  tx: Tx,
  company_id: string,
  asked: readonly AskedChoice[],
): Promise<(FoundChoice | undefined)[]> {
  if (asked.length === 0) return [];
  const rows = await tx.unsafe<ChoiceRow[]>(
    text,
    [company_id, JSON.stringify(asked.map((one, at) => ({ ...one, at })))],
    { prepare: true },
  );
  const found: (FoundChoice | undefined)[] = asked.map(() => undefined);
  const components = asked.map((): FoundComponent[] => []);
  for (const row of rows) {
    const { at, position, quantity, variant_id, presentation_id } = row;
    const [product, choices] = [productOf(row), choicesOf(row)];
    if (position === null) found[at] = { product, choices, pack: packOf(row, components[at] ?? []) };
    else components[at]?.push({ product, variant_id, presentation_id, quantity: quantity ?? '1', choices });
  }
  return found;
}

/** @param components filled by the rows that follow */
function packOf(row: ChoiceRow, components: FoundComponent[]): FoundPack | null {
  const { pack_pricing, pack_discount_percent, pack_expand } = row;
  if (pack_pricing === null || pack_expand === null) return null;
  return { pricing: pack_pricing, discount_percent: pack_discount_percent, expand: pack_expand, components };
}
