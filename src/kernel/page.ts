/**
 * Cursor pages (docs/conventions.md, Lists). The cursor is an item's id. A page before a cursor holds the nearest
 * items, in the same order as other pages.
 */
import { commonErrors as c } from './common.errors.ts';
import { hasManyRows, jsonParts, rememberBytes, rememberJson } from './json.ts';
import { fail } from './problem.ts';
import type { TOptional } from 'typebox';
import { invalidField, refuseIssues } from './resource-input.ts';
import { Described, Text, type TSchema, Type } from './schema.ts';
import { runSteps, type Steps } from './steps.ts';
import { isUuid } from './uuid7.ts';

export type PageQuery = { limit?: number; starting_after?: string; ending_before?: string; sort?: string };

export type PageOrder = { field: string; descending: boolean };

/** `after` walks with the order, `before` against it. */
export type PageRequest = {
  limit: number;
  order: PageOrder;
  cursor: { direction: 'after' | 'before'; id: string } | null;
};

export type PageAnswer<T> = { data: T[]; has_more: boolean; next_cursor: string | null };

/** A bad cursor has a code of its own, so the schema does not check it. */
export const pageParameters = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: 'Elementos por página: 1 a 100, 25 si se omite' }),
  ),
  starting_after: Type.Optional(
    Type.String({ description: 'Página siguiente: id del último elemento de la actual (next_cursor)' }),
  ),
  ending_before: Type.Optional(
    Type.String({
      description: 'Página anterior: id del primer elemento de la actual. No se envía con starting_after',
    }),
  ),
};

/** `readPage` checks the field, not the schema. */
export const sortParameter = (fields: readonly string[]) => ({
  sort: Type.Optional(
    Text(60, {
      description: `Campo de orden: ${fields.join(', ')}; con - delante, descendente. Por omisión -created`,
    }),
  ),
});

/** @throws 422 parameter_invalid_cursor, or parameter_invalid for two cursors or an unknown sort field */
export function readPage(query: PageQuery, sort_fields: readonly string[] = ['created']): PageRequest {
  const { starting_after, ending_before } = query;
  refuseTwoCursors(query);
  for (const [param, id] of [
    ['starting_after', starting_after],
    ['ending_before', ending_before],
  ] as const) {
    if (id !== undefined && !isUuid(id)) throw fail(c.parameter_invalid_cursor, { param });
  }
  const sort = query.sort ?? '-created';
  const descending = sort.startsWith('-');
  const field = descending ? sort.slice(1) : sort;
  if (!sort_fields.includes(field)) {
    const message = `Debe ser uno de: ${sort_fields.join(', ')}; con - delante, descendente.`;
    refuseIssues([invalidField('sort', message)]);
  }
  return {
    limit: query.limit ?? 25,
    order: { field, descending },
    cursor:
      starting_after !== undefined
        ? { direction: 'after', id: starting_after.toLowerCase() }
        : ending_before !== undefined
          ? { direction: 'before', id: ending_before.toLowerCase() }
          : null,
  };
}

/** @throws 422 parameter_invalid */
export function refuseTwoCursors({ starting_after, ending_before }: PageQuery): void {
  if (starting_after === undefined || ending_before === undefined) return;
  refuseIssues([invalidField('ending_before', 'No se puede enviar junto con starting_after.')]);
}

/** A page ends here, whatever its `limit`, but holds one item at least. */
export const pageBytesMax = 2_000_000;

/** In one go. */
export function pageAnswer<R extends { id: string }, T>(
  rows: readonly R[],
  page: PageRequest,
  present: (row: R) => T,
): PageAnswer<T> {
  return runSteps(pageInSteps(rows, page, present));
}

/**
 * For items that may be long: a step for each.
 * @param rows up to `limit + 1`, nearest to the cursor first
 * @param shown how many rows are there in full, if not all
 */
export function* pageInSteps<R extends { id: string }, T>(
  rows: readonly R[],
  page: PageRequest,
  present: (row: R) => T,
  shown: number = rows.length,
): Steps<PageAnswer<T>> {
  const data: T[] = [];
  const texts: string[][] = [];
  let bytes = 0;
  let last: string | null = null;
  for (const row of rows.slice(0, Math.min(page.limit, shown))) {
    const item = present(row);
    const parts: string[] = [];
    let size = 1;
    for (const part of hasManyRows(item, itemLevels) ? jsonParts(item) : [JSON.stringify(item)]) {
      parts.push(part);
      size += Buffer.byteLength(part);
      yield;
    }
    if (bytes + size > pageBytesMax && data.length > 0) break;
    bytes += size;
    data.push(item);
    texts.push(parts);
    last = row.id;
  }
  const has_more = rows.length > data.length;
  const is_before = page.cursor?.direction === 'before';
  if (is_before) {
    last = rows[0]?.id ?? null;
    data.reverse();
    texts.reverse();
  }
  const answer = { data, has_more, next_cursor: has_more ? last : null };
  const [before, after] = [
    '{"data":[',
    `],${JSON.stringify({ has_more, next_cursor: answer.next_cursor }).slice(1)}`,
  ];
  // Then it holds one item. As one text it would be encoded in one turn.
  if (bytes > pageBytesMax) rememberBytes(answer, yield* bytesInSteps([before, ...texts.flat(), after]));
  else rememberJson(answer, before + texts.map((parts) => parts.join('')).join(',') + after);
  return answer;
}

/** An item's own lists, and those of what it names: the lines and the payments of an invoice. */
const itemLevels = 1;

/** An invoice with all its payments may have 53 MB. */
function* bytesInSteps(texts: readonly string[]): Steps<readonly Buffer[]> {
  const parts: Buffer[] = [];
  for (const text of texts) {
    parts.push(Buffer.from(text));
    yield;
  }
  return parts;
}

export const rangeBounds = ['gte', 'lte', 'gt', 'lt'] as const;

const boundTexts: Record<(typeof rangeBounds)[number], string> = {
  gte: 'desde este valor, incluido',
  lte: 'hasta este valor, incluido',
  gt: 'desde este valor, sin incluirlo',
  lt: 'hasta este valor, sin incluirlo',
};

const knownFields: Readonly<Record<string, string>> = { created: 'Creado', updated: 'Cambiado' };

/** @param what the field in Spanish, for readers who see the parameter alone */
export function rangeParameters<N extends string, T extends TSchema>(
  field: N,
  schema: T,
  what: string = knownFields[field] ?? field,
) {
  type Keys = `${N}[gte]` | `${N}[lte]` | `${N}[gt]` | `${N}[lt]`;
  const { description } = schema as { description?: string };
  const form = description === undefined ? '' : ` (${description})`;
  const names = rangeBounds.map((bound) => {
    const text = `${what}: ${boundTexts[bound]}${form}`;
    return [`${field}[${bound}]`, Type.Optional(Described(schema, text))] as const;
  });
  return Object.fromEntries(names) as unknown as { [K in Keys]: TOptional<T> };
}
