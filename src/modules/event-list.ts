/** Modules declare their events; operations and jobs declare which ones they emit. */
import { catalog } from './catalog.ts';
import { contactsEvents } from './contacts/contacts.events.ts';
import { comingEvents, makeEventList } from './events/index.ts';
import { families } from './families.ts';
import { jobHandlers } from './jobs.ts';
import { paymentsEvents } from './payments/payments.events.ts';
import { productsEvents } from './products/products.events.ts';
import { seriesEvents } from './series/series.events.ts';
import { taxesEvents } from './taxes/taxes.events.ts';
import { verifactuEvents } from './verifactu/verifactu.events.ts';

export { Event, type EventName, Ping } from './events/index.ts';

export const emittedEventNames: readonly string[] = [
  ...new Set([...catalog, ...jobHandlers].flatMap(({ events = [] }) => events)),
];

export const eventList = makeEventList(
  [
    ...families.map(({ events }) => events),
    paymentsEvents,
    seriesEvents,
    contactsEvents,
    productsEvents,
    taxesEvents,
    verifactuEvents,
    comingEvents,
  ],
  emittedEventNames,
);

export const { items: catalogItems, data: eventData } = eventList;
