/** What the parts of a product obey together. A param names the place in the list as it will be kept. */
import type { FieldIssue } from '../../../kernel/problem.ts';
import { invalidField } from '../../../kernel/resource-input.ts';
import type { Configuration, Variant } from '../configuration.ts';
import { partLimits } from '../configuration.schema.ts';

/** The first that repeats another, by a key; null keys repeat nothing. */
function repeated<T>(list: readonly T[], keyOf: (one: T) => string | null): number {
  const seen = new Set<string>();
  return list.findIndex((one) => {
    const key = keyOf(one);
    if (key === null) return false;
    if (seen.has(key)) return true;
    seen.add(key);
    return false;
  });
}

type Refuse = (param: string, message: string) => void;

export function checkParts(next: Configuration, product_id: string | null): FieldIssue[] {
  const issues: FieldIssue[] = [];
  const refuse: Refuse = (param, message) => issues.push(invalidField(param, message));
  const unique = <T>(list: readonly T[], path: string, key: string, keyOf: (one: T) => string | null) => {
    const at = repeated(list, keyOf);
    if (at >= 0) refuse(`${path}.${at}.${key}`, 'Se repite.');
  };
  const { attributes, variants, presentations, option_groups } = next;
  unique(attributes, 'attributes', 'name', ({ name }) => name);
  attributes.forEach(({ values }, at) => {
    unique(values, `attributes.${at}.values`, 'name', ({ name }) => name);
  });
  checkVariants(next, refuse);
  for (const [path, list] of [
    ['variants', variants],
    ['presentations', presentations],
  ] as const)
    unique<{ code: string | null; is_active: boolean }>(list, path, 'code', ({ code, is_active }) =>
      is_active ? code : null,
    );
  unique(presentations, 'presentations', 'is_default', ({ is_default }) => (is_default ? 'yes' : null));
  for (const key of ['variants', 'presentations', 'option_groups'] as const)
    if (next[key].length > partLimits[key])
      refuse(key, `Con las archivadas, que están en documentos, pasan de ${partLimits[key]}.`);
  option_groups.forEach(({ values }, at) => {
    if (values.length > partLimits.option_values)
      refuse(
        `option_groups.${at}.values`,
        `Con las archivadas, que están en documentos, pasan de ${partLimits.option_values}.`,
      );
  });
  const restricted = [...presentations, ...option_groups].reduce(
    (sum, one) => sum + (one.variant_ids?.length ?? 0),
    0,
  );
  if (restricted > partLimits.variant_ids)
    refuse(
      'presentations',
      `Presentaciones y grupos nombran más de ${partLimits.variant_ids} variantes en total.`,
    );
  checkPack(next, product_id, refuse);
  return issues;
}

/** Archived ones may lack an attribute that came later. Without attributes, variants are told apart by their names. */
function checkVariants({ attributes, variants }: Configuration, refuse: Refuse): void {
  const keyOf = ({ name, values }: Variant) =>
    attributes.length === 0
      ? name
      : values
          .map(({ attribute_id, value_id }) => `${attribute_id} ${value_id}`)
          .sort()
          .join();
  const known = new Map(attributes.map(({ id, values }) => [id, new Set(values.map((value) => value.id))]));
  variants.forEach(({ values, is_active }, at) => {
    if (!is_active) return;
    const own = new Set(values.map(({ attribute_id }) => attribute_id));
    const is_known = values.every(({ attribute_id, value_id }) => known.get(attribute_id)?.has(value_id));
    if (own.size !== values.length || own.size !== attributes.length || !is_known)
      refuse(`variants.${at}.values`, 'La variante lleva un valor de cada atributo del producto.');
  });
  const at = repeated(variants, (one) => (one.is_active ? keyOf(one) : null));
  if (at < 0) return;
  if (attributes.length === 0) refuse(`variants.${at}.name`, 'Se repite.');
  else refuse(`variants.${at}.values`, 'Otra variante activa tiene los mismos valores.');
}

function checkPack(next: Configuration, product_id: string | null, refuse: Refuse): void {
  const { pack } = next;
  if (pack === null) return;
  const has_parts = [next.attributes, next.variants, next.presentations, next.option_groups].some(
    ({ length }) => length > 0,
  );
  if (has_parts) refuse('pack', 'Un pack no tiene atributos, variantes, presentaciones ni opciones propias.');
  if (pack.pricing === 'fixed' && pack.discount_percent !== null)
    refuse('pack.discount_percent', 'El descuento es de la suma: no va con un precio fijo.');
  const own = pack.components.findIndex((one) => one.product_id === product_id);
  if (own >= 0) refuse(`pack.components.${own}.product_id`, 'Un pack no se contiene a sí mismo.');
}
