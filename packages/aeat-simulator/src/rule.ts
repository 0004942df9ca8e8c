/** A rule returns the code of its error, or null. */
export type Facts = {
  /** The NIF of the header's ObligadoEmision. */
  taxpayer_nif: string;
  /** The authority's clock and its day in Madrid (`yyyy-mm-dd`). */
  now: Date;
  today: string;
};

export function firstOf(...judgements: (() => number | null)[]): number | null {
  for (const judge of judgements) {
    const code = judge();
    if (code !== null) return code;
  }
  return null;
}
