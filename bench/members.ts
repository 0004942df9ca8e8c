/** The floors' connections, each lent to one pipeline at a time. */
import type { Sql } from 'postgres';
import { type ConnectOptions, connect } from '../src/platform/db.ts';

export type Members = { with<T>(work: (sql: Sql) => Promise<T>): Promise<T>; close(): Promise<void> };

export function makeMembers(target: ConnectOptions['target'], count: number): Members {
  const all = Array.from({ length: count }, () => connect({ target, pool_size: 1, role: null }));
  const free = [...all];
  const waiting: ((sql: Sql) => void)[] = [];
  return {
    async with(work) {
      const sql = free.pop() ?? (await new Promise<Sql>((resolve) => waiting.push(resolve)));
      try {
        return await work(sql);
      } finally {
        const next = waiting.shift();
        if (next) next(sql);
        else free.push(sql);
      }
    },
    close: async () => {
      await Promise.all(all.map((sql) => sql.end({ timeout: 2 })));
    },
  };
}
