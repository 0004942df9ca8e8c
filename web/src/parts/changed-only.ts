/** The fields of a body that are not as they were: another's change of the rest is not taken back. */
export function changedOnly<T extends object>(body: T, before: T): Partial<T> {
  const is_new = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(before[name as keyof T]);
  return Object.fromEntries(Object.entries(body).filter(is_new)) as Partial<T>;
}
