/** Checks stored issued invoices page by page: numbering, amounts, records. */
import type { Tx } from '../../kernel/operation.ts';
import { makeGivingWay } from '../../platform/give-way.ts';
import { type Fault, type FaultSink, makeFault, type Reader } from '../verifactu/index.ts';
import * as store from './integrity.store.ts';
import type { InvoiceBundle } from './invoices.rows.ts';
import { findInvoices, listPageLines, withoutPayments } from './stored-invoices.ts';
import { NumberingWalk, recordFaults, type RecordOfInvoice, totalsFaults } from './rules/integrity.ts';

const pageSize = 100;
const listedMax = 100;

export async function checkRecordedInvoices(
  read: Reader,
  company_id: string,
  records: readonly RecordOfInvoice[],
): Promise<Fault[]> {
  const recordsOf = Map.groupBy(records, (record) => record.invoice_id);
  const faultsOf = new Map<RecordOfInvoice, Fault[]>();
  await eachInvoice(read, company_id, [...recordsOf.keys()], (bundle) => {
    for (const record of recordsOf.get(bundle.document.id)!)
      faultsOf.set(record, recordFaults(record, bundle));
  });
  return records.flatMap((record) => faultsOf.get(record) ?? recordFaults(record, undefined));
}

/** As many at a time as a page of a list shows, since a hundred may have 50,000 lines. Others have their turn between two. */
async function eachInvoice(
  read: Reader,
  company_id: string,
  ids: readonly string[],
  check: (bundle: InvoiceBundle) => void,
): Promise<void> {
  const giveWay = makeGivingWay();
  for (let at = 0, size = ids.length; at < ids.length; at += size) {
    const asked = ids.slice(at, at + size);
    const bundles = await read(async (tx) => {
      const { lines, whole } = await listPageLines(tx, company_id, asked);
      size = Math.max(whole, 1);
      const invoices = await findInvoices(tx, company_id, asked.slice(0, size));
      return withoutPayments(tx, company_id, invoices, Promise.resolve(lines));
    });
    for (const bundle of bundles) {
      check(bundle);
      await giveWay();
    }
  }
}

/** @returns how many issued invoices there are */
export async function checkInvoices(read: Reader, company_id: string, tell: FaultSink): Promise<number> {
  const walk = new NumberingWalk();
  let count = 0;
  let after: store.NumberedRow | null = null;
  for (;;) {
    const from: store.NumberedRow | null = after;
    const rows: store.NumberedRow[] = await read(async (tx) => [
      ...(await store.listNumbered(tx, company_id, from, pageSize)),
    ]);
    for (const row of rows) {
      tell(walk.check(row));
      tell(presenceFaults(row));
    }
    const ids = rows.map((row) => row.id);
    await eachInvoice(read, company_id, ids, (bundle) => tell(totalsFaults(bundle)));
    count += rows.length;
    after = rows.at(-1) ?? null;
    if (after === null || rows.length < pageSize) break;
  }
  tell(walk.end());
  tell(await read((tx) => listedFaults(tx, company_id)));
  return count;
}

function presenceFaults(row: store.NumberedRow): Fault[] {
  const place = { invoice_id: row.id, number: row.number };
  if (row.has_record === row.is_recorded) return [];
  return row.has_record
    ? [makeFault('invoice_without_record', '03', 'Está registrada y no tiene registro.', place)]
    : [makeFault('invoice_unmarked', '03', 'Tiene registro y no consta como registrada.', place)];
}

async function listedFaults(tx: Tx, company_id: string): Promise<Fault[]> {
  const [unnumbered, repeated, counters] = await Promise.all([
    store.listUnnumbered(tx, company_id, listedMax),
    store.listRepeatedNumbers(tx, company_id, listedMax),
    store.listEmptyCounters(tx, company_id, listedMax),
  ]);
  return [
    ...unnumbered.map(({ id, number }) =>
      makeFault('number_missing', '15', 'Está emitida y no tiene número o lugar en una serie.', {
        invoice_id: id,
        number,
      }),
    ),
    ...repeated.map(({ number }) =>
      makeFault('number_duplicate', '15', `Más de una factura tiene el número ${number}.`, { number }),
    ),
    ...counters.map(({ code }) =>
      makeFault(
        'number_gap',
        '15',
        `El contador de la serie ${code} ha dado números y no queda ninguna factura.`,
      ),
    ),
  ];
}
