/**
 * A worker's lanes. A job that waits for somebody outside holds up only jobs that wait for the same. One owner gets at most half of
 * a lane's places (ADR 34). Its other jobs wait, and the worker looks for jobs of other owners meanwhile.
 */
import type { DueRow } from './due-work.ts';
import { halfOf } from './fair-turns.ts';
import type { JobHandler } from './job-handler.ts';
import { dueKind } from './jobs.ts';
import type { Claimed } from './leases.ts';
import type { SharePort } from './share-owners.ts';

export const insideLane = 'inside';
/** For jobs that call outside and name no lane. */
export const outsideLane = 'outside';

/** Kinds to look for, and companies whose kinds are not wanted now. */
export type Wanted = {
  kinds: readonly string[];
  held_back: readonly { kinds: readonly string[]; company_ids: readonly string[] }[];
};

export type LaneOptions = {
  /** Running jobs at most, by lane, and for any other lane. */
  places: Readonly<Record<string, number>>;
  other_places: number;
  /** Claimed jobs of one owner that wait in a lane. */
  waiting_max: number;
  shares: SharePort;
};

export class JobLanes {
  readonly #lanes: readonly Lane[];

  constructor(handlers: readonly JobHandler[], options: LaneOptions) {
    const laneOf = ({ outside }: JobHandler) => (outside ? (outside.lane ?? outsideLane) : insideLane);
    this.#lanes = [...Map.groupBy(handlers, laneOf)].map(([name, of]) => {
      const kinds = of.map((handler) => dueKind(handler.kind));
      const together = new Map(of.map(({ kind, outside }) => [dueKind(kind), outside?.together?.max ?? 1]));
      return new Lane(kinds, together, options.places[name] ?? options.other_places, options);
    });
  }

  wanted(): Wanted {
    const lanes = this.#lanes.filter((lane) => lane.isWanting());
    const held_back = lanes.map((lane) => ({ kinds: lane.kinds, company_ids: lane.heldBack() }));
    return {
      kinds: lanes.flatMap((lane) => lane.kinds),
      held_back: held_back.filter(({ company_ids }) => company_ids.length > 0),
    };
  }

  /**
   * @param rows what a look found
   * @returns those that may be claimed; the others' companies are held back
   */
  admit(rows: readonly DueRow[], { kinds }: Wanted): DueRow[] {
    for (const lane of this.#lanes) if (lane.kinds.some((kind) => kinds.includes(kind))) lane.noteLook(rows);
    const coming: DueRow[] = [];
    for (const row of rows) if (this.#of(row)?.admit(row, coming)) coming.push(row);
    return coming;
  }

  queue(claimed: Claimed): void {
    this.#of(claimed)?.queue.push(claimed);
  }

  /** New work may be due: also lanes whose waiting jobs may not begin look again. */
  lookAgain(): void {
    for (const lane of this.#lanes) lane.lookAgain();
  }

  /** @param run gets those of a company that may run together */
  startQueued(run: (group: readonly Claimed[]) => Promise<unknown>, onFree: () => void): void {
    for (const lane of this.#lanes) lane.startQueued(run, onFree);
  }

  takeQueued(): Claimed[] {
    return this.#lanes.flatMap((lane) => lane.queue.splice(0));
  }

  #of({ kind }: DueRow): Lane | undefined {
    return this.#lanes.find((lane) => lane.kinds.includes(kind));
  }
}

class Lane {
  readonly kinds: readonly string[];
  readonly queue: Claimed[] = [];
  /** The last look found no work whose owner may begin more. */
  #has_looked = false;
  /** Jobs that may run together, by kind. */
  readonly #together: ReadonlyMap<string, number>;
  readonly #places: number;
  readonly #options: LaneOptions;
  readonly #running: { company_id: string; owner_id: string }[] = [];
  /** Companies whose owner has enough claimed here. */
  readonly #refused = new Map<string, string>();

  constructor(
    kinds: readonly string[],
    together: ReadonlyMap<string, number>,
    places: number,
    options: LaneOptions,
  ) {
    this.kinds = kinds;
    this.#together = together;
    this.#places = places;
    this.#options = options;
  }

  isWanting(): boolean {
    if (this.#running.length >= this.#places) return false;
    return this.queue.length === 0 || (!this.#has_looked && !this.queue.some((one) => this.#mayBegin(one)));
  }

  lookAgain(): void {
    this.#has_looked = false;
    for (const owner_id of new Set(this.#refused.values())) this.#takeBack(owner_id);
  }

  heldBack(): readonly string[] {
    const theirs = [...this.#running, ...this.queue].filter((one) => !this.#mayBegin(one));
    return [...new Set([...theirs.map(({ company_id }) => company_id), ...this.#refused.keys()])];
  }

  noteLook(rows: readonly DueRow[]): void {
    this.#has_looked = !rows.some(({ kind }) => this.kinds.includes(kind));
  }

  admit({ company_id }: DueRow, coming: readonly DueRow[]): boolean {
    const owner_id = this.#ownerOf(company_id);
    const isTheirs = (one: DueRow) =>
      this.kinds.includes(one.kind) && this.#ownerOf(one.company_id) === owner_id;
    const waiting = [...this.queue, ...coming].filter(isTheirs).length;
    if (waiting < this.#options.waiting_max) return true;
    this.#refused.set(company_id, owner_id);
    return false;
  }

  startQueued(run: (group: readonly Claimed[]) => Promise<unknown>, onFree: () => void): void {
    while (this.#running.length < this.#places) {
      const at = this.queue.findIndex((one) => this.#mayBegin(one));
      if (at === -1) return;
      const [claimed] = this.queue.splice(at, 1) as [Claimed];
      const { company_id } = claimed;
      const group = [claimed, ...this.#takeAlike(claimed)];
      const place = { company_id, owner_id: this.#ownerOf(company_id) };
      this.#running.push(place);
      this.#takeBack(place.owner_id);
      void run(group).finally(() => {
        this.#running.splice(this.#running.indexOf(place), 1);
        onFree();
      });
    }
  }

  #takeAlike({ company_id, kind }: Claimed): Claimed[] {
    const room = (this.#together.get(kind) ?? 1) - 1;
    const alike = this.queue
      .filter((one) => one.company_id === company_id && one.kind === kind)
      .slice(0, room);
    for (const one of alike) this.queue.splice(this.queue.indexOf(one), 1);
    return alike;
  }

  #mayBegin({ company_id }: { company_id: string }): boolean {
    const owner_id = this.#ownerOf(company_id);
    return this.#running.filter((one) => one.owner_id === owner_id).length < halfOf(this.#places);
  }

  /** Its companies are looked for again once none of its jobs waits here. */
  #takeBack(owner_id: string): void {
    if (this.queue.some((one) => this.#ownerOf(one.company_id) === owner_id)) return;
    for (const [company_id, owner] of this.#refused) if (owner === owner_id) this.#refused.delete(company_id);
  }

  #ownerOf(company_id: string): string {
    return this.#options.shares.ownerOf(company_id);
  }
}
