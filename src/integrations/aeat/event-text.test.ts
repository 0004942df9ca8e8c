import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { XmlC14NMode } from 'libxml2-wasm';
import { officialSchemasFolder, skipWithoutSchemas } from '../../../test/support/official-schemas.ts';
import { anyEvent, withDamage } from '../../../test/support/verifactu-arbitraries.ts';
import { foreigner, issuer, previous, system } from '../../../test/support/verifactu-cases.ts';
import type { ChainedEvent, EventDetails } from '../../modules/verifactu/index.ts';
import { eventCountries } from './countries.ts';
import { eventFaultsOf, findEventSchemaFaults } from './event-rules.ts';
import { writeEvent } from './event-text.ts';
import { eventHuellaText } from './huella.ts';
import { loadOfficialSchemas } from './official-schemas.ts';
import { readEvent } from './read-event.ts';
import { openXml } from './xml-tree.ts';

const goldenFolder = fileURLToPath(new URL('../../../test/golden/verifactu-events/', import.meta.url));
const skip = { skip: skipWithoutSchemas };
const official = () => loadOfficialSchemas(officialSchemasFolder ?? '');

const before = { type: '01', stamped_at: '2026-11-21T08:00:00+01:00', huella: previous.huella } as const;
const { huella: _, ...anomalous } = previous;
const stamps = { from: '2026-11-01T00:00:00+01:00', to: '2026-11-30T23:59:59+01:00' };
const records = {
  first: previous,
  last: previous,
  altas: 12,
  tax_total: '21.00',
  total: '-121.00',
  anulaciones: 1,
};
const checked = { huellas: 12, signatures: null, links: 0, dates: 9999 };

const cases: readonly (readonly [string, EventDetails])[] = [
  ['01-start', { type: '01' }],
  ['02-stop', { type: '02' }],
  ['03-check-of-records', { type: '03', checked }],
  ['04-anomaly', { type: '04', anomaly: '07', text: 'Huella <distinta> & rota', record: anomalous }],
  ['04-anomaly-of-the-whole', { type: '04', anomaly: '90', text: null, record: null }],
  ['05-check-of-events', { type: '05', checked }],
  ['06-anomaly-of-event', { type: '06', anomaly: '02', text: null, event: before }],
  ['07-restored', { type: '07' }],
  ['08-export-of-records', { type: '08', ...stamps, records, is_no_longer_kept: false }],
  [
    '09-export-of-events',
    { type: '09', ...stamps, first: before, last: before, count: 7, is_no_longer_kept: true },
  ],
  [
    '10-summary',
    {
      type: '10',
      counts: [
        { type: '03', count: 1 },
        { type: '90', count: 2 },
      ],
      records,
    },
  ],
  [
    '10-summary-of-nothing',
    {
      type: '10',
      counts: [{ type: '10', count: 0 }],
      records: { first: null, last: null, altas: 0, tax_total: '0.00', total: '0.00', anulaciones: 0 },
    },
  ],
  ['90-other', { type: '90' }],
];

function eventOf(details: EventDetails, change: Partial<ChainedEvent> = {}): ChainedEvent {
  const stamped_at = '2026-11-21T10:20:30+01:00';
  return { details, note: null, taxpayer: issuer, system, previous: before, stamped_at, ...change };
}

/** The least that the schema takes for a signature. */
function withSignature(xml: string): string {
  const ds = 'http://www.w3.org/2000/09/xmldsig#';
  const digest = `<ds:DigestMethod Algorithm="${ds}sha1"></ds:DigestMethod><ds:DigestValue>AA==</ds:DigestValue>`;
  const signature =
    `<ds:Signature><ds:SignedInfo><ds:CanonicalizationMethod Algorithm="${ds}c"></ds:CanonicalizationMethod>` +
    `<ds:SignatureMethod Algorithm="${ds}s"></ds:SignatureMethod><ds:Reference URI="">${digest}</ds:Reference>` +
    '</ds:SignedInfo><ds:SignatureValue>AA==</ds:SignatureValue></ds:Signature>';
  return xml.replace('</ev:Evento>', `${signature}</ev:Evento>`);
}

for (const [name, details] of cases) {
  test(`given the event ${name}, when it is written, then it is the golden file and breaks no rule of ours`, () => {
    const event = eventOf(details, { note: name.startsWith('90') ? 'Nota del usuario' : null });
    const { xml, huella } = writeEvent(event);
    const file = `${goldenFolder}${name}.xml`;
    if (process.env.FOLIO_TEST_UPDATE === '1') {
      mkdirSync(goldenFolder, { recursive: true });
      writeFileSync(file, xml);
    }
    assert.equal(xml, readFileSync(file, 'utf8'));
    using document = openXml(xml);
    assert.equal(document.canonicalizeToString({ mode: XmlC14NMode.XML_C14N_1_0 }), xml);
    assert.deepEqual(readEvent(xml), { ...event, huella, is_signed: false });
    assert.deepEqual(readEvent(withSignature(xml)), { ...event, huella, is_signed: true });
    assert.deepEqual(findEventSchemaFaults(event), []);
  });
}

