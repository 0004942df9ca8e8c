/**
 * Formats of document numbers: literals and the tokens {code} {year} {yy} {month} {number:N}. A format that
 * fits its series gives each (period, number) its own text, valid as NumSerieFactura: 1 to 60 printable ASCII
 * characters without " ' < > = (error 1287). The series module prevents clashes between series.
 */

export type SeriesReset = 'never' | 'year' | 'month';

export type FormatPart =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'code' | 'year' | 'yy' | 'month' }
  | { readonly kind: 'number'; readonly width: number };

/** `width` is the least number of digits. */
export type FormatParts = readonly FormatPart[];

export type FormatFaultCode =
  | 'character_not_allowed'
  | 'edge_space'
  | 'unknown_token'
  | 'width_out_of_range'
  | 'one_number_token'
  | 'year_token_missing'
  | 'month_token_missing'
  | 'too_long';

export type FormatFault = { readonly fault: FormatFaultCode; readonly message: string };

/** Issue date (YYYY-MM-DD), counter from 1. */
export type NumberInput = { readonly code: string; readonly on: string; readonly number: number };

/** The authority's limit. */
export const NUMBER_TEXT_MAX = 60;
export const SERIES_CODE_MAX = 20;
/** Bounds the length of a number before any is given. */
export const NUMBER_DIGITS_MAX = 12;
const FORMAT_MAX = 120;

const messages: Readonly<Record<FormatFaultCode, string>> = {
  character_not_allowed:
    'El formato solo admite caracteres ASCII imprimibles, sin " \' < > = ni llaves sueltas.',
  edge_space: 'El formato no puede empezar ni terminar con un espacio.',
  unknown_token: 'El formato solo admite {code}, {year}, {yy}, {month} y {number:N}.',
  width_out_of_range: `Las cifras de {number:N} deben estar entre 1 y ${NUMBER_DIGITS_MAX}.`,
  one_number_token: 'El formato debe tener {number} exactamente una vez.',
  year_token_missing: 'Una serie que reinicia su numeración necesita {year} o {yy} en el formato.',
  month_token_missing: 'Una serie que reinicia su numeración cada mes necesita {month} en el formato.',
  too_long: `Con este formato el número podría pasar de ${NUMBER_TEXT_MAX} caracteres.`,
};

function fault(code: FormatFaultCode): FormatFault {
  return { fault: code, message: messages[code] };
}

/** Printable ASCII without braces and the characters that the authority refuses. */
const literalText = /^[ !#-&(-;?-z|~]*$/;

export function isSeriesCode(code: string): boolean {
  return code.length > 0 && code.length <= SERIES_CODE_MAX && literalText.test(code) && code.trim() === code;
}

/** Does not check that the format suits a series: `formatFault` does. */
export function parseFormat(format: string): FormatParts | FormatFault {
  if (format.length > FORMAT_MAX) return fault('too_long');
  if (format.startsWith(' ') || format.endsWith(' ')) return fault('edge_space');
  const parts: FormatPart[] = [];
  // An unpaired brace is read as a literal, and refused.
  for (const [piece, token] of format.matchAll(/\{([^{}]*)\}|[^{}]+|[{}]/g)) {
    const part = token === undefined ? readLiteral(piece) : readToken(token);
    if ('fault' in part) return part;
    parts.push(part);
  }
  return parts;
}

function readLiteral(text: string): FormatPart | FormatFault {
  return literalText.test(text) ? { kind: 'literal', text } : fault('character_not_allowed');
}

function readToken(token: string): FormatPart | FormatFault {
  if (token === 'code' || token === 'year' || token === 'yy' || token === 'month') return { kind: token };
  const number = /^number(?::(\d{1,4}))?$/.exec(token);
  if (!number) return fault('unknown_token');
  const width = Number(number[1] ?? '1');
  return width >= 1 && width <= NUMBER_DIGITS_MAX ? { kind: 'number', width } : fault('width_out_of_range');
}

/**
 * Why a format cannot serve a series with that reset. It needs one number token and the tokens that tell the
 * periods apart, and no number may pass 60 characters, whatever the counter. With {yy} alone, numbers are
 * distinct within a century.
 * @param code_length of the series; without it the longest code counts
 */
export function formatFault(
  parts: FormatParts,
  reset: SeriesReset,
  code_length = SERIES_CODE_MAX,
): FormatFault | undefined {
  const has = (kind: FormatPart['kind']) => parts.some((part) => part.kind === kind);
  if (parts.filter((part) => part.kind === 'number').length !== 1) return fault('one_number_token');
  if (reset !== 'never' && !has('year') && !has('yy')) return fault('year_token_missing');
  if (reset === 'month' && !has('month')) return fault('month_token_missing');
  if (parts.reduce((sum, part) => sum + longest(part, code_length), 0) > NUMBER_TEXT_MAX)
    return fault('too_long');
  return undefined;
}

export function formatFits(parts: FormatParts, reset: SeriesReset): boolean {
  return formatFault(parts, reset) === undefined;
}

function longest(part: FormatPart, code_length: number): number {
  switch (part.kind) {
    case 'literal':
      return part.text.length;
    case 'code':
      return code_length;
    case 'year':
      return 4;
    case 'yy':
    case 'month':
      return 2;
    case 'number':
      return NUMBER_DIGITS_MAX;
  }
}

/**
 * @throws RangeError for a counter outside 1 to twelve digits, a date that is not YYYY-MM-DD, or an invalid
 *   code
 */
export function renderNumber(parts: FormatParts, { code, on, number }: NumberInput): string {
  const { year, month } = readDate(on);
  if (!Number.isSafeInteger(number) || number < 1 || String(number).length > NUMBER_DIGITS_MAX) {
    throw new RangeError(`not a document number: ${number}`);
  }
  if (!isSeriesCode(code)) throw new RangeError(`not a series code: ${code}`);
  const render = (part: FormatPart): string => {
    switch (part.kind) {
      case 'literal':
        return part.text;
      case 'code':
        return code;
      case 'year':
        return year;
      case 'yy':
        return year.slice(2);
      case 'month':
        return month;
      case 'number':
        return String(number).padStart(part.width, '0');
    }
  };
  return parts.map(render).join('');
}

/** The counter's period for that date (YYYY-MM-DD): '', '2026' or '2026-05'. */
export function periodKey(reset: SeriesReset, on: string): string {
  const { year, month } = readDate(on);
  if (reset === 'never') return '';
  return reset === 'year' ? year : `${year}-${month}`;
}

function readDate(on: string): { year: string; month: string } {
  const match = /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/.exec(on);
  if (!match?.[1] || !match[2]) throw new RangeError(`not a date: ${on}`);
  return { year: match[1], month: match[2] };
}
