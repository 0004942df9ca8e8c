/**
 * Follows a company's event log over the API. Ids are made before their transaction commits, so an event may appear
 * behind one already read. Each reading starts a little earlier and skips events already seen.
 */
import { type ApiClient, ApiFault } from './api-client.ts';

export type ListedEvent = {
  id: string;
  object: 'event';
  type: string;
  aggregate_id: string;
  sequence: number;
  data: Record<string, unknown>;
  created: string;
  correlation_id: string | null;
  [member: string]: unknown;
};

type EventPage = { data: ListedEvent[]; has_more: boolean; next_cursor: string | null };

/** No transaction of the service takes so long. */
const overlapMs = 30_000;
const pageSize = 100;

/** The largest part of the key's reads that it uses. */
const share = 0.25;
const pauseMinMs = 1000;

export class EventTail {
  readonly #api: ApiClient;
  readonly #now: () => number;
  /** Events that the next reading may find again, with the time of their first reading. */
  readonly #seen = new Map<string, number>();
  /** All events up to this id were seen. */
  #anchor: string | null = null;
  /** The wait between readings, from the limit in the last answer. */
  pause_ms = pauseMinMs;

  /** @param now milliseconds of a clock that only goes forward */
  constructor(api: ApiClient, now: () => number = () => performance.now()) {
    this.#api = api;
    this.#now = now;
  }

  /** Skips the existing events. */
  async start(): Promise<void> {
    const { data, has_more } = await this.#page({ sort: '-created' });
    const last = data.at(-1);
    if (has_more && last) this.#anchor = last.id;
    for (const { id } of data) this.#seen.set(id, this.#now());
  }

  /** The events since the last reading. Those of one resource are in order of `sequence`. */
  async read(): Promise<ListedEvent[]> {
    const found: ListedEvent[] = [];
    let cursor = this.#anchor;
    for (;;) {
      const page = await this.#page({
        sort: 'created',
        ...(cursor === null ? {} : { starting_after: cursor }),
      }).catch((error: unknown) => {
        // The sandbox was emptied: its events are gone, the cursor too.
        if (cursor === null || !(error instanceof ApiFault) || error.status !== 422) throw error;
        return null;
      });
      if (page === null) {
        this.#anchor = cursor = null;
        continue;
      }
      const { data, has_more, next_cursor } = page;
      found.push(...data.filter(({ id }) => !this.#seen.has(id)));
      if (!has_more || next_cursor === null) break;
      cursor = next_cursor;
    }
    const now = this.#now();
    for (const { id } of found) this.#seen.set(id, now);
    this.#moveAnchor(now - overlapMs);
    return bySequence(found);
  }

  #moveAnchor(settled: number): void {
    for (const [id, at] of this.#seen) {
      if (at <= settled && (this.#anchor === null || id > this.#anchor)) this.#anchor = id;
    }
    for (const id of this.#seen.keys())
      if (this.#anchor !== null && id <= this.#anchor) this.#seen.delete(id);
  }

  async #page(query: Record<string, string>): Promise<EventPage> {
    const { body, headers } = await this.#api.call<EventPage>('GET', '/v1/events', {
      query: { limit: String(pageSize), ...query },
    });
    const [, quota, window] = /q=(\d+);w=(\d+)/.exec(String(headers['ratelimit-policy'] ?? '')) ?? [];
    this.pause_ms = Math.max(
      pauseMinMs,
      quota && window ? (Number(window) * 1000) / (Number(quota) * share) : 0,
    );
    return body;
  }
}

/** Sorts each resource's events; the order of the resources stays. */
function bySequence(events: readonly ListedEvent[]): ListedEvent[] {
  const waiting = new Map(
    [...Map.groupBy(events, (event) => event.aggregate_id)].map(([id, own]) => [
      id,
      own.toSorted((a, b) => a.sequence - b.sequence),
    ]),
  );
  return events.map((event) => waiting.get(event.aggregate_id)?.shift() ?? event);
}
