/** Reads `[+-]digits[.dd]` as whole hundredths, never as a double. */
export function hundredths(text: string | undefined): bigint | undefined {
  if (text === undefined) return undefined;
  const match = /^([+-]?)(\d+)(?:\.(\d{0,2}))?$/.exec(text);
  if (!match) return undefined;
  const value = BigInt(match[2] + (match[3] ?? '').padEnd(2, '0'));
  return match[1] === '-' ? -value : value;
}

export const absolute = (value: bigint): bigint => (value < 0n ? -value : value);

export function sum(values: readonly (bigint | undefined)[]): bigint {
  return values.reduce<bigint>((total, value) => total + (value ?? 0n), 0n);
}
