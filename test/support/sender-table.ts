/**
 * How records end, by the authority's fault and the step at which the worker is killed. The test runs this table, and
 * docs/reliability.md prints it.
 */
import type { Fault } from 'aeat-simulator';

/** Steps that the worker's process holds. The authority holds its own. */
export type ProcessStep = 'noting' | 'noted' | 'read' | 'settling' | 'settled';
export type Step = ProcessStep | 'working' | 'decided';

export const steps: readonly { step: Step; title: string }[] = [
  { step: 'noting', title: 'while the message is being written down' },
  { step: 'noted', title: 'written down, not yet sent' },
  { step: 'working', title: 'while the authority works on it' },
  { step: 'decided', title: 'the authority has decided, its answer is on the way' },
  { step: 'read', title: 'the answer is read, nothing is written down of it' },
  { step: 'settling', title: 'while the answer is being written down' },
  { step: 'settled', title: 'all is written down' },
];

/** The authority has the message, but its answer is not stored. The same bytes are sent again. */
export const cutSteps: readonly Step[] = ['working', 'decided', 'read', 'settling'];

/** `csv_lost`: the authority has the record, but the answer with its CSV was lost. */
export const ends = {
  accepted: 'accepted',
  csv_lost: 'accepted, CSV lost',
  with_errors: 'accepted with errors',
  with_errors_csv_lost: 'accepted with errors, CSV lost',
  rejected: 'rejected',
  kept_back: 'kept back',
} as const;
export type End = keyof typeof ends;

export type Row = {
  title: string;
  /** One per message; afterwards the authority works. */
  faults: readonly Fault[];
  /** Tickets with these totals, or the annulment of the first. */
  records: readonly ('ticket' | 'annulment' | { total: number })[];
  /** When a live worker gets the authority's answer. */
  heard: readonly End[];
  /** When the worker was killed in one of `cutSteps`. */
  cut: readonly End[];
  /** The client gives up waiting for the first answer after a moment. */
  is_impatient?: true;
};

const three = ['ticket', 'ticket', 'ticket'] as const;
const all = (end: End): readonly End[] => [end, end, end];

/** Nothing was stored; the records are accepted when they come again. */
const nothingStored = { records: three, heard: all('accepted'), cut: all('accepted') };
/** All was stored, but the answer is always lost. */
const answerLost = { records: three, heard: all('csv_lost'), cut: all('csv_lost') };
const answered = { records: three, heard: all('accepted'), cut: all('csv_lost') };

export const rows: readonly Row[] = [
  { title: 'none', faults: [], ...answered },
  {
    title: 'no answer, nothing stored',
    faults: [{ kind: 'timeout_before_storing' }],
    is_impatient: true,
    ...nothingStored,
  },
  {
    title: 'no answer, nothing stored, then a slow answer',
    faults: [{ kind: 'timeout_before_storing' }, { kind: 'slow_answer', milliseconds: 2000 }],
    is_impatient: true,
    ...nothingStored,
  },
  {
    title: 'no answer, all stored',
    faults: [{ kind: 'timeout_after_storing' }],
    is_impatient: true,
    ...answerLost,
  },
  {
    title: 'connection cut, nothing stored',
    faults: [{ kind: 'reset_before_storing' }],
    ...nothingStored,
  },
  { title: 'connection cut, all stored', faults: [{ kind: 'reset_after_storing' }], ...answerLost },
  { title: 'half an answer', faults: [{ kind: 'half_answer' }], ...answerLost },
  { title: 'an answer that cannot be read', faults: [{ kind: 'malformed_answer' }], ...answerLost },
  { title: 'HTTP 503', faults: [{ kind: 'unavailable' }], ...nothingStored },
  {
    title: 'SOAP fault of the server',
    faults: [{ kind: 'soap_fault_server', code: 4128 }],
    ...nothingStored,
  },
  {
    title: 'SOAP fault: the message breaks the schema (4102)',
    faults: [{ kind: 'soap_fault_client', code: 4102 }],
    ...nothingStored,
  },
  {
    title: 'the same, for the one record that breaks it',
    faults: [
      { kind: 'soap_fault_client', code: 4102 },
      { kind: 'soap_fault_client', code: 4102 },
    ],
    records: ['ticket'],
    heard: ['kept_back'],
    cut: ['kept_back'],
  },
  {
    title: 'SOAP fault: something of the company is wrong (4104), until it is mended',
    faults: [{ kind: 'soap_fault_client', code: 4104 }],
    ...nothingStored,
  },
  { title: 'slow answer', faults: [{ kind: 'slow_answer', milliseconds: 300 }], ...answered },
  { title: 'a long waiting time is asked for', faults: [{ kind: 'long_wait', seconds: 600 }], ...answered },
  {
    title: 'the first record is refused each time',
    faults: [
      { kind: 'reject_record', code: 1100 },
      { kind: 'reject_record', code: 1100 },
    ],
    records: three,
    heard: ['rejected', 'accepted', 'accepted'],
    cut: ['rejected', 'csv_lost', 'csv_lost'],
  },
  {
    title: 'the second record has errors',
    faults: [],
    records: ['ticket', { total: 2988.11 }, 'ticket'],
    heard: ['accepted', 'with_errors', 'accepted'],
    cut: ['csv_lost', 'with_errors_csv_lost', 'csv_lost'],
  },
  {
    title: 'the second record is there already (3000)',
    faults: [],
    records: ['ticket', { total: 2988.14 }, 'ticket'],
    heard: ['accepted', 'csv_lost', 'accepted'],
    cut: ['csv_lost', 'csv_lost', 'csv_lost'],
  },
  {
    title: 'none, and the second record annuls the first',
    faults: [],
    records: ['ticket', 'annulment', 'ticket'],
    heard: all('accepted'),
    cut: all('csv_lost'),
  },
];

export function expectedEnds({ heard, cut }: Row, step: Step): readonly End[] {
  return cutSteps.includes(step) ? cut : heard;
}

function describe(row: Row, step: Step): string {
  const found = expectedEnds(row, step);
  const told = [...new Set(found)];
  return told.length === 1 ? ends[told[0]!] : found.map((end, n) => `${n + 1}: ${ends[end]}`).join('; ');
}

/** As docs/reliability.md prints it. */
export function markdownTable(): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(['The authority', ...steps.map(({ title }) => title)]),
    line(['---', ...steps.map(() => '---')]),
    ...rows.map((row) => line([row.title, ...steps.map(({ step }) => describe(row, step))])),
  ].join('\n');
}
