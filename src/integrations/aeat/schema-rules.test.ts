/** Our rules refuse all that the official schemas refuse, and mark what they alone refuse. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { officialSchemasFolder, skipWithoutSchemas } from '../../../test/support/official-schemas.ts';
import { anyRecord, withDamage, withWrongValue } from '../../../test/support/verifactu-arbitraries.ts';
import { alta, chained, foreigner, row, system } from '../../../test/support/verifactu-cases.ts';
import type { AltaContent } from '../../modules/verifactu/index.ts';
import { recordCountries } from './countries.ts';
import { loadOfficialSchemas } from './official-schemas.ts';
import { writeRecord } from './record-text.ts';
import { findSchemaFaults, schemaFaultsOf } from './schema-rules.ts';
import { findTextFaults } from './text-rules.ts';

const skip = { skip: skipWithoutSchemas };
const official = () => loadOfficialSchemas(officialSchemasFolder ?? '');
const wrongs = anyRecord.chain(withWrongValue);

const cases: readonly (readonly [string, Partial<AltaContent>, string[]])[] = [
  ['a number of 60 characters', { number: 'A'.repeat(60) }, []],
  [
    'a number of 61 characters',
    { number: 'A'.repeat(61) },
    ['IDFactura/NumSerieFactura: pasa de 60 caracteres'],
  ],
  ['no number', { number: '' }, ['IDFactura/NumSerieFactura: está vacío']],
  ['500 characters beyond the first plane', { description: '🧾'.repeat(500) }, []],
  ['501 of them', { description: '🧾'.repeat(501) }, ['DescripcionOperacion: pasa de 500 caracteres']],
  ['no description', { description: '' }, ['DescripcionOperacion: está vacío']],
  [
    'a day that does not exist',
    { issued_on: '2026-02-30' },
    ['IDFactura/FechaExpedicionFactura: no existe en el calendario'],
  ],
  [
    'a total of 13 digits',
    { total: '1000000000000.00' },
    ['ImporteTotal: no cabe en 12 cifras enteras y 2 decimales'],
  ],
  ['a total with one decimal', { total: '1.5' }, ['ImporteTotal: no lleva dos decimales justos']],
  ['a negative zero', { total: '-0.00' }, ['ImporteTotal: no lleva dos decimales justos']],
  ['no row', { rows: [] }, ['Desglose: está vacío']],
  ['13 rows', { rows: Array.from({ length: 13 }, () => row()) }, ['Desglose: tiene más de 12 líneas']],
  [
    'a row with qualification and exemption',
    { rows: [row({ exemption_reason: 'E1' })] },
    ['Desglose: cada línea lleva calificación o causa de exención, y solo una'],
  ],
  [
    'a rate of four digits',
    { rows: [row({ rate: '1000.00' })] },
    ['Desglose/TipoImpositivo: no cabe en 3 cifras enteras y 2 decimales'],
  ],
  [
    'a recipient of Kosovo',
    { recipients: [foreigner('04', 'XK', '1')] },
    ['IDDestinatario/IDOtro/CodigoPais: no está en su lista'],
  ],
  [
    'a foreign id of 21 characters',
    { recipients: [foreigner('04', 'US', '1'.repeat(21))] },
    ['IDDestinatario/IDOtro/ID: pasa de 20 caracteres'],
  ],
  [
    'a tax id of 8 characters',
    { recipients: [{ name: 'A', tax_id: 'B1234567', foreign_id: null }] },
    ['IDDestinatario/NIF: no tiene 9 caracteres'],
  ],
];

for (const [name, change, faults] of cases) {
  test(`given ${name}, when the record is checked, then it says ${faults.length === 0 ? 'nothing' : 'so'}`, () => {
    assert.deepEqual(findSchemaFaults(chained(alta(change))), faults);
  });
}

test('given a stamp without zone, with fractions or in Zulu time, when the record is checked, then it is a fault', () => {
  for (const stamped_at of ['2026-11-21T10:20:30', '2026-11-21T10:20:30.5+01:00', '2026-11-21T10:20:30Z'])
    assert.deepEqual(findSchemaFaults(chained(alta(), { stamped_at })), [
      'FechaHoraHusoGenRegistro: no es una fecha con hora y huso',
    ]);
});

test('given a system code with Ñ, when the record is checked, then it is a fault', () => {
  assert.deepEqual(findSchemaFaults(chained(alta(), { system: { ...system, code: 'Ñ1' } })), [
    'SistemaInformatico/IdSistemaInformatico: no son dos de A-Z y 0-9',
  ]);
});

test('given texts that are no record of ours, when they are checked, then each is told apart', () => {
  const { xml } = writeRecord(chained(alta()));
  const faults = (text: string) => findTextFaults(text)[0] ?? '';
  assert.match(faults('no xml'), /^No se puede leer: /);
  assert.match(faults('<a/>'), /^No se puede leer: /);
  assert.match(faults(`<!DOCTYPE a>${xml}`), /document type/);
  assert.equal(
    faults(xml.replace('<sf:Desglose>', '<sf:Cupon>S</sf:Cupon><sf:Desglose>')),
    'No se puede leer: en RegistroAlta falta Desglose (sigue Cupon)',
  );
  const own = xml.lastIndexOf('<sf:Huella>') + '<sf:Huella>'.length;
  assert.equal(
    faults(xml.slice(0, own) + xml.slice(own + 1)),
    'Huella: no son 64 cifras hexadecimales en mayúsculas',
  );
});

test('given the countries of records, when they are counted, then they are the 246 of the schema', () => {
  assert.equal(recordCountries.size, 246);
});

test(
  'given any value in a record gone wrong, when ours and the official rules judge, then they agree',
  skip,
  () => {
    const schemas = official();
    let refused = 0;
    fc.assert(
      fc.property(wrongs, (record) => {
        const ours = schemaFaultsOf(record);
        const theirs = schemas.findFaults(writeRecord(record).xml);
        if (theirs.length > 0) refused++;
        if (theirs.length > 0) assert.ok(ours.length > 0, `only the schema refuses: ${theirs.join('; ')}`);
        const plain = ours.filter((fault) => !fault.stricter);
        if (theirs.length === 0) assert.deepEqual(plain, [], 'only our rules refuse');
      }),
      { numRuns: 1500 },
    );
    assert.ok(refused > 300, `too few were refused to say much: ${refused}`);
  },
);

test('given any damage to a text, when the official schema refuses it, then ours do', skip, () => {
  const schemas = official();
  let refused = 0;
  fc.assert(
    fc.property(
      anyRecord.chain((record) => withDamage(writeRecord(record).xml)),
      (xml) => {
        const theirs = schemas.findFaults(xml);
        if (theirs.length === 0) return;
        refused++;
        assert.notDeepEqual(findTextFaults(xml), [], theirs.join('; '));
      },
    ),
    { numRuns: 1500 },
  );
  assert.ok(refused > 300, `too few were refused to say much: ${refused}`);
});

test('given each code of two letters as a country, when both judge, then they agree', skip, () => {
  const schemas = official();
  const { xml } = writeRecord(chained(alta({ recipients: [foreigner('04', 'US', '1')] })));
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const accepted = letters
    .flatMap((one) => letters.map((two) => one + two))
    .filter((country) => schemas.findFaults(xml.replace('>US<', `>${country}<`)).length === 0);
  assert.deepEqual(accepted.sort(), [...recordCountries].sort());
});
