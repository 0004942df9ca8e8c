/** Checks stored issued invoices page by page: numbering, amounts, records. */
import type { Tx } from '../../kernel/operation.ts';
import { type Fault, type FaultSink, makeFault, type Reader } from '../verifactu/index.ts';
import * as store from './integrity.store.ts';
import { findInvoices, withParts } from './stored-invoices.ts';
import { NumberingWalk, recordFaults, type RecordOfInvoice, totalsFaults } from './rules/integrity.ts';

const pageSize = 100;
const listedMax = 100;

export async function checkRecordedInvoices(
  tx: Tx,
  company_id: string,
  records: readonly RecordOfInvoice[],
): Promise<Fault[]> {
  const ids = [...new Set(records.map((record) => record.invoice_id))];
  if (ids.length === 0) return [];
  const bundles = await withParts(tx, company_id, await findInvoices(tx, company_id, ids));
  const byId = new Map(bundles.map((bundle) => [bundle.document.id, bundle]));
  return records.flatMap((record) => recordFaults(record, byId.get(record.invoice_id)));
}

/** @returns how many issued invoices there are */
export async function checkInvoices(read: Reader, company_id: string, tell: FaultSink): Promise<number> {
  const walk = new NumberingWalk();
  let count = 0;
  let after: store.NumberedRow | null = null;
  for (;;) {
    const from: store.NumberedRow | null = after;
    const { rows, bundles } = await read(async (tx) => {
      const rows = await store.listNumbered(tx, company_id, from, pageSize);
      const ids = rows.map((row) => row.id);
      const invoices = ids.length === 0 ? [] : await findInvoices(tx, company_id, ids);
      return { rows: [...rows], bundles: await withParts(tx, company_id, invoices) };
    });
    for (const row of rows) {
      tell(walk.check(row));
      tell(presenceFaults(row));
    }
    for (const bundle of bundles) tell(totalsFaults(bundle));
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
