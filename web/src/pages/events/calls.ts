import type { Event } from '../../../../src/modules/events/events.schema.ts';
import { call, type ListQuery, type One, type Page, type Wire } from '../../app/operation.ts';

export type LoggedEvent = Wire<typeof Event>;
type EventQuery = ListQuery & {
  type?: string;
  aggregate_id?: string;
  test?: string;
  'created[gte]'?: string;
  'created[lte]'?: string;
};

export const listEvents = call<{ query: EventQuery; answer: Page<LoggedEvent> }>('list_events');
export const getEvent = call<{ params: { event: string }; answer: One<LoggedEvent> }>('get_event');
