/** One run of a name at a time. Whoever asks while it goes on shares the next one, which begins after it. */
export class SharedRuns<T> {
  readonly #running = new Map<string, Promise<T>>();
  readonly #next = new Map<string, Promise<T>>();

  /** @param work begins after this call */
  run(name: string, work: () => Promise<T>): Promise<T> {
    const shared = this.#next.get(name);
    if (shared) return shared;
    const running = this.#running.get(name);
    if (!running) return this.#begin(name, work);
    const begin = () => {
      this.#next.delete(name);
      return this.#begin(name, work);
    };
    const next = running.then(begin, begin);
    this.#next.set(name, next);
    return next;
  }

  #begin(name: string, work: () => Promise<T>): Promise<T> {
    const running = work().finally(() => this.#running.delete(name));
    this.#running.set(name, running);
    return running;
  }
}
