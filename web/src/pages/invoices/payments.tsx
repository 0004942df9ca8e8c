/** What was paid, and what was taken back. */
import { Box, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useCan } from '../../app/company.ts';
import { useChange } from '../../app/changing.ts';
import { useCommonWords } from '../../app/common-words.ts';
import { useLanguage, useWords } from '../../app/words.ts';
import { Section } from '../../parts/facts.tsx';
import { faultsOf } from '../../parts/issues-of.ts';
import { Money, MoneyField } from '../../parts/money-field.tsx';
import { formatNumber, readAmount } from '../../parts/money.ts';
import { ServiceText } from '../../parts/service-text.tsx';
import { tell } from '../../parts/tell.ts';
import { Day } from '../../parts/time.tsx';
import type { Invoice } from '../../printed/resources.ts';
import { Ask, useNamed } from './ask.tsx';
import { type InvoicePayment, registerInvoicePayment, reverseInvoicePayment } from './calls.ts';
import { canBePaid, isOwedBack } from './states.tsx';
import { useClientOf } from './use-client.ts';
import { invoiceWords } from './words.ts';
import { State } from '../../parts/state.tsx';

type Method = InvoicePayment['payment_method'];

export function Payments({ of }: { of: Invoice }) {
  const words = useWords(invoiceWords);
  const can = useCan();
  const { detail } = of.payments;
  const pay = (canBePaid(of) || isOwedBack(of)) && can('register_invoice_payment') && (
    <RegisterPayment of={of} />
  );
  return (
    <Section title={words.payments} actions={pay}>
      <Text mb="sm">
        {words.paid_of} <Money amount={of.paid_amount} currency={of.currency} /> · {words.pending}{' '}
        <Text span fw={600}>
          <Money amount={of.pending_amount} currency={of.currency} />
        </Text>
      </Text>
      {detail.length === 0 && <Text c="dimmed">{words.no_payments}</Text>}
      <Stack gap="sm">
        {detail.map((payment) => (
          <Payment key={payment.id} payment={payment} of={of} />
        ))}
      </Stack>
    </Section>
  );
}

function Payment({ payment, of }: { payment: InvoicePayment; of: Invoice }) {
  const words = useWords(invoiceWords);
  const can = useCan();
  const { payment_date, payment_method, reference, is_reversed, amount } = payment;
  return (
    <Group justify="space-between" gap="xs">
      <Box>
        <Text td={is_reversed ? 'line-through' : undefined}>
          <Money amount={amount} currency={of.currency} /> · {words.methods[payment_method]}
        </Text>
        <Text size="sm" c="dimmed">
          <Day on={payment_date} />
          {reference !== null && ` · ${reference}`}
        </Text>
      </Box>
      {is_reversed ? (
        <State color="red">{words.reversed}</State>
      ) : (
        can('reverse_invoice_payment') && <ReversePayment payment={payment} of={of} />
      )}
    </Group>
  );
}

/** Until another is typed, the amount is what is pending, or owed to the client. */
const nothingTyped = {
  amount: null as string | null,
  payment_method: null as Method | null,
  day: '',
  reference: '',
};

