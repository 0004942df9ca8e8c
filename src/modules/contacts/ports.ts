/** Contacts know no documents: other modules supply this. */
import type { Tx } from '../../kernel/operation.ts';
import type { ContactRole } from './rules/role-states.ts';

declare module '../../kernel/ports.ts' {
  interface Ports {
    contact_uses: ContactUses;
  }
}

export type ContactUses = {
  /** Whether any document of the company names the contact in this role. */
  isNamed(tx: Tx, company_id: string, role: ContactRole, contact_id: string): Promise<boolean>;
};
