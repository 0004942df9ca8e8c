/** In the place of a refusal: somebody else changed what is shown, so the call did nothing. */
import { Alert, Button, Stack, Text } from '@mantine/core';
import { useCommonWords } from '../app/common-words.ts';
import { Icon } from '../app/icons.tsx';

export function ChangedMeanwhile({ text, again }: { text: string; again?: () => void }) {
  const { changed } = useCommonWords();
  return (
    <Alert color="orange" icon={<Icon name="warning" />} title={changed.title} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text>{text}</Text>
        {again && (
          <Button variant="default" size="xs" onClick={again} leftSection={<Icon name="refresh" size={14} />}>
            {changed.again}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
