import { type Cents, roundDiv } from './amount.ts';

/**
 * Splits a rounded `total` into shares that add up to it, by largest remainder. The exact share of a part,
 * `part * n / d` with d > 0, is rounded up or down with the least loss. Parts of opposite sign give opposite
 * shares, so a corrective mirrors its original. Among equal parts the first takes the larger amount.
 * @param total sum of the parts times n / d, rounded to the cent
 */
export function apportion(parts: readonly bigint[], n: bigint, d: bigint, total: Cents): Cents[] {
  const shares: Cents[] = new Array(parts.length);
  let missing = total;
  for (let i = 0; i < parts.length; i++) {
    const share = roundDiv(parts[i]! * n, d);
    shares[i] = share;
    missing -= share;
  }
  if (missing !== 0n) moveCents(shares, missing, parts, n, d, total);
  return shares;
}

/** Moves one cent per line, first where rounding changed most. */
function moveCents(
  shares: Cents[],
  missing: bigint,
  parts: readonly bigint[],
  n: bigint,
  d: bigint,
  total: Cents,
) {
  const up = missing > 0n;
  const step = up ? 1n : -1n;
  const losses = shares.map((share, i) => (parts[i]! * n - share * d) * step);
  const order = shares.map((_, i) => i);
  const first_wins = up === total > 0n && total !== 0n;
  order.sort((a, b) => {
    const difference = losses[b]! - losses[a]!;
    if (difference !== 0n) return difference > 0n ? 1 : -1;
    return first_wins ? a - b : b - a;
  });
  for (let k = 0, count = Number(missing * step); k < count; k++) shares[order[k]!]! += step;
}
