import { element, envelope, writeTree } from './answers.ts';
import { describeCode } from './codes.ts';
import { madridStamp, readDay } from './dates.ts';
import { MessageFault } from './message-fault.ts';
import { namespaces } from './namespaces.ts';
import { keyOf } from './records.ts';
import type { SimulatorRow, SimulatorStore } from './store.ts';
import { childOf, textOf, type Xml } from './xml-tree.ts';

const PAGE_MAX = 10_000;
const states = {
  Correcta: 'Correcto',
  AceptadaConErrores: 'AceptadoConErrores',
  Anulada: 'Anulado',
} as const;

export type Query = { company_id: string; nif: string; as: 'issuer' | 'recipient'; content: Xml };

/**
 * A recipient's query finds nothing: invoices are stored with their issuer.
 * @throws {MessageFault} 1250 when a range ends before it begins, 4106 for an invalid date
 */
export async function answerQuery(store: SimulatorStore, query: Query, page_max = PAGE_MAX): Promise<string> {
  const filter = childOf(query.content, 'FiltroConsulta');
  const period = childOf(filter, 'PeriodoImputacion');
  const matches = readFilter(filter);
  const wanted = `${textOf(period, 'Ejercicio')}-${textOf(period, 'Periodo')}`;
  const found: SimulatorRow[] = [];
  let after = readPageKey(childOf(filter, 'ClavePaginacion'));
  let is_last = query.as === 'recipient';
  while (!is_last && found.length <= page_max) {
    const rows = await store.list(query.company_id, { period: wanted, after, limit: 1000 });
    found.push(...rows.filter((row) => row.issuer_nif === query.nif && matches(row)));
    after = rows.at(-1)?.key ?? after;
    is_last = rows.length < 1000;
  }
  return writeAnswer(query.content, found.slice(0, page_max), found.length > page_max);
}

function readPageKey(xml: Xml | undefined): string | null {
  if (!xml) return null;
  return keyOf({
    issuer: textOf(xml, 'IDEmisorFactura') ?? '',
    number: textOf(xml, 'NumSerieFactura') ?? '',
    issued_on: textOf(xml, 'FechaExpedicionFactura') ?? '',
  });
}

function readFilter(filter: Xml | undefined): (row: SimulatorRow) => boolean {
  const number = textOf(filter, 'NumSerieFactura');
  const external_ref = textOf(filter, 'RefExterna');
  const party = childOf(filter, 'Contraparte');
  const party_id = textOf(party, 'NIF') ?? textOf(childOf(party, 'IDOtro'), 'ID');
  const dates = childOf(filter, 'FechaExpedicionFactura');
  const range = childOf(dates, 'RangoFechaExpedicion');
  const from = dayOf(textOf(dates, 'FechaExpedicionFactura') ?? textOf(range, 'Desde')) ?? '0000-01-01';
  const until = dayOf(textOf(dates, 'FechaExpedicionFactura') ?? textOf(range, 'Hasta')) ?? '9999-12-31';
  if (from > until) throw new MessageFault(1250);
  return (row) => {
    const issued = readDay(row.issued_on) ?? '';
    return (
      (number === undefined || row.number === number) &&
      (external_ref === undefined || row.record.external_ref === external_ref) &&
      (party_id === undefined || row.record.recipients.includes(party_id)) &&
      issued >= from &&
      issued <= until
    );
  };
}

function dayOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const day = readDay(text);
  if (!day) throw new MessageFault(4106, text);
  return day;
}

function writeAnswer(content: Xml, rows: readonly SimulatorRow[], has_more: boolean): string {
  const period = childOf(childOf(content, 'FiltroConsulta'), 'PeriodoImputacion');
  const last = has_more ? rows.at(-1) : undefined;
  return envelope(
    `<q:RespuestaConsultaFactuSistemaFacturacion xmlns:q="${namespaces.query_answer}" xmlns:sf="${namespaces.sf}">` +
      `<q:Cabecera>${(childOf(content, 'Cabecera')?.children ?? []).map(writeTree).join('')}</q:Cabecera>` +
      `<q:PeriodoImputacion>${element('q:Ejercicio', textOf(period, 'Ejercicio'))}${element('q:Periodo', textOf(period, 'Periodo'))}</q:PeriodoImputacion>` +
      element('q:IndicadorPaginacion', has_more ? 'S' : 'N') +
      element('q:ResultadoConsulta', rows.length > 0 ? 'ConDatos' : 'SinDatos') +
      rows.map(writeRow).join('') +
      (last ? `<q:ClavePaginacion>${writeId(last)}</q:ClavePaginacion>` : '') +
      '</q:RespuestaConsultaFactuSistemaFacturacion>',
  );
}

function writeId({ issuer_nif, number, issued_on }: SimulatorRow): string {
  return (
    element('sf:IDEmisorFactura', issuer_nif) +
    element('sf:NumSerieFactura', number) +
    element('sf:FechaExpedicionFactura', issued_on)
  );
}

function writeRow(row: SimulatorRow): string {
  const { record } = row;
  const presented = madridStamp(new Date(row.presented_at));
  return (
    '<q:RegistroRespuestaConsultaFactuSistemaFacturacion>' +
    `<q:IDFactura>${writeId(row)}</q:IDFactura>` +
    '<q:DatosRegistroFacturacion>' +
    element('q:RefExterna', record.external_ref) +
    ['Subsanacion', 'RechazoPrevio', 'SinRegistroPrevio']
      .map((name) => element(`q:${name}`, record.flags[name]))
      .join('') +
    element('q:TipoFactura', record.type) +
    element('q:DescripcionOperacion', record.description) +
    element('q:CuotaTotal', record.tax_total) +
    element('q:ImporteTotal', record.total) +
    element('q:FechaHoraHusoGenRegistro', record.stamp) +
    element('q:TipoHuella', '01') +
    element('q:Huella', record.huella) +
    '</q:DatosRegistroFacturacion>' +
    `<q:DatosPresentacion>${element('sf:NIFPresentador', row.presenter_nif)}${element('sf:TimestampPresentacion', presented)}${element('sf:IdPeticion', row.request_id)}</q:DatosPresentacion>` +
    '<q:EstadoRegistro>' +
    element('q:TimestampUltimaModificacion', presented) +
    element('q:EstadoRegistro', states[row.state]) +
    (row.error_code === null
      ? ''
      : element('q:CodigoErrorRegistro', row.error_code) +
        element('q:DescripcionErrorRegistro', describeCode(row.error_code))) +
    '</q:EstadoRegistro>' +
    '</q:RegistroRespuestaConsultaFactuSistemaFacturacion>'
  );
}
