/** Bounded by bytes. What is unused for longest is forgotten first. */
export class RecentBytes<Value> {
  readonly #entries = new Map<string, { value: Value; bytes: number }>();
  readonly #bytes_max: number;
  #bytes = 0;

  constructor(bytes_max: number) {
    this.#bytes_max = bytes_max;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry) {
      this.#entries.delete(key);
      this.#entries.set(key, entry);
    }
    return entry?.value;
  }

  /** A value above half of the cache is not kept: it would push out all else. */
  set(key: string, value: Value, bytes: number): void {
    this.#forget(key);
    if (bytes > this.#bytes_max / 2) return;
    this.#entries.set(key, { value, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#bytes_max) return;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }
}
