import { isCalendarDay } from '../../../../kernel/dates.ts';

const yearsMax = 5;

/** From 29 February it is 28 February. */
export function lastDayAllowed(today: string): string {
  const same_day = `${Number(today.slice(0, 4)) + yearsMax}${today.slice(4)}`;
  return isCalendarDay(same_day) ? same_day : same_day.replace(/29$/, '28');
}
