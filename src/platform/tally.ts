/** Counts what each name holds. A name that holds nothing takes no room. */
export class Tally<Name> {
  readonly #counts = new Map<Name, number>();

  of(name: Name): number {
    return this.#counts.get(name) ?? 0;
  }

  add(name: Name): void {
    this.#counts.set(name, this.of(name) + 1);
  }

  remove(name: Name): void {
    const left = this.of(name) - 1;
    if (left > 0) this.#counts.set(name, left);
    else this.#counts.delete(name);
  }
}
