/** What a trace calls a statement: its verb and its first table. Values are parameters, and are never part of it. */

const known = new WeakMap<readonly string[], string | null>();

/** The beginning of a long text says it. */
const textMax = 4000;

/**
 * @param strings of a statement's template; the driver's own for a text
 * @returns null for what only opens, sets or ends a transaction
 */
export function statementName(strings: readonly string[]): string | null {
  const [first = ''] = strings;
  // Such as `set local app.company`, a text for each company.
  if (strings.length === 1 && !/^\s*(?:select|insert|update|delete|with)\b/i.test(first)) return null;
  const before = known.get(strings);
  if (before !== undefined) return before;
  const text = strings.join(' ').slice(0, textMax);
  const [, verb] = /\b(select|insert|update|delete)\b/i.exec(text) ?? [];
  const [, table] = /\b(?:from|into|update|join) +([a-z_]+)\b/i.exec(text) ?? [];
  const name = verb ? `${verb.toLowerCase()} ${table ?? ''}`.trim() : null;
  known.set(strings, name);
  return name;
}
