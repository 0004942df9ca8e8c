/** How a module declares its events: once, in its `<module>.events.ts`. modules/event-list.ts joins the declarations. */
import { type TObject, Type, Uuid } from '../../kernel/schema.ts';
import type { EventName } from './event-catalog.data.ts';
import type { Trigger } from './trigger-steps.ts';

export type EventDefinition = {
  /** What `data` holds; a reference to the resource when left out. */
  data?: TObject;
  /** Makes it happen in a sandbox, for `folio events trigger`. */
  trigger?: Trigger;
  /** In place of `trigger`, for an event that no call alone brings about: what does. For the person at the terminal. */
  other_way?: string;
};

export type EventDefinitions = { readonly [name in EventName]?: EventDefinition };

/** Declares events of the catalogue. */
export function defineEvents(definitions: EventDefinitions): EventDefinitions {
  return definitions;
}

/** A resource as `data` refers to it: by its id alone. */
export const Reference = Type.Object({ id: Uuid });
