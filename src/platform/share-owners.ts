/**
 * Whose share a company's work counts in (ADR 34): its own, that of the live company for a sandbox, that of the company
 * that manages it. Every share in the service asks here.
 */
import type { Sql } from 'postgres';

export type SharePort = {
  /** The company itself while this process knows no other. */
  ownerOf(company_id: string): string;
};

declare module '../kernel/ports.ts' {
  interface Ports {
    shares: SharePort;
  }
}

const knownMax = 100_000;
/** A managed company's sandbox, its live company, the company that manages it. */
const stepsMax = 3;

export class ShareOwners implements SharePort {
  readonly #owners = new Map<string, string>();
  /** Whose row was read. */
  readonly #met = new Set<string>();

  hasMet(company_id: string): boolean {
    return this.#met.has(company_id);
  }

  /** Reads the company's row, in a transaction of it. */
  async meet(tx: Sql, company_id: string): Promise<void> {
    const [row] = await tx<{ owner_id: string }[]>`
      select coalesce(share_owner_id, live_company_id, parent_company_id, company_id) as owner_id
        from companies where company_id = ${company_id}`;
    if (!row) return;
    if (this.#met.size >= knownMax) this.#forgetAll();
    this.#met.add(company_id);
    this.#owners.set(company_id, row.owner_id);
  }

  /** What a credential or a profile says, until the company's row is read. */
  suppose(company_id: string, owner_id: string): void {
    if (this.#owners.has(company_id)) return;
    if (this.#owners.size >= knownMax) this.#forgetAll();
    this.#owners.set(company_id, owner_id);
  }

  ownerOf(company_id: string): string {
    let owner = company_id;
    for (let step = 0; step < stepsMax; step++) {
      const next = this.#owners.get(owner);
      if (next === undefined || next === owner) break;
      owner = next;
    }
    return owner;
  }

  #forgetAll(): void {
    this.#owners.clear();
    this.#met.clear();
  }
}
