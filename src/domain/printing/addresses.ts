/** Only the country's name is translated: the rest is for the post. */
import { countryCodes } from '../countries.ts';
import type { PrintedLanguage } from './printed-document.ts';

export type StoredAddress = Partial<
  Record<
    | 'line1'
    | 'line2'
    | 'number'
    | 'floor'
    | 'door'
    | 'staircase'
    | 'postal_code'
    | 'city'
    | 'province'
    | 'country',
    string | null
  >
>;

const names = new Map<PrintedLanguage, Intl.DisplayNames>();

/** An unknown code is returned as it is. */
export function countryName(code: string, language: PrintedLanguage): string {
  if (!countryCodes.has(code)) return code;
  let of = names.get(language);
  if (!of) {
    of = new Intl.DisplayNames([language], { type: 'region' });
    names.set(language, of);
  }
  return of.of(code) ?? code;
}

const given = (parts: readonly (string | null | undefined)[]): string[] =>
  parts.map((part) => part?.trim() ?? '').filter((part) => part !== '');

/** `Calle Mayor, 1, esc. B, 2.º A`; abroad, the parts as they are. */
function streetLine(address: StoredAddress, is_spanish: boolean): string {
  const { line1, number, staircase, floor, door } = address;
  if (!is_spanish) return given([line1, number, staircase, floor, door]).join(' ');
  const stairs = staircase ? `esc. ${staircase}` : null;
  const storey = floor && /^\d{1,2}$/.test(floor) ? `${floor}.º` : floor;
  return given([line1, number, stairs, given([storey, door]).join(' ')]).join(', ');
}

function cityLine({ postal_code, city, province }: StoredAddress): string {
  const place = given([postal_code, city]).join(' ');
  const is_same = province?.trim().toLowerCase() === city?.trim().toLowerCase();
  if (!province || is_same) return place;
  return place === '' ? province : `${place} (${province})`;
}

/** @param shows_country whether a Spanish address names its country: when the other party is abroad */
export function addressLines(
  address: StoredAddress | null,
  language: PrintedLanguage,
  shows_country: boolean,
): string[] {
  if (!address) return [];
  const country = address.country ?? null;
  const is_spanish = country === null || country === 'ES';
  const named = country !== null && (shows_country || !is_spanish) ? countryName(country, language) : null;
  return given([streetLine(address, is_spanish), address.line2, cityLine(address), named]);
}
