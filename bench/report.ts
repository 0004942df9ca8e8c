/** Reports all figures, missed aims included. */
import { availableParallelism } from 'node:os';
import { type Aim, type Figure, isMet } from './statistics.ts';

const digits: Record<Figure['unit'], number> = {
  ratio: 2,
  'requests/s': 0,
  'invoices/s': 0,
  'signatures/s': 0,
  'pictures/s': 0,
  'deliveries/s': 0,
  rows: 0,
  files: 0,
  ms: 2,
  MB: 0,
  KiB: 0,
  s: 2,
};

function aimText(aim: Aim | undefined): string {
  if (!aim) return '';
  return 'at_least' in aim ? `at least ${aim.at_least}` : `at most ${aim.at_most}`;
}

function verdict({ aim, spread }: Figure): string {
  if (!aim) return '';
  return isMet(aim, spread.median) ? 'met' : 'missed';
}

function cells(figure: Figure): [string, string, string, string, string] {
  const show = (value: number) => value.toFixed(digits[figure.unit]);
  const { median, min, max } = figure.spread;
  const unit = figure.unit === 'ratio' ? '' : ` ${figure.unit}`;
  return [
    figure.what,
    `${show(median)}${unit}`,
    min === max ? '' : `${show(min)}-${show(max)}`,
    aimText(figure.aim),
    verdict(figure),
  ];
}

export function lineOf(figure: Figure): string {
  const [what, median, spread, aim, met] = cells(figure);
  return `  ${what.padEnd(58)} ${median.padStart(16)}  ${spread.padEnd(14)} ${aim === '' ? '' : `aim ${aim}: ${met}`}`.trimEnd();
}

export type Setting = { rounds: number; server_version: string; seconds: number };

