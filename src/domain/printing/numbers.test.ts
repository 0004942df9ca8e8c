import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressLines, countryName } from './addresses.ts';
import { dayText } from './days.ts';
import { centsText, moneyText, numberText, percentText, priceText } from './numbers.ts';
import { type PrintedLanguage, printedLanguages } from './printed-document.ts';
import { printedWords } from './words.ts';

/** Makes non-breaking spaces visible. */
const seen = (text: string) => text.replaceAll('\u00a0', '~');

test('given an exact number, when it is printed, then it looks as people of the language write it', () => {
  const cases: [language: PrintedLanguage, printed: string[]][] = [
    ['es', ['1.234.567,80~€', '-0,05~€', '12,30~USD', '1.234.567,80', '5,2~%', '0,12345678', '1.000,005~€']],
    ['ca', ['1.234.567,80~€', '-0,05~€', '12,30~USD', '1.234.567,80', '5,2~%', '0,12345678', '1.000,005~€']],
    ['gl', ['1.234.567,80~€', '-0,05~€', '12,30~USD', '1.234.567,80', '5,2~%', '0,12345678', '1.000,005~€']],
    ['eu', ['1.234.567,80~€', '-0,05~€', '12,30~USD', '1.234.567,80', '%~5,2', '0,12345678', '1.000,005~€']],
    ['en', ['€1,234,567.80', '-€0.05', 'USD~12.30', '1,234,567.80', '5.2%', '0.12345678', '€1,000.005']],
  ];
  for (const [language, printed] of cases) {
    const texts = [
      moneyText(123456780n, 'EUR', language),
      moneyText(-5n, 'EUR', language),
      moneyText(1230n, 'USD', language),
      centsText(123456780n, language),
      percentText('5.2000', language),
      numberText('0.12345678', language, 2),
      priceText('1000.00500000', 'EUR', language),
    ];
    assert.deepEqual(texts.map(seen), printed, language);
  }
});

test('given decimals of every length, when they are printed, then only zeros at the end are lost', () => {
  const cases: [text: string, least: number, printed: string][] = [
    ['1.000000', 0, '1'],
    ['2.500000', 0, '2,5'],
    ['-0.000001', 0, '-0,000001'],
    ['100', 0, '100'],
    ['1000', 0, '1.000'],
    ['999999999999.99', 2, '999.999.999.999,99'],
    ['-999999999999.99', 2, '-999.999.999.999,99'],
    ['12.30000000', 2, '12,30'],
    ['12.30500000', 2, '12,305'],
    ['0.00', 2, '0,00'],
    ['-0.00', 2, '0,00'],
    ['123456789012.12345678', 2, '123.456.789.012,12345678'],
  ];
  for (const [text, least, printed] of cases) assert.equal(numberText(text, 'es', least), printed, text);
  assert.throws(() => numberText('1e', 'es', 0));
});

test('given a day, when it is printed, then nobody takes it for another', () => {
  const printed = printedLanguages.map((language) => seen(dayText('2026-04-03', language)));
  assert.deepEqual(printed, ['03/04/2026', '03/04/2026', '2026/04/03', '03/04/2026', '3~Apr~2026']);
});

test('given addresses, when they are printed, then what is known has a line, and the country stands where it matters', () => {
  const home = {
    line1: 'Calle Mayor',
    line2: 'Edificio B',
    number: '1',
    staircase: 'dcha.',
    floor: '2',
    door: 'A',
    postal_code: '28220',
    city: 'Majadahonda',
    province: 'Madrid',
    country: 'ES',
  };
  assert.deepEqual(addressLines(home, 'es', false), [
    'Calle Mayor, 1, esc. dcha., 2.º A',
    'Edificio B',
    '28220 Majadahonda (Madrid)',
  ]);
  assert.deepEqual(addressLines(home, 'en', true).at(-1), 'Spain');
  const cases: [address: Parameters<typeof addressLines>[0], lines: string[]][] = [
    [null, []],
    [{}, []],
    [{ line1: ' ', city: null }, []],
    [
      { line1: 'Plaza Nueva, 3', postal_code: '41001', city: 'Sevilla', province: 'sevilla ' },
      ['Plaza Nueva, 3', '41001 Sevilla'],
    ],
    [{ line1: 'Rúa', floor: 'bajo' }, ['Rúa, bajo']],
    [{ province: 'Lugo' }, ['Lugo']],
    [
      { line1: 'Rue de Rivoli', number: '5', floor: '2', postal_code: '75001', city: 'Paris', country: 'FR' },
      ['Rue de Rivoli 5 2', '75001 Paris', 'Francia'],
    ],
  ];
  for (const [address, lines] of cases) assert.deepEqual(addressLines(address, 'es', false), lines);
  const germany = printedLanguages.map((language) => countryName('DE', language));
  assert.deepEqual(germany, ['Alemania', 'Alemanya', 'Alemania', 'Alemaña', 'Germany']);
  assert.equal(countryName('XG', 'es'), 'XG');
});

test('given the words of every language, when they are listed, then none is empty and each page label has its places', () => {
  const texts = (value: unknown): string[] =>
    typeof value === 'string'
      ? [value]
      : typeof value === 'function'
        ? [value('1', '2')]
        : Object.values(value ?? {}).flatMap(texts);
  for (const language of printedLanguages) {
    const words = printedWords[language];
    for (const text of texts(words)) {
      assert.match(text, /\S/);
      assert.ok(!text.includes('undefined') && !text.includes("'"), text);
    }
    assert.match(words.page, /\{page\}.*\{pages\}/);
  }
});
