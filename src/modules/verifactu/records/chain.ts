/**
 * Puts records at the end of a company's chain, in the transaction that holds its issuing head: position, link, stamp
 * and huella are taken there, once, and never again (Orden HAC/1177/2024, art. 7). Issuing never stops for the
 * chain: a clock that stepped back raises the alarm and the stamp stands still until it has caught up.
 */
import type { CompanyContext, Tx } from '../../../kernel/operation.ts';
import type { Ports } from '../../../kernel/ports.ts';
import { instantIn } from '../../../kernel/dates.ts';
import { newId } from '../../../kernel/uuid7.ts';
import type { Signer } from '../ports.ts';
import type { ChainLink, RecordContent, RemissionMode, SystemInfo } from '../record.ts';
import { insertRecords, type RecordSummary } from './records.store.ts';
import { type ChainHead, type RecordRow, schemaInvalid, type SendingRow } from './records.rows.ts';

/** A record that is to be made: everything but its place in the chain. */
export type RecordSeed = {
  invoice_id: string;
  /** The record of the same invoice that it mends or annuls. */
  follows_id: string | null;
  content: RecordContent;
  /** Address and mode of the invoice's QR so far: a later change of mode does not change issued invoices. */
  qr_url: string | null;
  qr_mode: RemissionMode | null;
};

/** A record in its place. */
export type KeptRecord = { row: RecordRow; sending: SendingRow | null };

/** With what a company records just now. */
export type Recorder = {
  company: CompanyContext;
  mode: RemissionMode;
  system: SystemInfo;
  /** There in no-verifactu mode, where each record is signed. */
  signer: Signer | null;
  send_after: Date | null;
  alarm: string | null;
  /** Records that wait for the authority wait because something is wrong with the way to it. */
  is_incident: boolean;
};

/** The last record of the chain, or null when there is none. */
export function lastLink(head: ChainHead): ChainLink | null {
  if (head.record_huella === null) return null;
  return {
    tax_id: head.record_tax_id ?? '',
    number: head.record_number ?? '',
    issued_on: head.record_issued_on ?? '',
    huella: head.record_huella,
  };
}

/** The stamp of what is recorded now: never before the last one of the chain. */
export function chainStamp(last: Date | null, now: Date): Date {
  return last !== null && last > now ? last : now;
}

const alarmMs = 60_000;

/** Whether the clock stands more than a minute before the last stamp (Orden, art. 7.g). */
export function isClockBehind(last: Date | null, now: Date): boolean {
  return last !== null && last.getTime() - now.getTime() > alarmMs;
}

/**
 * Writes the texts of the records in order and links them to the chain.
 * @param head the locked ends of the chain; it is moved on to the last of the records
 * @param now the company's time
 */
export function chainRecords(
  ports: Ports,
  recorder: Recorder,
  head: ChainHead,
  now: Date,
  seeds: readonly RecordSeed[],
): KeptRecord[] {
  const { company, mode, system } = recorder;
  const stamp = chainStamp(head.last_recorded_at, now);
  const stamped_at = instantIn(company.time_zone, stamp);
  const kept: KeptRecord[] = [];
  for (const seed of seeds) {
    const id = newId();
    const content = { ...seed.content, reference: id };
    const previous = lastLink(head);
    const chained = { content, previous, system, stamped_at };
    const { xml, huella } = ports.records.writeRecord(chained);
    const { issuer, number, issued_on } = content;
    const is_alta = content.kind === 'alta';
    const total = is_alta ? content.total : null;
    const qr_url =
      seed.qr_url ??
      (total === null
        ? null
        : ports.authority.qrUrl(company.environment, mode, {
            tax_id: issuer.tax_id,
            number,
            issued_on,
            total,
          }));
    head.record_position += 1;
    if (mode === 'no_verifactu') head.kept_count += 1;
    const row: RecordRow = {
      id,
      position: head.record_position,
      kind: content.kind,
      mode,
      invoice_id: seed.invoice_id,
      follows_id: seed.follows_id,
      tax_id: issuer.tax_id,
      number,
      issued_on,
      invoice_type: is_alta ? content.type : null,
      is_subsanacion: is_alta && content.is_subsanacion,
      prior_rejection: is_alta ? content.prior_rejection : content.is_prior_rejection ? 'S' : null,
      has_no_prior_record: !is_alta && content.has_no_prior_record,
      tax_total: is_alta ? content.tax_total : null,
      total,
      huella,
      previous_huella: previous?.huella ?? null,
      stamped_at,
      recorded_at: stamp.toISOString(),
      qr_url,
      qr_mode: seed.qr_mode ?? mode,
      xml,
    };
    kept.push({
      row,
      sending:
        mode === 'verifactu'
          ? newSending(row, recorder.is_incident, ports.records.findSchemaFaults(chained).length > 0)
          : null,
    });
    Object.assign(head, {
      record_tax_id: issuer.tax_id,
      record_number: number,
      record_issued_on: issued_on,
      record_huella: huella,
      last_recorded_at: stamp,
    });
  }
  return kept;
}

/**
 * Signs the records where the mode asks for it. The huella is without the signature, so the chain is complete by now
 * and the signatures are made side by side.
 */
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

/** How a record that was just made stands. */
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

/** @param is_broken it breaks the authority's schema after all: kept, never sent, and no other waits for it */
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

/** Stores records and how they are to be sent, in one pipeline. */
export function storeRecords(tx: Tx, company_id: string, kept: readonly KeptRecord[]): Promise<unknown>[] {
  return insertRecords(
    tx,
    company_id,
    kept.map(({ row }) => row),
    kept.flatMap(({ sending }) => sending ?? []),
  );
}
