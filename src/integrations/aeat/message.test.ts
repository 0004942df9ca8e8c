import assert from 'node:assert/strict';
import { test } from 'node:test';
import { officialSchemasFolder, skipWithoutSchemas } from '../../../test/support/official-schemas.ts';
import { alta, anulacion, chained, issuer, recordCases } from '../../../test/support/verifactu-cases.ts';
import { readAnswer } from './answer.ts';
import { qrUrl, serviceUrl } from './endpoints.ts';
import { writeMessage } from './message.ts';
import { namespaces } from './names.ts';
import { answerBytesMax } from './no-answer.ts';
import { loadOfficialSchemas } from './official-schemas.ts';
import { writeRecord } from './record-text.ts';

const texts = [...recordCases.values()].map((record) => writeRecord(record).xml);
const plain = { taxpayer: issuer, is_incident: false, ends_on: null, records: texts };

function withoutEnvelope(message: string): string {
  return message.slice(message.indexOf('<lr:RegFactu'), message.indexOf('</soapenv:Body>'));
}

test('given records, when the message is written, then each is in it byte for byte and in order', () => {
  const message = writeMessage(plain);
  let at = 0;
  for (const text of texts) {
    at = message.indexOf(`<lr:RegistroFactura>${text}</lr:RegistroFactura>`, at);
    assert.notEqual(at, -1);
  }
  assert.equal(writeMessage(plain), message, 'the same message is the same text');
});

test('given marks of the header, when the message is written, then only what is said is there', () => {
  const header = (change: object) =>
    /<\/sf:ObligadoEmision>(.*)<\/lr:Cabecera>/.exec(writeMessage({ ...plain, ...change }))?.[1];
  assert.equal(header({}), '');
  assert.equal(
    header({ is_incident: true }),
    '<sf:RemisionVoluntaria><sf:Incidencia>S</sf:Incidencia></sf:RemisionVoluntaria>',
  );
  assert.equal(
    header({ is_incident: true, ends_on: '2026-12-31' }),
    '<sf:RemisionVoluntaria><sf:FechaFinVeriFactu>31-12-2026</sf:FechaFinVeriFactu><sf:Incidencia>S</sf:Incidencia></sf:RemisionVoluntaria>',
  );
});

test('given no record, or 1,001, when the message is written, then it is refused', () => {
  assert.throws(() => writeMessage({ ...plain, records: [] }), RangeError);
  assert.throws(() => writeMessage({ ...plain, records: Array(1001).fill(texts[0]) }), RangeError);
});

test('given messages, when the official schema reads them, then they are valid', {
  skip: skipWithoutSchemas,
}, () => {
  const schemas = loadOfficialSchemas(officialSchemasFolder ?? '');
  const taxpayer = { name: 'Pérez & Cía', tax_id: 'B12345674' };
  for (const is_incident of [false, true])
    for (const ends_on of [null, '2026-12-31'])
      assert.deepEqual(
        schemas.findFaults(withoutEnvelope(writeMessage({ taxpayer, is_incident, ends_on, records: texts }))),
        [],
      );
  const thousand = Array(1000).fill(texts[0]);
  assert.deepEqual(schemas.findFaults(withoutEnvelope(writeMessage({ ...plain, records: thousand }))), []);
});

test('given environments and kinds of certificate, when addresses are asked, then they are the published ones', () => {
  const path = '/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP';
  assert.equal(serviceUrl('production', 'person'), `https://www1.agenciatributaria.gob.es${path}`);
  assert.equal(serviceUrl('production', 'seal'), `https://www10.agenciatributaria.gob.es${path}`);
  assert.equal(serviceUrl('preproduction', 'person'), `https://prewww1.aeat.es${path}`);
  assert.equal(serviceUrl('preproduction', 'seal'), `https://prewww10.aeat.es${path}`);
});

