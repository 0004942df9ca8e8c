/** A list that the build itself holds, the same for all companies. Its ids need not be UUIDs. */
import { commonErrors as c } from './common.errors.ts';
import type { ListDef } from './list-operation.ts';
import { defineOperation, type Operation } from './operation.ts';
import { pageAnswer, pageParameters, type PageQuery, type PageRequest, refuseTwoCursors } from './page.ts';
import type { Ports } from './ports.ts';
import { fail } from './problem.ts';
import { Page, Shape, type TObject, type TProperties } from './schema.ts';

type ClosedListDef = Omit<
  ListDef<TObject, TProperties, undefined>,
  'filters' | 'sorts' | 'errors' | 'prefetch' | 'list' | 'acts_on' | 'params'
> & {
  /** All of them, in the list's order. */
  items(ports: Ports): readonly { id: string }[];
};

export function defineClosedList({ item, items, ...def }: ClosedListDef): Operation {
  return defineOperation({
    ...def,
    method: 'GET',
    transaction: 'read',
    query: Shape(pageParameters),
    output: Page(item),
    errors: [c.parameter_invalid_cursor],
    async handle({ ports }, { query }) {
      return pageOfAll(items(ports), query);
    },
  });
}

/** @throws 422 parameter_invalid_cursor for an id that is not of the list, parameter_invalid for two cursors */
function pageOfAll<R extends { id: string }>(all: readonly R[], query: PageQuery) {
  refuseTwoCursors(query);
  const after = placeOf(all, query, 'starting_after');
  const before = placeOf(all, query, 'ending_before');
  const page: PageRequest = {
    limit: query.limit ?? 25,
    order: { field: 'created', descending: true },
    cursor: before === null ? null : { direction: 'before', id: query.ending_before ?? '' },
  };
  const walked = before === null ? all.slice((after ?? -1) + 1) : all.slice(0, before).reverse();
  return pageAnswer(walked, page, (row) => row);
}

function placeOf(
  all: readonly { id: string }[],
  query: PageQuery,
  param: 'starting_after' | 'ending_before',
): number | null {
  const id = query[param];
  if (id === undefined) return null;
  const place = all.findIndex((item) => item.id === id);
  if (place === -1) throw fail(c.parameter_invalid_cursor, { param });
  return place;
}
