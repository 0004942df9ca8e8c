/**
 * Requests a minute of a principal and class, in fixed windows. Each process leases shares of the window's row and
 * spends them without a query. So processes hold one limit together.
 */
import type { Sql } from 'postgres';
import type { Clock } from './clock.ts';

export type RateClass = 'read' | 'write';

/** By tier, [reads, writes] a minute; null: no limit. */
export type RateTable = Readonly<Record<string, readonly [number, number]>> | null;

export type RateState = { allowed: boolean; limit: number; remaining: number; reset_seconds: number };

type Share = {
  window_at: number;
  left: number;
  used: number;
  is_spent: boolean;
  leasing: Promise<void> | null;
};

const windowMs = 60_000;
const sharesMax = 100_000;
/** A company's limit is that of this many principals. */
const companyTimes = 4;
/** Reads and writes of one person. A page makes several calls at once. All people of a company share four times as much. */
const personLimits = [600, 120] as const;

type Limits = readonly [number, number] | undefined;

const limitOf = (limits: Limits, rate_class: RateClass) => limits?.[rate_class === 'read' ? 0 : 1];

export type RateLimiter = {
  spend(principal_id: string, tier: string, rate_class: RateClass): Promise<RateState | undefined>;
  /** The limit of the company whose principals call: what four of them have together. */
  spendOfCompany(company_id: string, tier: string, rate_class: RateClass): Promise<RateState | undefined>;
  /** Of somebody in a session, over all companies. */
  spendOfPerson(user_id: string, rate_class: RateClass): Promise<RateState | undefined>;
  /** Of a company's people together, apart from its keys. */
  spendOfPeople(company_id: string, rate_class: RateClass): Promise<RateState | undefined>;
  purge(): Promise<void>;
};

export function makeRateLimiter(sql: Sql, table: RateTable, clock: Clock): RateLimiter {
  const shares = new Map<string, Share>();
  const ofPerson = table ? personLimits : undefined;

  /** Keys were the first principals; the column keeps their name. */
  async function lease(principal_id: string, kind: string, share: Share, limit: number): Promise<void> {
    const wanted = Math.max(1, Math.ceil(limit / 10));
    const [row] = await sql<{ used: number }[]>`
      insert into rate_windows as w (key_id, rate_class, window_at, used)
      values (${principal_id}, ${kind}, ${new Date(share.window_at)}, ${wanted})
      on conflict (key_id, rate_class, window_at) do update set used = w.used + ${wanted}
      returning w.used`;
    const before = (row?.used ?? wanted) - wanted;
    const granted = Math.max(0, Math.min(wanted, limit - before));
    share.left += granted;
    share.used = before + granted;
    share.is_spent = granted < wanted;
  }

  async function spendOf(
    principal_id: string,
    one: number | undefined,
    kind: string,
    times = 1,
  ): Promise<RateState | undefined> {
    if (one === undefined) return undefined;
    const limit = one * times;
    const now = clock.now().getTime();
    const window_at = Math.floor(now / windowMs) * windowMs;
    const name = `${principal_id} ${kind}`;
    let share = shares.get(name);
    if (share?.window_at !== window_at) {
      if (shares.size >= sharesMax) shares.clear();
      share = { window_at, left: 0, used: 0, is_spent: false, leasing: null };
      shares.set(name, share);
    }
    while (share.left === 0 && !share.is_spent) {
      share.leasing ??= lease(principal_id, kind, share, limit).finally(() => {
        share.leasing = null;
      });
      await share.leasing;
    }
    const allowed = share.left > 0;
    if (allowed) share.left -= 1;
    return {
      allowed,
      limit,
      remaining: Math.max(0, limit - share.used + share.left),
      reset_seconds: Math.max(1, Math.ceil((window_at + windowMs - now) / 1000)),
    };
  }

  return {
    spend: (id, tier, rate_class) => spendOf(id, limitOf(table?.[tier], rate_class), rate_class),
    spendOfCompany: (id, tier, rate_class) =>
      spendOf(id, limitOf(table?.[tier], rate_class), rate_class, companyTimes),
    spendOfPerson: (id, rate_class) => spendOf(id, limitOf(ofPerson, rate_class), rate_class),
    spendOfPeople: (id, rate_class) =>
      spendOf(id, limitOf(ofPerson, rate_class), `${rate_class}_by_people`, companyTimes),
    async purge() {
      await sql`delete from rate_windows where window_at < ${new Date(clock.now().getTime() - 10 * windowMs)}`;
    },
  };
}
