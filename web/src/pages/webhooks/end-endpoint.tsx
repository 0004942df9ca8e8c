/** Stopping an endpoint, starting it again, and removing it for good. */
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useChange } from '../../app/changing.ts';
import { useGo } from '../../app/navigate.tsx';
import { useWords } from '../../app/words.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Failure } from '../../parts/states.tsx';
import { tell } from '../../parts/tell.ts';
import {
  deleteWebhookEndpoint,
  disableWebhookEndpoint,
  enableWebhookEndpoint,
  type Endpoint,
} from './calls.ts';
import { Breaking } from './states.tsx';
import { webhookWords } from './words.ts';

export function SwitchEndpoint({ of }: { of: Endpoint }) {
  const words = useWords(webhookWords);
  const is_on = of.status === 'enabled';
  const { run, is_running, error } = useChange(is_on ? disableWebhookEndpoint : enableWebhookEndpoint);
  const change = async () => {
    if ((await run({ params: { webhook_endpoint: of.id } })) !== null)
      tell(is_on ? words.disabled_told : words.enabled_told);
  };
  return (
    <>
      <Button variant="default" loading={is_running} onClick={() => void change()}>
        {is_on ? words.disable : words.enable}
      </Button>
      {error && <Failure error={error} />}
    </>
  );
}

export function DeleteEndpoint({ of }: { of: Endpoint }) {
  const words = useWords(webhookWords);
  const go = useGo();
  const [is_open, question] = useDisclosure(false);
  const { run, is_running, error, clear } = useChange(deleteWebhookEndpoint);
  const remove = async () => {
    if ((await run({ params: { webhook_endpoint: of.id } })) === null) return;
    question.close();
    tell(words.deleted_told);
    go('/webhooks');
  };
  return (
    <>
      <Button
        variant="light"
        color="red"
        onClick={() => {
          clear();
          question.open();
        }}
      >
        {words.remove}
      </Button>
      <Confirm
        is_open={is_open}
        close={question.close}
        title={words.remove_title}
        text={words.remove_text}
        facts={[{ name: words.url, value: <Breaking>{of.url}</Breaking> }]}
        action={words.remove}
        confirm={() => void remove()}
        is_running={is_running}
        error={error}
      />
    </>
  );
}
