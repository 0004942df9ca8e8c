/** Reads for several lanes of a company at once. Lanes that ask during a read share the next one. */
import type { Tx } from '../../kernel/operation.ts';
import { withoutSpan } from '../../kernel/tracing.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db.ts';
import { type EndpointAsk, type EndpointWork, readEndpointWork } from './deliveries.store.ts';

export type WorkRead = EndpointWork & {
  /** It decided what is due. */
  now: Date;
  /** On the monotonic clock. The data is newer. */
  sent_at: number;
};

export type WorkReader = { read(company_id: string, ask: EndpointAsk): Promise<WorkRead> };

type Waiting = { ask: EndpointAsk; answer: PromiseWithResolvers<WorkRead> };
const asksMax = 200;

export function makeWorkReader({ db, clock }: { db: Database; clock: Clock }): WorkReader {
  const companies = new Map<string, Waiting[]>();

  async function readOn(company_id: string, waiting: Waiting[]): Promise<void> {
    while (waiting.length > 0) {
      // Requests of the same turn join this read.
      await Promise.resolve();
      const these = waiting.splice(0, asksMax);
      const now = clock.now();
      const sent_at = performance.now();
      try {
        const asks = these.map(({ ask }) => ask);
        const read = (tx: Tx) => readEndpointWork(tx, company_id, asks, now);
        const work = await db.read(company_id, read, 'background');
        for (const { ask, answer } of these) answer.resolve({ ...work.get(ask.id)!, now, sent_at });
      } catch (error) {
        for (const { answer } of these) answer.reject(error);
      }
    }
    companies.delete(company_id);
  }

  return {
    read(company_id, ask) {
      const answer = Promise.withResolvers<WorkRead>();
      const waiting = companies.get(company_id);
      if (waiting) waiting.push({ ask, answer });
      else {
        const begun = [{ ask, answer }];
        companies.set(company_id, begun);
        withoutSpan(() => void readOn(company_id, begun));
      }
      return answer.promise;
    },
  };
}
