/** Bodies of up to a mebibyte that are dear to read or to check. Tests and the bench send them. */

const mebibyte = 1_048_576;

/** As many units as fit. */
function filled(
  head: string,
  unit: (at: number) => string,
  tail: string,
  bytes = mebibyte,
  most = 1e9,
): string {
  const parts: string[] = [];
  let length = head.length + tail.length;
  for (let at = 0; at < most; at++) {
    const text = (at === 0 ? '' : ',') + unit(at);
    if (length + text.length > bytes) break;
    parts.push(text);
    length += text.length;
  }
  return head + parts.join('') + tail;
}

const name = (at: number) => at.toString(36);
const badLine =
  '{"a":1,"b":2,"tax_rate":"x","quantity":"y","regime_key":"zzz","unit":5,"unit_price":"","description":7}';

export const hostileBodies: readonly (readonly [what: string, body: string])[] = [
  ['nesting', '['.repeat(mebibyte)],
  ['500,000 elements', filled('{"lines":[', () => '1', ']}')],
  ['60,000 elements', filled('{"lines":[', () => '1', ']}', mebibyte, 59_000)],
  ['empty lines', filled('{"lines":[', () => '{}', ']}', mebibyte, 29_000)],
  ['lines with faults', filled('{"lines":[', () => badLine, ']}')],
  ['a thousand lines with faults', filled('{"lines":[', () => badLine, ']}', mebibyte, 1000)],
  ['unknown keys', filled('{', (at) => `"${name(at)}":1`, '}')],
  ['25,000 unknown keys', filled('{', (at) => `"${name(at)}":1`, '}', mebibyte, 24_000)],
  ['500,000 elements and a long number', filled('{"x":1e5,"lines":[', () => '1', ']}')],
  ['long numbers', filled('{"lines":[', () => '12345678901234567', ']}')],
  ['20,000 long numbers', filled('{"lines":[', () => '1e5', ']}', mebibyte, 19_000)],
  ['one long number', `{"x":${'1'.repeat(mebibyte - 6)}}`],
  ['one long fraction', `{"x":0.${'1'.repeat(mebibyte - 8)}}`],
  ['one long exponent', `{"x":1e${'1'.repeat(mebibyte - 8)}}`],
  ['one long text', `{"description":"${'a'.repeat(mebibyte - 18)}"}`],
  ['escapes', `{"description":"${'\\u0041'.repeat(170_000)}"}`],
  ['half surrogate pairs', `{"description":"${'\\ud83d'.repeat(170_000)}"}`],
  ['tags', filled('{"tags":[', (at) => `"${name(at)}"`, ']}', mebibyte, 59_000)],
  ['metadata', filled('{"metadata":{', (at) => `"${name(at)}":"x"`, '}}', mebibyte, 24_000)],
];

/** Within the limits of body and field, and such that a pattern that backtracks takes minutes. */
export const hostileCertificate = JSON.stringify({
  pkcs12_base64: `${'\n'.repeat(98_000)}!`,
  password: 'x',
});
