import { describeCode } from './codes.ts';
import { madridStamp } from './dates.ts';
import type { MessageFault } from './message-fault.ts';
import { namespaces } from './namespaces.ts';
import type { BillingRecord } from './records.ts';
import type { SimulatorRow } from './store.ts';
import { escapeXml, textOf, type Xml } from './xml-tree.ts';

export type RecordState = 'Correcto' | 'AceptadoConErrores' | 'Incorrecto';
/** Only code 3000 has `duplicate_of`. */
export type Line = {
  record: BillingRecord;
  state: RecordState;
  code: number | null;
  duplicate_of: SimulatorRow | null;
};

export type SubmissionAnswer = {
  header: Xml;
  csv: string | null;
  presenter_nif: string;
  now: Date;
  wait_seconds: number;
  lines: readonly Line[];
};

/** Empty for undefined. */
export function element(name: string, value: string | number | null | undefined): string {
  return value === null || value === undefined ? '' : `<${name}>${escapeXml(String(value))}</${name}>`;
}

export function envelope(content: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><env:Envelope xmlns:env="${namespaces.soap}"><env:Body>${content}</env:Body></env:Envelope>`;
}

/** RespuestaRegFactuSistemaFacturacion. */
export function writeSubmissionAnswer(answer: SubmissionAnswer): string {
  const { header, csv, presenter_nif, now, wait_seconds, lines } = answer;
  const presented =
    csv === null
      ? ''
      : `<r:DatosPresentacion>${element('sf:NIFPresentador', presenter_nif)}${element('sf:TimestampPresentacion', madridStamp(now))}</r:DatosPresentacion>`;
  return envelope(
    `<r:RespuestaRegFactuSistemaFacturacion xmlns:r="${namespaces.answer}" xmlns:sf="${namespaces.sf}">` +
      element('r:CSV', csv) +
      presented +
      `<r:Cabecera>${header.children.map(writeTree).join('')}</r:Cabecera>` +
      element('r:TiempoEsperaEnvio', wait_seconds) +
      element('r:EstadoEnvio', overallState(lines)) +
      lines.map(writeLine).join('') +
      '</r:RespuestaRegFactuSistemaFacturacion>',
  );
}

export function overallState(
  lines: readonly { state: RecordState }[],
): 'Correcto' | 'ParcialmenteCorrecto' | 'Incorrecto' {
  if (lines.every(({ state }) => state === 'Correcto')) return 'Correcto';
  return lines.every(({ state }) => state === 'Incorrecto') ? 'Incorrecto' : 'ParcialmenteCorrecto';
}

function writeLine({ record, state, code, duplicate_of }: Line): string {
  const { issuer, number, issued_on } = record.invoice;
  const flags = ['Subsanacion', 'RechazoPrevio', 'SinRegistroPrevio']
    .map((name) => element(`sf:${name}`, textOf(record.xml, name)))
    .join('');
  return (
    '<r:RespuestaLinea>' +
    `<r:IDFactura>${element('sf:IDEmisorFactura', issuer)}${element('sf:NumSerieFactura', number)}${element('sf:FechaExpedicionFactura', issued_on)}</r:IDFactura>` +
    `<r:Operacion>${element('sf:TipoOperacion', record.operation)}${flags}</r:Operacion>` +
    element('r:RefExterna', record.external_ref) +
    element('r:EstadoRegistro', state) +
    writeError('r', code) +
    (duplicate_of === null ? '' : writeDuplicate(duplicate_of)) +
    '</r:RespuestaLinea>'
  );
}

function writeDuplicate({ request_id, state, error_code }: SimulatorRow): string {
  return (
    '<r:RegistroDuplicado>' +
    element('sf:IdPeticionRegistroDuplicado', request_id) +
    element('sf:EstadoRegistroDuplicado', state) +
    writeError('sf', error_code) +
    '</r:RegistroDuplicado>'
  );
}

function writeError(prefix: string, code: number | null): string {
  if (code === null) return '';
  return (
    element(`${prefix}:CodigoErrorRegistro`, code) +
    element(`${prefix}:DescripcionErrorRegistro`, describeCode(code))
  );
}

export function writeTree(node: Xml): string {
  const inside = node.children.length > 0 ? node.children.map(writeTree).join('') : escapeXml(node.text);
  return `<sf:${node.name}>${inside}</sf:${node.name}>`;
}

/** `Client`: the message is wrong. `Server`: the sender may retry. */
export function writeFault(side: 'Client' | 'Server', { code, detail }: MessageFault): string {
  const text = `Codigo[${code}].${describeCode(code)}${detail === undefined ? '' : ` (${detail})`}`;
  return envelope(
    `<env:Fault><faultcode>env:${side}</faultcode><faultstring>${escapeXml(text)}</faultstring></env:Fault>`,
  );
}
