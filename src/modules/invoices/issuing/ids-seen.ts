/**
 * Remembers which invoice this process last saw for an external id. Most replays reach the process that made the invoice, which
 * then reads it by id in one step. It is only a hint: an invoice without the external id counts as unknown.
 */
export class IdsSeen {
  readonly #ids = new Map<string, string>();
  readonly #max: number;

  /** @param max the oldest are forgotten first */
  constructor(max = 20_000) {
    this.#max = max;
  }

  get(company_id: string, external_id: string): string | undefined {
    return this.#ids.get(`${company_id} ${external_id}`);
  }

  set(company_id: string, external_id: string, id: string): void {
    const name = `${company_id} ${external_id}`;
    this.#ids.delete(name);
    this.#ids.set(name, id);
    if (this.#ids.size <= this.#max) return;
    const [oldest] = this.#ids.keys();
    this.#ids.delete(oldest!);
  }
}
