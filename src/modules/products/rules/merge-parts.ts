/** A product's parts with those sent: a known id keeps what is not sent, one without an id is new, and what is not named goes. */
import { amountLimits, amountText, readAmount } from '../../../domain/money/amount.ts';
import type { DecimalInput } from '../../../kernel/json.ts';
import type { FieldIssue } from '../../../kernel/problem.ts';
import { invalidField, missingField } from '../../../kernel/resource-input.ts';
import { newId } from '../../../kernel/uuid7.ts';
import type { Attribute, Configuration, OptionGroup, Pack, Presentation, Variant } from '../configuration.ts';
import type { ConfigurationInput } from '../configuration.schema.ts';

type Sent<K extends keyof ConfigurationInput> = NonNullable<ConfigurationInput[K]>;
type Entry<K extends 'attributes' | 'variants' | 'presentations' | 'option_groups'> = Sent<K>[number];

const priceLimits = amountLimits.unit_price;
const quantityLimits = { decimals: 6 };

function textOf(value: DecimalInput, limits: { decimals: number }): string {
  const amount = readAmount(value, limits);
  if (!amount) throw new Error('The schema let a number through that is none.');
  return amountText(amount);
}

/** Undefined keeps, null clears. */
function numberOr(value: DecimalInput | null | undefined, limits: { decimals: number }, kept: string | null) {
  if (value === undefined) return kept;
  return value === null ? null : textOf(value, limits);
}

const said = <T>(value: T | undefined, kept: T): T => (value === undefined ? kept : value);

/** Pairs each sent part with the stored one of its id. */
function paired<T extends { id: string }, S extends { id?: string }>(
  stored: readonly T[],
  sent: readonly S[],
  path: string,
  issues: FieldIssue[],
): { entry: S; known: T | undefined; at: string; id: string }[] {
  const left = new Map(stored.map((one) => [one.id, one]));
  return sent.map((entry, index) => {
    const at = `${path}.${index}`;
    const known = entry.id === undefined ? undefined : left.get(entry.id);
    if (entry.id !== undefined && !known)
      issues.push(invalidField(`${at}.id`, 'El producto no tiene ninguna parte con este id, o se repite.'));
    if (known) left.delete(known.id);
    return { entry, known, at, id: known?.id ?? newId() };
  });
}

function needed<T>(value: T | undefined, at: string, issues: FieldIssue[], instead: T): T {
  if (value !== undefined) return value;
  issues.push(missingField(at, 'Falta este dato.'));
  return instead;
}

function mergeAttributes(
  stored: readonly Attribute[],
  sent: readonly Entry<'attributes'>[],
  issues: FieldIssue[],
) {
  return paired(stored, sent, 'attributes', issues).map(({ entry, known, at, id }): Attribute => {
    const values = entry.values
      ? paired(known?.values ?? [], entry.values, `${at}.values`, issues).map((one) => ({
          id: one.id,
          name: needed(one.entry.name ?? one.known?.name, `${one.at}.name`, issues, ''),
        }))
      : needed(known?.values, `${at}.values`, issues, []);
    return { id, name: needed(entry.name ?? known?.name, `${at}.name`, issues, ''), values };
  });
}

/** By id, or by name. The id of a value says its attribute. */
function valuesOf(
  sent: NonNullable<Entry<'variants'>['values']>,
  attributes: readonly Attribute[],
  path: string,
  issues: FieldIssue[],
): Variant['values'] {
  return sent.flatMap((one, index) => {
    const at = `${path}.values.${index}`;
    const names_attribute = one.attribute_id !== undefined || one.attribute !== undefined;
    const attribute = attributes.find(({ id, name, values }) => {
      if (!names_attribute) return values.some((value) => value.id === one.value_id);
      return one.attribute_id === undefined ? name === one.attribute : id === one.attribute_id;
    });
    if (!attribute) {
      const by_value = names_attribute || one.value_id === undefined ? null : 'value_id';
      const key = by_value ?? (one.attribute_id === undefined ? 'attribute' : 'attribute_id');
      issues.push(invalidField(`${at}.${key}`, 'El producto no tiene este atributo.'));
      return [];
    }
    const value = attribute.values.find(({ id, name }) =>
      one.value_id === undefined ? name === one.value : id === one.value_id,
    );
    if (!value) {
      const key = one.value_id === undefined ? 'value' : 'value_id';
      issues.push(invalidField(`${at}.${key}`, 'El atributo no tiene este valor.'));
      return [];
    }
    return [{ attribute_id: attribute.id, value_id: value.id }];
  });
}

function nameOf(values: Variant['values'], attributes: readonly Attribute[]): string | undefined {
  const names = values.map(
    ({ attribute_id, value_id }) =>
      attributes.find(({ id }) => id === attribute_id)?.values.find(({ id }) => id === value_id)?.name,
  );
  return names.length === 0 ? undefined : names.join(' / ').slice(0, 120);
}

function mergeVariants(
  stored: readonly Variant[],
  sent: readonly Entry<'variants'>[],
  attributes: readonly Attribute[],
  issues: FieldIssue[],
) {
  return paired(stored, sent, 'variants', issues).map(({ entry, known, at, id }): Variant => {
    const values = entry.values ? valuesOf(entry.values, attributes, at, issues) : (known?.values ?? []);
    return {
      id,
      name: needed(entry.name ?? known?.name ?? nameOf(values, attributes), `${at}.name`, issues, ''),
      code: said(entry.code, known?.code ?? null),
      barcode: said(entry.barcode, known?.barcode ?? null),
      values,
      unit_price: numberOr(entry.unit_price, priceLimits, known?.unit_price ?? null),
      taxes_id: said(entry.taxes_id, known?.taxes_id ?? null),
      is_active: said(entry.is_active, known?.is_active ?? true),
    };
  });
}

