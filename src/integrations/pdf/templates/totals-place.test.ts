/** Where breakdown, payment, sums and what follows them stand on an A4. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { hiddenCharacters } from '../../../../test/support/pdf-characters.ts';
import { drawPages, whiteGaps } from '../../../../test/support/pdf-pictures.ts';
import { readText } from '../../../../test/support/pdf-reader.ts';
import { printedFamily } from '../../../../test/support/printed-families.ts';
import { printedSample } from '../../../../test/support/printed-samples.ts';
import type { PrintedDocument } from '../../../domain/printing/printed-document.ts';
import { makePrinter } from '../printer.ts';

const printer = makePrinter({
  // So long that no busy machine needs it.
  seconds_max: 400,
  log: { warn: (details: object, message: string) => assert.fail(`${message} ${JSON.stringify(details)}`) },
});
after(() => printer.close());

const { document: sample } = printedSample('a4-twelve-rates');
/** More rates than sums, in the left column. */
const rows = sample.breakdown.rows
  .slice(0, 8)
  .map((row) => ({ ...row, surcharge_rate: null, surcharge: null }));
const plain = { ...sample, lines: sample.lines.slice(0, 4), retention: null, amount_due: null };
const mentions = ['Una mención.'];
/** Of the left column, in mm. */
const left = 18 + 104;

const oneSided = {
  'a breakdown and no payment': {
    ...plain,
    breakdown: { ...sample.breakdown, rows },
    payment: null,
    mentions,
  },
  'a payment and no breakdown': { ...plain, breakdown: { ...sample.breakdown, rows: [] } },
};

for (const [what, document] of Object.entries(oneSided))
  test(`given ${what}, when the document is printed, then no room is left for what is not there`, async () => {
    const [page] = await drawPages((await printer.print(document, 'a4')).bytes, 100);
    const gaps = whiteGaps(page!, left);
    // The last is above the foot, the one before above the mention or the payment.
    const above_last = gaps.filter((gap) => gap > 4).at(-2)!;
    assert.ok(above_last < 9, `${above_last} mm of ${gaps.map((gap) => gap.toFixed(1))}`);
  });

const packed = (text: string) => text.replaceAll('\ufffe', '-').replace(/[\s\p{Z}]+/gu, '');

async function pagesOf(document: PrintedDocument): Promise<string[]> {
  return (await readText((await printer.print(document, 'a4')).bytes)).map(packed);
}

/** The only page with that text. */
function pageWith(pages: readonly string[], text: string): number {
  const found = [...pages.keys()].filter((at) => pages[at]!.includes(packed(text)));
  assert.equal(found.length, 1, `${text} is on the pages ${found}`);
  return found[0]!;
}

const many = printedSample('a4-200-lines').document;
const named = (count: number): PrintedDocument['lines'] =>
  many.lines.slice(0, count).map((line, i) => ({ ...line, description: `Cosa ${i + 1}.`, details: [] }));

test('given so many rates that a page divides them, when they are printed, then sums and payment stay whole', async () => {
  const rates = Array.from({ length: 40 }, (_, i) => ({ ...rows[0]!, label: `IVA ${i + 1}.` }));
  const { payment, sums, total } = many;
  let over = 0;
  for (let count = 17; count < 23; count++) {
    const breakdown = { ...many.breakdown, rows: rates };
    const pages = await pagesOf({ ...many, breakdown, lines: named(count) });
    const of = (parts: readonly { label: string; text: string }[]) =>
      new Set(parts.map(({ label, text }) => pageWith(pages, label + text)));
    assert.equal(of([...sums, total]).size, 1, `${count} lines`);
    assert.equal(of(payment!.rows.slice(0, 2)).size, 1, `${count} lines`);
    if (pageWith(pages, 'IVA 1.') !== pageWith(pages, 'IVA 40.')) over++;
  }
  assert.ok(over > 3, `${over} breakdowns are divided`);
});

const long = 'Revisión anual de la instalación. '.repeat(27);
const lastLines: Record<string, Partial<PrintedDocument['lines'][number]>> = {
  'one row': {},
  'a heading': { heading: 'Albarán A-7' },
  'a text that a page may divide': { description: `${long}Cosa última.` },
};

for (const [what, change] of Object.entries(lastLines))
  test(`given lines whose last has ${what}, when they are printed, then the totals are on a page with a line`, async () => {
    let over = 0;
    for (let count = 8; count < 24; count++) {
      const lines = named(count).map((line, i) => (i < count - 1 ? line : { ...line, ...change }));
      const pages = await pagesOf({ ...many, lines });
      const at = pageWith(pages, many.total.label + many.total.text);
      assert.ok(pages[at]!.includes(packed(lines.at(-1)!.description).slice(-11)), `${count} lines`);
      // What is brought there takes the headings of the columns along.
      assert.ok(pages[at]!.includes(packed(many.column_labels.description)), `${count} lines`);
      over += at;
      if (at === 0) continue;
      const before = lines.filter(({ description }) => pages[0]!.includes(packed(description).slice(0, 40)));
      const { forward, brought } = many.carried_labels;
      pageWith(pages.slice(0, 1), forward + before.at(-1)!.carried);
      pageWith(pages.slice(1), brought + before.at(-1)!.carried);
    }
    assert.ok(over > 3, `${over} totals are on page two`);
  });

