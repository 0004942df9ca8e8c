/**
 * A SEPA credit transfer that a bank's app reads from a QR symbol (European Payments Council, EPC069-12, version 2: within the
 * European Economic Area an account needs no BIC).
 */
import { euMembers } from '../countries.ts';
import { type Cents, fixedText } from '../money/amount.ts';

export type Transfer = {
  /** Whose account it is. */
  name: string;
  /** Without spaces. */
  iban: string;
  /** Euros. */
  cents: Cents;
  /** What the payer's bank tells the payee. */
  remittance: string;
};

const economicArea: ReadonlySet<string> = new Set([...euMembers, 'IS', 'LI', 'NO']);
const nameMax = 70;
const remittanceMax = 140;
/** 999,999,999.99 euros. */
const centsMax = 99_999_999_999n;
/** With them the symbol has version 13, the largest that is allowed. */
const bytesMax = 331;

/** Texts have one line and no control characters. */
function cut(text: string, most: number): string {
  return [...text.replace(/[\p{Cc}\s]+/gu, ' ').trim()].slice(0, most).join('').trim();
}

/** @returns null for what the scheme does not carry: another amount, an account elsewhere, or texts that are too long */
export function transferText({ name, iban, cents, remittance }: Transfer): string | null {
  const payee = cut(name, nameMax);
  if (payee === '' || cents < 1n || cents > centsMax || !economicArea.has(iban.slice(0, 2))) return null;
  const text = [
    'BCD',
    '002',
    // UTF-8.
    '1',
    'SCT',
    '',
    payee,
    iban,
    `EUR${fixedText(cents, 2)}`,
    '',
    '',
    cut(remittance, remittanceMax),
  ].join('\n');
  return Buffer.byteLength(text) > bytesMax ? null : text;
}
