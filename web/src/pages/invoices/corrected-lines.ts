/** Which lines of an invoice its corrective undoes, and how much of each. */
import type { Language } from '../../app/words.ts';
import { formatNumber, readAmount } from '../../parts/money.ts';
import type { Invoice } from '../../printed/resources.ts';

export type CorrectedLine = { original_line_id: string; quantity: number };

/** As it was typed; the quantity is that of the invoice until another is typed. */
export type Choice = { is_chosen: boolean; quantity: string };
export type Choices = Readonly<Record<string, Choice>>;

type Line = Pick<Invoice['lines'][number], 'id' | 'quantity'>;

export const choiceOf = ({ id, quantity }: Line, choices: Choices, language: Language): Choice =>
  choices[id] ?? { is_chosen: true, quantity: formatNumber(quantity, language) };

export type Chosen = {
  /** Left out: the whole invoice. */
  lines?: CorrectedLine[];
  /** Ids of lines whose quantity is none. */
  bad: readonly string[];
  is_empty: boolean;
};

/** A line that is undone has its quantity below zero. */
export function chosenOf(lines: readonly Line[], choices: Choices, language: Language): Chosen {
  const asked = lines.flatMap((line) => {
    const { is_chosen, quantity } = choiceOf(line, choices, language);
    return is_chosen ? [{ line, read: readAmount(quantity, language) }] : [];
  });
  const bad = asked.flatMap(({ line, read }) => (read === null || Number(read) === 0 ? [line.id] : []));
  const is_whole =
    asked.length === lines.length && asked.every(({ line, read }) => Number(read) === line.quantity);
  const is_empty = asked.length === 0;
  if (is_whole || is_empty || bad.length > 0) return { bad: is_whole ? [] : bad, is_empty };
  return {
    lines: asked.map(({ line, read }) => ({ original_line_id: line.id, quantity: -Number(read) })),
    bad,
    is_empty,
  };
}
