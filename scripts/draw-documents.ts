/**
 * `npm run draw` draws printed documents into docs/images, as PDFium shows them. Before and after a change of
 * template or wording, look at all of them. Some are invoices of the service; others are samples that fill a
 * page to its limits.
 */
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { makePrinter } from '../src/integrations/pdf/printer.ts';
import { drawPages, type Picture } from '../test/support/pdf-pictures.ts';
import { writePng } from '../test/support/png.ts';
import { printedFamilies } from '../test/support/printed-families.ts';
import { printedInvoices } from '../test/support/printed-invoices.ts';
import { type PrintedSample, printedSamples } from '../test/support/printed-samples.ts';

const DOTS_PER_INCH = 100;
const folder = fileURLToPath(new URL('../docs/images/', import.meta.url));

/** Thirty-two shades of a colour suffice, and halve the bytes. */
function coarse({ width, height, rgba }: Picture): Buffer {
  const shades = Uint8Array.from(rgba, (part) => Math.round((Math.round((part * 31) / 255) * 255) / 31));
  return writePng(width, height, shades);
}

/** One for each name of a picture. */
function drawn(): PrintedSample[] {
  const own = [...printedInvoices, ...printedFamilies];
  const names = new Set(own.map(({ name }) => name));
  return [...own, ...printedSamples.filter(({ name }) => !names.has(name))];
}

async function drawAll(): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const made = new Set<string>();
  const printer = makePrinter({
    log: { warn: (details, message) => process.stderr.write(`${message} ${JSON.stringify(details)}\n`) },
  });
  try {
    for (const { name, document, format } of drawn()) {
      const pages = await drawPages((await printer.print(document, format)).bytes, DOTS_PER_INCH);
      for (const [i, page] of pages.entries()) {
        // Draw the first two and the last: the others look like the second.
        if (i > 1 && i < pages.length - 1) continue;
        const file = `${name}${pages.length > 1 ? `-page-${i + 1}` : ''}.png`;
        // The old picture stays until the new one is whole.
        writeFileSync(`${folder}${file}.new`, coarse(page));
        renameSync(`${folder}${file}.new`, `${folder}${file}`);
        made.add(file);
      }
    }
  } finally {
    await printer.close();
  }
  // Removes pictures of documents that no longer exist. The folder also holds other pictures.
  for (const name of readdirSync(folder))
    if (/^(?:a4|ticket)-.*\.png$/.test(name) && !made.has(name)) rmSync(`${folder}${name}`);
}

const [argument] = process.argv.slice(2);
if (argument === undefined) await drawAll();
else {
  process.stderr.write(`draw: there is no option "${argument}"; it takes none and draws every picture.\n`);
  process.exitCode = 2;
}
