import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineTax } from './line-tax.ts';
import { invoiceWords } from './words.ts';

type Line = Parameters<typeof lineTax>[0];

const plain: Line = {
  tax_kind: 'vat',
  tax_rate: 21,
  surcharge_rate: null,
  exemption_reason: null,
  qualification: 'S1',
};

const cases: [what: string, line: Partial<Line>, es: string, en: string][] = [
  ['has a rate', {}, 'IVA 21 %', 'VAT 21%'],
  ['has the surcharge', { surcharge_rate: 5.2 }, 'IVA 21 % + RE 5,2 %', 'VAT 21% + RE 5.2%'],
  ['has a rate of IGIC', { tax_kind: 'igic', tax_rate: 9.5 }, 'IGIC 9,5 %', 'IGIC 9.5%'],
  ['has another tax', { tax_kind: 'other', tax_rate: 3 }, 'Otro impuesto 3 %', 'Other tax 3%'],
  ['has the rate 0', { tax_rate: 0 }, 'IVA 0 %', 'VAT 0%'],
  [
    'is exempt',
    { tax_rate: null, exemption_reason: 'E1', qualification: null },
    'Exenta (E1)',
    'Exempt (E1)',
  ],
  ['is not subject', { tax_rate: null, qualification: 'N2' }, 'No sujeta (N2)', 'Not subject (N2)'],
  [
    'is of reverse charge',
    { tax_rate: 0, qualification: 'S2' },
    'Inversión del sujeto pasivo',
    'Reverse charge',
  ],
];
for (const [what, line, es, en] of cases)
  test(`given that a line ${what}, then its tax is ${es}`, () => {
    const said = { ...plain, ...line };
    const plainly = (text: string) => text.replace(/\s/gu, ' ');
    assert.deepEqual(
      [plainly(lineTax(said, invoiceWords.es, 'es')), plainly(lineTax(said, invoiceWords.en, 'en'))],
      [es, en],
    );
  });
