import type { SimulatorRow, SimulatorStore } from 'aeat-simulator';
import type { Tx } from '../../kernel/operation.ts';
import type { Database } from '../../platform/db.ts';
import { insertRows } from '../../platform/rows.ts';

/** A sandbox that is emptied is emptied of them too. */
export const simulatorTables = ['verifactu_simulated'];

type HeldRow = { held: SimulatorRow };

/** Keeps what the simulator accepted with the sandbox company, so that a restart forgets nothing. */
export function makeSimulatorStore(db: Database): SimulatorStore {
  /** The sender's job asks. */
  const inTransaction = <T>(company_id: string, work: (tx: Tx) => Promise<T>): Promise<T> =>
    db.transaction(company_id, work, 'background');
  return {
    async find(company_id, keys) {
      const rows = await inTransaction(
        company_id,
        (tx) => tx<HeldRow[]>`
          select held from verifactu_simulated
           where company_id = ${company_id} and record_key = any(${keys as string[]}::text[])`,
      );
      return rows.map((row) => row.held);
    },
    async findSystems(company_id, systems) {
      const rows = await inTransaction(
        company_id,
        (tx) => tx<{ system: string }[]>`
          select s.system from unnest(${systems as string[]}::text[]) as s(system)
           where exists (select 1 from verifactu_simulated
                          where company_id = ${company_id} and held -> 'systems' ? s.system)`,
      );
      return rows.map((row) => row.system);
    },
    async save(company_id, rows) {
      await inTransaction(company_id, (tx) =>
        insertRows(
          tx,
          company_id,
          'verifactu_simulated',
          { record_key: 'text', period: 'text', held: 'jsonb' },
          rows.map((held) => ({ record_key: held.key, period: held.period, held })),
          'on conflict (company_id, record_key) do update set period = excluded.period, held = excluded.held',
        ),
      );
    },
    async list(company_id, { period, after, limit }) {
      const rows = await inTransaction(
        company_id,
        (tx) => tx<HeldRow[]>`
          select held from verifactu_simulated
           where company_id = ${company_id} and period = ${period} and record_key > ${after ?? ''}
           order by record_key limit ${limit}`,
      );
      return rows.map((row) => row.held);
    },
  };
}
