/** A product's parts as they are kept. Prices, factors and quantities are their shortest exact texts. */
import type { ChoiceGroup, ChoicePresentation, ChoiceVariant } from '../../domain/pricing/selection.ts';
import { printedToJson } from '../../domain/money/printed.ts';
import type { packExpansions, packPricings } from './configuration.schema.ts';

type Named = { id: string; name: string };
export type Attribute = Named & { values: Named[] };
export type Variant = ChoiceVariant & { code: string | null; barcode: string | null };
export type Presentation = ChoicePresentation & { code: string | null; barcode: string | null };
export type OptionGroup = ChoiceGroup;
export type Component = {
  product_id: string;
  variant_id: string | null;
  presentation_id: string | null;
  quantity: string;
};
export type Pack = {
  pricing: (typeof packPricings)[number];
  discount_percent: string | null;
  expand: (typeof packExpansions)[number];
  components: Component[];
};

export type Configuration = {
  attributes: readonly Attribute[];
  variants: readonly Variant[];
  presentations: readonly Presentation[];
  option_groups: readonly OptionGroup[];
  pack: Pack | null;
};

export const noConfiguration: Configuration = {
  attributes: [],
  variants: [],
  presentations: [],
  option_groups: [],
  pack: null,
};

/** Columns of the product's row that follow from its parts. */
export function configurationColumns({
  attributes,
  variants,
  presentations,
  option_groups,
  pack,
}: Configuration) {
  const [has_variants, has_presentations, has_options] = [variants, presentations, option_groups].map(
    (list) => list.length > 0,
  );
  return {
    is_configured:
      [attributes, variants, presentations, option_groups].some(({ length }) => length > 0) || pack !== null,
    has_variants: has_variants === true,
    has_presentations: has_presentations === true,
    has_options: has_options === true,
    pack_pricing: pack?.pricing ?? null,
    pack_discount_percent: pack?.discount_percent ?? null,
    pack_expand: pack?.expand ?? null,
    pack_size: pack?.components.length ?? 0,
  };
}

export function flagsOf({
  has_variants,
  has_presentations,
  has_options,
  pack_pricing,
}: ReturnType<typeof configurationColumns>) {
  return { has_variants, has_presentations, has_options, is_pack: pack_pricing !== null };
}

const priceOrNull = (text: string | null) => (text === null ? null : printedToJson(text));

export function presentVariant({
  id,
  name,
  code,
  barcode,
  values,
  unit_price,
  taxes_id,
  is_active,
}: Variant) {
  return { id, name, code, barcode, values, unit_price: priceOrNull(unit_price), taxes_id, is_active };
}

export function presentPresentation(one: Presentation) {
  const { id, name, unit, factor, unit_price, code, barcode, variant_ids, is_default, is_active } = one;
  return {
    id,
    name,
    unit,
    factor: printedToJson(factor),
    unit_price: priceOrNull(unit_price),
    code,
    barcode,
    variant_ids,
    is_default,
    is_active,
  };
}

export function presentGroup({ id, name, is_required, variant_ids, values }: OptionGroup) {
  return {
    id,
    name,
    is_required,
    variant_ids,
    values: values.map((value) => ({ ...value, price_delta: printedToJson(value.price_delta) })),
  };
}

export function presentConfiguration(kept: Configuration) {
  return {
    attributes: kept.attributes,
    variants: kept.variants.map(presentVariant),
    presentations: kept.presentations.map(presentPresentation),
    option_groups: kept.option_groups.map(presentGroup),
    pack: kept.pack && {
      ...kept.pack,
      discount_percent: priceOrNull(kept.pack.discount_percent),
      components: kept.pack.components.map((one) => ({ ...one, quantity: printedToJson(one.quantity) })),
    },
  };
}
