/** Which products are on documents. Lines have no foreign key to products, to keep issuing cheap. */
import type { Tx } from '../../kernel/operation.ts';
import type { ProductUses } from '../products/index.ts';

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
  };
}
