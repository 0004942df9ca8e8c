/** Parts that are removed while documents or packs name them are archived. */
import type { Configuration, OptionGroup } from '../configuration.ts';

/** Ids that stay; `all` when there are too many documents to ask. */
export type NamedParts = ReadonlySet<string> | 'all';

type WithId = { id: string };

function gone<T extends WithId>(stored: readonly T[], next: readonly WithId[]): T[] {
  const left = new Set(next.map(({ id }) => id));
  return stored.filter(({ id }) => !left.has(id));
}

/** Ids of variants, presentations, groups and options that are in the first and not in the second. */
export function partsGone(stored: Configuration, next: Configuration): string[] {
  const values = ({ option_groups }: Configuration) => option_groups.flatMap((group) => group.values);
  return [
    ...gone(stored.variants, next.variants),
    ...gone(stored.presentations, next.presentations),
    ...gone(stored.option_groups, next.option_groups),
    ...gone(values(stored), values(next)),
  ].map(({ id }) => id);
}

export function keepNamed(stored: Configuration, next: Configuration, named: NamedParts): Configuration {
  const stays = ({ id }: WithId) => named === 'all' || named.has(id);
  const archived = <T extends WithId>(from: readonly T[], to: readonly T[]) =>
    gone(from, to)
      .filter(stays)
      .map((one) => ({ ...one, is_active: false }));
  const variants = [...next.variants, ...archived(stored.variants, next.variants)];
  const presentations = archived(stored.presentations, next.presentations).map((one) => ({
    ...one,
    is_default: false,
  }));
  const values = (group: OptionGroup) =>
    archived(stored.option_groups.find(({ id }) => id === group.id)?.values ?? [], group.values);
  // A removed group asks for no choice.
  const groups = gone(stored.option_groups, next.option_groups)
    .map((group) => ({ ...group, is_required: false, values: archived(group.values, []) }))
    .filter((group) => group.values.length > 0);
  return withoutGone({
    ...next,
    variants,
    presentations: [...next.presentations, ...presentations],
    option_groups: [
      ...next.option_groups.map((group) => {
        const kept = values(group);
        return kept.length === 0 ? group : { ...group, values: [...group.values, ...kept] };
      }),
      ...groups,
    ],
  });
}

/** Variants lose the attributes that are gone; presentations and option groups lose the variants that are gone. */
function withoutGone(next: Configuration): Configuration {
  const known = new Set(next.variants.map(({ id }) => id));
  const only = <T extends { variant_ids: readonly string[] | null }>(one: T): T =>
    one.variant_ids === null || one.variant_ids.every((id) => known.has(id))
      ? one
      : { ...one, variant_ids: one.variant_ids.filter((id) => known.has(id)) };
  const values = new Set(next.attributes.flatMap((one) => one.values.map(({ id }) => `${one.id} ${id}`)));
  const isKnown = ({ attribute_id, value_id }: { attribute_id: string; value_id: string }) =>
    values.has(`${attribute_id} ${value_id}`);
  return {
    ...next,
    variants: next.variants.map((one) =>
      one.is_active || one.values.every(isKnown) ? one : { ...one, values: one.values.filter(isKnown) },
    ),
    presentations: next.presentations.map(only),
    option_groups: next.option_groups.map(only),
  };
}
