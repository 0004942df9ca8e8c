/** Texts as suppliers write them: what is read is what they say, and what may mean two things is not read. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPageTexts } from './page-texts.ts';
import { amounts } from './printed-text.ts';

const supplier = 'Papelera Sur, S. L.  CIF B-12345674';
const head = [supplier, 'Factura n.º A-2026/881', 'Fecha: 12/03/2026'];
const rows = ['Base imponible 100,00', 'IVA 21 % 21,00', 'Total 121,00'];

/** The rows of a credit, with its sign at the place of `#`. */
const credit = (amount: string) =>
  [`Base imponible ${amount}`, `IVA 21 % ${amount}`, `Total ${amount}`].map((line, at) =>
    line.replace('#', ['100,00', '21,00', '121,00'][at]!),
  );

function purchaseOf(lines: readonly string[]) {
  const { purchase, warnings } = readPageTexts({ pages: 1, texts: [lines.join('\n')], qrs: [] });
  return { purchase, warnings };
}

test('given amounts with a sign, when they are read, then it is theirs wherever it stands, or the amount is not read', () => {
  for (const [text, value] of [
    ['100,00', 10_000n],
    ['-100,00', -10_000n],
    ['\u2212100,00', -10_000n],
    ['\u2013100,00', -10_000n],
    ['100,00-', -10_000n],
    ['100,00- EUR', -10_000n],
    ['100,00 €-', -10_000n],
    ['-€100.00', -10_000n],
    ['-€ 100.00', -10_000n],
    ['-EUR 100,00', -10_000n],
    ['€ -100,00', -10_000n],
    ['100,00 €', 10_000n],
    ['21,00 -5,00', 2100n],
    // A sheet's sign, or a dash between a word and its amount.
    ['- 100,00', undefined],
    ['-   100,00', undefined],
    ['- € 100,00', undefined],
    // An accountant's sign, or a remark.
    ['(100,00)', undefined],
    ['( 100,00 €)', undefined],
    ['100,00-200,00', undefined],
    ['-100,00-', undefined],
  ] as const)
    assert.equal(amounts(`Base ${text}\n`)[0]?.value, value, text);
});

test('given a credit, when it is read, then its total is negative or nothing is proposed', () => {
  for (const sign of ['-#', '\u2013#', '#-', '# €-', '-€#', '-# €'])
    assert.equal(purchaseOf([...head, ...credit(sign)]).purchase?.total, '-121.00', sign);
  for (const sign of ['- #', '(#)', '- € #'])
    assert.equal(purchaseOf([...head, ...credit(sign)]).purchase ?? null, null, sign);
  assert.equal(purchaseOf([...head, ...rows]).purchase?.total, '121.00');
});

test('given a retention whose sign stands apart, when it is read, then it is still one', () => {
  const withheld = ['Base imponible 1.000,00', 'IVA 21 % 210,00', 'IRPF 15 % - 150,00', 'Total 1.060,00'];
  const { purchase } = purchaseOf([...head, ...withheld]);
  assert.deepEqual([purchase?.total, purchase?.lines[0]?.retention_rate], ['1210.00', '15']);
});
