/** The figures of the bench: medians and spreads of rounds, and ratios between subjects of the same round. */

export type Spread = { median: number; min: number; max: number };

/** @param values at least one */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const median = sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
  return { median, min: sorted[0]!, max: sorted.at(-1)! };
}

/** Round by round, how one subject's figure compares with another's: what both had to bear cancels out. */
export function ratioOf(of: readonly number[], to: readonly number[]): Spread {
  return spreadOf(of.map((value, round) => value / to[round]!));
}

/** What is aimed at, as a bound on a median. */
export type Aim = { at_least: number } | { at_most: number };

export function isMet(aim: Aim, value: number): boolean {
  return 'at_least' in aim ? value >= aim.at_least : value <= aim.at_most;
}

/** One figure of the bench; `aim` bounds its median. */
export type Figure = {
  part: string;
  what: string;
  unit: 'ratio' | 'requests/s' | 'ms' | 'MB' | 's';
  spread: Spread;
  aim?: Aim;
};

/** Runs the subjects of a comparison in turns, the first of a round rotating, after a round that does not count. */
export async function interleave<Name extends string>(
  rounds: number,
  subjects: Record<Name, (is_warm_up: boolean) => Promise<number>>,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(subjects) as Name[];
  const figures = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (const name of names) await subjects[name](true);
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(round + turn) % names.length]!;
      figures[name].push(await subjects[name](false));
    }
  }
  return figures;
}
