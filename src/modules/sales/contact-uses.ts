/** Which contacts are named, and in which role. Foreign keys do not know the role. */
import type { Tx } from '../../kernel/operation.ts';
import type { ContactRole, ContactUses } from '../contacts/index.ts';

/** A column that names contacts of one role, with an index of its own. */
type ContactPlace = { table: string; column: string };

export function contactUses(places: Readonly<Record<ContactRole, readonly ContactPlace[]>>): ContactUses {
  return {
    async isNamed(tx: Tx, company_id: string, role: ContactRole, contact_id: string): Promise<boolean> {
      const answers = await Promise.all(
        places[role].map(
          ({ table, column }) => tx<{ found: boolean }[]>`
            select exists (select from ${tx(table)}
                            where company_id = ${company_id} and ${tx(column)} = ${contact_id}) as found`,
        ),
      );
      return answers.some(([row]) => row?.found === true);
    },
  };
}
