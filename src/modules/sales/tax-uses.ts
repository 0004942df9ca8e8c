/** Which taxes are on templates. Other documents copy their taxes and ask for none again. */
import type { Tx } from '../../kernel/operation.ts';
import type { TaxUses } from '../taxes/index.ts';

/** @param tables of the families of templates; `open` are the states in which they make documents, or may again */
export function taxUses(
  tables: readonly { documents: string; lines: string; document_id: string }[],
  open: readonly string[],
): TaxUses {
  return {
    // Through the index by status: no line has an index by tax.
    async isOnTemplate(tx: Tx, company_id: string, tax_id: string): Promise<boolean> {
      const answers = await Promise.all(
        tables.map(
          ({ documents, lines, document_id }) => tx<{ found: boolean }[]>`
            select exists (
              select from ${tx(documents)} d
                join ${tx(lines)} l on l.company_id = ${company_id} and l.${tx(document_id)} = d.id
               where d.company_id = ${company_id} and d.status = any(${open as string[]}::text[])
                 and l.taxes_id = ${tax_id} and l.details -> 'said' @> '"taxes_id"') as found`,
        ),
      );
      return answers.some(([row]) => row?.found === true);
    },
  };
}