/** By title. */
function earlierParts(page: string): Map<string, string> {
  const sections = page.split(/^## /m).slice(1);
  return new Map(
    sections
      .filter((text) => text.startsWith('('))
      .map((text) => [text.slice(0, text.indexOf('\n')), text.slice(text.indexOf('\n')).trim()]),
  );
}

const compared: readonly string[] = [
  '',
  '## What is compared',
  '',
  '- (a) `POST /v1/invoices` with `options.issue`, a client, three lines and two VAT rates. *Bare server*: node:http in a process',
  '  of its own, `JSON.parse`, and the statements the service sends for this request (credential, reads, locks, writes), each',
  '  invoice in a transaction of its own, under row-level security. *Raw SQL*: the same writes as one transaction in one round',
  '  trip, sent by the bench itself, one connection per caller; callers of one company queue on its issuing head.',
  '  *p50* and *p99* are what a caller waits, by round; the one caller goes before or after the 32.',
  '- (b) `GET /v1/invoices/{id}`. *Bare server*: `begin`, company, the four reads in one pipeline and `JSON.stringify` of the same',
  '  answer; no credential is looked up. *Small answers*: by 32 callers who say that they take brotli and gzip, against as many who do not;',
  '  below 2,048 bytes, and for a resource, nothing is compressed.',
  '- (c) pages of 20. The last page is asked for by `starting_after`. The other kinds are sorted by every field in both directions.',
  '- (d) from spawn to the first 200 of `/readyz`, with what Node keeps of the sources after a first start. *Bare server*: node:http and the same driver, ready when `select 1` answered;',
  '  with PostgreSQL stopped, the time to bring it up is added to it. *Commands*: from spawn to end, where the service runs.',
  '- (e) `POST /v1/invoices/bulk-create` of 100 invoices as in (a), one caller. *Set-based SQL*: the same rows, numbers and events',
  '  of 100 invoices as one transaction in one round trip, sent by the bench itself through the same driver.',
  '- (f) the request of (a) sent again, with its `Idempotency-Key` or its `external_id`, against the `GET` of the invoice.',
  '- (g) the request of (a) sent by 50 callers at once with one new `external_id`, until the last has its answer: one 201, and 49',
  '  replays equal to it. Against 50 callers with an `external_id` each.',
  '- (h) VeriFactu. *Batch*: 1,000 records of stored invoices. *Built, checked and hashed* is what issuing does in memory: content,',
  '  eligibility, link, huella, text, the rules of the schema on the values. *Read and marked sent* is the transaction of the sender',
  '  that reads the records, stores the message, assigns and counts the attempt, with its commit, and then the text of the message.',
  '  *Bare* writes the same texts with one template each, unescaped and unchecked, and hashes; both go as far as the bytes, which',
  '  must be the same. The',
  '  insert of the records, which issuing pays, and the writing down of an answer stand beside it. *Signing*: records signed',
  '  (XAdES, two digests, RSA-2048) against RSA-2048 alone over the same texts, one after the other and 32 side by side as issuing does.',
  '  *QR*: symbol and PNG against `qrcode.toBuffer` at level M, in the size that it makes by itself (a ninth of the pixels) and in the',
  '  same size. *Create and issue*: the request of (a) by a sandbox company that records, against one that does not; no worker runs,',
  '  so nothing is sent.',
  '- (i) webhooks, to a receiver over HTTPS on loopback in a process of its own, which answers 200 at once and counts each delivery',
  '  once. *Deliveries*: events that wait in the outbox, 20,000 deliveries in all (100 endpoints are those of ten companies), from the',
  '  wake-up until every result is stored; three rounds, since they are long. *Bare outbox loop*: takes up to 500 events of the outbox and',
  '  inserts their deliveries in one transaction, sends the same signed requests with undici, eight at a time to an endpoint, stores',
  '  the results and the health of the endpoints in a second one, two such batches at a time; sets throughout, the statements and the',
  '  headers of the service. It has no lease, schedule, order, time limit or check of addresses, and loses what a crash interrupts.',
  '  *First byte*: from the 201 of an invoice as its caller sees it to the beginning of the request at the receiver. *Bare',
  '  LISTEN/NOTIFY*: from the commit of a row with `pg_notify` as its writer sees it, until the listener has read the row and its signed',
  '  request begins at the receiver; nothing is inserted or stored for it. *Half load*: half of the invoices a second that 32 callers',
  '  get issued and delivered, sent at that pace; *beside issuing*: as many rows as invoices, while the service issues as many invoices',
  '  of a company without endpoint; *alone*: as many rows with nothing else going on. *Nine of ten*: deliveries to nine endpoints of a',
  '  company whose tenth answers, never answers, or is not there.',
  '- (k) the same invoice with one line, and one of 200 lines, on A4 with QR and logo, each a new one. *Bare compiler*: the native',
  '  Typst in the process of the bench, with the same templates, fonts and standard, given the document as it is. *Memory*: of the',
  '  processes that print, documents of all formats, eleven at once; each process is replaced after 1,000 documents.',
  '- (l) the lines of (a) as a draft. *Leave draft with a number*: `POST /v1/quotes/{id}/mark-pending` of drafts made before. *Raw SQL*:',
  '  the rows that the service writes for it, lines, events and audit entry included, as one transaction in one round trip, one',
  '  connection per caller; all queue on the counter of the series.',
  '- (m) *a quote converted*: `POST /v1/quotes/{id}/convert` of pending quotes with the lines of (a), against the same draft by',
  '  `POST /v1/invoices`. *100 notes in one invoice*: `POST /v1/delivery_notes/recapitulate`; the draft is deleted again, untimed,',
  '  which opens the notes. *Memory*: of the service with a heap of at most 160 MB, without which V8 grows for long before it collects.',
  '- (n) recurrences with three lines that issue, as in (a): from the wake-up of the worker until each has its invoice and its job waits',
  '  for the next day. *Bulk-create*: as many invoices of the same companies, in calls of a hundred by one caller, or in a call for each',
  '  company by 32 callers. *A look for work* is what the idle worker asks the database, with the kinds of all its jobs. *Idle memory*:',
  '  after a start, round by round. *Expiry*: quotes of one company in one night; the GET is of an invoice of the same company, before,',
  '  during and after it, by one caller.',
  '- (o) `POST /v1/purchase_invoices` with five lines, received with its number. *Raw SQL*: the rows that the service writes for it,',
  '  events and audit entry included, as one transaction in one round trip, one connection per caller, on the same counter.',
  '- (q) papers of 46 lines to a page, read whole: handed to the reader, text, the QRs of three drawn pages, and what its rules find.',
  '  *Bare PDFium*: the same file opened in the process of the bench, the text of all pages, and the same three pages drawn or not.',
  '  *Growth*: what the API process held at most during an upload, over what it held before the first one. *Readers*: one- and',
  '  50-page PDFs, electronic invoices, PDFs of 15 MB and pictures of six million dots in turn. *A full lane*: pictures of three',
  '  other companies are read and uploaded all the time; as many invoices are issued and read by two callers with and without it.',
  '- (s) `POST /sign-in` with the right password, until the answer that opens the session. *Ten at once*: ten people; a process works at',
  '  two passwords at a time and answers the others 503 with `Retry-After: 1`, and they come back then. *GET invoice*: by two callers,',
  '  while ten people sign in at once, and again as soon as all are in.',
  '- (u) with the service running, which does nothing. *Bare COPY*: every table in one snapshot by the same driver in a process of its',
  '  own, uncompressed to a file each; a `pg_dump` that is as new as the server stands in its place where PATH has one. *GET*: of another',
  '  company, by one caller that waits 10 ms after each answer.',
  '- (v) `first-contentful-paint` as the browser of the tests tells it, from the beginning of the visit, its processor slowed to a quarter by the',
  '  browser itself; each visit with an empty cache. The longest page is the reference page with most bytes.',
];

/** @param earlier the present page; parts that did not run stay */
export function resultsPage(
  figures: readonly Figure[],
  { rounds, server_version, seconds }: Setting,
  earlier = '',
): string {
  const setting = `${availableParallelism()} processors, Node ${process.versions.node}, PostgreSQL ${server_version}, ${process.platform}-${process.arch}; measured in a run of ${Math.round(seconds)} s.`;
  const parts = earlierParts(earlier);
  for (const [part, of] of Map.groupBy(figures, (figure) => figure.part)) {
    const rows = of.map((figure) => `| ${cells(figure).join(' | ')} |`);
    const table = ['| | median | spread | aim | |', '|---|---|---|---|---|', ...rows];
    parts.set(part, [setting, '', ...table].join('\n'));
  }
  const missed = [...parts].flatMap(([part, text]) =>
    text
      .split('\n')
      .filter((line) => line.endsWith('| missed |'))
      .map((line) => `${part.slice(0, 3)} ${line.split('|')[1]!.trim()}`),
  );
  const lines = [
    '# Results of the bench',
    '',
    `Written by \`npm run bench\`; run it again to compare, also some parts alone. Medians of ${rounds} interleaved rounds with their`,
    'spread (least-most); a ratio is taken round by round, so what the machine did to both cancels out. Service, database,',
    'floors and the load generator share the machine. The database is durable (fsync on). The rate limiter runs with a',
    'raised table. Every answer is checked; a wrong one fails the bench.',
    '',
    missed.length === 0 ? 'Every aim is met.' : `Aims missed: ${missed.join('; ')}.`,
  ];
  for (const [part, text] of [...parts].sort(([one], [other]) => (one < other ? -1 : 1)))
    lines.push('', `## ${part}`, '', text);
  lines.push(...compared);
  return `${lines.join('\n')}\n`;
}
