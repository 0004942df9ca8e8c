/**
 * Draws the samples of printed documents into docs/images, as PDFium shows them: `npm run draw`. For whoever changes a
 * template: look at them, all of them, before and after.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { makePrinter } from '../src/integrations/pdf/printer.ts';
import { drawPages, type Picture } from '../test/support/pdf-pictures.ts';
import { writePng } from '../test/support/png.ts';
import { printedSamples } from '../test/support/printed-samples.ts';

const DOTS_PER_INCH = 100;
const folder = fileURLToPath(new URL('../docs/images/', import.meta.url));

/** Thirty-two shades a colour are enough to judge a page by, and half of the bytes. */
function coarse({ width, height, rgba }: Picture): Buffer {
  const shades = Uint8Array.from(rgba, (part) => Math.round((Math.round((part * 31) / 255) * 255) / 31));
  return writePng(width, height, shades);
}

mkdirSync(folder, { recursive: true });
// Pictures of samples that are no more; the folder has others too.
for (const name of readdirSync(folder)) if (/^(?:a4|ticket)-.*\.png$/.test(name)) rmSync(`${folder}${name}`);
const printer = makePrinter({
  log: { warn: (details, message) => process.stderr.write(`${message} ${JSON.stringify(details)}\n`) },
});
for (const { name, document, format } of printedSamples) {
  const pages = await drawPages(await printer.print(document, format), DOTS_PER_INCH);
  for (const [i, page] of pages.entries()) {
    // Of many pages, those that differ: the first two and the last.
    if (i > 1 && i < pages.length - 1) continue;
    writeFileSync(`${folder}${name}${pages.length > 1 ? `-page-${i + 1}` : ''}.png`, coarse(page));
  }
}
await printer.close();
