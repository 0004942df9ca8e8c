/** Part (e): one bulk-create of a hundred invoices against one set-based transaction. */
import { connect } from '../src/platform/db.ts';
import { beginCompany } from './begun.ts';
import { Acknowledged, checkInvoices } from './checks.ts';
import { startFolio } from './children.ts';
import { bulkBody } from './fixtures.ts';
import { makeLoadGenerator } from './load.ts';
import type { Place } from './place.ts';
import { issueRaw } from './raw-sql.ts';
import type { BenchOptions } from './options.ts';
import { type Figure, interleave, ratioOf, spreadOf } from './statistics.ts';

const part = '(e) bulk-create';
const batch = 100;

export async function measureBulk(place: Place, options: BenchOptions): Promise<Figure[]> {
  const acknowledged = new Acknowledged();
  const folio = await startFolio(place.data_dir, options.profile_dir);
  const raw = connect({ target: place.target, pool_size: 1, role: null });
  const load = makeLoadGenerator(folio.url, 1);
  try {
    const company = await beginCompany(place, load, acknowledged);
    const { company_id, key, client_id } = company;
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const body = bulkBody(client_id, batch);
    const requests = Math.ceil(40 * options.scale);
    const rates = await interleave(options.rounds, {
      folio: async () => {
        const { per_second, answers } = await load.run({
          concurrency: 1,
          requests,
          status: 200,
          make: () => ({ method: 'POST', path: '/v1/invoices/bulk-create', headers, body }),
        });
        for (const text of answers) acknowledged.addBulkAnswer(company_id, text, batch);
        return per_second * batch;
      },
      raw: async () => {
        const made: { id: string; number: string }[] = [];
        const started = performance.now();
        for (let i = 0; i < requests; i++) made.push(...(await issueRaw(raw, company.raw, batch)));
        const per_second = made.length / ((performance.now() - started) / 1000);
        for (const { id, number } of made) acknowledged.add(company_id, id, number);
        return per_second;
      },
    });
    await checkInvoices(place.owner, acknowledged);
    options.say(`${acknowledged.count} invoices checked: no gap, no duplicate, totals right, none missing.`);
    const what = `${batch} in one company`;
    return [
      { part, what: `${what}: Folio`, unit: 'invoices/s', spread: spreadOf(rates.folio) },
      {
        part,
        what: `${what}: set-based SQL, one round trip`,
        unit: 'invoices/s',
        spread: spreadOf(rates.raw),
      },
      {
        part,
        what: `${what}: Folio / set-based SQL`,
        unit: 'ratio',
        spread: ratioOf(rates.folio, rates.raw),
        aim: { at_least: 0.4 },
      },
    ];
  } finally {
    await Promise.all([load.close(), raw.end({ timeout: 2 })]);
    await folio.stop();
  }
}
