/** First the dry run: what would refuse it is told, and only an invoice that can be issued is asked about. */
import { Alert, Button, List, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../app/changing.ts';
import { useCommonWords } from '../../app/common-words.ts';
import { Icon } from '../../app/icons.tsx';
import { useWords } from '../../app/words.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { mendFocus } from '../../parts/lost-focus.ts';
import { Failure } from '../../parts/states.tsx';
import { tell } from '../../parts/tell.ts';
import type { Invoice } from '../../printed/resources.ts';
import { useNamed } from './ask.tsx';
import { canIssueInvoice, type DryRun, issueInvoice } from './calls.ts';
import { invoiceWords } from './words.ts';

export function IssueInvoice({ of }: { of: Invoice }) {
  const words = useWords(invoiceWords);
  const [tried, setTried] = useState<DryRun | null>(null);
  const dry = useChange(canIssueInvoice);
  const issue = useChange(issueInvoice);
  const facts = useNamed(of);
  const close = () => {
    setTried(null);
    dry.clear();
  };
  const tryIt = async () => {
    issue.clear();
    const answer = await dry.run({ params: { invoice: of.id } });
    if (answer !== null) setTried(answer.data);
  };
  const act = async () => {
    const answer = await issue.run({ params: { invoice: of.id } });
    if (answer === null) return;
    close();
    tell(words.issued_told(answer.data.number ?? ''));
  };
  return (
    <>
      <Button
        loading={dry.is_running}
        onClick={() => void tryIt()}
        leftSection={<Icon name="seal" size={16} />}
      >
        {words.issue}
      </Button>
      <Confirm
        is_open={tried?.can_issue === true}
        close={close}
        title={words.issue_title}
        text={words.issue_text}
        facts={facts}
        action={words.issue}
        confirm={() => void act()}
        is_running={issue.is_running}
        error={issue.error}
      >
        <Alert color="green" icon={<Icon name="check" />} p="xs">
          {words.dry_run_passed}
        </Alert>
      </Confirm>
      <Refused
        reasons={tried !== null && !tried.can_issue ? tried.reasons : null}
        error={dry.error}
        close={close}
      />
    </>
  );
}

type RefusedProps = { reasons: DryRun['reasons'] | null; error: Error | null; close(): void };

function Refused({ reasons, error, close }: RefusedProps) {
  const words = useWords(invoiceWords);
  const { actions } = useCommonWords();
  return (
    <Modal
      opened={reasons !== null || error !== null}
      onClose={close}
      title={words.cannot_issue}
      onExitTransitionEnd={() => mendFocus()}
    >
      <Stack>
        {error && <Failure error={error} />}
        {reasons && <Text>{words.cannot_issue_text}</Text>}
        {reasons && (
          <List lang="es" spacing="xs">
            {reasons.map(({ code, message, param }) => (
              <List.Item key={`${code} ${param ?? ''}`}>{message}</List.Item>
            ))}
          </List>
        )}
        <Button variant="default" onClick={close}>
          {actions.close}
        </Button>
      </Stack>
    </Modal>
  );
}
