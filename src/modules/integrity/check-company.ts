/**
 * Computes anew what is stored of a company's invoices: numbers, days, amounts, billing records, the chain
 * and the signed log of events (Orden HAC/1177/2024, art. 6). Reads page by page and changes nothing.
 */
import type { CompanyContext } from '../../kernel/operation.ts';
import { checkInvoices, checkRecordedInvoices } from '../invoices/index.ts';
import {
  type ChainWalker,
  type CheckFindings,
  checkEvents,
  checkRecords,
  endFaults,
  type Ends,
  type Fault,
  type FaultKind,
  type Reader,
} from '../verifactu/index.ts';

/** Positions, both included. */
export type ChainRange = { from: number; to: number };

export type CompanyCheck = CheckFindings & {
  range: ChainRange;
  counts: { records: number; events: number; invoices: number };
  by_kind: Partial<Record<FaultKind, number>>;
};

class FaultList {
  readonly faults: Fault[] = [];
  readonly by_kind: Partial<Record<FaultKind, number>> = {};
  count = 0;
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  readonly add = (found: readonly Fault[]): void => {
    for (const fault of found) {
      this.count += 1;
      this.by_kind[fault.kind] = (this.by_kind[fault.kind] ?? 0) + 1;
      if (this.faults.length < this.#max) this.faults.push(fault);
    }
  };
}

/**
 * @param ends read before the check
 * @param range null for everything
 * @param faults_max most faults to list; all are counted
 */
export async function checkCompany(
  read: Reader,
  walker: ChainWalker,
  company: Pick<CompanyContext, 'company_id'>,
  now: Date,
  ends: Ends,
  range: ChainRange | null,
  faults_max: number,
): Promise<CompanyCheck> {
  const { company_id } = company;
  const found = new FaultList(faults_max);
  const about = { company_id, now, installation: ends.installation_number };
  const last = ends.records.last?.position ?? 0;
  const whole = range ?? { from: 1, to: last };
  const records = await checkRecords(read, walker, about, whole, found.add, (page) =>
    checkRecordedInvoices(
      read,
      company_id,
      page.map(({ row, content }) => ({ ...row, content })),
    ),
  );
  if (range !== null) {
    return {
      records: records.checked,
      events: null,
      faults: found.faults,
      fault_count: found.count,
      is_whole: false,
      range,
      counts: { records: records.count, events: 0, invoices: 0 },
      by_kind: found.by_kind,
    };
  }
  found.add(endFaults(ends));
  const events = await checkEvents(read, walker, about, ends.events.last?.position ?? 0, found.add);
  const invoices = await checkInvoices(read, company_id, found.add);
  return {
    records: records.checked,
    events: events.checked,
    faults: found.faults,
    fault_count: found.count,
    is_whole: true,
    range: whole,
    counts: { records: records.count, events: events.count, invoices },
    by_kind: found.by_kind,
  };
}
