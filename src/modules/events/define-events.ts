/** How a module declares its events, in `<module>.events.ts`. modules/event-list.ts joins them. */
import { type TObject, Type, Uuid } from '../../kernel/schema.ts';
import type { EventName } from './event-catalog.data.ts';
import type { Trigger } from './trigger-steps.ts';

export type EventDefinition = {
  /** What `data` holds; by default a reference to the resource. */
  data?: TObject;
  /** Causes the event in a sandbox, for `folio events trigger`. */
  trigger?: Trigger;
  /**
   * Replaces `trigger` for an event that no call alone causes: tells the person at the terminal what does.
   */
  other_way?: string;
};

export type EventDefinitions = { readonly [name in EventName]?: EventDefinition };

export function defineEvents(definitions: EventDefinitions): EventDefinitions {
  return definitions;
}

/** The default `data`: the id of the resource. */
export const Reference = Type.Object({ id: Uuid });
