/** Which products and parts of them are on documents. Lines have no foreign key to products, to keep issuing cheap. */
import type { Tx } from '../../kernel/operation.ts';
import type { ProductUses } from '../products/index.ts';

/** Lines of a table that are looked through for parts. */
const lines_max = 5000;

/** @param line_tables of every family; each has an index by product */
export function productUses(line_tables: readonly string[]): ProductUses {
  return {
    async isOnDocument(tx: Tx, company_id: string, product_id: string): Promise<boolean> {
      const answers = await Promise.all(
        line_tables.map(
          (table) => tx<{ found: boolean }[]>`
            select exists (select from ${tx(table)}
                            where company_id = ${company_id} and product_id = ${product_id}) as found`,
        ),
      );
      return answers.some(([row]) => row?.found === true);
    },

    async partsOnDocuments(tx: Tx, company_id: string, product_id: string) {
      const answers = await Promise.all(
        line_tables.map(
          (table) => tx<{ lines: number; ids: string[] | null }[]>`
            with seen as materialized (
              select details from ${tx(table)}
               where company_id = ${company_id} and product_id = ${product_id} limit ${lines_max + 1})
            select (select count(*)::integer from seen) as lines,
                   (select array_agg(distinct id) from (
                      select details #>> '{variant,id}' as id from seen
                      union all select details #>> '{presentation,id}' from seen
                      union all select one #>> path
                        from seen, jsonb_array_elements(details -> 'options') as one,
                             (values ('{group,id}'::text[]), ('{value,id}')) as paths (path)) named
                     where id is not null) as ids`,
        ),
      );
      if (answers.some(([row]) => (row?.lines ?? 0) > lines_max)) return 'all';
      return new Set(answers.flatMap(([row]) => row?.ids ?? []));
    },
  };
}
