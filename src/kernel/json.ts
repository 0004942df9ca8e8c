/**
 * JSON whose numbers keep their decimal value (ADR 9). A number that a double would change becomes an ExactNumber.
 */

/** In Node since 22, not yet in TypeScript's library. */
const rawJson = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON;

export class ExactNumber {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  toJSON(): unknown {
    return rawJson(this.text);
  }
}

export type DecimalInput = number | ExactNumber;

/** It may have an exponent. */
export function numberText(value: DecimalInput): string {
  return typeof value === 'number' ? String(value) : value.text;
}

/** No field takes a longer number. It also bounds the work on a hostile one. */
const sourceMax = 48;

/** Whether `String(value)` has the decimal value of `source`. */
function survives(value: number, source: string): boolean {
  if (!Number.isFinite(value) || source.length > sourceMax) return false;
  const [mantissa = ''] = source.split(/[eE]/);
  const digits = mantissa.replace(/[-.]/g, '').replace(/^0+/, '').replace(/0+$/, '');
  if (value === 0) return digits === '';
  return digits.length <= 15 || String(value) === source;
}

/** Deeper than any resource; bounds recursion over values. */
const depthMax = 100;

/** @throws RangeError */
function refuseDepth(text: string): void {
  let depth = 0;
  let in_text = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (in_text) {
      if (code === 0x5c) i += 1;
      else if (code === 0x22) in_text = false;
    } else if (code === 0x22) in_text = true;
    else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > depthMax) throw new RangeError(`JSON nests deeper than ${depthMax}.`);
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
}

/**
 * Matches every text with a number of over fifteen digits or with an exponent. It looks only where a number may
 * begin, since ids often hold such digits (`5e3`).
 */
const needsCare = /(?:^|[:[,\s])-?(?:[\d.]{16}|[\d.]+[eE])/;

/**
 * Of duplicate keys the last counts (RFC 8259 leaves it open).
 * @throws SyntaxError for text that is not JSON, RangeError for nesting deeper than 100
 */
export function parseJson(text: string): unknown {
  refuseDepth(text);
  return needsCare.test(text) ? JSON.parse(text, reviveNumber) : JSON.parse(text);
}

type ReviverContext = { source?: string };

function reviveNumber(this: unknown, _key: string, value: unknown, context?: ReviverContext): unknown {
  if (typeof value !== 'number') return value;
  const source = context?.source ?? String(value);
  return survives(value, source) ? value : new ExactNumber(source);
}
