/**
 * `npm run bench`: the service's rates as ratios to floors of the same run. A wrong result or a failed
 * request ends it with code 1; a missed aim does not.
 * - `--quick`: fewer requests, no list of a million invoices, results.md unchanged
 * - `--only=issue,read`: of issue, read, list (with page), start, bulk, replay, same-id, verifactu, webhooks, noisy, pdf, quotes,
 *   conversions, selection, purchases, family-lists, prices, recurring, mcp, oauth, sign-in, scans, traces, processes, backup, reference-paint
 * - `--profile=FOLDER`: keeps the service's processor profiles
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { stopChildren } from './children.ts';
import { WrongResult } from './load.ts';
import { type BenchOptions, readBenchOptions } from './options.ts';
import { measureBackup } from './part-backup.ts';
import { measureBulk } from './part-bulk.ts';
import { measureConversions } from './part-conversions.ts';
import { measureExpiry } from './part-expiry.ts';
import { measureIssuing } from './part-issue.ts';
import { measureFamilyLists, measureLists } from './part-list.ts';
import { measureTools } from './part-mcp.ts';
import { measureNoise } from './part-noisy.ts';
import { measureOAuth } from './part-oauth.ts';
import { measurePages } from './part-page.ts';
import { measurePdfs } from './part-pdf.ts';
import { measurePrices } from './part-prices.ts';
import { measurePrinting } from './part-printing.ts';
import { measureProcesses } from './part-processes.ts';
import { measurePurchases } from './part-purchases.ts';
import { measureQuotes } from './part-quotes.ts';
import { measureReading } from './part-read.ts';
import { measureWaiting } from './part-recurring-idle.ts';
import { measureRecurring } from './part-recurring.ts';
import { measureReferencePaint } from './part-reference-paint.ts';
import { measureReplay } from './part-replay.ts';
import { measureSameId } from './part-same-id.ts';
import { measureScanReading } from './part-scan-reading.ts';
import { measureScanUploads } from './part-scan-uploads.ts';
import { measureSelection } from './part-selection.ts';
import { measureSignIn } from './part-sign-in.ts';
import { measureSmallAnswers } from './part-small-answers.ts';
import { measureStart } from './part-start.ts';
import { measureTraces } from './part-traces.ts';
import { measureVerifactu } from './part-verifactu.ts';
import { measureWebhooks } from './part-webhooks.ts';
import { makeFolder, openPlace, type Place, removeFolder } from './place.ts';
import { lineOf, resultsPage } from './report.ts';
import type { Figure } from './statistics.ts';

const parts: Record<string, (place: Place, options: BenchOptions) => Promise<Figure[]>> = {
  issue: measureIssuing,
  read: async (place, options) => [
    ...(await measureReading(place, options)),
    ...(await measureSmallAnswers(place, options)),
  ],
  list: measureLists,
  page: measurePages,
  start: (_place, options) => measureStart(options),
  bulk: measureBulk,
  replay: measureReplay,
  oauth: measureOAuth,
  'sign-in': measureSignIn,
  'same-id': measureSameId,
  traces: measureTraces,
  verifactu: measureVerifactu,
  webhooks: measureWebhooks,
  noisy: measureNoise,
  mcp: measureTools,
  quotes: measureQuotes,
  conversions: measureConversions,
  selection: measureSelection,
  purchases: measurePurchases,
  'family-lists': measureFamilyLists,
  prices: measurePrices,
  processes: measureProcesses,
  backup: (_place, options) => measureBackup(options),
  'reference-paint': measureReferencePaint,
  scans: async (place, options) => [
    ...(await measureScanReading(options)),
    ...(await measureScanUploads(place, options)),
  ],
  pdf: async (place, options) => [
    ...(await measurePdfs(place, options)),
    ...(await measurePrinting(options)),
  ],
  recurring: async (place, options) => [
    ...(await measureRecurring(place, options)),
    ...(await measureWaiting(options)),
    ...(await measureExpiry(place, options)),
  ],
};

const values = readBenchOptions(Object.keys(parts));
const chosen = values.only?.split(',') ?? Object.keys(parts).filter((name) => name !== 'page');
const options: BenchOptions = {
  rounds: 5,
  scale: values.quick ? 0.3 : 1,
  is_quick: values.quick === true,
  ...(values.profile === undefined ? {} : { profile_dir: values.profile }),
  say: (line) => process.stdout.write(`${line}\n`),
};

const started = performance.now();
const interrupted = new Promise<never>((_, reject) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => reject(new WrongResult(`Interrupted by ${signal}.`)));
  }
});
interrupted.catch(() => undefined);

async function measureAll(place: Place): Promise<void> {
  const figures: Figure[] = [];
  for (const name of chosen) {
    const measure = parts[name];
    if (!measure)
      throw new WrongResult(`There is no part "${name}"; there are ${Object.keys(parts).join(', ')}.`);
    const found = await measure(place, options);
    options.say(found[0]?.part ?? name);
    for (const figure of found) options.say(lineOf(figure));
    figures.push(...found);
  }
  const seconds = (performance.now() - started) / 1000;
  const { rounds, is_quick } = options;
  if (!is_quick) {
    const file = new URL('./results.md', import.meta.url);
    const setting = { rounds, server_version: place.server_version, seconds };
    writeFileSync(file, resultsPage(figures, setting, readFileSync(file, 'utf8')));
  }
  options.say(`Done in ${Math.round(seconds)} s.`);
}

const data_dir = makeFolder();
try {
  const place = await openPlace(data_dir);
  try {
    await Promise.race([measureAll(place), interrupted]);
  } finally {
    await stopChildren();
    await place.close();
  }
} catch (error) {
  process.stderr.write(`bench: ${error instanceof WrongResult ? error.message : (error as Error).stack}\n`);
  process.exitCode = 1;
} finally {
  removeFolder(data_dir);
}
