import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PrintedLanguage, printedLanguages } from '../../../domain/printing/printed-document.ts';
import { fillTokens, tokenNames, unknownToken } from './tokens.ts';

const period = { start: '2027-02-28', end: '2027-03-30' };

const texts: [language: PrintedLanguage, text: string, expected: string][] = [
  ['es', 'Alquiler de {month_name} de {year}', 'Alquiler de febrero de 2027'],
  ['ca', '{month_name} {year}', 'febrer 2027'],
  ['gl', '{month_name}', 'febreiro'],
  ['eu', '{month_name}', 'otsaila'],
  ['en', '{month_name}', 'February'],
  ['es', '{month}/{year}, T{quarter}', '02/2027, T1'],
  ['es', 'Del {period_start} al {period_end}', 'Del 28/02/2027 al 30/03/2027'],
  ['eu', '{period_start}', '2027/02/28'],
  ['es', 'sin más } y {', 'sin más } y {'],
  ['es', '{otro}', '{otro}'],
];
for (const [language, text, expected] of texts)
  test(`${text} in ${language}`, () => assert.equal(fillTokens(text, period, language), expected));

const faults: [text: string | null, expected: string | undefined][] = [
  [null, undefined],
  ['nada', undefined],
  ['{month} {month_name} {quarter} {year} {period_start} {period_end}', undefined],
  ['{mes}', '{mes}'],
  ['{year} y {}', '{}'],
  ['{ year }', '{ year }'],
  ['{toString}', '{toString}'],
  ['{{year}}', undefined],
];
for (const [text, expected] of faults)
  test(`unknown in ${text}`, () => assert.equal(unknownToken(text), expected));

test('a filled token is never longer than the token, so a text still fits', () => {
  for (const language of printedLanguages)
    for (const name of tokenNames)
      for (let month = 1; month <= 12; month++) {
        const start = `2027-${String(month).padStart(2, '0')}-28`;
        assert.ok(fillTokens(`{${name}}`, { start, end: start }, language).length <= name.length + 2, name);
      }
});
