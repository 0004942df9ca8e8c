/** Long work that may be interrupted between its steps. Whoever runs it decides whether others get a turn there. */

export type Steps<T> = Generator<void, T, void>;

/** In one go. */
export function runSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
