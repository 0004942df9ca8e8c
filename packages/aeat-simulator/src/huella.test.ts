import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { after, alta, annulment, type Fields, invoiceId, tag } from '../test/authority-messages.ts';
import { huellaOf } from './huella.ts';
import { namespaces } from './namespaces.ts';
import { readRecord } from './records.ts';
import { toTree, withDocument } from './xml-tree.ts';

const hash = (text: string) => createHash('sha256').update(text).digest('hex').toUpperCase();
const of = (record: string) =>
  withDocument(`<a xmlns:sf="${namespaces.sf}">${record}</a>`, (root) =>
    huellaOf(readRecord(toTree(root).children[0] as ReturnType<typeof toTree>)),
  );

const published: Fields = {
  IDFactura: invoiceId('12345678/G33', '01-01-2024', '89890001K'),
  TipoFactura: 'F1',
  CuotaTotal: '12.35',
  ImporteTotal: '123.45',
  FechaHoraHusoGenRegistro: '2024-01-01T19:20:30+01:00',
};

test("the authority's example", () => {
  assert.equal(of(alta('', published)), '3C464DAF61ACB827C65FDA19F352A4E3BDC2C640E9E9FC4CC058073F38F12F60');
});

const start =
  'IDEmisorFactura=89890001K&NumSerieFactura=12345678/G33&FechaExpedicionFactura=01-01-2024&TipoFactura=F1';
const end = '&FechaHoraHusoGenRegistro=2024-01-01T19:20:30+01:00';
const cases: [what: string, fields: Fields, text: string][] = [
  [
    'amounts as written',
    { CuotaTotal: '+12.3', ImporteTotal: '-123' },
    `${start}&CuotaTotal=+12.3&ImporteTotal=-123&Huella=${end}`,
  ],
  [
    'the previous huella',
    { Encadenamiento: after('A0', '31-12-2023', 'F'.repeat(64)) },
    `${start}&CuotaTotal=12.35&ImporteTotal=123.45&Huella=${'F'.repeat(64)}${end}`,
  ],
];
for (const [what, fields, text] of cases) {
  test(what, () => assert.equal(of(alta('', { ...published, ...fields })), hash(text)));
}

test('blanks at the ends go, those inside and other characters stay as they are', () => {
  const record = alta('', { ...published, IDFactura: invoiceId(' A &amp; B\t', '01-01-2024', '89890001K') });
  const text = `${start.replace('12345678/G33', 'A & B')}&CuotaTotal=12.35&ImporteTotal=123.45&Huella=${end}`;
  assert.equal(of(record), hash(text));
});

test('an anulación', () => {
  const id =
    tag('IDEmisorFacturaAnulada', '89890001K') +
    tag('NumSerieFacturaAnulada', 'A1') +
    tag('FechaExpedicionFacturaAnulada', '01-01-2024');
  const text = `IDEmisorFacturaAnulada=89890001K&NumSerieFacturaAnulada=A1&FechaExpedicionFacturaAnulada=01-01-2024&Huella=&FechaHoraHusoGenRegistro=2024-01-01T19:20:30+01:00`;
  assert.equal(
    of(annulment('', { IDFactura: id, FechaHoraHusoGenRegistro: '2024-01-01T19:20:30+01:00' })),
    hash(text),
  );
});
