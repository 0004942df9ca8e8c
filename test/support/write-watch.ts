/** Triggers count writes, so that unchanged rows need not be read. */
import type { Sql } from 'postgres';
import { stateOf, tablesOfCalls } from './broken-tables.ts';

const watched = new WeakMap<Sql, Promise<void>>();

/** At the commit, when others are about to see the rows. */
async function watchWrites(sql: Sql): Promise<void> {
  const tables = await tablesOfCalls(sql);
  await sql.unsafe(`
    create sequence writes_seen;
    create function note_write() returns trigger language plpgsql security definer set search_path = public as $$
      begin perform nextval('writes_seen'); return null; end $$;
    ${tables
      .map(
        (table) =>
          `create constraint trigger note_write after insert or update or delete on ${table}
             deferrable initially deferred for each row execute function note_write();`,
      )
      .join('\n')}`);
}

/** State as `stateOf` reads it, read again only after a write. */
export class WatchedState {
  readonly #sql: Sql;
  readonly #company_ids: readonly string[];
  #writes: string | undefined;
  #state: Record<string, string> = {};

  constructor(sql: Sql, company_ids: readonly string[]) {
    this.#sql = sql;
    this.#company_ids = company_ids;
  }

  async read(): Promise<Record<string, string>> {
    const watching = watched.get(this.#sql) ?? watchWrites(this.#sql);
    watched.set(this.#sql, watching);
    await watching;
    const [seen] = await this.#sql<{ writes: string }[]>`
      select last_value || ' ' || is_called as writes from writes_seen`;
    if (seen!.writes !== this.#writes) {
      this.#state = await stateOf(this.#sql, this.#company_ids);
      this.#writes = seen!.writes;
    }
    return this.#state;
  }
}
