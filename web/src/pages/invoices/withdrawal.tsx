/** What corrects an invoice in force or takes it back. Whether it can be taken back is asked: others may rely on it. */
import { Group, Text } from '@mantine/core';
import { useCan } from '../../app/company.ts';
import { call, type One } from '../../app/operation.ts';
import { useRead } from '../../app/reading.ts';
import { useWords } from '../../app/words.ts';
import { Section } from '../../parts/facts.tsx';
import type { Invoice } from '../../printed/resources.ts';
import { CorrectInvoice } from './correct.tsx';
import { livePayments } from './states.tsx';
import { AnnulInvoice, VoidInvoice } from './withdraw.tsx';
import { invoiceWords } from './words.ts';

const canAnnulInvoice = call<{ params: { invoice: string }; answer: One<{ can_annul: boolean }> }>(
  'can_annul_invoice',
);

export function Withdrawal({ of, etag }: { of: Invoice; etag: string | undefined }) {
  const words = useWords(invoiceWords);
  const can = useCan();
  const asked = useRead(
    canAnnulInvoice,
    { params: { invoice: of.id } },
    { is_enabled: can('annul_invoice') },
  );
  if (!can('create_corrective_invoice') && !can('annul_invoice')) return null;
  const is_paid = livePayments(of).length > 0;
  // Until the answer is there, what the person may do is offered. Voiding is refused where annulling is.
  const is_free = asked.data?.data.can_annul !== false;
  return (
    <Section title={words.withdraw}>
      <Text c="dimmed" mb="md">
        {words.withdraw_text}
      </Text>
      <Group gap="xs">
        {can('create_corrective_invoice') && <CorrectInvoice of={of} etag={etag} />}
        {is_free && !is_paid && can('void_invoice') && <VoidInvoice of={of} />}
        {is_free && can('annul_invoice') && <AnnulInvoice of={of} />}
      </Group>
    </Section>
  );
}
