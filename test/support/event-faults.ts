/** Checks events against the schema that receivers get. */
import { checkSchema } from '../../src/kernel/check.ts';
import { type TSchema, Type } from '../../src/kernel/schema.ts';
import { eventData } from '../../src/modules/event-list.ts';
import { Event, eventCatalog } from '../../src/modules/events/index.ts';
import type { WrittenEvent } from '../../src/platform/events.ts';

const schemas = new Map<string, TSchema>(
  eventCatalog.map(({ name }) => {
    const own = { type: Type.Literal(name), data: eventData(name) };
    return [name, Type.Object({ ...Event.properties, ...own })];
  }),
);

export function eventFaults({ created_at, ...row }: WrittenEvent): string[] {
  const schema = schemas.get(row.type);
  if (!schema) return [`${row.type} is not in the catalogue`];
  // Receivers get the event through JSON.
  const event = JSON.parse(
    JSON.stringify({ ...row, object: 'event', created: created_at, test: false }),
  ) as unknown;
  const faults = checkSchema(schema, event).map(({ param, message }) => `${param}: ${message}`);
  return [...faults, ...undeclared(schema, event, '')].map((fault) => `${row.type}: ${fault}`);
}

/** Schemas stay open for receivers, but the service sends only named keys. */
function undeclared(schema: TSchema, value: unknown, at: string): string[] {
  const { properties } = schema as { properties?: Record<string, TSchema> };
  if (!properties || value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const known = properties[key];
    return known ? undeclared(known, member, `${at}${key}.`) : [`${at}${key} is not in the schema`];
  });
}
