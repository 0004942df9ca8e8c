/** Warnings of a family beside the document: they stop nothing. */
import type { DocumentRow } from '../../domain/sales/rows.ts';
import type { Ctx } from '../../kernel/operation.ts';
import { One, OneWarned, type TSchema } from '../../kernel/schema.ts';
import type { Family, Warning } from './family.ts';

type Warned = { warnings?: string[]; warning_codes?: string[] };

export function answered({ warning_codes }: Pick<Family, 'warning_codes'>, output: TSchema) {
  return warning_codes ? OneWarned(output, warning_codes) : One(output);
}

/** Root members of the answer, only when there are any. */
export function warningsOf(found: readonly Warning[] = []): Warned {
  if (found.length === 0) return {};
  return {
    warnings: found.map(({ text }) => text),
    warning_codes: [...new Set(found.map(({ code }) => code))],
  };
}

/**
 * Sends the queries of `weigh` at once, so that they go with others.
 * @returns to be called with the document as it is written
 */
export function weighed<R extends DocumentRow, E extends object>(
  ctx: Ctx,
  family: Family<R, E>,
  before: R | null,
  row: R,
): (written: R) => Promise<Warned> {
  const weighing = family.weigh?.(ctx, before, row) ?? Promise.resolve([]);
  // If the document is refused meanwhile, nobody awaits this.
  weighing.catch(() => undefined);
  return async (written) => warningsOf([...(await weighing), ...(family.warn?.(written) ?? [])]);
}
