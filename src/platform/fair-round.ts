/**
 * Shares turns among companies, so that one with ten thousand jobs holds up nobody. A new round begins when nobody
 * else waits.
 */

/** Bounds the memory and the query of a round. */
const companiesMax = 1000;

export class FairRound {
  readonly #turns_each: number;
  readonly #taken = new Map<string, number>();
  readonly #served = new Set<string>();

  constructor(turns_each: number) {
    this.#turns_each = turns_each;
  }

  served(): readonly string[] {
    return [...this.#served];
  }

  take(company_id: string): boolean {
    const taken = this.#taken.get(company_id) ?? 0;
    if (taken >= this.#turns_each) return false;
    if (this.#taken.size >= companiesMax) this.end();
    this.#taken.set(company_id, taken + 1);
    if (taken + 1 >= this.#turns_each) this.#served.add(company_id);
    return true;
  }

  end(): void {
    this.#taken.clear();
    this.#served.clear();
  }
}
