export type Spread = { median: number; min: number; max: number };

/** @param values at least one */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const median = sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
  return { median, min: sorted[0]!, max: sorted.at(-1)! };
}

/**
 * @param values at least one
 * @param portion 0.5 for the median
 */
export function quantile(values: readonly number[], portion: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * portion))]!;
}

/** By round, which cancels what burdens both. */
export function ratioOf(of: readonly number[], to: readonly number[]): Spread {
  return spreadOf(of.map((value, round) => value / to[round]!));
}

/** Bounds a median. */
export type Aim = { at_least: number } | { at_most: number };

export function isMet(aim: Aim, value: number): boolean {
  return 'at_least' in aim ? value >= aim.at_least : value <= aim.at_most;
}

export type Figure = {
  part: string;
  what: string;
  unit:
    | 'ratio'
    | 'requests/s'
    | 'invoices/s'
    | 'signatures/s'
    | 'pictures/s'
    | 'deliveries/s'
    | 'rows'
    | 'files'
    | 'ms'
    | 'MB'
    | 'KiB'
    | 's';
  spread: Spread;
  aim?: Aim;
};

type Subjects = Record<string, (is_warm_up: boolean) => Promise<unknown>>;
type Rounds<S extends Subjects> = { [Name in keyof S]: Awaited<ReturnType<S[Name]>>[] };

/** After a warm-up, rounds begin with each subject in turn. */
export async function interleave<S extends Subjects>(rounds: number, subjects: S): Promise<Rounds<S>> {
  const names = Object.keys(subjects);
  const figures: Record<string, unknown[]> = Object.fromEntries(names.map((name) => [name, []]));
  for (const name of names) await subjects[name]!(true);
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(round + turn) % names.length]!;
      figures[name]!.push(await subjects[name]!(false));
    }
  }
  return figures as Rounds<S>;
}