test('given an invoice, when its QR is asked, then the four values are encoded in their order', () => {
  const invoice = { tax_id: 'B12345674', number: 'A+B&1/2 Ñ', issued_on: '2026-11-21', total: '-241.40' };
  const query = 'nif=B12345674&numserie=A%2BB%261%2F2%20%C3%91&fecha=21-11-2026&importe=-241.40';
  assert.equal(
    qrUrl('production', 'verifactu', invoice),
    `https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR?${query}`,
  );
  assert.equal(
    qrUrl('preproduction', 'no_verifactu', invoice),
    `https://prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQRNoVerifactu?${query}`,
  );
});

const line = (state: string, more = '', kind = 'Alta') =>
  '<r:RespuestaLinea><r:IDFactura><sf:IDEmisorFactura>B12345674</sf:IDEmisorFactura>' +
  '<sf:NumSerieFactura>A&amp;B/1</sf:NumSerieFactura><sf:FechaExpedicionFactura>21-11-2026</sf:FechaExpedicionFactura>' +
  `</r:IDFactura><r:Operacion><sf:TipoOperacion>${kind}</sf:TipoOperacion></r:Operacion>` +
  `<r:RefExterna>ref-1</r:RefExterna><r:EstadoRegistro>${state}</r:EstadoRegistro>${more}</r:RespuestaLinea>`;

function reply(
  lines: string,
  { csv = '<r:CSV>A-1234567890ABCD</r:CSV>', wait = '60', total = 'Correcto' } = {},
): string {
  return (
    `<r:RespuestaRegFactuSistemaFacturacion xmlns:r="${namespaces.answer}" xmlns:sf="${namespaces.record}">${csv}` +
    '<r:Cabecera><sf:ObligadoEmision><sf:NombreRazon>A</sf:NombreRazon><sf:NIF>B12345674</sf:NIF>' +
    `</sf:ObligadoEmision></r:Cabecera><r:TiempoEsperaEnvio>${wait}</r:TiempoEsperaEnvio>` +
    `<r:EstadoEnvio>${total}</r:EstadoEnvio>${lines}</r:RespuestaRegFactuSistemaFacturacion>`
  );
}

const envelope = (body: string) =>
  '<?xml version="1.0" encoding="UTF-8"?><env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/">' +
  `<env:Header/><env:Body Id="Body">${body}</env:Body></env:Envelope>`;
const read = (text: string) => readAnswer(new TextEncoder().encode(text));
const fault = (code: string, text: string) =>
  envelope(`<env:Fault><faultcode>${code}</faultcode><faultstring>${text}</faultstring></env:Fault>`);

const common = { tax_id: 'B12345674', number: 'A&B/1', issued_on: '2026-11-21', reference: 'ref-1' };
const fine = { code: null, message: null, duplicate: null };
const error = (code: string) =>
  `<r:CodigoErrorRegistro>${code}</r:CodigoErrorRegistro><r:DescripcionErrorRegistro>Error ${code} &lt;x&gt;</r:DescripcionErrorRegistro>`;
const duplicate = (state: string, more = '') =>
  '<r:RegistroDuplicado><sf:IdPeticionRegistroDuplicado>20261121</sf:IdPeticionRegistroDuplicado>' +
  `<sf:EstadoRegistroDuplicado>${state}</sf:EstadoRegistroDuplicado>${more}</r:RegistroDuplicado>`;

test('given an answer, when it is read, then each line says what became of its record', () => {
  const text = envelope(
    reply(
      line('Correcto') +
        line('AceptadoConErrores', error('2000')) +
        line('Incorrecto', error('1142'), 'Anulacion') +
        line('Incorrecto', error('3000') + duplicate('Correcta')) +
        line(
          'Incorrecto',
          error('3000') +
            duplicate('AceptadaConErrores', '<sf:CodigoErrorRegistro>2000</sf:CodigoErrorRegistro>'),
        ) +
        line('Incorrecto', error('3000') + duplicate('Anulada')),
      { total: 'ParcialmenteCorrecto', wait: '120' },
    ),
  );
  const told = (code: string) => ({ code, message: `Error ${code} <x>` });
  const known = (state: string, code: string | null = null) => ({
    ...common,
    kind: 'alta',
    state: 'rejected',
    ...told('3000'),
    duplicate: { state, code, message: null },
  });
  assert.deepEqual(read(text), {
    kind: 'answer',
    csv: 'A-1234567890ABCD',
    wait_seconds: 120,
    lines: [
      { ...common, kind: 'alta', state: 'accepted', ...fine },
      { ...common, kind: 'alta', state: 'accepted_with_errors', ...told('2000'), duplicate: null },
      { ...common, kind: 'anulacion', state: 'rejected', ...told('1142'), duplicate: null },
      known('accepted'),
      known('accepted_with_errors', '2000'),
      known('annulled'),
    ],
    raw: text,
  });
});

