/**
 * Writes RegistroEvento of EventosSIF.xsd, for systems without VeriFactu. Like a record it is its own inclusive
 * canonical form. The schema wants a signature in Evento, so only a signed text is valid.
 */
import type {
  ChainedEvent,
  EventDetails,
  EventLink,
  IntegrityCounts,
  InvoiceRef,
  PeriodOfRecords,
  WrittenRecord,
} from '../../modules/verifactu/index.ts';
import { huellaOfEvent } from './huella.ts';
import { namespaces } from './names.ts';
import { writeSystem } from './record-text.ts';
import { escapeText, writeDay, writeFlag } from './xml-text.ts';

const declared = `xmlns:ds="${namespaces.signature}" xmlns:ev="${namespaces.event}"`;

export function writeEvent(event: ChainedEvent): WrittenRecord {
  const huella = huellaOfEvent(event);
  const { details, note, taxpayer, system, previous, stamped_at } = event;
  const xml =
    `<ev:RegistroEvento ${declared}><ev:IDVersion>1.0</ev:IDVersion><ev:Evento>` +
    `<ev:SistemaInformatico>${writeSystem(system, 'ev')}</ev:SistemaInformatico><ev:ObligadoEmision>` +
    `${one('NombreRazon', taxpayer.name)}${one('NIF', taxpayer.tax_id)}</ev:ObligadoEmision>` +
    one('FechaHoraHusoGenEvento', stamped_at) +
    one('TipoEvento', details.type) +
    ownData(details) +
    (note === null ? '' : one('OtrosDatosEvento', note)) +
    `<ev:Encadenamiento>${chainLink(previous)}</ev:Encadenamiento>` +
    `${one('TipoHuella', '01')}${one('HuellaEvento', huella)}</ev:Evento></ev:RegistroEvento>`;
  return { xml, huella };
}

/** The schema's names of the four checks, for records and for events. */
export const checkNames = [
  { count: 'huellas', word: 'IntegridadHuellas' },
  { count: 'signatures', word: 'IntegridadFirmas' },
  { count: 'links', word: 'TrazabilidadCadena' },
  { count: 'dates', word: 'TrazabilidadFechas' },
] as const satisfies readonly { count: keyof IntegrityCounts; word: string }[];

export const checkSubjects = {
  '03': { launch: 'RegFacturacion', records: 'RegistrosFacturacion' },
  '05': { launch: 'RegEvento', records: 'RegistrosEvento' },
} as const;

function ownData(details: EventDetails): string {
  const data = dataOf(details);
  return data === '' ? '' : `<ev:DatosPropiosEvento>${data}</ev:DatosPropiosEvento>`;
}

function dataOf(details: EventDetails): string {
  switch (details.type) {
    case '03':
    case '05': {
      const { launch } = checkSubjects[details.type];
      return within(`LanzamientoProcesoDeteccionAnomalias${launch}`, checks(details.type, details.checked));
    }
    case '04': {
      const { record } = details;
      const which = record === null ? '' : within('RegistroFacturacionAnomalo', invoiceRef(record));
      return within('DeteccionAnomaliasRegFacturacion', anomaly(details) + which);
    }
    case '06': {
      const which = details.event === null ? '' : within('RegEventoAnomalo', eventLink(details.event));
      return within('DeteccionAnomaliasRegEvento', anomaly(details) + which);
    }
    case '08':
      return within(
        'ExportacionRegFacturacionPeriodo',
        period(details) +
          totals(details.records, 'Exportados') +
          one('RegistrosFacturacionExportadosDejanDeConservarse', writeFlag(details.is_no_longer_kept)),
      );
    case '09':
      return within(
        'ExportacionRegEventoPeriodo',
        period(details) +
          within('RegistroEventoInicialPeriodo', eventLink(details.first)) +
          within('RegistroEventoFinalPeriodo', eventLink(details.last)) +
          one('NumeroDeRegEventoExportados', String(details.count)) +
          one('RegEventoExportadosDejanDeConservarse', writeFlag(details.is_no_longer_kept)),
      );
    case '10': {
      const counts = details.counts.map(({ type, count }) =>
        within('TipoEvento', one('TipoEvento', type) + one('NumeroDeEventos', String(count))),
      );
      return within('ResumenEventos', counts.join('') + totals(details.records, 'Generados'));
    }
    default:
      return '';
  }
}

function checks(type: '03' | '05', checked: IntegrityCounts): string {
  const { launch, records } = checkSubjects[type];
  return checkNames
    .map(({ count, word }) => {
      const done = checked[count];
      const number = done === null ? '' : one(`NumeroDe${records}ProcesadosSobre${word}`, String(done));
      return one(`RealizadoProcesoSobre${word}${launch}`, writeFlag(done !== null)) + number;
    })
    .join('');
}

function anomaly({ anomaly: type, text }: { anomaly: string; text: string | null }): string {
  return one('TipoAnomalia', type) + (text === null ? '' : one('OtrosDatosAnomalia', text));
}

function period({ from, to }: { from: string; to: string }): string {
  return one('FechaHoraHusoInicioPeriodoExport', from) + one('FechaHoraHusoFinPeriodoExport', to);
}

function totals({ first, last, ...sums }: PeriodOfRecords, done: 'Exportados' | 'Generados'): string {
  const record = (name: string, link: PeriodOfRecords['first']) =>
    link === null ? '' : within(name, invoiceRef(link) + one('Huella', link.huella));
  return (
    record('RegistroFacturacionInicialPeriodo', first) +
    record('RegistroFacturacionFinalPeriodo', last) +
    one(`NumeroDeRegistrosFacturacionAlta${done}`, String(sums.altas)) +
    one('SumaCuotaTotalAlta', sums.tax_total) +
    one('SumaImporteTotalAlta', sums.total) +
    one(`NumeroDeRegistrosFacturacionAnulacion${done}`, String(sums.anulaciones))
  );
}

function chainLink(previous: EventLink | null): string {
  if (previous === null) return one('PrimerEvento', 'S');
  const { type, stamped_at, huella } = previous;
  return within(
    'EventoAnterior',
    one('TipoEvento', type) + one('FechaHoraHusoGenEvento', stamped_at) + one('HuellaEvento', huella),
  );
}

/** Its stamp has another name here than in the chain. */
function eventLink({ type, stamped_at, huella }: EventLink): string {
  return one('TipoEvento', type) + one('FechaHoraHusoEvento', stamped_at) + one('HuellaEvento', huella);
}

function invoiceRef({ tax_id, number, issued_on }: InvoiceRef): string {
  return (
    one('IDEmisorFactura', tax_id) +
    one('NumSerieFactura', number) +
    one('FechaExpedicionFactura', writeDay(issued_on))
  );
}

function one(name: string, value: string): string {
  return `<ev:${name}>${escapeText(value)}</ev:${name}>`;
}

function within(name: string, children: string): string {
  return `<ev:${name}>${children}</ev:${name}>`;
}
