/**
 * Drawn by PDFium, and read by code that shares nothing with the printing. The QR and its words: Orden HAC/1177/2024,
 * art. 21.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import jsQR from 'jsqr';
import { hiddenCharacters } from '../../../../test/support/pdf-characters.ts';
import { drawPages, luminance, type Picture, whiteGaps } from '../../../../test/support/pdf-pictures.ts';
import { readText } from '../../../../test/support/pdf-reader.ts';
import { printedFamilies } from '../../../../test/support/printed-families.ts';
import {
  type PrintedSample,
  printedSample,
  printedSamples,
} from '../../../../test/support/printed-samples.ts';
import { centsText, moneyText, percentText } from '../../../domain/printing/numbers.ts';
import {
  type PrintedDocument,
  type PrintedFormat,
  type PrintedLanguage,
  printedLanguages,
} from '../../../domain/printing/printed-document.ts';
import { printedWords } from '../../../domain/printing/words.ts';
import { makePrinter } from '../printer.ts';

const printer = makePrinter({
  // So long that no busy machine needs it.
  seconds_max: 400,
  log: { warn: (details: object, message: string) => assert.fail(`${message} ${JSON.stringify(details)}`) },
});
after(() => printer.close());

type Printed = PrintedSample & { pdf: Uint8Array; texts: string[] };
const printed: Printed[] = [];
for (const sample of printedSamples) {
  const { bytes: pdf } = await printer.print(sample.document, sample.format);
  printed.push({ ...sample, pdf, texts: await readText(pdf) });
}

const scale = (dots_per_inch: number) => ({
  dots_per_inch,
  pixels: (mm: number) => Math.round((mm * dots_per_inch) / 25.4),
  mm: (pixels: number) => (pixels * 25.4) / dots_per_inch,
});
const [coarse, fine] = [scale(60), scale(150)];

const named = (name: string) => printed.find((one) => one.name === printedSample(name).name)!;
/** PDFium writes a hyphen at the end of a line as another sign. */
const plain = (text: string) => text.replaceAll('\ufffe', '-').replace(/[\s\p{Z}]+/gu, '');

/** In millimetres. No printer reaches the margin. */
const papers = {
  a4: { width: 210, margin: 18 },
  ticket_80: { width: 80, margin: 4 },
  ticket_58: { width: 58, margin: 5 },
} as const;

/** That the pages are of the paper, with nothing dark where no printer reaches. */
async function assertOnPaper({ name, format, pdf }: Pick<Printed, 'name' | 'format' | 'pdf'>): Promise<void> {
  const { pixels, mm, dots_per_inch } = coarse;
  const { width, margin } = papers[format];
  for (const [i, page] of (await drawPages(pdf, dots_per_inch)).entries()) {
    assert.ok(Math.abs(page.paper.width - width) < 0.05, `${name}: ${page.paper.width} mm`);
    if (format === 'a4')
      assert.ok(Math.abs(page.paper.height - 297) < 0.05, `${name}: ${page.paper.height} mm`);
    for (let x = 0; x < pixels(margin) - 1; x++) {
      for (let y = 0; y < page.height; y++) {
        for (const at of [x, page.width - 1 - x])
          if (!(luminance(page, at, y) > 0.6)) assert.fail(`${name}, page ${i + 1}: ${mm(at)}, ${mm(y)} mm`);
      }
    }
  }
}

test('given every sample, when it is printed, then it has its paper, and nothing dark where no printer reaches', async () => {
  for (const sample of printed) await assertOnPaper(sample);
});

/** The upper rows, from one column to another. */
function cut({ rgba, width, height }: Picture, from: number, to: number, rows: number) {
  const part = new Uint8ClampedArray((to - from) * Math.min(rows, height) * 4);
  for (let y = 0; y < Math.min(rows, height); y++)
    part.set(rgba.subarray((y * width + from) * 4, (y * width + to) * 4), y * (to - from) * 4);
  return part;
}

