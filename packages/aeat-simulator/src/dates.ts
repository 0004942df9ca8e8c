/** Days and instants by Madrid's clock. */

/** `dd-mm-yyyy` to `yyyy-mm-dd`; undefined for a day that does not exist. */
export function readDay(text: string): string | undefined {
  const match = /^(\d{2})-(\d{2})-(\d{4})$/.exec(text);
  if (!match) return undefined;
  const day = `${match[3]}-${match[2]}-${match[1]}`;
  const parsed = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(day) ? day : undefined;
}

const madrid_parts = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/Madrid',
  dateStyle: 'short',
  timeStyle: 'medium',
});

export function madridDay(now: Date): string {
  return madrid_parts.format(now).slice(0, 10);
}

/** `yyyy-mm-ddThh:mm:ss+01:00` */
export function madridStamp(now: Date): string {
  const local = madrid_parts.format(now).replace(' ', 'T');
  const hours = Math.round((Date.parse(`${local}Z`) - now.getTime()) / 3_600_000);
  return `${local}+0${hours}:00`;
}

export function yearsFrom(day: string, years: number): string {
  return `${String(Number(day.slice(0, 4)) + years).padStart(4, '0')}${day.slice(4)}`;
}