type VariantIndex = { ids: ReadonlySet<string>; by_code: ReadonlyMap<string, string> };

/** @param sent ids or codes */
function variantIds(
  sent: readonly string[] | null,
  { ids, by_code }: VariantIndex,
  path: string,
  issues: FieldIssue[],
): string[] | null {
  if (sent === null) return null;
  const found = sent.flatMap((text, index) => {
    const lower = text.toLowerCase();
    const id = ids.has(lower) ? lower : by_code.get(text);
    if (id !== undefined) return [id];
    issues.push(invalidField(`${path}.variant_ids.${index}`, 'El producto no tiene esta variante.'));
    return [];
  });
  return [...new Set(found)];
}

function mergePresentations(
  stored: readonly Presentation[],
  sent: readonly Entry<'presentations'>[],
  variants: VariantIndex,
  issues: FieldIssue[],
) {
  const names_default = sent.some(({ is_default }) => is_default === true);
  return paired(stored, sent, 'presentations', issues).map(({ entry, known, at, id }): Presentation => {
    const factor = entry.factor === undefined ? known?.factor : textOf(entry.factor, quantityLimits);
    return {
      id,
      name: needed(entry.name ?? known?.name, `${at}.name`, issues, ''),
      unit: said(entry.unit, known?.unit ?? null),
      factor: needed(factor, `${at}.factor`, issues, '1'),
      unit_price: numberOr(entry.unit_price, priceLimits, known?.unit_price ?? null),
      code: said(entry.code, known?.code ?? null),
      barcode: said(entry.barcode, known?.barcode ?? null),
      variant_ids:
        entry.variant_ids === undefined
          ? (known?.variant_ids ?? null)
          : variantIds(entry.variant_ids, variants, at, issues),
      // A new default replaces the old one, unless the call sends that as default again.
      is_default: said(entry.is_default, names_default ? false : (known?.is_default ?? false)),
      is_active: said(entry.is_active, known?.is_active ?? true),
    };
  });
}

function mergeGroups(
  stored: readonly OptionGroup[],
  sent: readonly Entry<'option_groups'>[],
  variants: VariantIndex,
  issues: FieldIssue[],
) {
  return paired(stored, sent, 'option_groups', issues).map(({ entry, known, at, id }): OptionGroup => {
    const values = entry.values
      ? paired(known?.values ?? [], entry.values, `${at}.values`, issues).map((one) => ({
          id: one.id,
          name: needed(one.entry.name ?? one.known?.name, `${one.at}.name`, issues, ''),
          price_delta: numberOr(one.entry.price_delta, priceLimits, one.known?.price_delta ?? '0') ?? '0',
          is_active: said(one.entry.is_active, one.known?.is_active ?? true),
        }))
      : needed(known?.values, `${at}.values`, issues, []);
    return {
      id,
      name: needed(entry.name ?? known?.name, `${at}.name`, issues, ''),
      is_required: said(entry.is_required, known?.is_required ?? false),
      variant_ids:
        entry.variant_ids === undefined
          ? (known?.variant_ids ?? null)
          : variantIds(entry.variant_ids, variants, at, issues),
      values,
    };
  });
}

function mergePack(stored: Pack | null, sent: Sent<'pack'>): Pack {
  const pricing = sent.pricing ?? stored?.pricing ?? 'sum';
  const discount = numberOr(
    sent.discount_percent,
    amountLimits.discount_percent,
    pricing === 'fixed' ? null : (stored?.discount_percent ?? null),
  );
  return {
    pricing,
    discount_percent: discount === '0' ? null : discount,
    expand: sent.expand ?? stored?.expand ?? 'components',
    components: sent.components.map(({ product_id, variant_id, presentation_id, quantity }) => ({
      product_id,
      variant_id: variant_id ?? null,
      presentation_id: presentation_id ?? null,
      quantity: quantity === undefined ? '1' : textOf(quantity, quantityLimits),
    })),
  };
}

/** Null clears. @param issues takes what is wrong with what was sent */
export function mergeParts(
  stored: Configuration,
  sent: ConfigurationInput,
  issues: FieldIssue[],
): Configuration {
  const attributes =
    sent.attributes === undefined
      ? stored.attributes
      : mergeAttributes(stored.attributes, sent.attributes ?? [], issues);
  const variants =
    sent.variants === undefined
      ? stored.variants
      : mergeVariants(stored.variants, sent.variants ?? [], attributes, issues);
  const index = {
    ids: new Set(variants.map(({ id }) => id)),
    by_code: new Map(variants.flatMap(({ id, code }) => (code === null ? [] : [[code, id] as const]))),
  };
  return {
    attributes,
    variants,
    presentations:
      sent.presentations === undefined
        ? stored.presentations
        : mergePresentations(stored.presentations, sent.presentations ?? [], index, issues),
    option_groups:
      sent.option_groups === undefined
        ? stored.option_groups
        : mergeGroups(stored.option_groups, sent.option_groups ?? [], index, issues),
    pack: sent.pack === undefined ? stored.pack : sent.pack && mergePack(stored.pack, sent.pack),
  };
}
