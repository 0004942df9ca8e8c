/** The event log and its catalogue. Events are written by platform/events.ts in each change's transaction. */
import type { Operation } from '../../kernel/operation.ts';
import { getEvent } from './operations/get-event.ts';
import { listEventCatalog } from './operations/list-event-catalog.ts';
import { listEvents } from './operations/list-events.ts';

export { eventCatalog } from './event-catalog.data.ts';

export const eventsOperations: readonly Operation[] = [listEvents, getEvent, listEventCatalog];
