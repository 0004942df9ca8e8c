/** What named the login by which a statement of the owner failed, so that the operator mends the right one. */
const names = new WeakMap<object, string>();

/** @returns the error */
export function withLoginName(error: unknown, name: string): unknown {
  if (error !== null && typeof error === 'object') names.set(error, name);
  return error;
}

/** A setting, or an option. The service's own login is in DATABASE_URL. */
export const loginNameOf = (error: unknown): string =>
  (error !== null && typeof error === 'object' && names.get(error)) || 'DATABASE_URL';
