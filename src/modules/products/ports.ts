/** Products know no documents: other modules supply this. */
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
