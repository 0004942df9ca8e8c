import { Box, Code, Group, Text } from '@mantine/core';
import { useCommonWords } from '../app/common-words.ts';
import { CopyButton } from './copy.tsx';
import { setOut } from './set-out.ts';

/** An answer or a body as it went over the wire. A text that is JSON is set in lines too. */
export function JsonView({ value, name }: { value: unknown; name?: string }) {
  const words = useCommonWords();
  const title = name ?? words.json;
  const text = textOf(value);
  return (
    <Box>
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {title}
        </Text>
        <CopyButton value={text} name={title} />
      </Group>
      <Code block mah="32rem" style={{ overflow: 'auto' }} tabIndex={0} role="region" aria-label={title}>
        {text}
      </Code>
    </Box>
  );
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? setOut(value) : (JSON.stringify(value, null, 2) ?? '');
