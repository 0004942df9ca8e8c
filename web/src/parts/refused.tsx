/** What role, plan or sandbox refuse is disabled with its reason, where people may wonder about it. */
import { useCommonWords } from '../app/common-words.ts';
import type { Refusal } from '../app/company.ts';

export function useRefusalText(): (refused: Refusal) => string {
  const { refused: texts } = useCommonWords();
  return (refused) => texts[refused];
}
