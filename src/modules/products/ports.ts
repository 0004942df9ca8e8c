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
  /**
   * Ids of its variants, presentations, groups and options that lines name. `all` when it is on too many lines to look through:
   * then nothing of it is removed.
   */
  partsOnDocuments(tx: Tx, company_id: string, product_id: string): Promise<ReadonlySet<string> | 'all'>;
};
