import { useCommonWords } from './common-words.ts';

/** The name that people read. A plan that these pages do not know yet keeps its own. */
export function usePlanName(): (plan: string) => string {
  const names: Readonly<Record<string, string>> = useCommonWords().plans;
  return (plan) => names[plan] ?? plan;
}
