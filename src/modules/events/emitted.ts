/**
 * The events that this build really emits; the catalogue calls these available and all others coming_soon.
 * The test run compares the list with what it saw.
 */
import type { EventName } from './event-catalog.data.ts';

export const emittedEventNames = [
] as const satisfies readonly EventName[];
