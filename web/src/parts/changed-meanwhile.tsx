/** In the place of a refusal: somebody else changed what is shown, so the call did nothing. */
import { Alert } from '@mantine/core';
import { useCommonWords } from '../app/common-words.ts';
import { Icon } from '../app/icons.tsx';

export function ChangedMeanwhile({ text }: { text: string }) {
  const { changed } = useCommonWords();
  return (
    <Alert color="orange" icon={<Icon name="warning" />} title={changed.title} role="alert">
      {text}
    </Alert>
  );
}
