import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import { recordingCompany, issueTicketOf, recordOf } from '../../../../test/support/recording-company.ts';
import { assertNeedsScope } from '../../../../test/support/resource-checks.ts';

const path = '/v1/verifactu/declaracion-responsable';
const env = {
  FOLIO_PRODUCER_NAME: 'Folio Software SL',
  FOLIO_PRODUCER_TAX_ID: 'B12345674',
  FOLIO_PRODUCER_ADDRESS: 'Calle Mayor 1, 28013 Madrid, España',
  FOLIO_PRODUCER_PLACE: 'Madrid, España',
};

test('given a configured producer, when the declaration is read, then it has what the law asks, in its order', async (t) => {
  const app = await startApp(t, { env });
  const { key } = await recordingCompany(app);
  const res = await app.get(path, { key });
  assert.equal(res.status, 200, res.text);
  const { data } = res.body;
  assert.deepEqual(
    [
      data.is_configured,
      data.system_name,
      data.system_code,
      data.is_verifactu_only,
      data.supports_many_taxpayers,
    ],
    [true, 'Folio', 'FO', false, true],
  );
  assert.deepEqual(
    [data.producer_name, data.producer_tax_id, data.producer_address, data.place, data.notice],
    ['Folio Software SL', 'B12345674', env.FOLIO_PRODUCER_ADDRESS, 'Madrid, España', null],
  );
  assert.ok(data.components.length >= 2 && data.signature_types.length >= 1);
  for (const law of ['29.2.j)', '1007/2023', 'HAC/1177/2024', 'sede electrónica'])
    assert.ok(data.statement.includes(law), law);

  const text: string = data.text;
  assert.ok(text.startsWith('DECLARACIÓN RESPONSABLE DEL SISTEMA INFORMÁTICO DE FACTURACIÓN\n'));
  const letters = [...text.matchAll(/^([a-l])\) .+:$/gm)].map(([, letter]) => letter).join('');
  assert.equal(letters, 'abcdefghijkl');
  const parts = [
    data.system_name,
    data.system_code,
    data.version,
    data.components[0].description,
    'VERI*FACTU:\nNo',
    'tributarios:\nSí',
    data.signature_types[0],
    data.producer_name,
    data.producer_tax_id,
    data.producer_address,
    data.statement,
    'de 2026, Madrid, España',
  ];
  let from = 0;
  for (const part of parts) {
    from = text.indexOf(part, from);
    assert.ok(from >= 0, `${part} comes in its place`);
    from += 1;
  }

  // Each record names the system as the declaration does.
  const { id } = await recordOf(app, key, (await issueTicketOf(app, key)).id);
  const xml = (await app.get(`/v1/verifactu/records/${id}/xml`, { key })).text;
  for (const said of [
    `<sf:NombreSistemaInformatico>${data.system_name}<`,
    `<sf:IdSistemaInformatico>${data.system_code}<`,
    `<sf:Version>${data.version}<`,
    '<sf:TipoUsoPosibleSoloVerifactu>N<',
    '<sf:TipoUsoPosibleMultiOT>S<',
  ])
    assert.ok(xml.includes(said), said);
});

test('given a producer of whom something is missing, when the declaration is read, then nobody declares, and it says so', async (t) => {
  for (const without of ['FOLIO_PRODUCER_ADDRESS', 'FOLIO_PRODUCER_PLACE']) {
    const app = await startApp(t, { env: { ...env, [without]: '' } });
    const { live_key: key } = await app.given.company();
    const { data } = (await app.get(path, { key })).body;
    assert.deepEqual(
      [data.is_configured, data.producer_name, data.statement, data.signed_on, data.place, data.text],
      [false, null, null, null, null, null],
    );
    assert.match(data.notice, /no está configurado/);
    assert.equal(data.system_name, 'Folio');
  }
});

test('given a key without its scope, when the declaration is read, then it is refused', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  await assertNeedsScope(app, acme, 'verifactu:read', 'GET', path);
});
