/** A process asks its supervisor for the metrics of all. */
import type { MetricsPage } from '../metrics.ts';
import type { CrewMetrics } from './crew-metrics.ts';
import type { ToProcess } from './messages.ts';

/** A look waits a second for the one before, and two seconds for a busy process. */
const answerMs = 10_000;

type Answer = Extract<ToProcess, { is: 'page' | 'no page' }>;

export type PageQuestions = {
  /** @throws Error when there is no page, or no answer within ten seconds */
  ask(): Promise<MetricsPage>;
  take(answer: Answer): void;
};

/** @param send the number of the question, to the supervisor */
export function makePageQuestions(send: (question: number) => void): PageQuestions {
  const open = new Map<number, (answer: MetricsPage | Error) => void>();
  let asked = 0;
  return {
    async ask() {
      const { promise, resolve } = Promise.withResolvers<MetricsPage | Error>();
      const question = ++asked;
      open.set(question, resolve);
      const late = () => resolve(new Error('The supervisor did not answer with the metrics in time.'));
      const timer = setTimeout(late, answerMs);
      send(question);
      const answer = await promise;
      clearTimeout(timer);
      open.delete(question);
      if (answer instanceof Error) throw answer;
      return answer;
    },
    take(answer) {
      const given = answer.is === 'page' ? answer.page : new Error(`No metrics of all: ${answer.reason}`);
      open.get(answer.question)?.(given);
    },
  };
}

/** The supervisor's side. It never throws: whatever fails here would end all processes. */
export async function answerPage(
  metrics: Pick<CrewMetrics, 'text'>,
  question: number,
  tell: (answer: Answer) => void,
): Promise<void> {
  try {
    tell({ is: 'page', question, page: await metrics.text() });
  } catch (error) {
    tell({ is: 'no page', question, reason: String(error instanceof Error ? error.message : error) });
  }
}
