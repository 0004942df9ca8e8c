/** Words in braces that each invoice of a recurrence fills in for its period: `Alquiler de {month_name} de {year}`. */
import { dayText } from '../../../domain/printing/days.ts';
import type { PrintedLanguage } from '../../../domain/printing/printed-document.ts';

type Period = { start: string; end: string };
type Writer = (period: Period, language: PrintedLanguage) => string;

const monthOf = ({ start }: Period) => Number(start.slice(5, 7));

function monthName(period: Period, language: PrintedLanguage): string {
  const day = new Date(Date.UTC(2000, monthOf(period) - 1, 15));
  return new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' }).format(day);
}

const writers: Readonly<Record<string, Writer>> = {
  month: ({ start }) => start.slice(5, 7),
  month_name: monthName,
  quarter: (period) => String(Math.ceil(monthOf(period) / 3)),
  year: ({ start }) => start.slice(0, 4),
  period_start: ({ start }, language) => dayText(start, language),
  period_end: ({ end }, language) => dayText(end, language),
};

export const tokenNames = Object.keys(writers);

const inBraces = /\{([^{}]*)\}/g;

/** The first word in braces that means nothing. */
export function unknownToken(text: string | null | undefined): string | undefined {
  for (const [token, name = ''] of (text ?? '').matchAll(inBraces))
    if (!Object.hasOwn(writers, name)) return token;
  return undefined;
}

/** A filled token is never longer than the token, so every text still fits. */
export function fillTokens(text: string, period: Period, language: PrintedLanguage): string {
  return text.replace(inBraces, (token, name: string) =>
    Object.hasOwn(writers, name) ? writers[name]!(period, language) : token,
  );
}
