/** The correctives of an invoice, which it names by their ids alone. */
import { useReads } from '../../app/reading.ts';
import { useWords } from '../../app/words.ts';
import type { Invoice } from '../../printed/resources.ts';
import { getInvoice } from './calls.ts';
import { Others } from './others.tsx';
import { isWithdrawn } from './states.tsx';
import { invoiceWords } from './words.ts';

const inputsOf = (ids: readonly string[]) => ids.map((invoice) => ({ params: { invoice } }));

/** Those that were annulled or voided undo nothing. Undefined until each was asked for. */
export function useStandingCorrectives(
  { corrective_ids }: Invoice,
  is_asked: boolean,
): Invoice[] | undefined {
  const found = useReads(getInvoice, inputsOf(is_asked ? corrective_ids : []));
  if (found.some(({ is_loading }) => is_loading)) return undefined;
  return found.flatMap(({ data }) => (data && !isWithdrawn(data.data) ? [data.data] : []));
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
