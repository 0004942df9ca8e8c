/** The last answer of `ask` for `ms`, faults too. Callers at the same time share one. @param now monotonic, in ms */
export function remembered<T>(
  ms: number,
  ask: () => Promise<T>,
  now: () => number = () => performance.now(),
): () => Promise<T> {
  let last: { at: number; answer: Promise<T> } | null = null;
  return () => {
    if (last === null || now() - last.at >= ms) {
      last = { at: now(), answer: ask() };
      last.answer.catch(() => undefined);
    }
    return last.answer;
  };
}
