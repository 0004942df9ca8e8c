/** What the service warns of where it refuses nothing, and what it would refuse. */
import { Alert, List, Text } from '@mantine/core';
import { Icon } from '../../app/icons.tsx';
import { useWords } from '../../app/words.ts';
import { warn } from '../../parts/tell.ts';
import type { DryRun } from './calls.ts';
import { invoiceWords } from './words.ts';

export function DryRunWarnings({ of }: { of: readonly string[] }) {
  const words = useWords(invoiceWords);
  return (
    <Alert color="orange" icon={<Icon name="warning" />} title={words.dry_run_warned} p="xs">
      <WarningList of={of} />
    </Alert>
  );
}

/** What a dry run found against it. */
export function ReasonList({ of }: { of: DryRun['reasons'] }) {
  return (
    <List lang="es" spacing="xs">
      {of.map(({ code, message, param }) => (
        <List.Item key={`${code} ${param ?? ''}`}>{message}</List.Item>
      ))}
    </List>
  );
}

/**
 * After the act. Each stays until it is closed, also beside other invoices.
 * @param title of which invoice it is
 */
export function tellWarnings(title: string, of: readonly string[] = []): void {
  if (of.length === 0) return;
  warn(
    <>
      <Text fw={600} size="sm">
        {title}
      </Text>
      <WarningList of={of} />
    </>,
  );
}

function WarningList({ of }: { of: readonly string[] }) {
  return (
    <List lang="es" size="sm" spacing="xs">
      {of.map((text) => (
        <List.Item key={text}>{text}</List.Item>
      ))}
    </List>
  );
}
