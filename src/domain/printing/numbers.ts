/**
 * Numbers in each language (ADR 18), from exact texts, never through a double. Currencies other than the euro
 * show their unambiguous ISO code. The minus is the keyboard's, which every program recognises. Spaces do not
 * break.
 */
import { amountText, fixedText, parseAmount } from '../money/amount.ts';
import type { PrintedLanguage } from './printed-document.ts';

type NumberStyle = {
  decimal: string;
  group: string;
  percent(number: string): string;
  money(sign: string, number: string, currency: string): string;
};

const nbsp = '\u00a0';

const iberian: NumberStyle = {
  decimal: ',',
  group: '.',
  percent: (number) => `${number}${nbsp}%`,
  money: (sign, number, currency) => `${sign}${number}${nbsp}${currency === 'EUR' ? '€' : currency}`,
};

const styles: Record<PrintedLanguage, NumberStyle> = {
  es: iberian,
  ca: iberian,
  gl: iberian,
  eu: { ...iberian, percent: (number) => `%${nbsp}${number}` },
  en: {
    decimal: '.',
    group: ',',
    percent: (number) => `${number}%`,
    money: (sign, number, currency) =>
      currency === 'EUR' ? `${sign}€${number}` : `${sign}${currency}${nbsp}${number}`,
  },
};

function parts(text: string, decimals_least: number): { sign: string; integer: string; decimals: string } {
  const amount = parseAmount(text, { decimals: 8, integer_digits: 16 });
  if (!amount) throw new Error(`A stored number cannot be read: ${text}`);
  const [integer = '', decimals = ''] = amountText(amount).replace('-', '').split('.');
  return {
    sign: amount.units < 0n ? '-' : '',
    integer,
    decimals: decimals.padEnd(decimals_least, '0'),
  };
}

function digits(integer: string, decimals: string, style: NumberStyle): string {
  const grouped = integer.replace(/\B(?=(\d{3})+$)/g, style.group);
  return decimals === '' ? grouped : `${grouped}${style.decimal}${decimals}`;
}

/** `1234.500000` is `1.234,5`. @param decimals_least shown even as zeros: 2 for money, 0 for a quantity */
export function numberText(text: string, language: PrintedLanguage, decimals_least: number): string {
  const { sign, integer, decimals } = parts(text, decimals_least);
  return `${sign}${digits(integer, decimals, styles[language])}`;
}

/** For table cells: `1.234,50`. */
export function centsText(cents: bigint, language: PrintedLanguage): string {
  return numberText(fixedText(cents, 2), language, 2);
}

/** `1.234,50 €`, `-€1,234.50`, `1.234,50 USD`. */
export function moneyText(cents: bigint, currency: string, language: PrintedLanguage): string {
  return priceText(fixedText(cents, 2), currency, language);
}

/** All decimals, at least two: `0,1234 €`. */
export function priceText(text: string, currency: string, language: PrintedLanguage): string {
  const style = styles[language];
  const { sign, integer, decimals } = parts(text, 2);
  return style.money(sign, digits(integer, decimals, style), currency);
}

/** `5.2000` is `5,2 %`. */
export function percentText(text: string, language: PrintedLanguage): string {
  return styles[language].percent(numberText(text, language, 0));
}
