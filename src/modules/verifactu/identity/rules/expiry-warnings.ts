/** Days before the end. Each warning is given once. */
import { addDays } from '../../../../kernel/dates.ts';

export const warningDays = [7, 30] as const;

/**
 * A late warning is given for the nearer day only.
 * @param last_day on which it still holds
 * @param warned_days the nearest warning given so far
 */
export function warningDue(last_day: string, today: string, warned_days: number | null): 7 | 30 | null {
  if (today > last_day) return null;
  const days = warningDays.find((each) => today >= addDays(last_day, -each));
  return days === undefined || (warned_days !== null && warned_days <= days) ? null : days;
}

/** The first day after today on which a warning is due. */
export function nextWarning(last_day: string, today: string): string | null {
  const days = warningDays.map((each) => addDays(last_day, -each)).filter((day) => day > today);
  return days.sort()[0] ?? null;
}
