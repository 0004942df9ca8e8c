import { useChange } from '../../app/changing.ts';
import { useWords } from '../../app/words.ts';
import { RotateSecret } from '../../parts/rotate-secret.tsx';
import { type Endpoint, rotateWebhookSecret } from './calls.ts';
import { Breaking } from './states.tsx';
import { webhookWords } from './words.ts';

export function RotateEndpointSecret({ of }: { of: Endpoint }) {
  const words = useWords(webhookWords);
  const change = useChange(rotateWebhookSecret);
  return (
    <RotateSecret
      words={words}
      facts={[{ name: words.url, value: <Breaking>{of.url}</Breaking> }]}
      name={words.secret}
      rotate={async () => (await change.run({ params: { webhook_endpoint: of.id } }))?.data.secret ?? null}
      change={change}
    />
  );
}
