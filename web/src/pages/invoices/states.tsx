/** What may be done with an invoice in each of its states; the service decides, this only hides what it would refuse. */
import { useWords } from '../../app/words.ts';
import type { Invoice } from '../../printed/resources.ts';
import { invoiceWords } from './words.ts';
import { State } from '../../parts/state.tsx';

type Status = Invoice['status'];

const colors: Record<Status, string> = {
  draft: 'gray',
  issued: 'indigo',
  sent: 'blue',
  paid: 'green',
  overdue: 'orange',
  rectified: 'grape',
  substituted: 'grape',
  voided: 'red',
  annulled: 'red',
};

export function InvoiceState({ status }: { status: Status }) {
  const { states } = useWords(invoiceWords);
  return <State color={colors[status]}>{states[status]}</State>;
}

export const statuses = Object.keys(colors) as Status[];

/** Issued and still in force. */
export const isStanding = ({ status }: Invoice) =>
  status === 'issued' || status === 'sent' || status === 'overdue' || status === 'paid';

export const isWithdrawn = ({ status }: Invoice) => status === 'annulled' || status === 'voided';

export const livePayments = ({ payments }: Invoice) =>
  payments.detail.filter(({ is_reversed }) => !is_reversed);

/** Also a rectified one of which more was given back than it owes. */
export const canBePaid = (invoice: Invoice) =>
  (isStanding(invoice) || invoice.status === 'rectified') &&
  invoice.status !== 'paid' &&
  invoice.pending_amount > 0;

/** Its correctives leave something to the client's favour. */
export const isOwedBack = (invoice: Invoice) =>
  (isStanding(invoice) || invoice.status === 'rectified') && invoice.pending_amount < 0;

/** A corrective is made of the invoice that it corrects. */
export const canBeDuplicated = ({ type }: Invoice) => !type.startsWith('R');
