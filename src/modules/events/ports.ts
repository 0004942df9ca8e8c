/** What operations ask of the list of events; modules/event-list.ts makes it, since only it knows every module. */
import type { TObject } from '../../kernel/schema.ts';
import type { EventName } from './event-catalog.data.ts';
import type { ListedEvent } from './make-event-list.ts';

declare module '../../kernel/ports.ts' {
  interface Ports {
    events: EventsPort;
  }
}

export type EventsPort = {
  /** The whole catalogue. */
  items: readonly ListedEvent[];
  /** The schema of `data`. */
  data(name: EventName): TObject;
  /**
   * Data as the event could have it, for a test event: every id is the one given, every instant `now`.
   * @param id of the resource; there need not be one
   */
  sample(name: EventName, id: string, now: Date): Record<string, unknown>;
};
