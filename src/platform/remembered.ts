/**
 * The last answer of `ask`, for `ms` from when it came; faults too. While one is awaited, all callers share it: a slow
 * answer is not asked for twice.
 * @param now monotonic, in ms
 */
export function remembered<T>(
  ms: number,
  ask: () => Promise<T>,
  now: () => number = () => performance.now(),
): () => Promise<T> {
  let last: { answer: Promise<T>; came_at: number } | null = null;
  return () => {
    if (last !== null && now() - last.came_at < ms) return last.answer;
    const asked = { answer: new Promise<T>((resolve) => resolve(ask())), came_at: Number.POSITIVE_INFINITY };
    const note = () => {
      asked.came_at = now();
    };
    asked.answer.then(note, note);
    last = asked;
    return asked.answer;
  };
}

/** Keeps what `make` gave, for good. A failure reaches those who wait for it, and the next caller tries again. */
export function keptUnlessFailed<T>(make: () => Promise<T>): () => Promise<T> {
  let kept: Promise<T> | null = null;
  return () => {
    if (kept !== null) return kept;
    const made = make();
    kept = made;
    made.catch(() => {
      kept = null;
    });
    return made;
  };
}
