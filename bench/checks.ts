/**
 * Checks stored invoices against answers: no gap, no duplicate, right totals, nothing acknowledged missing.
 */
import type { Sql } from 'postgres';
import { expected } from './fixtures.ts';
import { WrongResult } from './load.ts';

type AnsweredInvoice = Record<string, unknown> & { id: string; number: string };
type BulkAnswer = {
  total: number;
  successful: number;
  failed: number;
  invoices: AnsweredInvoice[];
  failures: unknown[];
};

/** By company: id to number. */
export class Acknowledged {
  readonly #byCompany = new Map<string, Map<string, string>>();
  count = 0;

  add(company_id: string, id: string, number: string): void {
    const known = this.#byCompany.get(company_id) ?? new Map<string, string>();
    if (known.has(id)) throw new WrongResult(`The invoice ${id} was answered twice.`);
    known.set(id, number);
    this.#byCompany.set(company_id, known);
    this.count += 1;
  }

  /** Also checks the amounts. */
  addAnswer(company_id: string, text: string): void {
    this.#addInvoice(company_id, (JSON.parse(text) as { data: AnsweredInvoice }).data);
  }

  /** There must be `count` invoices with consecutive numbers. */
  addBulkAnswer(company_id: string, text: string, count: number): void {
    const { data } = JSON.parse(text) as { data: BulkAnswer };
    if (data.total !== count || data.successful !== count || data.failed !== 0 || data.failures.length > 0)
      throw new WrongResult(`A bulk creation is not whole: ${JSON.stringify({ ...data, invoices: [] })}`);
    for (const invoice of data.invoices) this.#addInvoice(company_id, invoice);
    const numbers = data.invoices.map(({ number }) => Number(number.slice(-6)));
    if (numbers.some((number, i) => number !== numbers[0]! + i))
      throw new WrongResult(`A bulk creation has numbers out of turn: ${numbers.join(', ')}`);
  }

  #addInvoice(company_id: string, invoice: AnsweredInvoice): void {
    for (const name of ['subtotal', 'taxes_total', 'total'] as const) {
      if (invoice[name] !== expected[name])
        throw new WrongResult(
          `${name} is ${invoice[name]}, not ${expected[name]}: ${JSON.stringify(invoice).slice(0, 300)}`,
        );
    }
    this.add(company_id, invoice.id, invoice.number);
  }

  of(): ReadonlyMap<string, ReadonlyMap<string, string>> {
    return this.#byCompany;
  }
}

type StoredInvoice = {
  id: string;
  number: string;
  series_number: number;
  lines: number;
  tax_rows: number;
  events: number;
};

/** @throws WrongResult for the first difference */
export async function checkInvoices(owner: Sql, acknowledged: Acknowledged): Promise<void> {
  for (const [company_id, answered] of acknowledged.of()) {
    const stored = await owner<StoredInvoice[]>`
      select i.id, i.number, i.series_number,
             (select count(*)::int from invoice_lines l where l.company_id = i.company_id and l.invoice_id = i.id) as lines,
             (select count(*)::int from invoice_tax_rows r where r.company_id = i.company_id and r.invoice_id = i.id) as tax_rows,
             (select count(*)::int from events e where e.company_id = i.company_id and e.aggregate_id = i.id) as events
        from invoices i where i.company_id = ${company_id} order by i.series_number`;
    const say = (what: string) => new WrongResult(`Company ${company_id}: ${what}.`);
    if (stored.length !== answered.size)
      throw say(`${stored.length} invoices are stored, ${answered.size} were answered`);
    for (const [i, row] of stored.entries()) {
      if (row.series_number !== i + 1) throw say(`number ${i + 1} is missing or given twice`);
      if (answered.get(row.id) !== row.number)
        throw say(`invoice ${row.id} is stored as ${row.number}, answered as ${answered.get(row.id)}`);
      if (row.lines !== expected.lines || row.tax_rows !== expected.tax_rows)
        throw say(`${row.number} is not whole`);
      if (row.events !== 2) throw say(`${row.number} has ${row.events} events`);
    }
    const [sums] = await owner<Record<string, number>[]>`
      select (select sum(total)::float8 from invoices where company_id = ${company_id}) as total,
             (select sum(total)::float8 from invoice_lines where company_id = ${company_id}) as lines_total,
             (select sum(base + tax)::float8 from invoice_tax_rows where company_id = ${company_id}) as tax_rows_total,
             (select next_number from series_counters where company_id = ${company_id}) as next_number,
             (select count(*)::int from events where company_id = ${company_id} and type = 'series.number_consumed') as consumed,
             (select issued_count::int from issuing_heads where company_id = ${company_id}) as issued_count`;
    const right = Math.round(expected.total * 100) * answered.size;
    for (const name of ['total', 'lines_total', 'tax_rows_total']) {
      if (Math.round(sums![name]! * 100) !== right)
        throw say(`${name} is ${sums![name]}, not ${right / 100}`);
    }
    if (sums!.next_number !== answered.size + 1) throw say(`the counter stands at ${sums!.next_number}`);
    if (sums!.consumed !== answered.size || sums!.issued_count !== answered.size)
      throw say('head or series events miscount');
  }
}
