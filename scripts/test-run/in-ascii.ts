/**
 * The same program or module, as V8 reads and keeps it in half the time and room. In a literal or a name an escape means the same, in a
 * comment nothing.
 */
export function inAscii(code: string): string {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
