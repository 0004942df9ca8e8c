/**
 * Parameters of a query or a form (RFC 6749, 3.1): an empty one counts as left out, and none may come twice. One with a NUL, which no
 * parameter may have, counts as left out too.
 */
export type Parameters = {
  /** The first value. */
  get(name: string): string | undefined;
  all(name: string): readonly string[];
  /** The first of these names that came more than once. */
  repeated(names: readonly string[]): string | undefined;
};

export function readParameters(text: string): Parameters {
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (value === '' || value.includes('\0')) continue;
    const known = values.get(name);
    if (known) known.push(value);
    else values.set(name, [value]);
  }
  return {
    get: (name) => values.get(name)?.[0],
    all: (name) => values.get(name) ?? [],
    repeated: (names) => names.find((name) => (values.get(name)?.length ?? 0) > 1),
  };
}
