/** What stands in the place of content that is not there: nothing yet, loading, failed. */
import {
  Alert,
  Anchor,
  Box,
  Button,
  Center,
  Code,
  Group,
  List,
  Skeleton,
  Stack,
  Text,
  Title,
  VisuallyHidden,
} from '@mantine/core';
import type { ReactNode } from 'react';
import { ApiError, isGone, NoAnswer } from '../app/api.ts';
import { useCommonWords } from '../app/common-words.ts';
import { Icon, type IconName } from '../app/icons.tsx';
import type { Issue } from './field-issues.ts';
import { PageTitle } from './page-title.tsx';

type EmptyProps = { icon: IconName; title: string; text: ReactNode; children?: ReactNode };

export function EmptyState({ icon, title, text, children }: EmptyProps) {
  return (
    <Center py="xl">
      <Stack align="center" gap="sm" maw="30rem" ta="center">
        <Box c="dimmed">
          <Icon name={icon} size={40} />
        </Box>
        {title !== '' && (
          <Title order={2} fz="h4">
            {title}
          </Title>
        )}
        {text !== '' && <Text c="dimmed">{text}</Text>}
        {children}
      </Stack>
    </Center>
  );
}

/** Grey lines as high as what they stand for. */
export function Loading({ rows = 5, height = 36 }: { rows?: number; height?: number }) {
  const { list } = useCommonWords();
  return (
    <Stack gap="sm" aria-busy="true">
      <VisuallyHidden>{list.loading}</VisuallyHidden>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are alike
        <Skeleton key={row} height={height} radius="sm" />
      ))}
    </Stack>
  );
}

type FailureProps = {
  error: Error;
  retry?: (() => void) | undefined;
  /** What is listed: a form leaves out what its fields tell. All, when left out. */
  issues?: readonly Issue[];
};

/** A refusal with its code, the request to name to support, and the page that explains it. */
export function Failure({ error, retry, issues }: FailureProps) {
  const { failure } = useCommonWords();
  const problem = error instanceof ApiError ? error.problem : null;
  const wait = error instanceof ApiError ? error.retry_after_seconds : null;
  return (
    <Alert color="red" variant="light" icon={<Icon name="warning" />} title={failure.title} role="alert">
      <Stack gap="xs">
        <FailureText error={error} />
        {problem && <Issues of={issues ?? problem.errors ?? []} told={problem.message} />}
        {problem?.code === 'insufficient_scope' && <Text size="sm">{failure.rights}</Text>}
        {wait !== null && <Text size="sm">{failure.wait(wait)}</Text>}
        {problem && (
          <Group gap="md">
            <Text size="sm">
              {failure.code} <Code>{problem.code}</Code>
            </Text>
            <Text size="sm">
              {failure.request} <Code>{problem.request_id}</Code>
            </Text>
            <Anchor size="sm" href={problem.doc_url} target="_blank" rel="noopener">
              {failure.explain}
            </Anchor>
          </Group>
        )}
        {retry && !isGone(error) && (
          <Group>
            <Button
              variant="default"
              size="xs"
              onClick={retry}
              leftSection={<Icon name="refresh" size={14} />}
            >
              {failure.retry}
            </Button>
          </Group>
        )}
      </Stack>
    </Alert>
  );
}

/** What is wrong with each value, where the message of the whole does not say it. */
function Issues({ of, told }: { of: readonly Issue[]; told: string }) {
  const more = of.filter(({ message }) => message !== told);
  if (more.length === 0) return null;
  return (
    <List size="sm" lang="es">
      {more.map(({ param, message }) => (
        <List.Item key={param}>{message}</List.Item>
      ))}
    </List>
  );
}

/** The service speaks Spanish, whatever the language of the page. */
export function FailureText({ error }: { error: Error }) {
  const { failure } = useCommonWords();
  if (error instanceof NoAnswer) return <Text>{failure.no_answer}</Text>;
  if (isGone(error)) return <Text>{failure.gone}</Text>;
  if (error instanceof ApiError && error.problem) return <Text lang="es">{error.problem.message}</Text>;
  return <Text>{failure.server}</Text>;
}

export function NothingHere() {
  const { failure } = useCommonWords();
  return (
    <>
      <PageTitle>{failure.not_found_title}</PageTitle>
      <EmptyState icon="search" title="" text={failure.not_found_text} />
    </>
  );
}

export function PageCrashed({ error }: { error: Error }) {
  const { failure } = useCommonWords();
  return (
    <>
      <PageTitle>{failure.title}</PageTitle>
      <Alert color="red" role="alert" title={failure.crashed}>
        <Stack align="flex-start" gap="xs">
          <Code>{error.message}</Code>
          <Button variant="default" size="xs" onClick={() => location.reload()}>
            {failure.reload}
          </Button>
        </Stack>
      </Alert>
    </>
  );
}
