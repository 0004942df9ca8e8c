/** A refusal that comes when the place where the act was is gone: the question was closed, or the page left. */
import { Text } from '@mantine/core';
import { useCommonWords } from '../app/common-words.ts';
import { FailureText } from './states.tsx';
import { warn } from './tell.ts';

export const warnOfFailure = (error: Error): void => warn(<LateFailure error={error} />);

function LateFailure({ error }: { error: Error }) {
  const { failure } = useCommonWords();
  return (
    <>
      <Text fw={600} size="sm">
        {failure.late_title}
      </Text>
      <FailureText error={error} />
    </>
  );
}
