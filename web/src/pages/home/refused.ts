/** Which of the newest calls were refused. The service cannot be asked for all refusals at once: a filter takes one status. */

type Looked<T> = { data: readonly T[]; has_more: boolean };

const shown = 5;

/** `looked_at` is null when all calls were looked at. */
export function lastRefused<T extends { status: number }>({ data, has_more }: Looked<T>) {
  const refused = data.filter(({ status }) => status >= 400).slice(0, shown);
  return { refused, looked_at: has_more ? data.length : null };
}
