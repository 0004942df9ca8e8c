/** A sandbox clock is frozen, set forward, or runs on from where it stands. */
import { commonErrors as c } from '../../kernel/common.errors.ts';
import { fail } from '../../kernel/problem.ts';
import { type CompanyClock, companyTime } from '../../platform/clock.ts';

/** Absent keys stay; null `now` too. */
export type ClockChange = { now?: string | null; frozen?: boolean };

/** Ten years of 365.25 days ahead of real time. */
export const aheadMaxMs = 3652.5 * 86_400_000;

/** @throws 422 business_rule_violation, param `now`, for a time before the clock's or beyond the limit */
export function moveClock(clock: CompanyClock, change: ClockChange, real_now: Date): CompanyClock {
  const present = companyTime(clock, real_now);
  const time = typeof change.now === 'string' ? new Date(change.now) : present;
  if (time < present) refuse(`el reloj de pruebas solo avanza, y ya marca ${present.toISOString()}.`);
  if (time > present && time.getTime() - real_now.getTime() > aheadMaxMs) {
    refuse('el reloj de pruebas no se adelanta más de diez años a la hora real.');
  }
  const is_frozen = change.frozen ?? clock.clock_frozen_at !== null;
  return {
    clock_offset_ms: is_frozen ? clock.clock_offset_ms : time.getTime() - real_now.getTime(),
    clock_frozen_at: is_frozen ? time : null,
  };
}

function refuse(reason: string): never {
  throw fail(c.business_rule_violation, { param: 'now', values: { reason } });
}
