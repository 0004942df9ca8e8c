import type { Tx } from '../kernel/operation.ts';
import { setCompanyText } from './db.ts';

/**
 * Reads of several companies in one transaction, each as itself. All go out in one message.
 * @param read sends its first statements before it returns, by `execute`: a later one would be of the last company
 */
export function readAsEach<T>(
  tx: Tx,
  company_ids: readonly string[],
  read: (company_id: string) => Promise<T>,
): Promise<T[]> {
  return Promise.all(
    company_ids.map(async (company_id) => {
      const entered = tx.unsafe(setCompanyText(company_id)).execute();
      const [found] = await Promise.all([read(company_id), entered]);
      return found;
    }),
  );
}
