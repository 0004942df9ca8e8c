/**
 * Requests under way at one host. A company has a share of them, so its slow receivers hold nothing of others, and a
 * stranger's host is not flooded through many endpoints. A lane that gets no place is called when there is one. Its
 * delivery waits in the lane, where a disabled endpoint or a lost lease still stops it.
 */

export type HostLimits = {
  /** At one host, of all companies and of one. */
  of_host: number;
  of_company_at_host: number;
  /** Of one company at all hosts. */
  of_company: number;
};

const usual: HostLimits = { of_host: 128, of_company_at_host: 32, of_company: 256 };

/** `owner_id`: in whose share the company counts. */
export type HostPlace = { owner_id: string; host: string };

type Waiting = HostPlace & { retry(): void };

export class HostShares {
  readonly #limits: HostLimits;
  readonly #counts = new Map<string, number>();
  /** By lane, in the order in which they came. */
  readonly #waiting = new Map<string, Waiting>();

  constructor(limits = usual) {
    this.#limits = limits;
  }

  /**
   * Counts a request, or remembers who asks.
   * @param lane_id one lane waits once
   * @param retry called when there may be a place
   */
  begin(lane_id: string, one: Waiting): boolean {
    if (!this.#hasRoom(one)) {
      if (!this.#waiting.has(lane_id)) this.#waiting.set(lane_id, one);
      return false;
    }
    this.#waiting.delete(lane_id);
    for (const name of namesOf(one)) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    return true;
  }

  end(one: HostPlace): void {
    for (const name of namesOf(one)) {
      const left = (this.#counts.get(name) ?? 1) - 1;
      if (left > 0) this.#counts.set(name, left);
      else this.#counts.delete(name);
    }
    for (const [lane_id, waiting] of [...this.#waiting]) {
      if (!this.#hasRoom(waiting)) continue;
      this.#waiting.delete(lane_id);
      waiting.retry();
    }
  }

  /** The lane has ended. */
  forget(lane_id: string): void {
    this.#waiting.delete(lane_id);
  }

  #hasRoom(one: HostPlace): boolean {
    const { of_host, of_company_at_host, of_company } = this.#limits;
    const most = [of_host, of_company_at_host, of_company];
    return namesOf(one).every((name, i) => (this.#counts.get(name) ?? 0) < most[i]!);
  }
}

/** Of the host, of the company at the host, of the company. */
function namesOf({ owner_id, host }: HostPlace): readonly string[] {
  return [`host ${host}`, `${owner_id} at ${host}`, owner_id];
}

export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
