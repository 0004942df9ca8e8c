/**
 * Which invoice answered for an external id when it was last seen by this process: most replays come to the process that
 * made the invoice, and are read by its id in one step. A hint that decides nothing: what is read has to say that it has
 * the external id, or all is looked up as for a new one.
 */
export class IdsSeen {
  readonly #ids = new Map<string, string>();
  readonly #max: number;

  /** @param max how many are remembered; the oldest are forgotten first */
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
