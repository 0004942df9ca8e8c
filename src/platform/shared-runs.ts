const atOnce = 2;

/**
 * Two runs of a name at a time: the second may take over what the first has left lying. Whoever asks while both go on shares the next
 * one, which begins when one of them has ended.
 */
export class SharedRuns<T> {
  readonly #running = new Map<string, Set<Promise<T>>>();
  readonly #next = new Map<string, Promise<T>>();

  /** @param work begins after this call */
  run(name: string, work: () => Promise<T>): Promise<T> {
    const shared = this.#next.get(name);
    if (shared) return shared;
    const running = this.#running.get(name);
    if (running === undefined || running.size < atOnce) return this.#begin(name, work);
    const begin = () => {
      this.#next.delete(name);
      return this.#begin(name, work);
    };
    const next = Promise.race(running).then(begin, begin);
    this.#next.set(name, next);
    return next;
  }

  #begin(name: string, work: () => Promise<T>): Promise<T> {
    const all = this.#running.get(name) ?? new Set();
    this.#running.set(name, all);
    const running = work().finally(() => {
      all.delete(running);
      if (all.size === 0) this.#running.delete(name);
    });
    all.add(running);
    return running;
  }
}
