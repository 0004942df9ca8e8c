import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressesIn, isNameTyped, percentOrNull } from './typed.ts';

const cases: [name: string, typed: string, is_typed: boolean][] = [
  ['ERP', 'ERP', true],
  ['ERP', ' ERP ', true],
  [' ERP de  Soria ', 'ERP de Soria', true],
  [' ERP de  Soria ', ' ERP de  Soria ', true],
  ['ERP\u00a0de\tSoria', 'ERP de Soria', true],
  ['ERP', 'erp', false],
  ['ERP de Soria', 'ERPdeSoria', false],
  ['ERP', '', false],
];

for (const [name, typed, is_typed] of cases) {
  test(`given the name "${name}", then "${typed}" ${is_typed ? 'confirms' : 'does not confirm'} it`, () => {
    assert.equal(isNameTyped(typed, name), is_typed);
  });
}

test('given a percentage with its sign, then its number is sent, and what is none stays as it was typed', () => {
  const sent = ['10', '10 %', '10,5%', '10\u00a0%', '', '%', 'diez %', '10 €%x'].map((typed) =>
    percentOrNull(typed, 'es'),
  );
  assert.deepEqual(sent, [10, 10, 10.5, 10, null, null, 'diez', '10 €%x']);
});

test('given addresses as people type and mail programs copy them, then none is lost, and names are left out', () => {
  const found = [
    'a@x.es, b@x.es;c@x.es d@x.es',
    'Ana Ruiz <a@x.es>; "Soler, Eva" <b@x.es>',
    'a@x.es Eva <b@x.es>',
    '<a@x.es>',
    '"a@x.es", nadie',
    ' ',
  ].map(addressesIn);
  assert.deepEqual(found, [
    ['a@x.es', 'b@x.es', 'c@x.es', 'd@x.es'],
    ['a@x.es', 'b@x.es'],
    ['a@x.es', 'b@x.es'],
    ['a@x.es'],
    ['"a@x.es"', 'nadie'],
    [],
  ]);
});