test('given every sample with a QR, when it is printed, then page one has it near the top, 30 to 40 mm, in white', async () => {
  const { pixels, mm, dots_per_inch } = fine;
  for (const { name, document, format, pdf } of printed) {
    for (const [i, page] of (await drawPages(pdf, dots_per_inch, 2)).entries()) {
      const expected = i === 0 ? document.qr?.url : undefined;
      const middle_of_page = page.width / 2;
      // A wanted QR is dark on white, in the middle. Where none is wanted, both kinds count, wherever they are.
      const half = expected === undefined ? middle_of_page : Math.min(middle_of_page, pixels(30));
      const [from, to] = [Math.ceil(middle_of_page - half), Math.floor(middle_of_page + half)];
      const rgba = cut(page, from, to, pixels(110));
      const found = jsQR.default(rgba, to - from, rgba.length / (to - from) / 4, {
        inversionAttempts: expected === undefined ? 'attemptBoth' : 'dontInvert',
      });
      assert.equal(found?.data, expected, `${name}, page ${i + 1}`);
      if (!found) continue;
      const { topLeftCorner: corner, topRightCorner: right, bottomLeftCorner: below } = found.location;
      for (const side of [right.x - corner.x, below.y - corner.y].map(mm))
        assert.ok(side > 33.5 && side < 34.5, `${name}: ${side} mm`);
      assert.ok(mm(corner.y) < (format === 'a4' ? 45 : 55), `${name}: begins at ${mm(corner.y)} mm`);
      // The recommended 6 mm, less a pixel on either side; 2 mm are required.
      const [left, top] = [from + Math.round(corner.x), Math.round(corner.y)];
      const side = Math.round(right.x - corner.x);
      const white = pixels(6) - 1;
      for (let along = -white; along <= side + white; along++) {
        for (let away = 2; away <= white; away++) {
          for (const [x, y] of [
            [left + along, top - away],
            [left + along, top + side + away],
            [left - away, top + along],
            [left + side + away, top + along],
          ] as const)
            if (!(luminance(page, x, y) > 0.75)) assert.fail(`${name}: not white at ${mm(x)}, ${mm(y)} mm`);
        }
      }
      const middle = mm(left + side / 2);
      assert.ok(Math.abs(middle - papers[format].width / 2) < 0.5, `${name}: its middle at ${middle} mm`);
    }
  }
});

/** In the order of the lines. A roll has no room for the labels of two columns. */
function* textsOf(document: PrintedDocument, format: PrintedFormat): Generator<string | null> {
  const { issuer, recipient, breakdown, column_labels: labels, lines } = document;
  const spoken = <Row extends object>(rows: readonly Row[], field: keyof Row) =>
    rows.some((row) => row[field] !== null && row[field] !== '');
  const said = (pair: { label: string; text: string } | null) => (pair ? [pair.label, pair.text] : []);
  yield* [document.title, document.number, ...document.marks, ...document.mentions];
  for (const party of [issuer, ...(recipient ? [recipient] : [])]) {
    yield* [party.name, party.commercial_name, ...party.address_lines, ...party.contact];
    yield* said(party.tax_id);
  }
  if (recipient) yield recipient.label;
  for (const pair of [
    ...document.facts,
    ...document.sums,
    document.total,
    document.retention,
    document.amount_due,
  ])
    yield* said(pair);
  for (const field of ['description', 'quantity', 'unit_price', 'tax', 'amount'] as const)
    if (spoken(lines, field)) yield labels[field];
  if (spoken(lines, 'discount')) yield labels.discount;
  for (const { details, carried, ...cells } of lines) yield* [...Object.values(cells), ...details];
  if (breakdown.rows.length > 0) {
    yield breakdown.title;
    for (const field of ['label', 'base', 'rate', 'tax', 'surcharge_rate', 'surcharge'] as const) {
      if (format !== 'a4' && (field === 'label' || field === 'surcharge_rate')) continue;
      if (spoken(breakdown.rows, field)) yield breakdown.column_labels[field];
    }
    for (const row of breakdown.rows) yield* Object.values(row);
  }
  if (document.payment) {
    yield document.payment.title;
    for (const row of document.payment.rows) yield* said(row);
  }
  if (document.qr) yield* [document.qr.above, document.qr.below];
  if (document.notes) {
    yield document.notes.title;
    // The end of a page may cut a long text, so each sentence is looked for.
    yield* document.notes.text.split(/(?<=\.) /);
  }
}

