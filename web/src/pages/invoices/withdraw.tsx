/** What takes an issued invoice back, and what begins a new one from it. */
import { useChange } from '../../app/changing.ts';
import { useGo } from '../../app/navigate.tsx';
import { useWords } from '../../app/words.ts';
import { tell } from '../../parts/tell.ts';
import type { Invoice } from '../../printed/resources.ts';
import { Ask, useNamed } from './ask.tsx';
import { annulInvoice, deleteInvoice, duplicateInvoice, voidInvoice } from './calls.ts';
import { livePayments } from './states.tsx';
import { invoiceWords } from './words.ts';

/** With its payments, when it has some: the question says so. */
export function AnnulInvoice({ of }: { of: Invoice }) {
  const words = useWords(invoiceWords);
  const change = useChange(annulInvoice);
  const paid = livePayments(of).length;
  const act = async () => {
    const body = { revert_collections: paid > 0 };
    if ((await change.run({ params: { invoice: of.id }, body })) === null) return false;
    tell(words.annulled_told);
    return true;
  };
  return (
    <Ask
      {...change}
      action={words.annul}
      is_danger
      title={words.annul_title}
      text={paid > 0 ? words.annul_paid_text(paid) : words.annul_text}
      facts={useNamed(of)}
      act={act}
      type_name={of.number ?? undefined}
    />
  );
}

/** For an invoice without payments. */
export function VoidInvoice({ of }: { of: Invoice }) {
  const words = useWords(invoiceWords);
  const change = useChange(voidInvoice);
  const act = async () => {
    if ((await change.run({ params: { invoice: of.id } })) === null) return false;
    tell(words.voided_told);
    return true;
  };
  return (
    <Ask
      {...change}
      action={words.void}
      is_danger
      title={words.void_title}
      text={words.void_text}
      facts={useNamed(of)}
      act={act}
      type_name={of.number ?? undefined}
    />
  );
}

export function DeleteDraft({ of }: { of: Invoice }) {
  const words = useWords(invoiceWords);
  const go = useGo();
  const change = useChange(deleteInvoice);
  const act = async () => {
    if ((await change.run({ params: { invoice: of.id } })) === null) return false;
    tell(words.deleted_told);
    go('/invoices');
    return true;
  };
  return (
    <Ask
      {...change}
      action={words.delete}
      is_danger
      title={words.delete_title}
      text={words.delete_text}
      facts={useNamed(of)}
      act={act}
    />
  );
}

export function DuplicateInvoice({ of }: { of: Invoice }) {
  const words = useWords(invoiceWords);
  const go = useGo();
  const change = useChange(duplicateInvoice);
  const act = async () => {
    const answer = await change.run({ params: { invoice: of.id } });
    if (answer === null) return false;
    tell(words.duplicated_told);
    go(`/invoices/${answer.data.id}`);
    return true;
  };
  return (
    <Ask
      {...change}
      action={words.duplicate}
      icon="copy"
      title={words.duplicate_title}
      text={words.duplicate_text}
      facts={useNamed(of)}
      act={act}
      is_reversible
    />
  );
}
