/** Real time comes from one injected source. Only sandboxes have a clock: real time plus an offset, or frozen. */

export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };

export type CompanyClock = { clock_offset_ms: number; clock_frozen_at: Date | null };

export function companyTime(clock: CompanyClock, real: Date): Date {
  if (clock.clock_frozen_at) return clock.clock_frozen_at;
  return clock.clock_offset_ms === 0 ? real : new Date(real.getTime() + clock.clock_offset_ms);
}

/** Null while a frozen clock stands before the company time. */
export function realDueTime(clock: CompanyClock, company_time: Date, real_now: Date): Date | null {
  if (clock.clock_frozen_at) return company_time <= clock.clock_frozen_at ? real_now : null;
  return new Date(company_time.getTime() - clock.clock_offset_ms);
}