test('given every sample, when its pages are read, then they say all of it, its lines in order', () => {
  for (const { name, document, format, texts } of printed) {
    // Another test looks at signs that no font has.
    if (name === 'a4-other-scripts') continue;
    const read = plain(texts.join(''));
    let cut = 0;
    for (const text of textsOf(document, format)) {
      if (text === null || read.includes(plain(text))) continue;
      cut++;
      assert.ok(document.notes?.text.includes(text), `${name} lacks: ${text}\n${read}`);
    }
    assert.ok(cut < texts.length, `${name}: ${cut} sentences are cut`);
    let from = 0;
    for (const line of document.lines) {
      const at = read.indexOf(plain(line.description), from);
      const amount = read.indexOf(plain(line.amount), at);
      assert.ok(at >= from && amount >= at, `${name}: ${line.description}, ${line.amount}`);
      from = at + plain(line.description).length;
    }
  }
});

test('given documents of several pages, when they are read, then pages have numbers and carry their sums', () => {
  let several = 0;
  for (const { name, document, texts } of printed.filter(({ format }) => format === 'a4')) {
    let last = -1;
    let is_over = false;
    for (const [i, text] of texts.entries()) {
      const read = plain(text);
      const number = document.page_label.replace('{page}', `${i + 1}`).replace('{pages}', `${texts.length}`);
      assert.ok(read.includes(plain(number)), `${name}, page ${i + 1}`);
      const sum = (label: string) => plain(label + (document.lines[last]?.carried ?? ''));
      const { brought, forward } = document.carried_labels;
      assert.equal(read.includes(plain(brought)), i > 0 && !is_over, `${name}, page ${i + 1}: ${brought}`);
      if (i > 0 && !is_over)
        assert.ok(read.includes(sum(brought)), `${name}, page ${i + 1}: ${sum(brought)}`);
      const labels = plain(document.column_labels.description);
      const before = last;
      let from = 0;
      for (let next = last + 1; next < document.lines.length; next++) {
        const at = read.indexOf(plain(document.lines[next]!.description), from);
        if (at < 0) break;
        from = at + 1;
        last = next;
      }
      if (last > before) assert.ok(read.includes(labels), `${name}, page ${i + 1}: ${labels}`);
      is_over ||= read.includes(plain(document.total.label + document.total.text));
      assert.equal(read.includes(plain(forward)), !is_over, `${name}, page ${i + 1}: ${forward}`);
      if (!is_over) {
        several++;
        assert.ok(read.includes(sum(forward)), `${name}, page ${i + 1}: ${sum(forward)}`);
      }
    }
  }
  assert.ok(several > 12, `${several} pages went on`);
  assert.ok(named('a4-200-lines').texts.length <= 8);
  assert.equal(named('a4-es').texts.length, 1);
});

test('given more lines than one PDF page holds, when they are printed on a roll, then pages have numbers and marks', async () => {
  const { document } = printedSample('ticket-58-long');
  const lines = Array.from({ length: 50 }, () => document.lines).flat();
  for (const format of ['ticket_80', 'ticket_58'] as const) {
    const { bytes: pdf } = await printer.print({ ...document, lines }, format);
    const texts = await readText(pdf);
    const [first] = await drawPages(pdf, 10, 1);
    // ISO 32000-1, annex C.2: 14,400 points.
    assert.ok(first!.paper.height <= 5080, `${first!.paper.height} mm`);
    assert.ok(texts.length > 1);
    for (const [i, text] of texts.entries()) {
      assert.ok(plain(text).includes(plain(`${i + 1}. orria / ${texts.length}`)), `page ${i + 1}`);
      assert.ok(plain(text).includes(plain(document.marks[0]!)), `page ${i + 1}`);
    }
  }
});

