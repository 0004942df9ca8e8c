/** Prices have more decimals than amounts: none is cut. */
import type { Language } from '../app/words.ts';
import { locales, once } from './formats.ts';

const priceFormat = once(
  (language, currency) =>
    new Intl.NumberFormat(language, {
      style: 'currency',
      currency,
      maximumFractionDigits: 12,
      useGrouping: 'always',
    }),
);

export function formatPrice(price: number, language: Language, currency: string): string {
  return priceFormat(locales[language], currency).format(price);
}
