/** Where the clock goes. It is moved by whole days of 24 hours; a month later is the same day, or the month's last. */
const day_ms = 86_400_000;

export const dayLater = (now: string): string => new Date(Date.parse(now) + day_ms).toISOString();

export function monthLater(now: string): string {
  const at = new Date(now);
  const day = at.getUTCDate();
  at.setUTCDate(1);
  at.setUTCMonth(at.getUTCMonth() + 1);
  const last = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate();
  at.setUTCDate(Math.min(day, last));
  return at.toISOString();
}
