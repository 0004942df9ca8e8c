import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../app/changing.ts';
import { useCurrentCompany } from '../../app/company.ts';
import { useSession } from '../../app/session.tsx';
import { useWords } from '../../app/words.ts';
import { faultsOf, issuesOf } from '../../parts/issues-of.ts';
import { ServiceText } from '../../parts/service-text.tsx';
import { tell, warn } from '../../parts/tell.ts';
import { addressesIn } from '../../parts/typed.ts';
import type { Invoice } from '../../printed/resources.ts';
import { Ask, useNamed } from './ask.tsx';
import { sendInvoice } from './calls.ts';
import { invoiceWords } from './words.ts';

export function SendInvoice({ of }: { of: Invoice }) {
  const words = useWords(invoiceWords);
  const { environment } = useCurrentCompany();
  const { session } = useSession();
  const goes_out = environment === 'live' && session.features.mail;
  const [to, setTo] = useState('');
  const change = useChange(sendInvoice);
  const bad = refusedOf(change.error, addressesIn(to));
  const { to: fault } = faultsOf(change.error);
  const act = async () => {
    const addresses = addressesIn(to);
    const body = addresses.length === 0 ? {} : { to: addresses };
    const answer = await change.run({ params: { invoice: of.id }, body });
    if (answer === null) return false;
    const { status } = answer.data.email;
    if (status === 'not_sent') warn(words.not_sent_told[environment]);
    else tell(words.sent_told[status]);
    return true;
  };
  return (
    <Ask
      {...change}
      action={words.send}
      icon="send"
      title={words.send_title}
      text={goes_out ? words.send_text : words.send_kept_text[environment]}
      facts={useNamed(of)}
      act={act}
      begin={() => setTo('')}
      fields={['to']}
    >
      <TextInput
        label={words.send_to}
        description={words.send_to_hint}
        value={to}
        onChange={(event) => {
          setTo(event.currentTarget.value);
          change.clear();
        }}
        error={bad.length > 0 ? words.send_bad(bad.join(', ')) : fault && <ServiceText>{fault}</ServiceText>}
        data-autofocus
      />
    </Ask>
  );
}

/** Those that the service named. */
function refusedOf(error: Error | null, addresses: readonly string[]): string[] {
  return issuesOf(error).flatMap(({ param }) => addresses[Number(/^to\.(\d+)$/.exec(param)?.[1])] ?? []);
}
