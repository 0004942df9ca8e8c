/** A refusal; where a young proof is missing, with the way to it. */
import { Alert, Button, Stack, Text } from '@mantine/core';
import { ApiError } from '../../app/api.ts';
import { Icon } from '../../app/icons.tsx';
import { publicPath } from '../../app/server-words.ts';
import { useWords } from '../../app/words.ts';
import { Failure } from '../../parts/states.tsx';
import { meWords } from './words.ts';

export function OwnFailure({ error }: { error: Error }) {
  const words = useWords(meWords);
  const is_proof = error instanceof ApiError && error.problem?.code === 'proof_required';
  if (!is_proof) return <Failure error={error} />;
  const query = new URLSearchParams({ return_to: location.pathname });
  return (
    <Alert color="yellow" icon={<Icon name="lock" />} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text>{words.proof}</Text>
        <Button component="a" href={`${publicPath}/confirm?${query}`} size="xs">
          {words.prove}
        </Button>
      </Stack>
    </Alert>
  );
}
