/**
 * First the dry run: what would refuse it is told, and only an invoice that can be issued is asked about. The one that is
 * issued is the one that was shown.
 */
import { Alert, Button, Modal, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { isStale } from '../../app/api.ts';
import { useChange } from '../../app/changing.ts';
import { useCommonWords } from '../../app/common-words.ts';
import { useCan } from '../../app/company.ts';
import { Icon } from '../../app/icons.tsx';
import { useRead } from '../../app/reading.ts';
import { useWords } from '../../app/words.ts';
import { ChangedMeanwhile } from '../../parts/changed-meanwhile.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { mendFocus } from '../../parts/lost-focus.ts';
import { Failure } from '../../parts/states.tsx';
import { tell } from '../../parts/tell.ts';
import type { Invoice } from '../../printed/resources.ts';
import { useNamed } from './ask.tsx';
import { canIssueInvoice, type DryRun, getVerifactuConfig, issueInvoice, type Tried } from './calls.ts';
import { DryRunWarnings, ReasonList, tellWarnings } from './warnings.tsx';
import { invoiceWords } from './words.ts';

export function IssueInvoice({ of, etag }: { of: Invoice; etag: string | undefined }) {
  const words = useWords(invoiceWords);
  const [tried, setTried] = useState<Tried | null>(null);
  const dry = useChange(canIssueInvoice);
  const issue = useChange(issueInvoice);
  const facts = useNamed(of);
  const config = useRead(getVerifactuConfig, {}, { is_enabled: useCan()('get_verifactu_config') });
  const has_record = config.data?.data.enabled === true;
  const close = () => {
    setTried(null);
    dry.clear();
  };
  const tryIt = async () => {
    const answer = await dry.run({ params: { invoice: of.id } });
    if (answer !== null) setTried(answer);
  };
  const has_changed = isStale(issue.error);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each refusal
  useEffect(() => {
    if (has_changed) void tryIt();
  }, [issue.error]);
  const act = async () => {
    const answer = await issue.run({ params: { invoice: of.id }, if_match: etag });
    if (answer === null) return;
    close();
    tell(words.issued_told(answer.data.number ?? ''));
    tellWarnings(words.invoice_title(answer.data.number ?? ''), answer.warnings);
  };
  return (
    <>
      <Button
        loading={dry.is_running}
        onClick={() => {
          issue.clear();
          void tryIt();
        }}
        leftSection={<Icon name="seal" size={16} />}
      >
        {words.issue}
      </Button>
      <Confirm
        is_open={tried?.data.can_issue === true}
        close={close}
        title={words.issue_title}
        text={has_record ? words.issue_record_text : words.issue_text}
        facts={facts}
        action={words.issue}
        confirm={() => void act()}
        is_running={issue.is_running || dry.is_running}
        error={has_changed ? null : issue.error}
      >
        {has_changed && <ChangedMeanwhile text={words.issue_changed} />}
        {tried?.warnings ? (
          <DryRunWarnings of={tried.warnings} />
        ) : (
          <Alert color="green" icon={<Icon name="check" />} p="xs">
            {words.dry_run_passed}
          </Alert>
        )}
      </Confirm>
      <Refused
        reasons={tried !== null && !tried.data.can_issue ? tried.data.reasons : null}
        error={dry.error}
        close={close}
        again={() => void tryIt()}
      />
    </>
  );
}

type RefusedProps = {
  reasons: DryRun['reasons'] | null;
  error: Error | null;
  close(): void;
  again(): void;
};

function Refused({ reasons, error, close, again }: RefusedProps) {
  const words = useWords(invoiceWords);
  const { actions, failure } = useCommonWords();
  return (
    <Modal
      opened={reasons !== null || error !== null}
      onClose={close}
      // Nobody knows whether it can be.
      title={error ? failure.title : words.cannot_issue}
      onExitTransitionEnd={() => mendFocus()}
    >
      <Stack>
        {error && <Failure error={error} retry={again} />}
        {reasons && <Text>{words.cannot_issue_text}</Text>}
        {reasons && <ReasonList of={reasons} />}
        <Button variant="default" onClick={close}>
          {actions.close}
        </Button>
      </Stack>
    </Modal>
  );
}
