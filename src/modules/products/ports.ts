/** What products ask of other modules. They know no documents. */
import type { Tx } from '../../kernel/operation.ts';

declare module '../../kernel/ports.ts' {
  interface Ports {
    product_uses: ProductUses;
  }
}

export type ProductUses = {
  /** Whether a line of any document of the company names the product. */
  isOnDocument(tx: Tx, company_id: string, product_id: string): Promise<boolean>;
};
