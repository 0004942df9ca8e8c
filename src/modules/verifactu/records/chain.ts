/**
 * Adds records to a company's chain (Orden HAC/1177/2024, art. 7). The transaction holds the issuing head.
 * A clock that steps back does not stop issuing.
 * It raises the alarm, and the stamp stands still until the clock catches up.
 */
import type { Tx } from '../../../kernel/operation.ts';
import type { Ports } from '../../../kernel/ports.ts';
import { instantIn } from '../../../kernel/dates.ts';
import { newId } from '../../../kernel/uuid7.ts';
import type { ChainLink, RecordContent, RemissionMode } from '../record.ts';
import type { Recorder } from './recorder.ts';
import { insertRecords, type RecordSummary } from './records.store.ts';
import { type ChainHead, type RecordRow, schemaInvalid, type SendingRow } from './records.rows.ts';

export type RecordSeed = {
  invoice_id: string;
  /** The record of the same invoice that this one mends or annuls. */
  follows_id: string | null;
  content: RecordContent;
  /** A later change of mode changes no issued invoice. */
  qr_url: string | null;
  qr_mode: RemissionMode | null;
};

export type KeptRecord = { row: RecordRow; sending: SendingRow | null };

export function lastLink(head: ChainHead): ChainLink | null {
  if (head.record_huella === null) return null;
  return {
    tax_id: head.record_tax_id ?? '',
    number: head.record_number ?? '',
    issued_on: head.record_issued_on ?? '',
    huella: head.record_huella,
  };
}

/** Never before the last stamp of the chain. */
export function chainStamp(last: Date | null, now: Date): Date {
  return last !== null && last > now ? last : now;
}

const alarmMs = 60_000;

/** More than a minute behind the last stamp (Orden HAC/1177/2024, art. 7.g). */
export function isClockBehind(last: Date | null, now: Date): boolean {
  return last !== null && last.getTime() - now.getTime() > alarmMs;
}

/** @param head locked; it moves on to the last of these records */
export function chainRecords(
  ports: Ports,
  recorder: Recorder,
  head: ChainHead,
  now: Date,
  seeds: readonly RecordSeed[],
): KeptRecord[] {
  const stamp = chainStamp(head.last_recorded_at, now);
  return seeds.map((seed) => {
    const kept = makeRecord(ports, recorder, head, stamp, seed);
    moveHead(head, kept.row, stamp);
    return kept;
  });
}

function makeRecord(
  ports: Ports,
  recorder: Recorder,
  head: ChainHead,
  stamp: Date,
  { content: given, invoice_id, follows_id, qr_url, qr_mode }: RecordSeed,
): KeptRecord {
  const { company, mode, system, is_incident } = recorder;
  const id = newId();
  const content = { ...given, reference: id };
  const previous = lastLink(head);
  const stamped_at = instantIn(company.time_zone, stamp);
  const chained = { content, previous, system, stamped_at };
  const { xml, huella } = ports.records.writeRecord(chained);
  const row: RecordRow = {
    id,
    position: head.record_position + 1,
    kind: content.kind,
    mode,
    invoice_id,
    follows_id,
    ...columnsOf(content),
    huella,
    previous_huella: previous?.huella ?? null,
    stamped_at,
    recorded_at: stamp.toISOString(),
    qr_url: qr_url ?? qrUrlOf(ports, recorder, content),
    qr_mode: qr_mode ?? mode,
    xml,
  };
  if (mode !== 'verifactu') return { row, sending: null };
  const is_broken = ports.records.findSchemaFaults(chained).length > 0;
  return { row, sending: newSending(row, is_incident, is_broken) };
}

function columnsOf(content: RecordContent) {
  const { issuer, number, issued_on } = content;
  const named = { tax_id: issuer.tax_id, number, issued_on };
  if (content.kind === 'anulacion')
    return {
      ...named,
      invoice_type: null,
      is_subsanacion: false,
      prior_rejection: content.is_prior_rejection ? ('S' as const) : null,
      has_no_prior_record: content.has_no_prior_record,
      tax_total: null,
      total: null,
    };
  const { type, is_subsanacion, prior_rejection, tax_total, total } = content;
  return {
    ...named,
    invoice_type: type,
    is_subsanacion,
    prior_rejection,
    has_no_prior_record: false,
    tax_total,
    total,
  };
}

/** Null for an anulación, which has no total. */
function qrUrlOf(ports: Ports, { company, mode }: Recorder, content: RecordContent): string | null {
  if (content.kind === 'anulacion') return null;
  const { issuer, number, issued_on, total } = content;
  const invoice = { tax_id: issuer.tax_id, number, issued_on, total };
  return ports.authority.qrUrl(company.environment, mode, invoice);
}

function moveHead(head: ChainHead, row: RecordRow, stamp: Date): void {
  head.record_position = row.position;
  if (row.mode === 'no_verifactu') head.kept_count += 1;
  head.record_tax_id = row.tax_id;
  head.record_number = row.number;
  head.record_issued_on = row.issued_on;
  head.record_huella = row.huella;
  head.last_recorded_at = stamp;
}

/** A huella leaves the signature out: the chain is complete, and all are signed at once. */
export async function signRecords(
  ports: Ports,
  { signer }: Recorder,
  kept: readonly KeptRecord[],
): Promise<void> {
  if (!signer) return;
  await Promise.all(
    kept.map(async ({ row }) => {
      row.xml = await ports.records.sign(row.xml, signer, row.stamped_at);
    }),
  );
}

export function summaryOfKept({ row, sending }: KeptRecord): RecordSummary {
  return {
    record_id: row.id,
    kind: row.kind,
    mode: row.mode,
    status: sending?.status ?? null,
    is_blocked: sending?.is_blocked ?? null,
    aeat_error_code: sending?.aeat_error_code ?? null,
    huella: row.huella,
    qr_url: row.qr_url,
    qr_mode: row.qr_mode,
    csv: null,
  };
}

/** @param is_broken breaks the authority's schema: held back, and no other record waits for it */
function newSending(row: RecordRow, is_incident: boolean, is_broken: boolean): SendingRow {
  return {
    record_id: row.id,
    position: row.position,
    status: 'pending',
    is_blocked: is_broken,
    block_reason: is_broken ? schemaInvalid.block_reason : null,
    is_incident,
    attempts: 0,
    batch_id: null,
    csv: null,
    aeat_error_code: is_broken ? schemaInvalid.aeat_error_code : null,
    aeat_error_message: null,
    sent_at: null,
    answered_at: null,
    created_at: row.recorded_at,
  };
}

export function storeRecords(tx: Tx, company_id: string, kept: readonly KeptRecord[]): Promise<unknown>[] {
  return insertRecords(
    tx,
    company_id,
    kept.map(({ row }) => row),
    kept.flatMap(({ sending }) => sending ?? []),
  );
}
