/**
 * Corrects an issued invoice: the whole or some of its lines. First the dry run: the service counts what the corrective would
 * say, and only then it is asked about.
 */
import {
  Alert,
  Box,
  Button,
  Checkbox,
  Fieldset,
  Group,
  NativeSelect,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { isStale } from '../../app/api.ts';
import { useChange } from '../../app/changing.ts';
import { Icon } from '../../app/icons.tsx';
import { useGo } from '../../app/navigate.tsx';
import { useLanguage, useWords } from '../../app/words.ts';
import { ChangedMeanwhile } from '../../parts/changed-meanwhile.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { formatNumber } from '../../parts/money.ts';
import { formatPrice } from '../../parts/prices.ts';
import { tell } from '../../parts/tell.ts';
import type { Invoice } from '../../printed/resources.ts';
import { useNamed } from './ask.tsx';
import { type Correction, createCorrectiveInvoice, type Tried, tryCorrectiveInvoice } from './calls.ts';
import {
  type Choice,
  choiceOf,
  type Choices,
  type Chosen,
  chosenOf,
  type Left,
  leftOf,
} from './corrected-lines.ts';
import { Totals } from './lines.tsx';
import { useStandingCorrectives } from './correctives.tsx';
import { DryRunWarnings, ReasonList, tellWarnings } from './warnings.tsx';
import { invoiceWords } from './words.ts';

type Way = Correction['correction']['type'];
type Typed = { type: Way; reason: string; choices: Choices };
const nothingTyped: Typed = { type: 'differences', reason: '', choices: {} };

export function CorrectInvoice({ of, etag }: { of: Invoice; etag: string | undefined }) {
  const words = useWords(invoiceWords);
  const language = useLanguage();
  const go = useGo();
  const [is_open, question] = useDisclosure(false);
  const [typed, setTyped] = useState(nothingTyped);
  const [tried, setTried] = useState<Tried | null>(null);
  // That of the invoice whose sums were asked for. With another one, a try after a lost answer would be another call.
  const [tried_etag, setTriedEtag] = useState(etag);
  const [is_checked, setChecked] = useState(false);
  const dry = useChange(tryCorrectiveInvoice);
  const real = useChange(createCorrectiveInvoice);
  const standing = useStandingCorrectives(of, is_open);
  const left = leftOf(of.lines, standing.found ?? []);
  const chosen =
    typed.type === 'differences'
      ? chosenOf(
          { lines: of.lines, has_correctives: of.corrective_ids.length > 0 },
          typed.choices,
          left,
          language,
        )
      : chosenOf({ lines: of.lines, has_correctives: false }, {}, leftOf(of.lines, []), language);
  const change = (more: Partial<Typed>) => {
    setTyped({ ...typed, ...more });
    setTried(null);
    dry.clear();
    real.clear();
  };
  const open = () => {
    change(nothingTyped);
    setChecked(false);
    question.open();
  };
  const reason = typed.reason.trim();
  const body: Correction = {
    correction: { type: typed.type, reason: reason === '' ? null : reason },
    ...(chosen.lines ? { lines: chosen.lines } : {}),
  };
  const params = { invoice: of.id };
  const tryIt = async () => {
    setChecked(true);
    if (chosen.is_empty || chosen.bad.length > 0) return;
    const answer = await dry.run({ params, body: { ...body, dry_run: true } });
    if (answer === null) return;
    setTried(answer);
    setTriedEtag(etag);
  };
  const act = async () => {
    const answer = await real.run({ params, body, if_match: tried_etag });
    if (answer === null) return;
    question.close();
    tell(words.corrected_told(answer.data.number ?? words.draft));
    tellWarnings(words.invoice_title(answer.data.number ?? words.draft), answer.warnings);
    go(`/invoices/${answer.data.id}`);
  };
  // What was asked about is no longer so: the sums are asked for again, of what the invoice is now.
  const has_changed = isStale(real.error);
  useEffect(() => {
    if (has_changed) setTried(null);
  }, [has_changed]);
  const is_asked = tried?.data.can_issue === true;
  return (
    <>
      <Button variant="default" leftSection={<Icon name="edit" size={16} />} onClick={open}>
        {words.correct}
      </Button>
      <Confirm
        is_open={is_open}
        close={question.close}
        title={words.correct_title}
        text={words.correct_text}
        facts={useNamed(of)}
        action={is_asked ? words.correct : words.correct_check}
        confirm={() => void (standing.error ? standing.again() : is_asked ? act() : tryIt())}
        // Until it is known what others undid, nothing is offered.
        is_running={
          dry.is_running || real.is_running || (standing.found === undefined && standing.error === null)
        }
        error={standing.error ?? dry.error ?? (has_changed ? null : real.error)}
        is_reversible={!is_asked}
      >
        <WayFields typed={typed} change={change} />
        {typed.type === 'differences' && standing.found !== undefined && (
          <LineChoices
            of={of}
            choices={typed.choices}
            left={left}
            is_corrected={standing.found.length > 0}
            change={(choices) => change({ choices })}
            chosen={is_checked ? chosen : null}
          />
        )}
        {has_changed && tried === null && <ChangedMeanwhile text={words.correct_changed} />}
        <Result of={of} tried={tried} />
      </Confirm>
    </>
  );
}

function WayFields({ typed, change }: { typed: Typed; change(more: Partial<Typed>): void }) {
  const words = useWords(invoiceWords);
  return (
    <>
      <NativeSelect
        label={words.correct_type}
        description={words.correct_effects[typed.type]}
        data={[
          { value: 'differences', label: words.differences },
          { value: 'substitution', label: words.substitution },
        ]}
        value={typed.type}
        onChange={({ currentTarget: { value } }) =>
          change({ type: value === 'substitution' ? 'substitution' : 'differences' })
        }
      />
      <TextInput
        label={words.reason}
        description={words.correct_reason_hint}
        value={typed.reason}
        maxLength={500}
        onChange={(event) => change({ reason: event.currentTarget.value })}
      />
    </>
  );
}

type LinesProps = {
  of: Invoice;
  choices: Choices;
  left: Left;
  is_corrected: boolean;
  change(choices: Choices): void;
  /** Null until somebody asked for the sums. */
  chosen: Chosen | null;
};

function LineChoices({ of, choices, left, is_corrected, change, chosen }: LinesProps) {
  const words = useWords(invoiceWords);
  const language = useLanguage();
  return (
    <Fieldset legend={words.correct_lines}>
      <Stack gap="xs">
        {is_corrected && (
          <Alert color="yellow" icon={<Icon name="warning" />} p="xs">
            {words.correct_again}
          </Alert>
        )}
        {of.lines.map((line, index) => {
          const choice = choiceOf(line, choices, left, language);
          const put = (more: Partial<Choice>) => change({ ...choices, [line.id]: { ...choice, ...more } });
          const is_bad = chosen?.bad.includes(line.id) === true;
          return (
            <Group key={line.id} wrap="nowrap" align="flex-start" justify="space-between" gap="xs">
              <Checkbox
                label={line.description}
                description={words.correct_line(
                  formatNumber(line.quantity, language),
                  formatPrice(line.unit_price, language, of.currency),
                )}
                checked={choice.is_chosen}
                onChange={(event) => put({ is_chosen: event.currentTarget.checked })}
              />
              <TextInput
                w="7rem"
                style={{ flexShrink: 0 }}
                aria-label={words.correct_quantity(index + 1, line.description)}
                inputMode="decimal"
                autoComplete="off"
                disabled={!choice.is_chosen}
                value={choice.quantity}
                onChange={(event) => put({ quantity: event.currentTarget.value })}
                error={is_bad ? words.correct_quantity_bad : undefined}
              />
            </Group>
          );
        })}
      </Stack>
      {chosen?.is_empty && (
        <Text c="red" size="sm" mt="xs" role="alert">
          {words.correct_none}
        </Text>
      )}
    </Fieldset>
  );
}

/** What the dry run found; readers hear it. */
function Result({ of, tried }: { of: Invoice; tried: Tried | null }) {
  const words = useWords(invoiceWords);
  const amounts = tried?.data.amounts ?? null;
  return (
    <Box role="status">
      {tried && !tried.data.can_issue && (
        <Alert color="red" icon={<Icon name="warning" />} title={words.correct_refused} p="xs">
          <ReasonList of={tried.data.reasons} />
        </Alert>
      )}
      {tried?.warnings && <DryRunWarnings of={tried.warnings} />}
      {amounts && (
        <>
          <Text fw={600}>{words.correct_sums}</Text>
          <Totals of={{ ...amounts, currency: of.currency }} />
        </>
      )}
    </Box>
  );
}
