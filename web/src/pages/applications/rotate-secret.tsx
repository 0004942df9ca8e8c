import { useChange } from '../../app/changing.ts';
import { useWords } from '../../app/words.ts';
import { RotateSecret } from '../../parts/rotate-secret.tsx';
import { type Client, rotateOAuthClientSecret } from './calls.ts';
import { applicationWords } from './words.ts';

export function RotateClientSecret({ of }: { of: Client }) {
  const words = useWords(applicationWords);
  const change = useChange(rotateOAuthClientSecret);
  return (
    <RotateSecret
      words={words}
      facts={[{ name: words.name, value: of.name }]}
      name={of.name}
      rotate={async () => (await change.run({ params: { oauth_client: of.id } }))?.data.secret ?? null}
      change={change}
    />
  );
}
