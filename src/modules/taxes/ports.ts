/** Taxes know no documents: other modules supply this. */
import type { Tx } from '../../kernel/operation.ts';

declare module '../../kernel/ports.ts' {
  interface Ports {
    tax_uses: TaxUses;
  }
}

export type TaxUses = {
  /** Whether a template that goes on making documents names the tax: each of them asks for it anew. */
  isOnTemplate(tx: Tx, company_id: string, tax_id: string): Promise<boolean>;
};
