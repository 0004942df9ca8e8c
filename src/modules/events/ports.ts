/** The list of events, for operations. Made by modules/event-list.ts, which alone knows every module. */
import type { TObject } from '../../kernel/schema.ts';
import type { EventName } from './event-catalog.data.ts';
import type { ListedEvent } from './make-event-list.ts';

declare module '../../kernel/ports.ts' {
  interface Ports {
    events: EventsPort;
  }
}

export type EventsPort = {
  items: readonly ListedEvent[];
  data(name: EventName): TObject;
  /**
   * Made-up data for a test event: every id is the one given, every instant `now`.
   * @param id of a resource that need not exist
   */
  sample(name: EventName, id: string, now: Date): Record<string, unknown>;
};
