/** Which contacts are on documents, and in which role. Foreign keys do not know the role. */
import type { Tx } from '../../kernel/operation.ts';
import type { ContactRole, ContactUses } from '../contacts/index.ts';

/** @param tables of each role; each has an index by its contact, `client_id` */
export function contactUses(tables: Readonly<Record<ContactRole, readonly string[]>>): ContactUses {
  return {
    async isNamed(tx: Tx, company_id: string, role: ContactRole, contact_id: string): Promise<boolean> {
      const answers = await Promise.all(
        tables[role].map(
          (table) => tx<{ found: boolean }[]>`
            select exists (select from ${tx(table)}
                            where company_id = ${company_id} and client_id = ${contact_id}) as found`,
        ),
      );
      return answers.some(([row]) => row?.found === true);
    },
  };
}