test('given lines with headings, when they are printed, then no page ends between a heading and its line', async () => {
  for (const first of [0, 1, 2])
    for (const detailed of [0, 1, 2, 3]) {
      const lines = named(40).map((line, i) => ({
        ...line,
        ...(i % 3 === first ? { heading: `Albarán de la cosa ${i + 1}.` } : {}),
        details: i < detailed ? ['Lote 7'] : [],
      }));
      const pages = await pagesOf({ ...many, lines });
      for (const { heading, description } of lines)
        if (heading)
          assert.equal(
            pageWith(pages, heading),
            pageWith(pages, description),
            `${first} ${detailed}: ${heading}`,
          );
      const labels = packed(many.column_labels.description);
      assert.ok(pages.every((page) => page.includes(labels)));
    }
});

const notes = { title: 'Observaciones', text: 'Una frase corta. '.repeat(30) };
for (const name of ['a4-delivery-note', 'a4-delivery-note-unvalued', 'a4-delivery-note-signed'])
  for (const [what, change] of Object.entries({ none: { notes: null }, some: { notes } }))
    test(`given ${name} with ${what} notes, when it is printed, then the signature is on a page with a line`, async () => {
      const document = printedFamily(name);
      let over = 0;
      for (let count = 8; count < 24; count += 3) {
        const lines = Array.from({ length: count }, (_, i) => ({
          ...document.lines[0]!,
          description: `Cosa ${i + 1}.`,
        }));
        const pages = await pagesOf({ ...document, ...change, lines });
        const at = pageWith(pages, `${(document.signature ?? document.to_sign)!.title}Firmado por`);
        assert.equal(at, pageWith(pages, `Cosa ${count}.`), `${count} lines`);
        assert.equal(at, pages.length - 1, `${count} lines`);
        over += at;
      }
      assert.ok(over > 2, `${over} are on page two`);
    });

test('given more below the lines than one page holds, when a place to sign is printed, then no line goes there for nothing', async () => {
  const document = printedFamily('a4-delivery-note');
  const rates = Array.from({ length: 30 }, (_, i) => ({ ...rows[0]!, label: `IVA ${i + 1}.` }));
  const breakdown = { ...document.breakdown, rows: rates };
  const lines = Array.from({ length: 28 }, (_, i) => ({
    ...document.lines[0]!,
    description: `Cosa ${i + 1}.`,
  }));
  const pages = await pagesOf({ ...document, breakdown, lines });
  const at = pageWith(pages, 'Cosa 28.');
  assert.equal(at, pageWith(pages, document.total.label + document.total.text));
  assert.equal(at, pageWith(pages, 'Cosa 27.'));
  assert.equal(pageWith(pages, `${document.to_sign!.title}Firmado por`), at + 1);
});

test('given a last line that leaves the totals no room on a page, when it is printed, then no page is short for nothing', async () => {
  const breakdown = {
    ...many.breakdown,
    rows: Array.from({ length: 21 }, (_, i) => ({ ...rows[0]!, label: `IVA ${i + 1}.` })),
  };
  const last = { ...named(1)[0]!, description: `${long}${long.slice(0, 500)} Cosa última.` };
  const pages = await pagesOf({ ...many, breakdown, lines: [...named(2), last] });
  assert.equal(pageWith(pages, 'Cosa última.'), pageWith(pages, 'Cosa 2.'));
  assert.equal(pageWith(pages, many.total.label + many.total.text), 1);
  assert.equal(pages.length, 2);
});

const entry = 'Registro Mercantil de Zaragoza, tomo 3.210, folio 45, hoja Z-6.789, inscripción 1.ª';
const entries = { 'one line': entry, 'two lines': `${entry} ${entry}` };

for (const [what, registry_data] of Object.entries(entries))
  test(`given data of the register of ${what}, when a document is printed, then they have no page to themselves`, async () => {
    for (let count = 14; count < 20; count++)
      for (const detailed of [0, 1]) {
        const lines = named(count).map((line, i) => (i < detailed ? { ...line, details: ['Lote 7'] } : line));
        const document = { ...many, lines, payment: null, registry_data };
        const { bytes } = await printer.print(document, 'a4');
        assert.deepEqual(await hiddenCharacters(bytes), []);
        const pages = (await readText(bytes)).map(packed);
        assert.equal(
          pageWith(pages, registry_data),
          pageWith(pages, many.total.label + many.total.text),
          `${count} lines, ${detailed} with details`,
        );
      }
  });
