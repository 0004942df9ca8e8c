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

/** Lanes of one owner that wait for one host, in the order in which they came. Its place in a line is that of its last turn. */
type Group = HostPlace & { lanes: Map<string, Waiting['retry']> };

export class HostShares {
  readonly #limits: HostLimits;
  readonly #counts = new Map<string, number>();
  /** The group in which a lane waits. */
  readonly #waiting = new Map<string, Group>();
  /** By the names of host, of company at host and of company: an end looks at those for whom it may have made room, and at no others. */
  readonly #groups = new Map<string, Set<Group>>();

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
      this.#wait(lane_id, one);
      return false;
    }
    this.forget(lane_id);
    for (const name of [lane_id, ...namesOf(one)]) this.#counts.set(name, this.#countOf(name) + 1);
    return true;
  }

  end(ended_id: string, one: HostPlace): void {
    for (const name of [ended_id, ...namesOf(one)]) {
      const left = this.#countOf(name) - 1;
      if (left > 0) this.#counts.set(name, left);
      else this.#counts.delete(name);
    }
    const [of_host, , of_company] = namesOf(one);
    this.#serve(of_host, this.#limits.of_host);
    this.#serve(of_company, this.#limits.of_company);
  }

  /** The lane has ended, or waits no more. */
  forget(lane_id: string): void {
    const group = this.#waiting.get(lane_id);
    if (!group) return;
    this.#waiting.delete(lane_id);
    group.lanes.delete(lane_id);
    if (group.lanes.size === 0) this.#remove(group);
  }

  /** Whoever waits there by now keeps its place. An endpoint may have moved to another host. */
  #wait(lane_id: string, { owner_id, host, retry }: Waiting): void {
    const [, name] = namesOf({ owner_id, host });
    const [known] = this.#groups.get(name) ?? [];
    if (known?.lanes.has(lane_id)) return;
    this.forget(lane_id);
    const group = known ?? { owner_id, host, lanes: new Map() };
    if (!known) this.#add(group);
    group.lanes.set(lane_id, retry);
    this.#waiting.set(lane_id, group);
  }

  #add(group: Group): void {
    for (const name of namesOf(group)) {
      const groups = this.#groups.get(name) ?? new Set();
      this.#groups.set(name, groups.add(group));
    }
  }

  #remove(group: Group): void {
    for (const name of namesOf(group)) {
      const groups = this.#groups.get(name);
      groups?.delete(group);
      if (groups?.size === 0) this.#groups.delete(name);
    }
  }

  /** @param most requests under the name, of all */
  #serve(name: string, most: number): void {
    for (const group of [...(this.#groups.get(name) ?? [])]) {
      if (this.#countOf(name) >= most) return;
      if (!this.#serveGroup(group) || group.lanes.size === 0) continue;
      this.#remove(group);
      this.#add(group);
    }
  }

  /** Lanes that have none under way have the most room: without it the rest need not be asked. @returns whether one was served */
  #serveGroup(group: Group): boolean {
    let is_served = false;
    for (const [lane_id, retry] of group.lanes) {
      if (!this.#hasRoomAt(group, 1)) break;
      if (!this.#hasRoom(lane_id, group)) continue;
      this.forget(lane_id);
      retry();
      is_served = true;
    }
    return is_served;
  }

  #countOf(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  #hasRoom(lane_id: string, one: HostPlace): boolean {
    return this.#hasRoomAt(one, this.#countOf(lane_id) === 0 ? 1 : furtherShare);
  }

  #hasRoomAt(one: HostPlace, share: number): boolean {
    const { of_host, of_company_at_host, of_company } = this.#limits;
    const most = [of_host, of_company_at_host * share, of_company * share];
    return namesOf(one).every((name, i) => this.#countOf(name) < most[i]!);
  }
}

/** Of the host, of the company at the host, of the company. */
function namesOf({ owner_id, host }: HostPlace): readonly [string, string, string] {
  return [`host ${host}`, `${owner_id} at ${host}`, `of ${owner_id}`];
}

export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
