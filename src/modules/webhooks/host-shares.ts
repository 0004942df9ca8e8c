/**
 * Requests under way at one host. A company has a share of them, so its slow receivers hold nothing of others, and a
 * stranger's host is not flooded through many endpoints. A lane that gets no place is called when there is one. Its
 * delivery waits in the lane, where a disabled endpoint or a lost lease still stops it. The last fifth of a company's
 * share is for lanes with no request under way: a few endpoints that hang do not hold its healthy ones.
 */

export type HostLimits = {
  /** At one host, of all companies and of one. */
  of_host: number;
  of_company_at_host: number;
  /** Of one company at all hosts. */
  of_company: number;
};

const usual: HostLimits = { of_host: 128, of_company_at_host: 40, of_company: 320 };

/** `owner_id`: in whose share the company counts. */
export type HostPlace = { owner_id: string; host: string };

/** Of a company's share, for lanes that have a request under way. */
const furtherShare = 0.8;

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
    if (!this.#hasRoom(lane_id, one)) {
      if (!this.#waiting.has(lane_id)) this.#waiting.set(lane_id, one);
      return false;
    }
    this.#waiting.delete(lane_id);
    for (const name of [lane_id, ...namesOf(one)]) this.#counts.set(name, this.#countOf(name) + 1);
    return true;
  }

  end(ended_id: string, one: HostPlace): void {
    for (const name of [ended_id, ...namesOf(one)]) {
      const left = this.#countOf(name) - 1;
      if (left > 0) this.#counts.set(name, left);
      else this.#counts.delete(name);
    }
    for (const [lane_id, waiting] of [...this.#waiting]) {
      if (!this.#hasRoom(lane_id, waiting)) continue;
      this.#waiting.delete(lane_id);
      waiting.retry();
    }
  }

  /** The lane has ended. */
  forget(lane_id: string): void {
    this.#waiting.delete(lane_id);
  }

  #countOf(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  #hasRoom(lane_id: string, one: HostPlace): boolean {
    const { of_host, of_company_at_host, of_company } = this.#limits;
    const share = this.#countOf(lane_id) === 0 ? 1 : furtherShare;
    const most = [of_host, of_company_at_host * share, of_company * share];
    return namesOf(one).every((name, i) => this.#countOf(name) < most[i]!);
  }
}

/** Of the host, of the company at the host, of the company. */
function namesOf({ owner_id, host }: HostPlace): readonly string[] {
  return [`host ${host}`, `${owner_id} at ${host}`, `of ${owner_id}`];
}

export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