test('given pages of a roll that begin within a line, then the rule of the heading strikes nothing out', async () => {
  const { document } = printedSample('ticket-58-long');
  const lines = Array.from({ length: 50 }, () => document.lines).flat();
  const { bytes: pdf } = await printer.print({ ...document, lines }, 'ticket_58');
  const { pixels, dots_per_inch } = fine;
  const [left, right] = [pixels(6), pixels(52)];
  let rules = 0;
  for (const [i, page] of (await drawPages(pdf, dots_per_inch)).entries()) {
    const darks = (y: number) =>
      Array.from({ length: right - left }, (_, x) => luminance(page, left + x, y)).filter((one) => one < 0.5);
    // The heading of the table stands at the head of each page but the first.
    const rule = Array.from({ length: pixels(40) }, (_, y) => y).findLast(
      (y) => darks(y).length === right - left,
    );
    if (i === 0 || rule === undefined) continue;
    rules++;
    assert.deepEqual(darks(rule + pixels(0.5)), [], `page ${i + 1}`);
  }
  assert.ok(rules > 5, `${rules} rules`);
});

test('given documents with marks, when they are printed, then every page says them, and no other document does', () => {
  const all = new Set(printedSamples.flatMap(({ document }) => document.marks));
  assert.ok(all.size >= 3);
  for (const { name, document, texts } of printed) {
    for (const [i, text] of texts.entries()) {
      for (const mark of all)
        assert.equal(
          plain(text).includes(plain(mark)),
          document.marks.includes(mark),
          `${name}, page ${i + 1}: ${mark}`,
        );
    }
  }
});

test('given a company with a pale colour, when its document is printed, then the title is dark enough to be read', async () => {
  const { document, pdf } = named('a4-long-texts');
  assert.equal(document.colour, '#ffe94d');
  const { pixels, dots_per_inch } = fine;
  const [page] = await drawPages(pdf, dots_per_inch, 1);
  let darkest = 1;
  for (let x = pixels(132); x < pixels(192); x++)
    for (let y = pixels(17); y < pixels(28); y++) darkest = Math.min(darkest, luminance(page!, x, y));
  // WCAG 2.2, 1.4.3.
  assert.ok(1.05 / (darkest + 0.05) >= 4.5, `contrast ${1.05 / (darkest + 0.05)}`);
});

async function linesOf(document: PrintedDocument, format: PrintedFormat): Promise<string[][]> {
  const texts = await readText((await printer.print(document, format)).bytes);
  return texts.map((text) =>
    text
      .replaceAll('\ufffe', '-')
      .split('\n')
      .map((line) => line.replace(/[\s\p{Z}]+/gu, ' ').trim()),
  );
}

const times = (text: string, part: string) => text.split(part).length - 1;

test('given no logo, when the name is set large, then no name stands twice, and the tax id is by the name', async () => {
  const { document } = printedSample('ticket-58');
  for (const commercial_name of [null, document.issuer.commercial_name, document.issuer.name]) {
    const issuer = { ...document.issuer, commercial_name };
    for (const format of ['a4', 'ticket_80', 'ticket_58'] as const) {
      const text = (await linesOf({ ...document, logo: null, issuer }, format)).flat().join(' ');
      // The foot of a page repeats the name.
      assert.equal(times(text, issuer.name), format === 'a4' ? 2 : 1, `${format}: ${text}`);
      assert.ok(text.includes(`${issuer.name} NIF ${issuer.tax_id!.text}`), `${format}: ${text}`);
      if (commercial_name !== null && commercial_name !== issuer.name)
        assert.equal(times(text, commercial_name), 1, `${format}: ${text}`);
    }
  }
});

