/**
 * Each kind of document always has one default series, so a default changes only when another replaces it. A
 * move to the current state changes nothing.
 */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { fail, type Problem } from '../../../kernel/problem.ts';
import { defineStates } from '../../../kernel/states.ts';
import type { SeriesRow } from '../series.schema.ts';

const refused = c.invalid_status_transition;

export const seriesStates = defineStates(
  {
    active: { archive: 'archived', unarchive: 'active', set_default: 'default', delete: 'deleted' },
    default: { archive: refused, unarchive: 'default', set_default: 'default', delete: refused },
    archived: { archive: 'archived', unarchive: 'active', set_default: refused, delete: 'deleted' },
    deleted: { archive: refused, unarchive: refused, set_default: refused, delete: refused },
  },
  {
    active: 'activa sin ser la predeterminada',
    default: 'activa como predeterminada',
    archived: 'archivada',
    deleted: 'borrada',
  },
);

/** @param param what cannot change any more, or the series */
export const hasNumbered = (param: string): Problem =>
  fail(refused, { param, values: { reason: 'la serie ya ha dado números.' } });

export function stateOf(
  row: Pick<SeriesRow, 'is_default' | 'is_archived'>,
): 'active' | 'default' | 'archived' {
  if (row.is_archived) return 'archived';
  return row.is_default ? 'default' : 'active';
}
