import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Invoice } from '../../printed/resources.ts';
import { changedInvoiceOf, draftOf, taxChoices } from './draft-values.ts';
import { invoiceWords } from './words.ts';

type Line = Invoice['lines'][number];

const vat: Partial<Line> = {
  taxes_id: null,
  tax_kind: 'vat',
  tax_rate: 21,
  surcharge_rate: null,
  exemption_reason: null,
  qualification: 'S1',
};

/** Of a draft, what its form reads. */
const draftWith = (line: Partial<Line>) =>
  ({
    type: 'F1',
    client: null,
    series: null,
    lines: [
      { id: 'one', description: 'Libros', quantity: 1, unit_price: 5, discount_percent: null, ...line },
    ],
  }) as unknown as Invoice;

const usual = { value: '', label: 'El habitual' };
const offered = [
  { value: 'rate:21', label: 'IVA 21 %' },
  { value: 'rate:0', label: 'IVA 0 %' },
  { value: 'a tax', label: 'Exenta (art. 20 LIVA)' },
];

const told: [what: string, line: Partial<Line>, is: string][] = [
  ['has a rate of the list', {}, 'IVA 21 %'],
  [
    'has a tax of the list',
    { taxes_id: 'a tax', tax_rate: null, exemption_reason: 'E1' },
    'Exenta (art. 20 LIVA)',
  ],
  [
    'has a tax that is out of use',
    { taxes_id: 'an old tax', tax_rate: null, exemption_reason: 'E2' },
    'Exenta (E2)',
  ],
  ['is exempt without a tax', { tax_rate: null, exemption_reason: 'E1', qualification: null }, 'Exenta (E1)'],
  ['is of reverse charge', { tax_rate: 0, qualification: 'S2' }, 'Inversión del sujeto pasivo'],
  ['has a rate of IGIC', { tax_kind: 'igic', tax_rate: 7 }, 'IGIC 7 %'],
];

for (const [what, line, is] of told)
  test(`given a stored line that ${what}, then the field of its tax tells ${is}`, () => {
    const [stored] = draftOf(draftWith({ ...vat, ...line }), 'es', invoiceWords.es).lines;
    const choices = taxChoices(offered, usual, stored);
    const chosen = choices.find(({ value }) => value === stored?.taxes_id);
    assert.equal(chosen?.label.replace(/\s/gu, ' '), is);
    assert.deepEqual(
      choices.filter(({ label }) => label === usual.label),
      [],
    );
  });

test('given a line that is new, then the usual tax is a choice before the others', () => {
  assert.deepEqual(taxChoices(offered, usual, undefined), [usual, ...offered]);
});

test('given a stored line that is exempt or of reverse charge, when a rate is chosen, then it is that no more', () => {
  const filling = { language: 'es', usual_tax: 'rate:21' } as const;
  const sent = [
    { tax_rate: null, exemption_reason: 'E1', qualification: null },
    { tax_rate: 0, qualification: 'S2' },
    { taxes_id: 'a tax', tax_rate: null, exemption_reason: 'E1', qualification: null },
    { tax_rate: 10 },
  ].map((line) => {
    const before = draftWith({ ...vat, ...line } as Partial<Line>);
    const values = draftOf(before, 'es', invoiceWords.es);
    const lines = values.lines.map((one) => ({ ...one, taxes_id: 'rate:21' }));
    const { taxes_id, tax_rate, exemption_reason, qualification } = changedInvoiceOf(
      { ...values, lines },
      before,
      filling,
    ).lines![0]!;
    return [taxes_id, tax_rate, exemption_reason, qualification];
  });
  assert.deepEqual(sent, [
    [null, 21, null, null],
    [null, 21, null, null],
    [null, 21, undefined, undefined],
    [null, 21, undefined, undefined],
  ]);
});
