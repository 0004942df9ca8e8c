/** platform/events.ts writes an event in the transaction of its change. */
import type { Operation } from '../../kernel/operation.ts';
import { getEvent } from './operations/get-event.ts';
import { listEventCatalog } from './operations/list-event-catalog.ts';
import { listEvents } from './operations/list-events.ts';

export { comingEvents } from './coming.events.ts';
export { defineEvents, type EventDefinitions, Reference } from './define-events.ts';
export { type EventName, eventCatalog } from './event-catalog.data.ts';
export { Event, type EventRow, Ping, present as presentEvent } from './events.schema.ts';
export { insertTestEvent, readEvents } from './events.store.ts';
export { makeEventList } from './make-event-list.ts';
export type * from './ports.ts';
export {
  type Made,
  makeClient,
  makeDraft,
  makePaidTicket,
  makeThen,
  makeTicket,
  newMetadata,
  post,
  put,
  remove,
  type Trigger,
  type TriggerApi,
} from './trigger-steps.ts';

export const eventsOperations: readonly Operation[] = [listEvents, getEvent, listEventCatalog];

/** What emptying a sandbox deletes here: rows that refer to others go first. */
export const sandboxTables = ['events'];
