/** Finds the parts of a product that a caller asks for, or the first one that it does not have. */
import type { Choice, Choices, Chosen } from './selection.ts';

export type AskedSelection = {
  variant_id?: string | null;
  attributes?: readonly { attribute_id?: string; value_id?: string }[];
  presentation_id?: string | null;
  options?: readonly { group_id?: string; value_id?: string }[];
};

export type ChoiceFault = { field: string; message: string };

/** @param attributes those of the product; left out where nobody asks by them */
export function readChoice(
  choices: Choices,
  asked: AskedSelection,
  attributes: readonly { id: string; values: readonly { id: string }[] }[] = [],
): Choice | ChoiceFault {
  const { variant_id = null, presentation_id = null, attributes: pairs = [] } = asked;
  const variant = choices.variants.find(({ id }) => id === variant_id) ?? null;
  if (variant_id && !variant) return { field: 'variant_id', message: 'La variante no existe.' };
  const presentation = choices.presentations.find(({ id }) => id === presentation_id) ?? null;
  if (presentation_id && !presentation)
    return { field: 'presentation_id', message: 'La presentación no existe.' };
  const chosen: Choice['attributes'][number][] = [];
  for (const [at, { attribute_id, value_id }] of pairs.entries()) {
    const has = ({ values }: { values: readonly { id: string }[] }) =>
      values.some(({ id }) => id === value_id);
    const attribute = attributes.find((one) =>
      attribute_id === undefined ? has(one) : one.id === attribute_id,
    );
    if (!attribute && attribute_id !== undefined)
      return { field: `attributes.${at}.attribute_id`, message: 'El atributo no existe.' };
    if (!attribute || !value_id || !has(attribute))
      return { field: `attributes.${at}.value_id`, message: 'El valor no existe.' };
    chosen.push({ attribute_id: attribute.id, value_id });
  }
  const options = readOptions(choices, asked.options ?? []);
  return Array.isArray(options)
    ? { variant, attributes: chosen, presentation, options }
    : (options as ChoiceFault);
}

/** The group may be left out: the value names it. */
function readOptions(
  { option_groups }: Choices,
  asked: NonNullable<AskedSelection['options']>,
): Chosen[] | ChoiceFault {
  const of_values = new Map(
    option_groups.flatMap((group) => group.values.map((value) => [value.id, { group, value }] as const)),
  );
  const chosen = new Map<string, Chosen>();
  for (const [at, { group_id, value_id }] of asked.entries()) {
    const message = 'La opción no existe.';
    if (value_id === undefined) return { field: `options.${at}.group_id`, message };
    const found = of_values.get(value_id);
    if (!found || (group_id !== undefined && group_id !== found.group.id))
      return { field: `options.${at}.value_id`, message };
    if (chosen.has(found.group.id))
      return { field: `options.${at}`, message: 'De cada grupo se elige una sola opción.' };
    chosen.set(found.group.id, found);
  }
  return [...chosen.values()];
}

export function isFault(read: Choice | ChoiceFault): read is ChoiceFault {
  return 'field' in read;
}
