/** Which lines of an invoice its corrective undoes, and how much of each. */
import type { Language } from '../../app/words.ts';
import { formatNumber, readAmount } from '../../parts/money.ts';
import type { Invoice } from '../../printed/resources.ts';

export type CorrectedLine = { original_line_id: string; quantity: number };

/** As it was typed; the quantity is what is left of the invoice's until another is typed. */
export type Choice = { is_chosen: boolean; quantity: string };
export type Choices = Readonly<Record<string, Choice>>;

type Line = Pick<Invoice['lines'][number], 'id' | 'quantity'>;
type ToldLine = Line & Pick<Invoice['lines'][number], 'description' | 'unit_price'>;
type Corrective = {
  correction: Pick<NonNullable<Invoice['correction']>, 'type'> | null;
  lines: readonly ToldLine[];
};

/** By id of the line: what no corrective has undone yet. */
export type Left = ReadonlyMap<string, number>;

/** Sums of quantities, which have fewer decimals. */
const exact = (sum: number) => Number(sum.toFixed(9));

/**
 * A line of a corrective does not say which one it undoes, so it is taken for the first with the same description and price
 * of which something is left. Somebody looks at what is offered, and the service counts.
 */
export function leftOf(lines: readonly ToldLine[], correctives: readonly Corrective[]): Left {
  const left = new Map(lines.map(({ id, quantity }) => [id, quantity]));
  const undoing = correctives.flatMap((one) => (one.correction?.type === 'differences' ? one.lines : []));
  for (const { description, unit_price, quantity } of undoing) {
    let undone = -quantity;
    for (const line of lines) {
      const of_line = left.get(line.id) ?? 0;
      if (line.description !== description || line.unit_price !== unit_price || of_line * undone <= 0)
        continue;
      const taken = Math.abs(undone) < Math.abs(of_line) ? undone : of_line;
      left.set(line.id, exact(of_line - taken));
      undone = exact(undone - taken);
    }
  }
  return left;
}

export function choiceOf({ id, quantity }: Line, choices: Choices, left: Left, language: Language): Choice {
  const offered = left.get(id) ?? quantity;
  return (
    choices[id] ?? { is_chosen: offered !== 0 || quantity === 0, quantity: formatNumber(offered, language) }
  );
}

export type Chosen = {
  /** Left out: the whole invoice. */
  lines?: CorrectedLine[];
  /** Ids of lines whose quantity is none. */
  bad: readonly string[];
  is_empty: boolean;
};

/**
 * A line that is undone has its quantity below zero.
 * @param has_correctives without lines the service would undo what they left, and not what is chosen
 */
export function chosenOf(
  { lines, has_correctives }: { lines: readonly Line[]; has_correctives: boolean },
  choices: Choices,
  left: Left,
  language: Language,
): Chosen {
  const asked = lines.flatMap((line) => {
    const { is_chosen, quantity } = choiceOf(line, choices, left, language);
    return is_chosen ? [{ line, read: readAmount(quantity, language) }] : [];
  });
  const bad = asked.flatMap(({ line, read }) => (read === null || Number(read) === 0 ? [line.id] : []));
  const is_whole =
    !has_correctives &&
    asked.length === lines.length &&
    asked.every(({ line, read }) => Number(read) === line.quantity);
  const is_empty = asked.length === 0;
  if (is_whole || is_empty || bad.length > 0) return { bad: is_whole ? [] : bad, is_empty };
  return {
    lines: asked.map(({ line, read }) => ({ original_line_id: line.id, quantity: -Number(read) })),
    bad,
    is_empty,
  };
}
