/** Days and instants as texts. A fiscal date is a day in the company's time zone. */

const dayText = /^(\d{4})-(\d\d)-(\d\d)$/;

/** From 1900 to 2199. */
export function isCalendarDay(text: string): boolean {
  const match = dayText.exec(text);
  if (!match) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (year < 1900 || year > 2199 || month < 1 || month > 12 || day < 1) return false;
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

const instantText =
  /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-](0\d|1[0-5]):[0-5]\d)$/;

/** From 1900 to 2199, with a zone. No zone is 16 hours or more from UTC. */
export function isInstant(text: string): boolean {
  const match = instantText.exec(text);
  return match !== null && isCalendarDay(match[1] ?? '');
}

const formatters = new Map<string, Intl.DateTimeFormat>();
const lastDays = new Map<string, { hour: number; day: string }>();

export function dayIn(time_zone: string, instant: Date): string {
  // Offsets change on a quarter of an hour, so a quarter lies in one day.
  const quarter = Math.floor(instant.getTime() / 900_000);
  const last = lastDays.get(time_zone);
  if (last?.hour === quarter) return last.day;
  let format = formatters.get(time_zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone: time_zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
    formatters.set(time_zone, format);
  }
  const day = format.format(instant);
  lastDays.set(time_zone, { hour: quarter, day });
  return day;
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

const quarterMs = 900_000;

/** When the next day begins: at local midnight, or later if a change of the clocks skips it. */
export function nextLocalMidnight(time_zone: string, now: Date): Date {
  const today = dayIn(time_zone, now);
  // The next day begins on a quarter of an hour, within 26 hours even when the clocks go back.
  let before = Math.floor(now.getTime() / quarterMs);
  let after = before + 26 * 4;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (dayIn(time_zone, new Date(middle * quarterMs)) === today) before = middle;
    else after = middle;
  }
  return new Date(after * quarterMs);
}

type Validity = { valid_from: string | null; valid_to: string | null };

/** Its first and its last day belong to it. */
export function isValidOn({ valid_from, valid_to }: Validity, day: string): boolean {
  return (valid_from === null || valid_from <= day) && (valid_to === null || day <= valid_to);
}

/** The first instant of a day. */
export function dayStart(time_zone: string, day: string): Date {
  return nextLocalMidnight(time_zone, new Date(`${addDays(day, -1)}T12:00:00Z`));
}

/** The last microsecond of a day: the database keeps no finer time. */
export function dayEndText(time_zone: string, day: string): string {
  const next = dayStart(time_zone, addDays(day, 1));
  return new Date(next.getTime() - 1).toISOString().replace('Z', '999Z');
}

const offsets = new Map<string, { quarter: number; minutes: number }>();
/** Costly to make. */
const offsetFormats = new Map<string, Intl.DateTimeFormat>();

function offsetMinutes(time_zone: string, instant: Date): number {
  const quarter = Math.floor(instant.getTime() / quarterMs);
  const last = offsets.get(time_zone);
  if (last?.quarter === quarter) return last.minutes;
  const format =
    offsetFormats.get(time_zone) ??
    new Intl.DateTimeFormat('en-US', { timeZone: time_zone, timeZoneName: 'longOffset' });
  offsetFormats.set(time_zone, format);
  const name = format.formatToParts(instant).find((part) => part.type === 'timeZoneName')?.value ?? 'GMT';
  const [, sign, hours, rest] = /^GMT(?:([+-])(\d\d):(\d\d))?$/.exec(name) ?? [];
  const minutes = sign === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(rest));
  offsets.set(time_zone, { quarter, minutes });
  return minutes;
}

/** In whole seconds, with the zone's offset: `2026-11-21T10:20:30+01:00`. */
export function instantIn(time_zone: string, instant: Date): string {
  const minutes = offsetMinutes(time_zone, instant);
  const local = new Date(instant.getTime() + minutes * 60_000).toISOString().slice(0, 19);
  const two = (value: number) => String(value).padStart(2, '0');
  const ahead = Math.abs(minutes);
  return `${local}${minutes < 0 ? '-' : '+'}${two(Math.floor(ahead / 60))}:${two(ahead % 60)}`;
}

/** @param hour one that no change of the clocks skips or repeats: 4 to 22 */
export function hourIn(time_zone: string, day: string, hour: number): Date {
  const shown = Date.parse(`${day}T00:00:00Z`) + hour * 4 * quarterMs;
  // Looked up twice, since the offset may differ between that hour in UTC and in the zone.
  const about = shown - offsetMinutes(time_zone, new Date(shown)) * 60_000;
  return new Date(shown - offsetMinutes(time_zone, new Date(about)) * 60_000);
}
