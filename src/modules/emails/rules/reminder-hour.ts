import { hourIn } from '../../../kernel/dates.ts';

/** In the company's time zone. */
const morningHour = 9;

/** A reminder that nobody asked for on that day goes out in the morning. */
export function reminderTime(time_zone: string, day: string): Date {
  return hourIn(time_zone, day, morningHour);
}
