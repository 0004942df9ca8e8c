/** The correctives of an invoice, which it names by their ids alone. */
import { useReads } from '../../app/reading.ts';
import { useWords } from '../../app/words.ts';
import type { Invoice } from '../../printed/resources.ts';
import { getInvoice } from './calls.ts';
import { Others } from './others.tsx';
import { isWithdrawn } from './states.tsx';
import { invoiceWords } from './words.ts';

const inputsOf = (ids: readonly string[]) => ids.map((invoice) => ({ params: { invoice } }));

type Standing = {
  /** Undefined until each is known. */
  found: Invoice[] | undefined;
  /** Why one is not known. */
  error: Error | null;
  again(): void;
};

/** Those that were annulled or voided undo nothing. */
export function useStandingCorrectives({ corrective_ids }: Invoice, is_asked: boolean): Standing {
  const reads = useReads(getInvoice, inputsOf(is_asked ? corrective_ids : []));
  const known = reads.flatMap(({ data }) => (data ? [data.data] : []));
  const failed = reads.filter(({ error }) => error !== null);
  return {
    found: known.length === reads.length ? known.filter((one) => !isWithdrawn(one)) : undefined,
    error: reads.some(({ is_loading }) => is_loading) ? null : (failed[0]?.error ?? null),
    again: () => {
      for (const one of failed) one.again();
    },
  };
}

export function CorrectedBy({ ids }: { ids: readonly string[] }) {
  const words = useWords(invoiceWords);
  const found = useReads(getInvoice, inputsOf(ids));
  const others = ids.map((id, index) => ({
    id,
    number: found[index]?.data?.data.number ?? words.corrective,
  }));
  return <Others of={others} />;
}
