import type { Database } from '../../platform/db.ts';
import { FairTurns, turnRefusal } from '../../platform/fair-turns.ts';

/** Each is a few short statements. Only a small form waits. */
const limits = {
  at_once: 64,
  at_once_of_company: 16,
  waiting_max: 1024,
  weight_max: 1024,
  wait_ms: 10_000,
} as const;

export type TurnedDatabase = Pick<Database, 'index' | 'read' | 'transaction'>;

/**
 * An application may refresh for all people of a company at once: more than may wait for a connection. They wait here,
 * so that the company's own calls find room.
 */
export function inTurns(db: Database): TurnedDatabase {
  const turns = new FairTurns(limits);
  async function take<T>(company_id: string, work: () => Promise<T>): Promise<T> {
    try {
      return await turns.take(db.shares.ownerOf(company_id), 1, work);
    } catch (error) {
      throw turnRefusal(error, 2);
    }
  }
  return {
    index: db.index,
    read: (company_id, work, share) => take(company_id, () => db.read(company_id, work, share)),
    transaction: (company_id, work, share) => take(company_id, () => db.transaction(company_id, work, share)),
  };
}
