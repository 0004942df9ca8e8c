/**
 * The lanes of a worker: places for jobs that run, and a queue of claimed jobs for each. A job that waits for somebody
 * outside keeps no job waiting that does not, or that waits for somebody else.
 */
import type { JobHandler } from './job-handler.ts';
import { dueKind } from './jobs.ts';
import type { Claimed } from './leases.ts';

/** Jobs that call nobody. */
export const insideLane = 'inside';
/** Jobs that call outside and name no lane of their own. */
export const outsideLane = 'outside';

type Lane = { kinds: readonly string[]; concurrency: number; queue: Claimed[]; running: number };

export class JobLanes {
  readonly #lanes: readonly Lane[];

  /**
   * @param places jobs that run at a time, by lane
   * @param other_places the same for a lane that is not named there
   */
  constructor(
    handlers: readonly JobHandler[],
    places: Readonly<Record<string, number>>,
    other_places: number,
  ) {
    const laneOf = ({ outside }: JobHandler) => (outside ? (outside.lane ?? outsideLane) : insideLane);
    this.#lanes = [...Map.groupBy(handlers, laneOf)].map(([name, of]) => ({
      kinds: of.map((handler) => dueKind(handler.kind)),
      concurrency: places[name] ?? other_places,
      queue: [],
      running: 0,
    }));
  }

  /** The kinds of work that the lanes with nothing to do could take. */
  wantedKinds(): readonly string[] {
    return this.#lanes
      .filter((lane) => lane.queue.length === 0 && lane.running < lane.concurrency)
      .flatMap((lane) => lane.kinds);
  }

  queue(claimed: Claimed): void {
    this.#lanes.find((lane) => lane.kinds.includes(claimed.kind))?.queue.push(claimed);
  }

  /** Starts what has a place, in the order of its lane. @param onFree told when a place is free again */
  startQueued(run: (claimed: Claimed) => Promise<void>, onFree: () => void): void {
    for (const lane of this.#lanes) {
      while (lane.queue.length > 0 && lane.running < lane.concurrency) {
        lane.running++;
        void run(lane.queue.shift()!).finally(() => {
          lane.running--;
          onFree();
        });
      }
    }
  }

  /** Takes away what has not begun. */
  takeQueued(): Claimed[] {
    return this.#lanes.flatMap((lane) => lane.queue.splice(0));
  }
}
