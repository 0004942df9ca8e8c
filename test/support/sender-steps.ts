/** Holds another process's sender at a step until it is killed, and reports each company that arrives there. */
import type { Ports } from '../../src/kernel/ports.ts';
import type { Database } from '../../src/platform/db.ts';
import { type Connection, type Patience, portsTo } from './sandbox-authority.ts';
import type { ProcessStep } from './sender-table.ts';

/** Plain data, for another process. */
export type SenderOptions = {
  connection: Connection;
  patience: Patience;
  /** By company: where it is held. Null when another part holds it. */
  steps: Readonly<Record<string, ProcessStep | null>>;
};

/** Watches two transactions of each company: before and after the call to the authority. */
export function holdSender(database: Database, options: SenderOptions) {
  const answered = new Set<string>();
  const reach = async (step: ProcessStep, company_id: string) => {
    if (options.steps[company_id] !== step) return;
    process.stdout.write(`${company_id}\n`);
    await new Promise(() => undefined);
  };
  const held: Database = {
    ...database,
    async transaction(company_id, work) {
      const is_settling = answered.has(company_id);
      const result = await database.transaction(company_id, async (tx) => {
        const done = await work(tx);
        await reach(is_settling ? 'settling' : 'noting', company_id);
        return done;
      });
      if (is_settling) await reach('settled', company_id);
      return result;
    },
  };
  const wrap_ports = (made: Ports): Ports => {
    const ports = portsTo(options.connection, options.patience)(made);
    return {
      ...ports,
      authority: {
        ...ports.authority,
        async send(message, identity) {
          await reach('noted', message.company_id);
          const result = await ports.authority.send(message, identity);
          await reach('read', message.company_id);
          answered.add(message.company_id);
          return result;
        },
      },
    };
  };
  return { database: held, wrap_ports };
}
