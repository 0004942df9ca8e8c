/** The event log and its catalogue. Events are written by platform/events.ts in each change's transaction. */
import type { Operation } from '../../kernel/operation.ts';
import { getEvent } from './operations/get-event.ts';
import { listEventCatalog } from './operations/list-event-catalog.ts';
import { listEvents } from './operations/list-events.ts';

export { type EventName, eventCatalog } from './event-catalog.data.ts';
export { eventData, sampleEventData } from './event-data.ts';
export { insertTestEvent } from './events.store.ts';
export {
  catalogItems,
  DeliveredEvent,
  Event,
  type EventRow,
  Ping,
  present as presentEvent,
} from './events.schema.ts';

export const eventsOperations: readonly Operation[] = [listEvents, getEvent, listEventCatalog];
