/**
 * Shares turns among owners, so that one with ten thousand jobs, or a thousand companies, holds up nobody. A new round
 * begins when nobody else waits.
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

  take(owner_id: string, company_id = owner_id): boolean {
    const taken = this.#taken.get(owner_id) ?? 0;
    if (this.#taken.size >= companiesMax || this.#served.size >= companiesMax) this.end();
    if (taken + 1 >= this.#turns_each) this.#served.add(company_id);
    if (taken >= this.#turns_each) return false;
    this.#taken.set(owner_id, taken + 1);
    return true;
  }

  end(): void {
    this.#taken.clear();
    this.#served.clear();
  }
}
