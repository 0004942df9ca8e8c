/** Where breakdown, payment, sums and what follows them stand on an A4. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { drawPages, whiteGaps } from '../../../../test/support/pdf-pictures.ts';
import { printedSample } from '../../../../test/support/printed-samples.ts';
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
