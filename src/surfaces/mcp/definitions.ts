/** Puts what a schema says twice into its `$defs`, so that it is sent once. */
import { isSchema, type JsonSchema } from '../shared/wire-schema.ts';

/** What `{"$ref":"#/$defs/d10"}` takes, and the name of the definition beside its text. */
const refLength = 24;
const nameLength = 8;

export function withDefinitions(schema: JsonSchema): JsonSchema {
  const counts = new Map<string, number>();
  count(schema, counts);
  const names = new Map<string, string>();
  const definitions: Record<string, unknown> = {};

  function place(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(place);
    if (!isSchema(value)) return value;
    const text = JSON.stringify(value);
    if (value !== schema && isShared(value, text, counts)) {
      const known = names.get(text);
      if (known !== undefined) return { $ref: `#/$defs/${known}` };
      const name = `d${names.size + 1}`;
      names.set(text, name);
      definitions[name] = within(value);
      return { $ref: `#/$defs/${name}` };
    }
    return within(value);
  }

  const within = (value: JsonSchema) =>
    Object.fromEntries(Object.entries(value).map(([keyword, inner]) => [keyword, place(inner)]));
  const placed = within(schema);
  return names.size === 0 ? placed : { ...placed, $defs: definitions };
}

function count(value: unknown, counts: Map<string, number>): void {
  if (Array.isArray(value)) for (const inner of value) count(inner, counts);
  if (!isSchema(value)) return;
  if ('type' in value || 'anyOf' in value || 'enum' in value) {
    const text = JSON.stringify(value);
    counts.set(text, (counts.get(text) ?? 0) + 1);
    // What a repeated part holds is repeated with it.
    if (counts.get(text)! > 1) return;
  }
  for (const inner of Object.values(value)) count(inner, counts);
}

/** A member of a resource may be called `type`: then its value is a schema, and no word. */
function isShared(value: JsonSchema, text: string, counts: ReadonlyMap<string, number>): boolean {
  const is_schema =
    typeof value.type === 'string' ||
    Array.isArray(value.type) ||
    Array.isArray(value.anyOf) ||
    Array.isArray(value.enum);
  const times = counts.get(text) ?? 0;
  return is_schema && (times - 1) * text.length > times * refLength + nameLength;
}
