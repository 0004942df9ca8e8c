/** Which products are on documents. Lines have no foreign key to their product, to keep issuing cheap. */
import { documentKinds } from '../../domain/sales/document-kinds.ts';
import type { Tx } from '../../kernel/operation.ts';

/** Whether a line of any document names the product; each table of lines has an index by product. */
export async function isProductOnDocument(tx: Tx, company_id: string, product_id: string): Promise<boolean> {
  const answers = await Promise.all(
    Object.values(documentKinds).map(
      ({ lines }) => tx<{ found: boolean }[]>`
        select exists (select from ${tx(lines)}
                        where company_id = ${company_id} and product_id = ${product_id}) as found`,
    ),
  );
  return answers.some(([row]) => row?.found === true);
}
