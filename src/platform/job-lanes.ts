/** A worker's lanes. A job that waits for somebody outside holds up only jobs that wait for the same. */
import type { JobHandler } from './job-handler.ts';
import { dueKind } from './jobs.ts';
import type { Claimed } from './leases.ts';

export const insideLane = 'inside';
/** For jobs that call outside and name no lane. */
export const outsideLane = 'outside';

type Lane = { kinds: readonly string[]; concurrency: number; queue: Claimed[]; running: number };

export class JobLanes {
  readonly #lanes: readonly Lane[];

  /**
   * @param places running jobs at most, by lane
   * @param other_places for any other lane
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

  wantedKinds(): readonly string[] {
    return this.#lanes
      .filter((lane) => lane.queue.length === 0 && lane.running < lane.concurrency)
      .flatMap((lane) => lane.kinds);
  }

  queue(claimed: Claimed): void {
    this.#lanes.find((lane) => lane.kinds.includes(claimed.kind))?.queue.push(claimed);
  }

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

  takeQueued(): Claimed[] {
    return this.#lanes.flatMap((lane) => lane.queue.splice(0));
  }
}
