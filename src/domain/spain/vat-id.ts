/**
 * VAT numbers of the European Union: the shapes that VIES publishes, and check digits where the rule is
 * public and simple. Only VIES knows whether a number is registered.
 */
import { compactIdentifier, parseSpanishTaxId } from './tax-id.ts';

/** `country` is ISO 3166: GR for EL, GB for XI (Northern Ireland). */
export type VatId = { value: string; prefix: string; country: string };

type Rule = { shape: RegExp; checks?: (body: string) => boolean };

const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  [
    'AT',
    { shape: /^U\d{8}$/, checks: (body) => (luhnSum(body.slice(1, 8)) + number(body, 8) + 4) % 10 === 0 },
  ],
  ['BE', { shape: /^[01]\d{9}$/, checks: (body) => 97 - (number(body, 0, 8) % 97) === number(body, 8) }],
  ['BG', { shape: /^\d{9,10}$/ }],
  ['CY', { shape: /^\d{8}[A-Z]$/ }],
  ['CZ', { shape: /^\d{8,10}$/ }],
  ['DE', { shape: /^[1-9]\d{8}$/, checks: isMod11And10 }],
  ['DK', { shape: /^[1-9]\d{7}$/, checks: (body) => weighted(body, [2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0 }],
  ['EE', { shape: /^\d{9}$/, checks: (body) => weighted(body, [3, 7, 1, 3, 7, 1, 3, 7, 1]) % 10 === 0 }],
  ['EL', { shape: /^\d{9}$/, checks: isGreek }],
  ['ES', { shape: /^[0-9A-Z]{9}$/, checks: (body) => parseSpanishTaxId(body) !== undefined }],
  ['FI', { shape: /^\d{8}$/, checks: (body) => weighted(body, [7, 9, 10, 5, 8, 4, 2, 1]) % 11 === 0 }],
  ['FR', { shape: /^[0-9A-HJ-NP-Z]{2}\d{9}$/, checks: isFrench }],
  ['HR', { shape: /^\d{11}$/, checks: isMod11And10 }],
  ['HU', { shape: /^\d{8}$/, checks: (body) => weighted(body, [9, 7, 3, 1, 9, 7, 3, 1]) % 10 === 0 }],
  ['IE', { shape: /^(\d{7}[A-W][A-IW]?|\d[A-Z+*]\d{5}[A-W])$/ }],
  ['IT', { shape: /^\d{11}$/, checks: (body) => luhnSum(body) % 10 === 0 }],
  ['LT', { shape: /^(\d{9}|\d{12})$/ }],
  ['LU', { shape: /^\d{8}$/, checks: (body) => number(body, 0, 6) % 89 === number(body, 6) }],
  ['LV', { shape: /^\d{11}$/ }],
  ['MT', { shape: /^\d{8}$/, checks: (body) => weighted(body, [3, 4, 6, 7, 8, 9, 10, 1]) % 37 === 0 }],
  ['NL', { shape: /^\d{9}B\d{2}$/, checks: isDutch }],
  ['PL', { shape: /^\d{10}$/, checks: (body) => weighted(body, [6, 5, 7, 2, 3, 4, 5, 6, 7, -1]) % 11 === 0 }],
  ['PT', { shape: /^\d{9}$/, checks: isPortuguese }],
  ['RO', { shape: /^[1-9]\d{1,9}$/ }],
  [
    'SE',
    { shape: /^\d{10}(0[1-9]|[1-8]\d|9[0-4])$/, checks: (body) => luhnSum(body.slice(0, 10)) % 10 === 0 },
  ],
  ['SI', { shape: /^[1-9]\d{7}$/, checks: isSlovene }],
  ['SK', { shape: /^[1-9]\d{9}$/, checks: (body) => number(body) % 11 === 0 }],
  ['XI', { shape: /^(\d{9}|\d{12}|GD[0-4]\d{2}|HA[5-9]\d{2})$/ }],
]);

const isoOfPrefix: ReadonlyMap<string, string> = new Map([
  ['EL', 'GR'],
  ['XI', 'GB'],
]);

/** The prefix of a member state that a text begins with, whatever follows it; `EL` for `GR`. */
export function vatPrefix(text: string): string | undefined {
  const written = compactIdentifier(text)?.slice(0, 2);
  const prefix = written === 'GR' ? 'EL' : written;
  return prefix !== undefined && rules.has(prefix) ? prefix : undefined;
}

/**
 * Reads any usual spelling; the prefix `GR` counts as `EL`.
 * @returns undefined for an unknown prefix or a wrong shape or check
 */
export function parseVatId(text: string): VatId | undefined {
  const compact = compactIdentifier(text);
  const prefix = vatPrefix(text);
  if (compact === undefined || prefix === undefined) return undefined;
  const body = compact.slice(2);
  const rule = rules.get(prefix);
  if (!rule?.shape.test(body) || rule.checks?.(body) === false) return undefined;
  return { value: prefix + body, prefix, country: isoOfPrefix.get(prefix) ?? prefix };
}

function number(text: string, from = 0, to?: number): number {
  return Number(text.slice(from, to));
}

function weighted(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, i) => sum + weight * Number(digits[i]), 0);
}

/** From the right, doubles every second digit and adds its digits. */
function luhnSum(digits: string): number {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    sum += i % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2;
  }
  return sum;
}

/** ISO 7064 MOD 11,10. */
function isMod11And10(digits: string): boolean {
  let product = 10;
  for (const digit of digits.slice(0, -1)) {
    const sum = (Number(digit) + product) % 10;
    product = ((sum === 0 ? 10 : sum) * 2) % 11;
  }
  return (product + Number(digits.slice(-1))) % 10 === 1;
}

function isGreek(body: string): boolean {
  return (weighted(body, [256, 128, 64, 32, 16, 8, 4, 2]) % 11) % 10 === Number(body[8]);
}

/** Only all-digit keys have a simple rule; the shape checks the others. */
function isFrench(body: string): boolean {
  if (!/^\d+$/.test(body)) return true;
  return (12 + 3 * (number(body, 2) % 97)) % 97 === number(body, 0, 2);
}

/** Companies use the check of their fiscal number. Since 2020 sole traders have one over the whole text. */
function isDutch(body: string): boolean {
  if (weighted(body, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0) return true;
  const asNumber = [...`NL${body}`].map((character) => Number.parseInt(character, 36)).join('');
  return BigInt(asNumber) % 97n === 1n;
}

function isPortuguese(body: string): boolean {
  const check = 11 - (weighted(body, [9, 8, 7, 6, 5, 4, 3, 2]) % 11);
  return Number(body[8]) === (check > 9 ? 0 : check);
}

function isSlovene(body: string): boolean {
  const check = 11 - (weighted(body, [8, 7, 6, 5, 4, 3, 2]) % 11);
  return check < 11 && Number(body[7]) === check % 10;
}
