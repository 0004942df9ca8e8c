/**
 * Issuing with VeriFactu on against off: two sandbox companies in turns on one service without background
 * work, so that nothing is sent.
 */
import type { Sql } from 'postgres';
import { createRequest } from './begun.ts';
import { Acknowledged, checkInvoices } from './checks.ts';
import { startFolio } from './children.ts';
import { type LoadGenerator, makeLoadGenerator, WrongResult } from './load.ts';
import type { BenchOptions } from './options.ts';
import type { BenchCompany, Place } from './place.ts';
import { type Figure, interleave, ratioOf, spreadOf } from './statistics.ts';

const callersMax = 32;

export async function compareIssuing(part: string, place: Place, options: BenchOptions): Promise<Figure[]> {
  const acknowledged = new Acknowledged();
  const folio = await startFolio(place.data_dir, options.profile_dir, 'api');
  const load = makeLoadGenerator(folio.url, callersMax);
  const figures: Figure[] = [];
  try {
    const plain = await place.makeCompany('test');
    const recording = await place.makeCompany('test');
    await turnOnVerifactu(load, recording);
    for (const [concurrency, requests] of [
      [1, 300],
      [callersMax, 1600],
    ] as const) {
      const issue = (company: BenchCompany) => async (is_warm_up: boolean) => {
        const request = createRequest(company);
        const { per_second, answers } = await load.run({
          concurrency,
          requests: Math.ceil((requests * options.scale) / (is_warm_up ? 3 : 1)),
          status: 201,
          make: () => request,
        });
        for (const text of answers) acknowledged.addAnswer(company.company_id, text);
        return per_second;
      };
      const rates = await interleave(options.rounds, { off: issue(plain), on: issue(recording) });
      const where = `create and issue, ${concurrency === 1 ? '1 caller' : `${concurrency} callers`}`;
      figures.push(
        { part, what: `${where}: off`, unit: 'requests/s', spread: spreadOf(rates.off) },
        { part, what: `${where}: on`, unit: 'requests/s', spread: spreadOf(rates.on) },
        {
          part,
          what: `${where}: on / off`,
          unit: 'ratio',
          spread: ratioOf(rates.on, rates.off),
          aim: { at_least: 0.8 },
        },
      );
    }
    await checkInvoices(place.owner, acknowledged);
    await checkChain(place.owner, recording.company_id);
    options.say(
      `${acknowledged.count} invoices checked, and their chain: no gap, no broken link, none missing.`,
    );
  } finally {
    await load.close();
    await folio.stop();
  }
  return figures;
}

/** In the mode that sends records. */
export async function turnOnVerifactu(load: LoadGenerator, { key }: BenchCompany): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ enabled: true, remission_mode: 'verifactu' });
  const make = () => ({ method: 'PUT', path: '/v1/verifactu/settings', headers, body }) as const;
  await load.run({ concurrency: 1, requests: 1, status: 200, make });
}

/** @throws WrongResult unless each invoice has a pending record in one chain */
async function checkChain(owner: Sql, company_id: string): Promise<void> {
  const [row] = await owner<Record<'invoices' | 'records' | 'last' | 'broken' | 'waiting', number>[]>`
    select (select count(*)::int from invoices i where i.company_id = ${company_id}
              and exists (select 1 from verifactu_records v where v.company_id = ${company_id} and v.invoice_id = i.id)) as invoices,
           count(*)::int as records, max(position)::int as last,
           (count(*) filter (where previous_huella is distinct from before))::int as broken,
           (select count(*)::int from verifactu_sendings s
             where s.company_id = ${company_id} and s.status = 'pending' and not s.is_blocked) as waiting
      from (select position, previous_huella, lag(huella) over (order by position) as before
              from verifactu_records where company_id = ${company_id}) r`;
  const { invoices, records, last, broken, waiting } = row!;
  if (records === 0 || invoices !== records || last !== records || broken !== 0 || waiting !== records)
    throw new WrongResult(`The chain is not whole: ${JSON.stringify(row)}`);
}
