/**
 * Whose share a company's work counts in: its own, or that of the company that owns it (its live company, its parent).
 * What a process has not met yet counts for itself (ADR 34).
 */

const knownMax = 100_000;
/** A sandbox's child, its parent's sandbox, the live company. */
const stepsMax = 3;

export class ShareOwners {
  readonly #owners = new Map<string, string>();

  learn(company_id: string, owner_id: string): void {
    if (company_id === owner_id || this.#owners.get(company_id) === owner_id) return;
    if (this.#owners.size >= knownMax) this.#owners.clear();
    this.#owners.set(company_id, owner_id);
  }

  ownerOf(company_id: string): string {
    let owner = company_id;
    for (let step = 0; step < stepsMax; step++) {
      const next = this.#owners.get(owner);
      if (next === undefined) break;
      owner = next;
    }
    return owner;
  }
}