test('given labels and taxes of some length, when they are printed, then each stays on one line', async () => {
  const { document } = printedSample('a4-twelve-rates');
  for (const label of ['Forma de pagament', 'Forma de pagamento', 'Ordaintzeko modua']) {
    const rows = [{ label, text: 'Transferencia bancaria' }, ...document.payment!.rows];
    const printed = await linesOf({ ...document, payment: { title: 'Pago', rows } }, 'a4');
    const lines = printed.flat();
    assert.ok(lines.includes(`${label} Transferencia bancaria`), lines.join('\n'));
    for (const { tax } of document.lines) {
      const whole = tax.replaceAll('\u00a0', ' ');
      assert.ok(
        lines.some((line) => line.includes(whole)),
        `${whole}\n${lines.join('\n')}`,
      );
    }
  }
});

test('given an issuer whose foot takes two lines, when it is printed, then none of its parts is split', async () => {
  const { document } = printedSample('a4-twelve-rates');
  for (const place of ['28013 Madrid', '38700 Santa Cruz de La Palma (Tenerife)'])
    for (const street of ['Avenida', 'Avenida de la']) {
      const address_lines = [`${street} Independencia, 145, esc. B, 2.º A`, place];
      const name = 'Instalaciones y Reformas del Mediterráneo SL';
      const lines = (
        await linesOf({ ...document, issuer: { ...document.issuer, name, address_lines } }, 'a4')
      ).flat();
      const foot = lines.slice(lines.findLastIndex((line) => line.startsWith(name)));
      for (const part of [name, ...address_lines])
        assert.ok(
          foot.some((line) => line.includes(part)),
          `${part}\n${foot.join('\n')}`,
        );
    }
});

/** That nothing dark is within 5 mm of the upper and the lower edge of any page. */
async function assertWithinEdges(what: string, pdf: Uint8Array): Promise<void> {
  const { pixels, mm, dots_per_inch } = coarse;
  for (const [i, page] of (await drawPages(pdf, dots_per_inch)).entries())
    for (let x = 0; x < page.width; x++)
      for (let y = 0; y < pixels(5); y++)
        for (const at of [y, page.height - 1 - y])
          if (!(luminance(page, x, at) > 0.6)) assert.fail(`${what}, page ${i + 1}: ${mm(x)}, ${mm(at)} mm`);
}

const longIssuers = {
  'a name of 120 letters without a space': { name: 'W'.repeat(120), address_lines: ['Calle Mayor, 1'] },
  'a name of 250 letters without a space': { name: 'W'.repeat(250), address_lines: ['Calle Mayor, 1'] },
  'a name and an address of many words': {
    name: `${'Comunidad de Propietarios '.repeat(9)}SL`.toUpperCase(),
    address_lines: [
      'Polígono Industrial de las Mercedes, '.repeat(4),
      '38700 Santa Cruz de La Palma (Tenerife)',
    ],
  },
  'a name of 250 letters that no font has': {
    name: '中'.repeat(250),
    address_lines: ['東京都千代田区丸の内一丁目'.repeat(6)],
  },
  'a name of words that no font has': {
    name: 'شركة التجارة الدولية '.repeat(12),
    address_lines: ['شارع الملك '.repeat(20)],
  },
};

/** A sign stands for each letter that no font has. */
const asShown = (text: string) => plain(text).replace(/[\p{Script=Han}\p{Script=Arabic}]/gu, '\ufffd');

for (const [what, change] of Object.entries(longIssuers))
  test(`given an issuer with ${what}, when a document has several pages, then head and foot stay on each`, async () => {
    const { document } = printedSample('a4-200-lines');
    const issuer = { ...document.issuer, ...change, commercial_name: null };
    const lines = document.lines.slice(0, 60);
    for (const marks of [[], ['BORRADOR']]) {
      const { bytes: pdf } = await printer.print({ ...document, issuer, lines, marks }, 'a4');
      await assertOnPaper({ name: what, format: 'a4', pdf });
      await assertWithinEdges(what, pdf);
      assert.deepEqual(await hiddenCharacters(pdf), []);
      const texts = await readText(pdf);
      assert.ok(texts.length > 1);
      assert.ok(plain(texts[0]!).includes(asShown(issuer.name)));
      for (const text of texts.slice(1)) {
        assert.ok(plain(text).includes(plain(`${document.title} ${document.number}`)), text);
        assert.ok(times(plain(text), asShown(issuer.name.slice(0, 20))) >= 2, text);
      }
    }
  });