function RegisterPayment({ of }: { of: Invoice }) {
  const words = useWords(invoiceWords);
  const language = useLanguage();
  const { form } = useCommonWords();
  const [typed, setTyped] = useState(nothingTyped);
  const [is_bad, setBad] = useState(false);
  const change = useChange(registerInvoicePayment);
  const { amount, day, reference } = typed;
  const is_refund = isOwedBack(of);
  const { payment_method } = typed;
  const faults = faultsOf(change.error);
  const told = (param: string) => faults[param] && <ServiceText>{faults[param]}</ServiceText>;
  const shown = amount ?? formatNumber(Math.abs(of.pending_amount), language);
  const act = async () => {
    const read = readAmount(shown, language);
    const is_amount = read !== null && !(is_refund && read.startsWith('-'));
    setBad(!is_amount);
    if (!is_amount || payment_method === null) return false;
    const body = {
      amount: is_refund ? -Number(read) : Number(read),
      payment_method,
      payment_date: day === '' ? null : day,
      reference: reference.trim() === '' ? null : reference.trim(),
    };
    if ((await change.run({ params: { invoice: of.id }, body })) === null) return false;
    tell(is_refund ? words.refund_told : words.paid_told);
    return true;
  };
  return (
    <Ask
      {...change}
      action={is_refund ? words.refund : words.pay}
      icon="money"
      title={is_refund ? words.refund_title : words.pay_title}
      text={is_refund ? words.refund_text : words.pay_text}
      facts={useNamed(of)}
      act={act}
      begin={() => {
        setTyped(nothingTyped);
        setBad(false);
      }}
      fields={['amount', 'payment_date', 'reference']}
      is_reversible
    >
      <MoneyField
        label={words.amount}
        currency={of.currency}
        value={shown}
        onChange={(event) => setTyped({ ...typed, amount: event.currentTarget.value })}
        error={is_bad ? form.money_bad : told('amount')}
        data-autofocus
      />
      <MethodField
        of={of}
        value={payment_method}
        choose={(chosen) => setTyped((now) => ({ ...now, payment_method: chosen }))}
      />
      <TextInput
        type="date"
        label={is_refund ? words.refunded_on : words.paid_on}
        description={words.paid_on_hint}
        value={day}
        onChange={(event) => setTyped({ ...typed, day: event.currentTarget.value })}
        error={told('payment_date')}
      />
      <TextInput
        label={words.reference}
        value={reference}
        maxLength={200}
        onChange={(event) => setTyped({ ...typed, reference: event.currentTarget.value })}
        error={told('reference')}
      />
    </Ask>
  );
}

type MethodProps = { of: Invoice; value: Method | null; choose(method: Method): void };

/**
 * What the client agreed to is proposed once. Where the client is not read yet it is empty: a proposal that gave way to
 * another would be sent in its place. The browser sends no empty one.
 */
function MethodField({ of, value, choose }: MethodProps) {
  const words = useWords(invoiceWords);
  const { client, is_awaited } = useClientOf(of);
  const agreed = isOwedBack(of) ? undefined : client?.payment_preferences?.method;
  const proposed = is_awaited ? null : (agreed ?? 'bank_transfer');
  // biome-ignore lint/correctness/useExhaustiveDependencies: `choose` is another each time
  useEffect(() => {
    if (value === null && proposed !== null) choose(proposed);
  }, [value, proposed]);
  const methods = Object.entries(words.methods).map(([method, label]) => ({ value: method, label }));
  return (
    <NativeSelect
      label={words.method}
      required
      withAsterisk={false}
      data={value === null ? [{ value: '', label: '' }, ...methods] : methods}
      value={value ?? ''}
      onChange={(event) => choose(event.currentTarget.value as Method)}
    />
  );
}

const usualReversal = { reason: 'recording_error', note: '' };

function ReversePayment({ payment, of }: { payment: InvoicePayment; of: Invoice }) {
  const words = useWords(invoiceWords);
  const told = words.reversal[payment.amount < 0 ? 'refund' : 'payment'];
  const [{ reason, note }, setTyped] = useState(usualReversal);
  const change = useChange(reverseInvoicePayment);
  const act = async () => {
    const params = { invoice: of.id, payment: payment.id };
    const body = { reason, note: note.trim() === '' ? null : note.trim() };
    if ((await change.run({ params, body })) === null) return false;
    tell(told.told);
    return true;
  };
  return (
    <Ask
      {...change}
      action={told.action}
      is_danger
      is_small
      title={told.title}
      text={told.text}
      facts={[
        { name: words.number, value: of.number ?? words.draft },
        { name: words.amount, value: <Money amount={payment.amount} currency={of.currency} /> },
      ]}
      act={act}
      begin={() => setTyped(usualReversal)}
    >
      <NativeSelect
        label={words.reason}
        data={Object.entries(words.reversals).map(([value, label]) => ({ value, label }))}
        value={reason}
        onChange={(event) => setTyped({ reason: event.currentTarget.value, note })}
      />
      <TextInput
        label={words.note}
        value={note}
        maxLength={500}
        onChange={(event) => setTyped({ reason, note: event.currentTarget.value })}
      />
    </Ask>
  );
}
