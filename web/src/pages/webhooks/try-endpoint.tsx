/** A ping or an example of an event, to see that the address answers. */
import { Button, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useChange } from '../../app/changing.ts';
import { useCurrentCompany } from '../../app/company.ts';
import { Icon } from '../../app/icons.tsx';
import { useIsShown } from '../../app/is-shown.ts';
import { useGo } from '../../app/navigate.tsx';
import { useWords } from '../../app/words.ts';
import { FormFrame, useApiForm } from '../../parts/api-form.tsx';
import { Failure } from '../../parts/states.tsx';
import { tell } from '../../parts/tell.ts';
import { type Endpoint, pingWebhookEndpoint, sendWebhookTestEvent } from './calls.ts';
import { webhookWords } from './words.ts';

export function TryEndpoint({ of }: { of: Endpoint }) {
  const words = useWords(webhookWords);
  const go = useGo();
  const [is_open, form] = useDisclosure(false);
  const { run, is_running, error } = useChange(pingWebhookEndpoint);
  const ping = async () => {
    const answer = await run({ params: { webhook_endpoint: of.id } });
    if (answer !== null) go(`/webhooks/${of.id}/deliveries/${answer.data.id}`);
  };
  return (
    <>
      <Button variant="default" onClick={form.open}>
        {words.test}
      </Button>
      <Button loading={is_running} onClick={() => void ping()} leftSection={<Icon name="send" size={16} />}>
        {words.ping}
      </Button>
      {error && <Failure error={error} />}
      <Modal opened={is_open} onClose={form.close} title={words.test}>
        {is_open && <TestForm of={of} close={form.close} />}
      </Modal>
    </>
  );
}

function TestForm({ of, close }: { of: Endpoint; close(): void }) {
  const words = useWords(webhookWords);
  const { environment } = useCurrentCompany();
  const isShown = useIsShown();
  const form = useApiForm({
    values: { type: '' },
    change: useChange(sendWebhookTestEvent),
    input: ({ type }) => {
      const name = type.trim();
      return { params: { webhook_endpoint: of.id }, body: name === '' ? {} : { type: name } };
    },
    done: ({ data }) => {
      if (isShown()) close();
      tell(data.delivery === null ? words.test_kept : words.test_sent);
    },
  });
  return (
    <FormFrame of={form} action={words.test_action} is_in_dialog>
      <Stack>
        <Text>{environment === 'test' ? words.test_sandbox : words.test_text}</Text>
        <TextInput
          label={words.type}
          description={words.type_hint}
          placeholder="invoice.paid"
          data-autofocus
          {...form.fields('type')}
        />
      </Stack>
    </FormFrame>
  );
}
