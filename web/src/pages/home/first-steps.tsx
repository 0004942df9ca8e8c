/** The steps of a new company, each with what to do or what to send. It goes away when all are done. */
import { Badge, Box, Button, Group, List, Text, ThemeIcon } from '@mantine/core';
import type { ReactNode } from 'react';
import type { OperationName } from '../../app/operation.ts';
import { useCan, useCurrentCompany } from '../../app/company.ts';
import { Icon } from '../../app/icons.tsx';
import { PageLink } from '../../app/navigate.tsx';
import { useRead } from '../../app/reading.ts';
import { useSession } from '../../app/session.tsx';
import { useWords } from '../../app/words.ts';
import { CopyBlock } from '../../parts/copy.tsx';
import { Section } from '../../parts/facts.tsx';
import { listApiKeys, listInvoices, listWebhookEndpoints } from './calls.ts';
import { homeWords } from './words.ts';

type Step = {
  id: string;
  is_done: boolean;
  title: string;
  text: string;
  command?: string;
  go?: { to: string; label: string };
  asks: OperationName;
};

const issuedStates = 'issued,sent,paid,overdue,rectified,substituted,voided,annulled';
const simplest =
  '{"type":"F2","lines":[{"description":"Consultoría","quantity":1,"unit_price":100,"tax_rate":21}]}';

export function FirstSteps() {
  const words = useWords(homeWords);
  const { environment } = useCurrentCompany();
  const can = useCan();
  const steps = useSteps()?.filter(({ asks }) => can(asks));
  if (steps === undefined || steps.every(({ is_done }) => is_done)) return null;
  const next = steps.find(({ is_done }) => !is_done);
  return (
    <Section title={words.steps.title}>
      {environment === 'test' && (
        <Text c="dimmed" mb="md">
          {words.steps.about}
        </Text>
      )}
      <List listStyleType="none" spacing="md" styles={{ itemWrapper: { alignItems: 'flex-start' } }}>
        {steps.map((step) => (
          <StepItem key={step.id} step={step} is_next={step === next} />
        ))}
      </List>
    </Section>
  );
}

/** Undefined until it is known what is done. */
function useSteps(): Step[] | undefined {
  const { steps: words } = useWords(homeWords);
  const { session } = useSession();
  const { environment } = useCurrentCompany();
  // Whoever may make no key has no program to send a command with.
  const has_program = useCan()('create_api_key');
  const keys = useRead(listApiKeys, { query: { limit: 100 } });
  const drafts = useRead(listInvoices, { query: { limit: 1 } });
  const issued = useRead(listInvoices, { query: { limit: 1, 'status[in]': issuedStates } });
  // What needs attention asks the same, so both share one answer.
  const hooks = useRead(listWebhookEndpoints, { query: { limit: 100 } });
  const answers = [keys.data, drafts.data, issued.data, hooks.data];
  if (answers.some((answer) => answer === undefined)) return undefined;
  const own = keys.data?.data.filter((key) => key.active && key.environment === environment) ?? [];
  const invoice_id = drafts.data?.data[0]?.id ?? 'ID';
  const send = (path: string, body?: string) =>
    `curl -X POST ${session.public_url}${path} -H "Authorization: Bearer $FOLIO_API_KEY"${
      body === undefined ? '' : ` -H "Content-Type: application/json" -d '${body}'`
    }`;
  return [
    {
      id: 'key',
      is_done: own.length > 0,
      title: words.key,
      text: words.key_text,
      go: { to: '/keys/new', label: words.key_go },
      asks: 'create_api_key',
    },
    {
      id: 'draft',
      is_done: (drafts.data?.data.length ?? 0) > 0,
      title: words.draft,
      ...(has_program
        ? {
            text: words.draft_text,
            command: send('/v1/invoices', simplest),
            go: { to: '/invoices', label: words.draft_go },
          }
        : { text: words.draft_by_hand, go: { to: '/invoices/new', label: words.draft_new } }),
      asks: 'create_invoice',
    },
    {
      id: 'issue',
      is_done: (issued.data?.data.length ?? 0) > 0,
      title: words.issue,
      text: words.issue_text,
      ...(has_program
        ? { command: send(`/v1/invoices/${invoice_id}/issue`) }
        : { go: { to: `/invoices/${invoice_id}`, label: words.issue_go } }),
      asks: 'issue_invoice',
    },
    {
      id: 'hook',
      is_done: (hooks.data?.data.length ?? 0) > 0,
      title: words.hook,
      text: words.hook_text,
      go: { to: '/webhooks', label: words.hook_go },
      asks: 'create_webhook_endpoint',
    },
  ];
}

/** Only the next one is told at length. */
function StepItem({ step, is_next }: { step: Step; is_next: boolean }) {
  const { steps: words } = useWords(homeWords);
  const { title, text, command, go, is_done } = step;
  return (
    <List.Item icon={<StepMark is_done={is_done} />}>
      <Group gap="xs">
        <Text fw={is_next ? 600 : 400} c={is_done ? 'dimmed' : 'var(--mantine-color-text)'}>
          {title}
        </Text>
        {!is_next && (
          <Badge color={is_done ? 'green' : 'gray'} variant="light" size="sm">
            {is_done ? words.done : words.to_do}
          </Badge>
        )}
      </Group>
      {is_next && (
        <Box mt={4}>
          <Text c="dimmed">{text}</Text>
          {command !== undefined && (
            <Box mt="xs">
              <CopyBlock name={words.command}>{command}</CopyBlock>
            </Box>
          )}
          {go && (
            <Button
              component={PageLink}
              to={go.to}
              mt="sm"
              variant={command === undefined ? 'filled' : 'default'}
            >
              {go.label}
            </Button>
          )}
        </Box>
      )}
    </List.Item>
  );
}

function StepMark({ is_done }: { is_done: boolean }): ReactNode {
  return (
    <ThemeIcon
      radius="xl"
      size={24}
      color={is_done ? 'green' : 'gray'}
      variant={is_done ? 'light' : 'default'}
    >
      {is_done && <Icon name="check" size={14} />}
    </ThemeIcon>
  );
}
