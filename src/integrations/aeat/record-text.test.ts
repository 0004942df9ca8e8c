/** `FOLIO_TEST_UPDATE=1` rewrites the golden files. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { XmlC14NMode } from 'libxml2-wasm';
import { officialSchemasFolder, skipWithoutSchemas } from '../../../test/support/official-schemas.ts';
import { anyRecord } from '../../../test/support/verifactu-arbitraries.ts';
import { alta, anulacion, chained, recordCases } from '../../../test/support/verifactu-cases.ts';
import { findCombinationFaults } from './combination-rules.ts';
import { huellaText } from './huella.ts';
import { loadOfficialSchemas } from './official-schemas.ts';
import { readRecord } from './read-record.ts';
import { writeRecord } from './record-text.ts';
import { findSchemaFaults } from './schema-rules.ts';
import { findTextFaults } from './text-rules.ts';
import { openXml } from './xml-tree.ts';

const goldenFolder = fileURLToPath(new URL('../../../test/golden/verifactu/', import.meta.url));
const is_update = process.env.FOLIO_TEST_UPDATE === '1';

function canonical(xml: string): string {
  using document = openXml(xml);
  return document.canonicalizeToString({ mode: XmlC14NMode.XML_C14N_1_0 });
}

test('given the published example, when its huella is taken, then it is the published one', () => {
  const content = alta({
    issuer: { name: 'Certificado Uno Telemáticas', tax_id: '89890001K' },
    number: '12345678/G33',
    issued_on: '2024-01-01',
    tax_total: '12.35',
    total: '123.45',
  });
  const record = chained(content, { previous: null, stamped_at: '2024-01-01T19:20:30+01:00' });
  assert.equal(
    huellaText(record),
    'IDEmisorFactura=89890001K&NumSerieFactura=12345678/G33&FechaExpedicionFactura=01-01-2024&TipoFactura=F1' +
      '&CuotaTotal=12.35&ImporteTotal=123.45&Huella=&FechaHoraHusoGenRegistro=2024-01-01T19:20:30+01:00',
  );
  assert.equal(
    writeRecord(record).huella,
    '3C464DAF61ACB827C65FDA19F352A4E3BDC2C640E9E9FC4CC058073F38F12F60',
  );
});

test('given blanks around a number and markup in it, when the huella is taken, then ends are trimmed and nothing is escaped', () => {
  const text = (number: string) => huellaText(chained(anulacion({ number })));
  assert.match(
    text(' \t A & B/1 \r\n'),
    /&NumSerieFacturaAnulada=A & B\/1&FechaExpedicionFacturaAnulada=21-11-2026&/,
  );
  assert.match(
    text('\u00a0A'),
    /&NumSerieFacturaAnulada=\u00a0A&/,
    'the no-break space is no blank of the rule',
  );
});

for (const [name, record] of recordCases) {
  test(`given the case ${name}, when it is written, then it is the golden file and breaks no rule of ours`, () => {
    const { xml, huella } = writeRecord(record);
    const file = `${goldenFolder}${name}.xml`;
    if (is_update) {
      mkdirSync(goldenFolder, { recursive: true });
      writeFileSync(file, xml);
    }
    assert.equal(xml, readFileSync(file, 'utf8'));
    assert.equal(canonical(xml), xml, 'the text is its own canonical form');
    const { content } = record;
    assert.deepEqual(findSchemaFaults(record), []);
    assert.deepEqual(findTextFaults(xml), []);
    if (content.kind === 'alta') assert.deepEqual(findCombinationFaults(content), []);
    assert.deepEqual(readRecord(xml), { ...record, huella, is_signed: false });
  });
}

test('given the golden files, when they are listed, then each belongs to a case', () => {
  const names = readdirSync(goldenFolder).map((file) => file.replace(/\.xml$/, ''));
  assert.deepEqual(names.sort(), [...recordCases.keys()].sort());
});

test('given every golden file, when the official schema reads it, then it is valid', {
  skip: skipWithoutSchemas,
}, () => {
  const schemas = loadOfficialSchemas(officialSchemasFolder ?? '');
  for (const name of recordCases.keys())
    assert.deepEqual(schemas.findFaults(readFileSync(`${goldenFolder}${name}.xml`, 'utf8')), [], name);
});

test('given any record, when it is written and read back, then nothing is lost and the text is canonical', () => {
  fc.assert(
    fc.property(anyRecord, (record) => {
      const { xml, huella } = writeRecord(record);
      assert.deepEqual(readRecord(xml), { ...record, huella, is_signed: false });
      assert.equal(canonical(xml), xml);
    }),
    { numRuns: 300 },
  );
});

test('given any record, when the official schema reads its text, then it is valid', {
  skip: skipWithoutSchemas,
}, () => {
  const schemas = loadOfficialSchemas(officialSchemasFolder ?? '');
  fc.assert(
    fc.property(anyRecord, (record) => {
      assert.deepEqual(schemas.findFaults(writeRecord(record).xml), []);
      assert.deepEqual(findSchemaFaults(record), []);
    }),
    { numRuns: 500 },
  );
});

test('given characters that XML cannot hold, when the record is written, then it stays readable and is told as a fault', () => {
  const record = chained(alta({ description: 'a\u0000b\ud800c\uffff', number: '\u0001' }));
  const { xml } = writeRecord(record);
  const { content } = readRecord(xml);
  assert.equal(content.kind === 'alta' && content.description, 'a\ufffdb\ufffdc\ufffd');
  assert.equal(writeRecord(readRecord(xml)).huella, writeRecord(record).huella);
  assert.deepEqual(findSchemaFaults(record), [
    'IDFactura/NumSerieFactura: lleva caracteres que XML no admite',
    'DescripcionOperacion: lleva caracteres que XML no admite',
  ]);
});
