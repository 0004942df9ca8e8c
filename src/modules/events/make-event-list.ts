import { Type } from '../../kernel/schema.ts';
import { type EventDefinitions, Reference } from './define-events.ts';
import { type EventCatalogItem, type EventName, eventCatalog } from './event-catalog.data.ts';
import type { EventsPort } from './ports.ts';
import { sampleOf } from './sample-data.ts';
import type { Trigger } from './trigger-steps.ts';

export type ListedEvent = EventCatalogItem & { name: EventName; status: 'available' | 'coming_soon' };

export type EventList = EventsPort & {
  /** In the order of the catalogue. */
  triggers: { readonly [name in EventName]?: Trigger };
  /** What causes the other emitted events. */
  other_ways: { readonly [name in EventName]?: string };
};

/**
 * Joins the modules' declarations with the catalogue.
 * @param emitted names that operations and jobs declare
 * @throws Error when two modules declare an event, or an emitted one is not in the catalogue
 */
export function makeEventList(declared: readonly EventDefinitions[], emitted: readonly string[]): EventList {
  const names = declared.flatMap((of) => Object.keys(of));
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`Two modules declare ${twice}.`);
  const stray = emitted.find((name) => !eventCatalog.some((item) => item.name === name));
  if (stray !== undefined) throw new Error(`${stray} is emitted and not in the catalogue.`);
  const definitions: EventDefinitions = Object.assign({}, ...declared);
  const data: EventList['data'] = (name) =>
    definitions[name]?.data ?? Type.Object({ [name.slice(0, name.indexOf('.'))]: Reference });
  const each = <T>(of: (name: EventName) => T | undefined) =>
    Object.fromEntries(
      eventCatalog.flatMap(({ name }) => {
        const value = of(name);
        return value === undefined ? [] : [[name, value]];
      }),
    );
  return {
    items: eventCatalog.map((item) => ({
      ...item,
      status: emitted.includes(item.name) ? 'available' : 'coming_soon',
    })),
    data,
    sample: (name, id, now) => sampleOf(data(name), id, now) as Record<string, unknown>,
    triggers: each((name) => definitions[name]?.trigger),
    other_ways: each((name) => definitions[name]?.other_way),
  };
}
