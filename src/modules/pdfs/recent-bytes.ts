/** Files used lately, by key, up to a number of bytes in all; those unused for longest are forgotten first. */
export class RecentBytes {
  readonly #files = new Map<string, Uint8Array>();
  readonly #bytes_max: number;
  #bytes = 0;

  constructor(bytes_max: number) {
    this.#bytes_max = bytes_max;
  }

  get(key: string): Uint8Array | undefined {
    const file = this.#files.get(key);
    if (file) {
      this.#files.delete(key);
      this.#files.set(key, file);
    }
    return file;
  }

  /** A file larger than half of the room is not remembered: it would push out all others. */
  set(key: string, file: Uint8Array): void {
    this.#forget(key);
    if (file.byteLength > this.#bytes_max / 2) return;
    this.#files.set(key, file);
    this.#bytes += file.byteLength;
    for (const oldest of this.#files.keys()) {
      if (this.#bytes <= this.#bytes_max) return;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    this.#bytes -= this.#files.get(key)?.byteLength ?? 0;
    this.#files.delete(key);
  }
}
