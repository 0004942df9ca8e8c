/** Where the clock goes. It is moved by whole days of 24 hours; a month later is the same day of the company, or the month's last. */
import { clockTextOf, instantOf } from '../../parts/dates.ts';

const day_ms = 86_400_000;

export const dayLater = (now: string): string => new Date(Date.parse(now) + day_ms).toISOString();

export function monthLater(now: string, zone: string): string {
  const at = new Date(`${clockTextOf(Date.parse(now), zone)}Z`);
  const day = at.getUTCDate();
  at.setUTCDate(1);
  at.setUTCMonth(at.getUTCMonth() + 1);
  const last = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate();
  at.setUTCDate(Math.min(day, last));
  return instantOf(at.toISOString().slice(0, 19), zone);
}
