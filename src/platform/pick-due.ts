/** Picks work in due order, but no more of an owner than its turns while others wait. */
import type { Sql } from 'postgres';
import { type CandidateQuery, type DueRow, findCandidates } from './due-work.ts';
import { FairRound } from './fair-round.ts';
import type { Wanted } from './job-lanes.ts';
import type { SharePort } from './share-owners.ts';

/** The companies that a process prefers, where several share the work. */
export type Share = { index: number; count: number };

type Options = {
  sql: Sql;
  batch: number;
  share?: Share | undefined;
  shares: SharePort;
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

  async pick({ kinds, held_back }: Wanted, now: Date, excluded: readonly string[]): Promise<DueRow[]> {
    const { sql, batch, share, shares } = this.#options;
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
        held_back,
        share: mine,
      };
      const rows = await findCandidates(sql, query);
      for (const row of rows) {
        if (seen.has(row.id)) continue;
        seen.add(row.id);
        const { company_id } = row;
        const has_turn = picked.length < batch && this.#round.take(shares.ownerOf(company_id), company_id);
        (has_turn ? picked : spare).push(row);
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
