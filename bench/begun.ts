/** Companies with a first invoice, so that the series has its counter. */
import { findBundle } from '../src/modules/invoices/stored-invoices.ts';
import type { Acknowledged } from './checks.ts';
import { invoiceBody } from './fixtures.ts';
import { type LoadGenerator, type LoadRequest, WrongResult } from './load.ts';
import type { BenchCompany, Place } from './place.ts';
import type { RawTarget } from './raw-sql.ts';

export type BegunCompany = BenchCompany & { raw: RawTarget };

/** Creates and issues one invoice. */
export function createRequest({ key, client_id }: BenchCompany, external_id?: string): LoadRequest {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return { method: 'POST', path: '/v1/invoices', headers, body: invoiceBody(client_id, external_id) };
}

type Answered = Record<string, unknown> & { id: string };

export const readAnswer = (text: string): Answered => (JSON.parse(text) as { data: Answered }).data;

/** A repeated external id is answered with a new link to the PDF, which is valid for a day from then. */
export function withoutLink(text: string): Answered {
  const { pdf: _, ...rest } = readAnswer(text);
  return rest;
}

/** What became of paper and record is told by the creation, not by a read. */
export function invoiceIn(text: string): Answered {
  const { verifactu: _, ...invoice } = withoutLink(text);
  return invoice;
}

/** Creates and issues one. @returns its id, and the answer as it came */
export async function makeInvoice(
  load: LoadGenerator,
  company: BenchCompany,
): Promise<{ id: string; answer: string }> {
  const { answers } = await load.run({
    concurrency: 1,
    requests: 1,
    status: 201,
    make: () => createRequest(company),
  });
  const { data } = JSON.parse(answers[0]!) as { data: { id: string } };
  return { id: data.id, answer: answers[0]! };
}

export async function beginCompany(
  place: Place,
  load: LoadGenerator,
  acknowledged: Acknowledged,
): Promise<BegunCompany> {
  const company = await place.makeCompany();
  const { id, answer } = await makeInvoice(load, company);
  acknowledged.addAnswer(company.company_id, answer);
  const { company_id, client_id } = company;
  const model = await findBundle(place.owner, company_id, id);
  if (!model) throw new WrongResult('The first invoice of a company is missing.');
  const [counter] = await place.owner<{ series_id: string; period: string; last_issued_on: string }[]>`
    select series_id, period, last_issued_on from series_counters where company_id = ${company_id}`;
  const { series_id, period, last_issued_on } = counter!;
  return {
    ...company,
    raw: { company_id, model, client_id, series_id, series_code: 'F', period, issued_on: last_issued_on },
  };
}