test('given an event, when its huella is taken, then both tax ids are in it and the producer has one of its two', () => {
  const event = eventOf({ type: '03', checked }, { previous: null });
  const rest =
    '&IdSistemaInformatico=FO&Version=1.0.0&NumeroInstalacion=20261121102030-000001&NIF=B12345674&TipoEvento=03' +
    '&HuellaEvento=&FechaHoraHusoGenEvento=2026-11-21T10:20:30+01:00';
  assert.equal(eventHuellaText(event), `NIF=B87654323&ID=${rest}`);
  const producer = foreigner('04', 'FR', '552100554');
  assert.equal(eventHuellaText({ ...event, system: { ...system, producer } }), `NIF=&ID=552100554${rest}`);
  const text = eventHuellaText({ ...event, previous: before });
  assert.match(text, new RegExp(`&HuellaEvento=${before.huella}&FechaHoraHusoGenEvento=`));
  const expected = createHash('sha256').update(text, 'utf8').digest('hex').toUpperCase();
  assert.equal(writeEvent({ ...event, previous: before }).huella, expected);
});

test('given counts beyond their digits and an export of nothing, when the events are checked, then each is a fault', () => {
  const faults = (details: EventDetails) => findEventSchemaFaults(eventOf(details));
  const none = { huellas: null, signatures: null, links: null, dates: null };
  assert.deepEqual(faults({ type: '03', checked: { ...none, huellas: 9_999_999 } }), []);
  assert.deepEqual(faults({ type: '03', checked: { ...none, huellas: 10_000_000 } }), [
    'NumeroDeRegistrosProcesados: no cabe en 7 cifras',
  ]);
  assert.deepEqual(faults({ type: '05', checked: { ...none, links: 100_000 } }), [
    'NumeroDeRegistrosProcesados: no cabe en 5 cifras',
  ]);
  assert.deepEqual(faults({ type: '10', counts: [], records }), ['ResumenEventos: está vacío']);
  assert.deepEqual(
    faults({ type: '08', ...stamps, records: { ...records, first: null }, is_no_longer_kept: true }),
    ['ExportacionRegFacturacionPeriodo: no nombra el primer registro y el último'],
  );
  assert.deepEqual(findEventSchemaFaults(eventOf({ type: '01' }, { note: 'x'.repeat(101) })), [
    'OtrosDatosEvento: pasa de 100 caracteres',
  ]);
  assert.match(findEventSchemaFaults('<a/>')[0] ?? '', /^No se puede leer: /);
});

test('given any event, when it is written and read back, then nothing is lost', () => {
  fc.assert(
    fc.property(anyEvent, (event) => {
      const { xml, huella } = writeEvent(event);
      assert.deepEqual(readEvent(xml), { ...event, huella, is_signed: false });
    }),
    { numRuns: 300 },
  );
});

test('given any event with a signature, when the official schema reads it, then it is valid', skip, () => {
  const schemas = official();
  for (const [name, details] of cases)
    assert.deepEqual(schemas.findFaults(withSignature(writeEvent(eventOf(details)).xml)), [], name);
  fc.assert(
    fc.property(anyEvent, (event) => {
      const { xml } = writeEvent(event);
      assert.deepEqual(schemas.findFaults(withSignature(xml)), []);
      assert.deepEqual(eventFaultsOf(event), []);
      assert.notDeepEqual(schemas.findFaults(xml), [], 'the schema wants a signature');
    }),
    { numRuns: 500 },
  );
});

test('given any damage to an event, when the official schema refuses it, then ours do', skip, () => {
  const schemas = official();
  let refused = 0;
  fc.assert(
    fc.property(
      anyEvent.chain((event) => withDamage(withSignature(writeEvent(event).xml))),
      (xml) => {
        const theirs = schemas.findFaults(xml);
        if (theirs.length === 0) return;
        refused++;
        assert.notDeepEqual(findEventSchemaFaults(xml), [], theirs.join('; '));
      },
    ),
    { numRuns: 1500 },
  );
  assert.ok(refused > 300, `too few were refused to say much: ${refused}`);
});

test('given the countries of events, when they are counted, then they are the 245 of the schema', () => {
  assert.equal(eventCountries.size, 245);
  assert.equal(eventCountries.has('RE'), false);
});