test('given a delivery note without prices, when it is printed, then no room for sums is left below its lines', async () => {
  const { document } = printedFamilies.find(({ name }) => name === 'a4-delivery-note-unvalued')!;
  const { to_sign: _, registry_data: __, ...rest } = document;
  const { bytes: pdf } = await printer.print({ ...rest, notes: null }, 'a4');
  assert.equal(document.mentions.length, 1);
  const [page] = await drawPages(pdf, coarse.dots_per_inch);
  const gaps = whiteGaps(page!);
  // The widest is between the mention and the foot.
  const above_mention = gaps[gaps.indexOf(Math.max(...gaps)) - 1]!;
  assert.ok(
    above_mention > 4 && above_mention < 9,
    `${above_mention} mm of ${gaps.map((gap) => gap.toFixed(1))}`,
  );
});

test('given rates with surcharge, when they are printed on a roll, then no rate or heading is split', async () => {
  const tax = '21\u00a0% + RE 5,2\u00a0%';
  const { document } = printedSample('ticket-58');
  for (const format of ['ticket_80', 'ticket_58'] as const) {
    const lines = document.lines.map((line) => ({ ...line, tax }));
    for (const variant of [document, { ...document, lines }]) {
      const read = (await linesOf(variant, format)).flat();
      const { quantity, unit_price } = document.column_labels;
      const has = (text: string) => read.filter((line) => line.includes(text)).length;
      assert.equal(has(`${quantity} × ${unit_price}`), 1, read.join('\n'));
      if (variant !== document) assert.equal(has('21 % + RE 5,2 %'), lines.length, read.join('\n'));
    }
  }
});

/** With the headings of the service in that language, and figures of so many digits before the point. */
function withBreakdown(language: PrintedLanguage, digits: number): PrintedDocument {
  const { document } = printedSample('a4-es');
  const w = printedWords[language];
  const amount = (digit: number) => centsText(BigInt(String(digit).repeat(digits + 2)), language);
  const row = (rate: string, digit: number) => ({
    label: `${w.taxes.vat} ${percentText(rate, language)}`,
    base: amount(digit),
    rate: percentText(rate, language),
    tax: amount(digit + 1),
    surcharge_rate: percentText('10.75', language),
    surcharge: amount(digit + 2),
  });
  const column_labels = {
    label: w.tax,
    base: w.base,
    rate: w.rate,
    tax: w.tax_amount,
    surcharge_rate: w.surcharge_rate,
    surcharge: w.surcharge,
  };
  const rows = [row('21', 1), row('10', 4)];
  const breakdown = { title: w.breakdown, column_labels, rows };
  const sums = [{ label: w.subtotal, text: moneyText(7n * 10n ** BigInt(digits), 'EUR', language) }];
  return { ...document, language, breakdown, sums };
}

test('given rates with surcharge and figures of any length, when they are printed, then no text lies on another', async () => {
  for (const language of printedLanguages) {
    for (const digits of [3, 7, 9, 12]) {
      const document = withBreakdown(language, digits);
      for (const format of ['a4', 'ticket_80', 'ticket_58'] as const) {
        const { bytes } = await printer.print(document, format);
        assert.deepEqual(await hiddenCharacters(bytes), [], `${language}, ${digits} digits, ${format}`);
      }
    }
  }
});

