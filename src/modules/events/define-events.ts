/** A module declares its events in `<module>.events.ts`. modules/event-list.ts joins them. */
import { type TObject, Type, Uuid } from '../../kernel/schema.ts';
import type { EventName } from './event-catalog.data.ts';
import type { Trigger } from './trigger-steps.ts';

export type EventDefinition = {
  /** By default a reference to the resource. */
  data?: TObject;
  /** Causes the event in a sandbox, for `folio events trigger`. */
  trigger?: Trigger;
  /**
   * Instead of `trigger`, for an event that no call alone causes: tells the person at the terminal what does.
   */
  other_way?: string;
};

export type EventDefinitions = { readonly [name in EventName]?: EventDefinition };

export function defineEvents(definitions: EventDefinitions): EventDefinitions {
  return definitions;
}

export const Reference = Type.Object({ id: Uuid });