test('given an answer of these tests, when the official schema reads it, then it is valid', {
  skip: skipWithoutSchemas,
}, () => {
  const schemas = loadOfficialSchemas(officialSchemasFolder ?? '');
  const lines = line('Correcto') + line('Incorrecto', error('3000') + duplicate('Anulada'), 'Anulacion');
  assert.deepEqual(schemas.findFaults(reply(lines)), []);
});

test('given an answer without CSV and waiting time, when it is read, then there is none and the legal minute', () => {
  const result = read(
    envelope(reply(line('Incorrecto', error('1100')), { csv: '', wait: '', total: 'Incorrecto' })),
  );
  assert.equal(result.kind, 'answer');
  assert.ok(result.kind === 'answer');
  assert.equal(result.csv, null);
  assert.equal(result.wait_seconds, 60);
});

test('given faults, when they are read, then only one that would come again is final', () => {
  const of = (code: string, text: string) => {
    const { raw: _, ...rest } = { raw: '', ...read(fault(code, text)) };
    return rest;
  };
  const refused = 'Codigo[4104].Error en la cabecera: el NIF no está identificado.';
  assert.deepEqual(of('env:Client', refused), {
    kind: 'fault',
    is_client: true,
    code: '4104',
    message: refused,
  });
  assert.deepEqual(of('Client', 'Codigo[4108].Error técnico'), {
    kind: 'fault',
    is_client: false,
    code: '4108',
    message: 'Codigo[4108].Error técnico',
  });
  assert.deepEqual(of('env:Client', 'sin código'), {
    kind: 'fault',
    is_client: true,
    code: null,
    message: 'sin código',
  });
  assert.equal(of('env:Server', 'Codigo[4104].').kind, 'no_answer');
  assert.equal(of('', '').kind, 'no_answer');
});

test('given anything that is no whole answer, when it is read, then nothing is known of the records', () => {
  const whole = envelope(reply(line('Correcto')));
  const unreadable = [
    '',
    'no xml',
    '<html><body>503</body></html>',
    whole.slice(0, whole.length / 2),
    whole.replace('<env:Header/>', '<env:Header>'),
    `<!DOCTYPE a [<!ENTITY e "x">]>${whole}`,
    envelope(''),
    envelope('<a/>'),
    envelope(reply(line('Perfecto'))),
    envelope(reply(line('Correcto', '', 'Otra'))),
    envelope(reply(line('Incorrecto', duplicate('Perdida')))),
    envelope(reply(line('Correcto'), { total: '' })),
    envelope(reply('<r:RespuestaLinea/>')),
    envelope(reply(line('Correcto').repeat(1001))),
  ];
  for (const text of unreadable) assert.equal(read(text).kind, 'no_answer', text.slice(0, 300));
  assert.equal(readAnswer(new Uint8Array(answerBytesMax + 1)).kind, 'no_answer');
  assert.equal(read(whole).kind, 'answer', 'the whole one is an answer');
});

test('given an annulment and an alta, when both are in one message, then both are there', () => {
  const records = [alta(), anulacion()].map((content) => writeRecord(chained(content)).xml);
  const message = writeMessage({ ...plain, records });
  assert.equal(message.split('<lr:RegistroFactura>').length - 1, 2);
  assert.match(message, /<sf:RegistroAlta .*<sf:RegistroAnulacion /);
});
