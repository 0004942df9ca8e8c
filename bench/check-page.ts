import { WrongResult } from './load.ts';

/** @throws WrongResult for other rows, another order or another `has_more` */
export function checkPage(text: string, ids: readonly string[], has_more: boolean): void {
  const answer = JSON.parse(text) as {
    data: { id: string; total: number; lines: unknown[] }[];
    has_more: boolean;
  };
  const is_right =
    answer.has_more === has_more &&
    answer.data.length === ids.length &&
    answer.data.every((row, i) => row.id === ids[i] && row.lines.length === 2);
  if (!is_right) throw new WrongResult(`A page of the list is wrong: ${text.slice(0, 300)}`);
}
