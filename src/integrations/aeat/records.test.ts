import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testCertificates } from '../../../test/support/certificates.ts';
import { officialSchemasFolder, skipWithoutSchemas } from '../../../test/support/official-schemas.ts';
import { alta, anulacion, chained, issuer, system } from '../../../test/support/verifactu-cases.ts';
import type { ChainedEvent } from '../../modules/verifactu/index.ts';
import { loadOfficialSchemas } from './official-schemas.ts';
import { makeRecords } from './records.ts';

const signed_at = '2026-11-21T10:20:31+01:00';
const stamped_at = '2026-11-21T10:20:30+01:00';
const event: ChainedEvent = {
  details: { type: '01' },
  note: null,
  taxpayer: issuer,
  system,
  previous: null,
  stamped_at,
};

test('given records and an event, when they are signed, then they are read as before and the signature is right', async () => {
  const records = makeRecords(null);
  const reader = await records.reader();
  for (const content of [alta({ description: 'a & b\r\n€' }), anulacion()]) {
    const record = chained(content);
    const { xml, huella } = records.writeRecord(record);
    const signed = await records.sign(xml, testCertificates.company(), signed_at);
    assert.deepEqual(reader.readRecord(signed), { ...record, huella, is_signed: true });
    assert.equal(reader.checkSignature(signed).is_valid, true);
    assert.deepEqual(reader.findTextFaults(signed), []);
    assert.equal(records.huellaOf(reader.readRecord(signed)), huella);
  }
  const { xml, huella } = records.writeEvent(event);
  const signed = await records.sign(xml, testCertificates.company(), signed_at);
  assert.deepEqual(reader.readEvent(signed), { ...event, huella, is_signed: true });
  assert.equal(reader.checkSignature(signed).is_valid, true);
  assert.equal(records.huellaOfEvent(event), huella);
});

test('given the official schemas, when texts are checked, then they are asked too', {
  skip: skipWithoutSchemas,
}, async () => {
  const schemas = loadOfficialSchemas(officialSchemasFolder ?? '');
  const records = makeRecords(schemas);
  const reader = await records.reader();
  for (const content of [alta(), anulacion()]) {
    const signed = await records.sign(
      records.writeRecord(chained(content)).xml,
      testCertificates.company(),
      signed_at,
    );
    assert.deepEqual(reader.findTextFaults(signed), []);
    const broken = signed.replace(/<sf:Version>[^<]*/, `<sf:Version>${'1'.repeat(51)}`);
    const [own, official, ...others] = reader.findTextFaults(broken);
    assert.equal(own, 'SistemaInformatico/Version: pasa de 50 caracteres');
    assert.match(official ?? '', /^line 1: .*Version.*maximum length of '50'/);
    assert.deepEqual(others, []);
  }
  const signed = await records.sign(records.writeEvent(event).xml, testCertificates.seal(), signed_at);
  assert.deepEqual(schemas.findFaults(signed), []);
});

test('given a folder that is none, when the schemas are loaded, then it is told at once', () => {
  assert.throws(() => loadOfficialSchemas('/nowhere/at/all'), /ENOENT/);
});
