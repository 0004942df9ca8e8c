/**
 * 1,000 records: built, checked and hashed as issuing does, read and marked sent as the sender does. The
 * floor is one template and one hash per record.
 */
import type { Sql } from 'postgres';
import type { SendingIdentity } from '../src/modules/verifactu/index.ts';
import { bareRecord } from './bare-record.ts';
import { startFolio } from './children.ts';
import { bulkBody } from './fixtures.ts';
import { makeLoadGenerator, WrongResult } from './load.ts';
import type { BenchOptions } from './options.ts';
import type { BenchCompany, Place } from './place.ts';
import { type Figure, interleave, ratioOf, spreadOf } from './statistics.ts';
import { turnOnVerifactu } from './verifactu-issue.ts';
import { type Made, portsOf, readBundles, sendBatch } from './verifactu-steps.ts';

const count = 1000;
const bulk = 100;
/** The floor is short, so take a mean. */
const floorRuns = 5;

export async function measureBatch(
  part: string,
  place: Place,
  options: BenchOptions,
  identity: SendingIdentity,
): Promise<Figure[]> {
  const company = await place.makeCompany('test');
  await issueThousand(place, company);
  const { company_id } = company;
  const ports = portsOf(identity);
  const bundles = await place.db.transaction(company_id, (tx) => readBundles(tx, company_id));
  if (bundles.length !== count) throw new WrongResult(`${bundles.length} invoices were made, not ${count}.`);
  let last: Made | undefined;
  const rounds = await interleave(options.rounds, {
    folio: async (is_warm_up) => {
      for (let i = 0; i < (is_warm_up ? 2 : 0); i++) await sendBatch(place, company_id, ports, bundles);
      const { made, ...times } = await sendBatch(place, company_id, ports, bundles);
      last = made;
      return times;
    },
    bare: async () => writeBare(last!),
  });
  await checkSent(place.owner, company_id);
  const bare = rounds.bare;
  const built = rounds.folio.map((run) => run.built_ms);
  const sent = rounds.folio.map((run) => run.sent_ms);
  const both = rounds.folio.map((run) => run.built_ms + run.sent_ms);
  const what = (text: string) => `batch of ${count}: ${text}`;
  return [
    { part, what: what('bare hash and string building'), unit: 'ms', spread: spreadOf(bare) },
    { part, what: what('built, checked and hashed'), unit: 'ms', spread: spreadOf(built) },
    { part, what: what('read and marked sent'), unit: 'ms', spread: spreadOf(sent) },
    { part, what: what('both / bare'), unit: 'ratio', spread: ratioOf(both, bare), aim: { at_most: 12 } },
    {
      part,
      what: what('inserted'),
      unit: 'ms',
      spread: spreadOf(rounds.folio.map((run) => run.inserted_ms)),
    },
    {
      part,
      what: what('answer written down'),
      unit: 'ms',
      spread: spreadOf(rounds.folio.map((run) => run.answered_ms)),
    },
  ];
}

/** Turns VeriFactu on afterwards, so that issuing records nothing. */
async function issueThousand(place: Place, company: BenchCompany): Promise<void> {
  const folio = await startFolio(place.data_dir, undefined, 'api');
  const load = makeLoadGenerator(folio.url, 1);
  const headers = { authorization: `Bearer ${company.key}`, 'content-type': 'application/json' };
  const body = bulkBody(company.client_id, bulk);
  const make = () => ({ method: 'POST', path: '/v1/invoices/bulk-create', headers, body }) as const;
  try {
    await load.run({ concurrency: 1, requests: count / bulk, status: 200, make });
    await turnOnVerifactu(load, company);
  } finally {
    await load.close();
    await folio.stop();
  }
}

/**
 * The same records, bare. It reads the bytes, because a joined text is not built before.
 * @returns milliseconds for the batch
 * @throws WrongResult when the bytes differ from the service's
 */
function writeBare({ previous, recorder, kept, contents }: Made): number {
  const stamped_at = kept[0]!.row.stamped_at;
  let texts: string[] = [];
  let bytes = 0;
  const started = performance.now();
  for (let run = 0; run < floorRuns; run++) {
    let link = previous;
    texts = [];
    for (let i = 0; i < contents.length; i++) {
      const content = contents[i]!;
      const { xml, huella } = bareRecord(content, kept[i]!.row.id, link, recorder.system, stamped_at);
      texts.push(xml);
      link = { tax_id: content.issuer.tax_id, number: content.number, issued_on: content.issued_on, huella };
    }
    bytes += Buffer.from(texts.join('')).length;
  }
  const ms = (performance.now() - started) / floorRuns;
  const wrong = texts.findIndex((xml, i) => xml !== kept[i]!.row.xml);
  if (wrong >= 0 || bytes === 0)
    throw new WrongResult(`The floor writes another record:\n${texts[wrong]}\n${kept[wrong]!.row.xml}`);
  return ms;
}

async function checkSent(owner: Sql, company_id: string): Promise<void> {
  const [row] = await owner<{ records: number; accepted: number }[]>`
    select count(*)::int as records,
           (count(*) filter (where status = 'accepted' and attempts = 1 and csv is not null))::int as accepted
      from verifactu_sendings where company_id = ${company_id}`;
  if (row!.records === 0 || row!.records !== row!.accepted)
    throw new WrongResult(`Of ${row!.records} records ${row!.accepted} were sent and accepted.`);
}
