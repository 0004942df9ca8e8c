/** Picks work in due order, but no more of a company than its turns while others wait. */
import type { Sql } from 'postgres';
import { type CandidateQuery, type DueRow, findCandidates } from './due-work.ts';
import { FairRound } from './fair-round.ts';

/** The companies that a process prefers, where several share the work. */
export type Share = { index: number; count: number };

type Options = {
  sql: Sql;
  batch: number;
  share?: Share | undefined;
};

const readsMax = 5;
/** Then anybody takes another share's work: its process may be gone. */
const sharePatienceMs = 10_000;

export class DuePicker {
  readonly #options: Options;
  readonly #round: FairRound;

  constructor(options: Options) {
    this.#options = options;
    this.#round = new FairRound(Math.max(1, Math.floor(options.batch / 4)));
  }

  async pick(kinds: readonly string[], now: Date, excluded: readonly string[]): Promise<DueRow[]> {
    const { sql, batch, share } = this.#options;
    const mine = share && { ...share, late: new Date(now.getTime() - sharePatienceMs) };
    const picked: DueRow[] = [];
    const spare: DueRow[] = [];
    const seen = new Set<string>();
    for (let reads = 0; reads < readsMax && picked.length < batch; reads++) {
      const served = this.#round.served();
      const query: CandidateQuery = {
        kinds,
        now,
        limit: batch,
        excluded: [...served, ...excluded],
        share: mine,
      };
      const rows = await findCandidates(sql, query);
      for (const row of rows) {
        if (seen.has(row.id)) continue;
        seen.add(row.id);
        (picked.length < batch && this.#round.take(row.company_id) ? picked : spare).push(row);
      }
      if (rows.length < batch) {
        this.#round.end();
        // Nobody else waits, so companies without turns go on.
        if (rows.length > 0 || served.length === 0 || reads > 0) break;
      }
    }
    return [...picked, ...spare.slice(0, batch - picked.length)];
  }
}