test('given codes of wide letters among long figures, when they are printed, then they lie on nothing and stay on the paper', async () => {
  const { document } = printedSample('a4-es');
  const code = 'MŴ'.repeat(15);
  const line = {
    ...document.lines[0]!,
    description: `${code} de motor`,
    details: [`Bastidor ${code}`],
    quantity: '123.456,123456',
    unit_price: '12.345,12345678',
    discount: '12,3456 %',
    tax: '21 % + RE 5,2 %',
    amount: '1.234.567.890,12',
  };
  const notes = { title: 'Observaciones', text: `Bastidor ${code}` };
  const wide = { ...document, lines: [line], mentions: [`Bastidor ${code}`], notes };
  for (const format of ['a4', 'ticket_80', 'ticket_58'] as const) {
    const { bytes: pdf } = await printer.print(wide, format);
    assert.deepEqual(await hiddenCharacters(pdf), [], format);
    await assertOnPaper({ name: 'codes', format, pdf });
    assert.equal(times(plain((await readText(pdf)).join('')), code), 4, format);
  }
});

for (const letter of ['W', '中'])
  test(`given parties whose texts are ${letter} without a space, when they are printed, then they stay in their places`, async () => {
    const { document } = printedSample('a4-es');
    const texts = (count: number) => ({
      name: letter.repeat(count),
      address_lines: [letter.repeat(count)],
      contact: [`${letter.repeat(20)}@${letter.repeat(count)}`],
    });
    for (const count of [14, 28, 40])
      for (const commercial_name of [null, letter.repeat(13)]) {
        const who = { ...texts(count), commercial_name };
        const issuer = { ...document.issuer, ...who };
        const wide = { ...document, logo: null, issuer, recipient: { ...document.recipient!, ...who } };
        for (const format of ['a4', 'ticket_80', 'ticket_58'] as const) {
          const { bytes: pdf } = await printer.print(wide, format);
          const name = `${count} ${commercial_name}`;
          assert.deepEqual(await hiddenCharacters(pdf), [], `${format}, ${name}`);
          await assertOnPaper({ name, format, pdf });
        }
      }
  });

for (const letter of ['W', '中'])
  test(`given other texts of ${letter} without a space, when they are printed, then they stay in their places`, async () => {
    const { document } = printedSample('a4-es');
    const [short, long] = [letter.repeat(20), letter.repeat(69)];
    const texts = (count: number) => ({
      facts: [{ label: 'Concepto', text: letter.repeat(count) }],
      lines: document.lines.map((line) => ({ ...line, heading: `Albarán ${letter.repeat(count)}` })),
      payment: { title: 'Pago', rows: [{ label: 'Referencia', text: letter.repeat(count + 13) }] },
      mentions: [long],
      notes: { title: 'Observaciones', text: `${long} ${short}` },
      registry_data: long,
    });
    for (const count of [16, 20])
      for (const format of ['a4', 'ticket_80', 'ticket_58'] as const) {
        const { bytes: pdf } = await printer.print({ ...document, ...texts(count) }, format);
        const name = `${count} letters, ${format}`;
        assert.deepEqual(await hiddenCharacters(pdf), [], name);
        await assertOnPaper({ name, format, pdf });
      }
  });

test('given every sample, when it is printed, then no text lies on another', async () => {
  for (const { name, pdf } of printed) assert.deepEqual(await hiddenCharacters(pdf), [], name);
});

test('given mentions near the end of a page, when they are printed, then each page has all or at least three lines', async () => {
  const { document } = printedSample('a4-200-lines');
  let over = 0;
  for (const count of [2, 7, 30]) {
    const mentions = Array.from({ length: count }, (_, i) => `Mención ${i + 1}.`);
    for (let lines = 6; lines < 13; lines++) {
      const printed = await linesOf({ ...document, mentions, lines: document.lines.slice(0, lines) }, 'a4');
      const counts = printed.map((page) => page.filter((line) => line.startsWith('Mención ')).length);
      const there = counts.filter((on_page) => on_page > 0);
      if (count < 10) assert.deepEqual(there, [count], `${lines} lines`);
      else assert.ok(Math.min(...there) >= 3, `${lines} lines: ${counts}`);
      if (there.length > 1 || counts[0] === 0) over++;
    }
  }
  assert.ok(over > 8, `${over} documents go over the page`);
});
