/** A batch as issuing and the sender make it. */
import { makeAuthority } from '../src/integrations/aeat/authority.ts';
import { writeMessage } from '../src/integrations/aeat/message.ts';
import { makeRecords } from '../src/integrations/aeat/records.ts';
import { dayIn } from '../src/kernel/dates.ts';
import type { Tx } from '../src/kernel/operation.ts';
import type { Ports } from '../src/kernel/ports.ts';
import { latestVersion } from '../src/kernel/versions.ts';
import { lockInvoices } from '../src/modules/invoices/index.ts';
import type { InvoiceBundle } from '../src/modules/invoices/invoices.rows.ts';
import { findInvoices, withParts } from '../src/modules/invoices/stored-invoices.ts';
import { altaContent } from '../src/modules/invoices/rules/record-content.ts';
import {
  type ChainHead,
  chainRecords,
  type ChainLink,
  eligibilityFaults,
  findRegistration,
  type KeptRecord,
  lockChainHead,
  makeRecorder,
  type Message,
  type Recorder,
  saveChainHead,
  type SendingIdentity,
  type SendResult,
  storeRecords,
} from '../src/modules/verifactu/index.ts';
import { lastLink } from '../src/modules/verifactu/records/chain.ts';
import { makeSender } from '../src/modules/verifactu/sending/sender.jobs.ts';
import { loadCompany } from '../src/platform/company-context.ts';
import { EventBuffer, insertEvents } from '../src/platform/events.ts';
import type { JobCtx } from '../src/platform/job-handler.ts';
import { jobCtx } from '../test/support/job-ctx.ts';
import { WrongResult } from './load.ts';
import type { Place } from './place.ts';

/** The authority is never called. */
export function portsOf(identity: SendingIdentity): Ports {
  const producer = { name: 'Productor de pruebas SL', tax_id: 'B12345674', foreign_id: null };
  return {
    records: makeRecords(null),
    authority: makeAuthority({
      aeat: 'none',
      certificate: null,
      simulator: { url: 'https://127.0.0.1:9/', ca: '', identity },
    }),
    system: { producer, name: 'Folio', code: 'FO', version: '0.1.0', is_configured: false },
  } as Pick<Ports, 'records' | 'authority' | 'system'> as Ports;
}

export async function readBundles(tx: Tx, company_id: string): Promise<InvoiceBundle[]> {
  const ids = await tx<
    { id: string }[]
  >`select id from invoices where company_id = ${company_id} order by id`;
  const rows = await findInvoices(
    tx,
    company_id,
    ids.map((row) => row.id),
  );
  return withParts(tx, company_id, rows);
}

/** What the floor writes again, and the chain before it. */
export type Made = {
  previous: ChainLink | null;
  recorder: Recorder;
  kept: readonly KeptRecord[];
  contents: Content[];
};
type Content = ReturnType<typeof altaContent>;
type Times = { built_ms: number; inserted_ms: number; sent_ms: number; answered_ms: number };

/** From the invoices to the authority's answer. */
export async function sendBatch(
  place: Place,
  company_id: string,
  ports: Ports,
  bundles: readonly InvoiceBundle[],
): Promise<Times & { made: Made }> {
  const { db } = place;
  const { made, built_ms, inserted_ms } = await db
    .transaction(company_id, async (tx) => {
      const head = await lockChainHead(tx, company_id);
      const recorder = await recorderOf(tx, company_id, ports);
      const made = { previous: lastLink(head), recorder };
      const started = performance.now();
      const { contents, kept } = build(ports, recorder, head, bundles);
      const built = performance.now();
      await Promise.all([
        ...storeRecords(tx, company_id, kept),
        saveChainHead(tx, company_id, { ...head, unsent_count: bundles.length, is_sender_due: true }, 0),
      ]);
      return { made: { ...made, kept, contents }, built_ms: built - started, built };
    })
    .then(({ built, ...rest }) => ({ ...rest, inserted_ms: performance.now() - built }));

  const sender = makeSender({ lock: lockInvoices });
  const started = performance.now();
  const intent = await db.transaction(company_id, (tx) =>
    inJob(tx, company_id, ports, sender.outside!.begin),
  );
  const { batch_id, message } = intent as { batch_id: string; message: Message };
  const bytes = Buffer.from(writeMessage(message));
  const sent_ms = performance.now() - started;
  if (message.records.length !== bundles.length || !bytes.includes(made.kept.at(-1)!.row.xml))
    throw new WrongResult('The message is not the batch.');

  const result = acceptAll(made.kept);
  const asked = performance.now();
  await db.transaction(company_id, (tx) =>
    inJob(tx, company_id, ports, async (ctx) => await sender.run(ctx, { batch_id, result } as never)),
  );
  return { made, built_ms, inserted_ms, sent_ms, answered_ms: performance.now() - asked };
}

async function recorderOf(tx: Tx, company_id: string, ports: Ports): Promise<Recorder> {
  const { company, now, today } = await loadCompany(tx, company_id, new Date());
  const registration = await findRegistration(tx, company_id);
  return makeRecorder(ports, company, 'verifactu', registration!, now, today);
}

/** What preparation and commit do in memory. */
function build(ports: Ports, recorder: Recorder, head: ChainHead, bundles: readonly InvoiceBundle[]) {
  const contents = bundles.map(altaContent);
  const today = dayIn(recorder.company.time_zone, new Date());
  if (contents.some((content) => eligibilityFaults(content, today, true).length > 0))
    throw new WrongResult('A record is not eligible.');
  const seeds = contents.map((content, i) => ({
    invoice_id: bundles[i]!.document.id,
    follows_id: null,
    qr_url: null,
    qr_mode: null,
    content,
  }));
  const kept = chainRecords(ports, recorder, head, new Date(), seeds);
  if (kept.some(({ sending }) => sending?.is_blocked !== false))
    throw new WrongResult('A record breaks the schema.');
  return { contents, kept };
}

/** As the worker does, with events. */
async function inJob<T>(
  tx: Tx,
  company_id: string,
  ports: Ports,
  work: (ctx: JobCtx) => Promise<T>,
): Promise<T> {
  const loaded = await loadCompany(tx, company_id, new Date());
  const { company, now } = loaded;
  const events = new EventBuffer(null);
  const emit: JobCtx['emit'] = (type, aggregate_id, more) => events.add(type, aggregate_id, more);
  const done = await work(jobCtx(tx, loaded, ports, { emit, job: { id: company_id } }));
  await insertEvents(tx, events.events, { company, version: latestVersion, now });
  return done;
}

function acceptAll(kept: readonly KeptRecord[]): SendResult {
  return {
    kind: 'answer',
    csv: 'A-BENCH00000001',
    wait_seconds: 60,
    raw: '',
    lines: kept.map(({ row }) => ({
      kind: row.kind,
      tax_id: row.tax_id,
      number: row.number,
      issued_on: row.issued_on,
      reference: row.id,
      state: 'accepted',
      code: null,
      message: null,
      duplicate: null,
    })),
  };
}
