/** Scopes that a body needs besides those of its operation, because of what it asks for. */

/**
 * `param` is a place in the body, `*` in it each element of a list: `invoices.*.options.send_automatically`. It asks for the scope
 * unless it is left out, null or false.
 */
export type InputScope = {
  readonly param: string;
  readonly scope: string;
  /** A member of the body: sent back as it is stored it asks for nothing. The handler compares, before it changes anything. */
  readonly if_changed?: true;
};

/** @param body unchecked */
export function scopesOfInput(asked: readonly InputScope[], body: unknown): string[] {
  return asked.filter(({ param }) => isAsked(body, param.split('.'))).map(({ scope }) => scope);
}

/** Those that only a change asks for. @param shown what is stored, as its GET answers it */
export function scopesOfChange(
  asked: readonly InputScope[],
  body: Readonly<Record<string, unknown>>,
  shown: Readonly<Record<string, unknown>>,
): string[] {
  const changed = asked.filter(({ param, if_changed }) => if_changed && body[param] !== shown[param]);
  return scopesOfInput(changed, body);
}

function isAsked(value: unknown, path: readonly string[]): boolean {
  const [head, ...rest] = path;
  if (head === undefined) return value !== undefined && value !== null && value !== false;
  if (head === '*') return Array.isArray(value) && value.some((member) => isAsked(member, rest));
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return false;
  return Object.hasOwn(value, head) && isAsked((value as Record<string, unknown>)[head], rest);
}
