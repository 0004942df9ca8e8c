/** Filters of lists: several values by `field[in]`, and days where a filter takes instants. */
import { checkSchema } from './check.ts';
import { dayEndText, dayStart, isCalendarDay } from './dates.ts';
import { rangeBounds } from './page.ts';
import type { FieldIssue } from './problem.ts';
import { invalidField, refuseIssues } from './resource-input.ts';
import { Described, Shape, Text, type TProperties, type TSchema, Type } from './schema.ts';

type Kind = {
  type?: string;
  format?: string;
  enum?: readonly string[];
  maxLength?: number;
  description?: string;
};

const valuesMax = 50;
const idPattern = '[0-9a-fA-F-]{36}';

/** Ids, enums and exact texts; no free text, no time, nothing that has a bracket already. */
function takesSeveral(name: string, { type, format }: Kind): boolean {
  return type === 'string' && name !== 'q' && !name.includes('[') && (format ?? 'uuid') === 'uuid';
}

/** What a refused `field[in]` is told. @param values undefined for ids */
export const eachOf = (values: Kind['enum']) =>
  `Cada valor debe ser ${values ? `uno de: ${values.join(', ')}` : 'un UUID'}; separados por comas, sin espacios.`;

function severalOf({ format, enum: values, maxLength = 255, description }: Kind): TSchema {
  const one = values ? `(${values.join('|')})` : format === 'uuid' ? idPattern : undefined;
  const longest = values
    ? Math.max(...values.map((value) => value.length))
    : format === 'uuid'
      ? 36
      : maxLength;
  const said = description === undefined ? '' : ` (${description})`;
  return Text(Math.min(valuesMax * (longest + 1), 4000), {
    minLength: 1,
    ...(one ? { pattern: `^${one}(,${one})*$`, pattern_message: eachOf(values) } : {}),
    description: `Varios valores separados por comas, ${valuesMax} como máximo; vale cualquiera de ellos${said}`,
  });
}

/** @param single filters that take one value alone */
export function withSeveral(filters: TProperties, single: readonly string[]): TProperties {
  return Object.fromEntries(
    Object.entries(filters).flatMap(([name, schema]) => {
      const several = `${name}[in]`;
      if (several in filters || single.includes(name) || !takesSeveral(name, schema as Kind))
        return [[name, schema]];
      return [
        [name, schema],
        [several, Type.Optional(severalOf(schema as Kind))],
      ];
    }),
  );
}

type Query = Record<string, unknown>;

/** The values of `field[in]`; undefined without it. */
export function valuesOf(query: Readonly<Query>, field: string): string[] | undefined {
  const text = query[`${field}[in]`];
  return typeof text === 'string' ? [...new Set(text.split(','))] : undefined;
}

/** What both `field` and `field[in]` allow; undefined without either. For lists that look at the values themselves. */
export function askedValues(query: Readonly<Query>, field: string): string[] | undefined {
  const one = query[field] as string | undefined;
  const several = valuesOf(query, field);
  if (one === undefined) return several;
  return several && !several.includes(one) ? [] : [one];
}

type Checked = { field: string; param: string; shape: TSchema };

function severalIssue({ field, param, shape }: Checked, query: Query): FieldIssue[] {
  const values = valuesOf(query, field);
  if (!values) return [];
  if (values.length > valuesMax) return [invalidField(param, `Admite ${valuesMax} valores como máximo.`)];
  if (values.includes('')) return [invalidField(param, 'Tiene un valor vacío.')];
  // Ids become lower case, as in a filter by one.
  const list = { values };
  const [issue] = checkSchema(shape, list);
  query[param] = list.values.join(',');
  return issue ? [invalidField(param, issue.message)] : [];
}

/** Blanks around a text are of its form, not of what is looked for. Without them it may be too short. */
function trimText(shape: TSchema, query: Query): FieldIssue[] {
  if (typeof query.q !== 'string') return [];
  query.q = query.q.trim();
  return checkSchema(shape, { q: query.q }).map(({ message }) => invalidField('q', message));
}

/**
 * The reader that is returned checks the values of `field[in]`. It replaces each day of a time filter by an instant: the last one
 * of the day where the filter includes the whole day, else the first one. It takes the blanks around `q` away. It throws 422 parameter_invalid.
 */
export function filterReader(filters: TProperties): <Q extends Query>(query: Q, time_zone: string) => Q {
  const several = Object.entries(filters).flatMap(([field, schema]): Checked[] => {
    const param = `${field}[in]`;
    return param in filters
      ? [{ field, param, shape: Shape({ values: Type.Array(Described(schema, '')) }) }]
      : [];
  });
  const moments = Object.entries(filters).flatMap(([param, schema]) =>
    (schema as Kind).format === 'moment' ? [param] : [],
  );
  const text = Shape({ q: filters.q ?? Type.Optional(Text(0)) });
  return <Q extends Query>(query: Q, time_zone: string): Q => {
    const read: Query = { ...query };
    refuseIssues([...several.flatMap((one) => severalIssue(one, read)), ...trimText(text, read)]);
    for (const param of moments) {
      const day = read[param];
      if (typeof day !== 'string' || !isCalendarDay(day)) continue;
      const bound = rangeBounds.find((one) => param.endsWith(`[${one}]`));
      read[param] =
        bound === 'lte' || bound === 'gt'
          ? dayEndText(time_zone, day)
          : dayStart(time_zone, day).toISOString();
    }
    return read as Q;
  };
}
