import { useChange } from '../../app/changing.ts';
import { useWords } from '../../app/words.ts';
import { RotateSecret } from '../../parts/rotate-secret.tsx';
import { type Key, rotateApiKeySecret } from './calls.ts';
import { KeyEnvironment } from './key-state.tsx';
import { keyWords } from './words.ts';

export function RotateKeySecret({ of }: { of: Key }) {
  const words = useWords(keyWords);
  const change = useChange(rotateApiKeySecret);
  return (
    <RotateSecret
      words={words}
      facts={[
        { name: words.name, value: of.name },
        { name: words.environment, value: <KeyEnvironment of={of.environment} /> },
      ]}
      name={of.name}
      rotate={async () => (await change.run({ params: { api_key: of.id } }))?.data.secret ?? null}
      change={change}
    />
  );
}
