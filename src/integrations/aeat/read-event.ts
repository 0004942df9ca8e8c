import type {
  ChainedEvent,
  EventDetails,
  EventLink,
  IntegrityCounts,
  InvoiceRef,
  PeriodOfRecords,
} from '../../modules/verifactu/index.ts';
import { ElementReader } from './element-reader.ts';
import { checkNames, checkSubjects } from './event-text.ts';
import { namespaces } from './names.ts';
import { readInvoiceRef, readRecordLink, readSystem } from './read-parts.ts';
import { anomalyTypes, eventTypes } from '../../modules/verifactu/ports.ts';
import { parseXml } from './xml-tree.ts';

export type ReadEvent = ChainedEvent & { huella: string; is_signed: boolean };

/**
 * The values may have changed since writeEvent wrote them.
 * @throws Error for a text that writeEvent cannot have written
 */
export function readEvent(xml: string): ReadEvent {
  const root = parseXml(xml, namespaces.signature);
  const outer = new ElementReader(root, namespaces.event);
  if (root.name !== 'RegistroEvento') throw new Error('no es un registro de evento');
  outer.choice('IDVersion', ['1.0']);
  const reader = outer.one('Evento');
  outer.end();
  const system = readSystem(reader.one('SistemaInformatico'));
  const owner = reader.one('ObligadoEmision');
  const taxpayer = { name: owner.text('NombreRazon'), tax_id: owner.text('NIF') };
  owner.end();
  const stamped_at = reader.text('FechaHoraHusoGenEvento');
  const details = readDetails(reader);
  const note = reader.maybeText('OtrosDatosEvento');
  const link = reader.one('Encadenamiento');
  const previous = readPrevious(link);
  link.end();
  reader.choice('TipoHuella', ['01']);
  const huella = reader.text('HuellaEvento');
  const is_signed = reader.foreign('Signature', namespaces.signature);
  reader.end();
  return { details, note, taxpayer, system, previous, stamped_at, huella, is_signed };
}

function readDetails(reader: ElementReader): EventDetails {
  const type = reader.choice('TipoEvento', eventTypes);
  if (type === '01' || type === '02' || type === '07' || type === '90') return { type };
  const data = reader.one('DatosPropiosEvento');
  const details = readData(type, data);
  data.end();
  return details;
}

type TypeWithData = Exclude<EventDetails['type'], '01' | '02' | '07' | '90'>;

function readData(type: TypeWithData, data: ElementReader): EventDetails {
  switch (type) {
    case '03':
    case '05':
      return { type, checked: readChecks(type, data) };
    case '04': {
      const found = data.one('DeteccionAnomaliasRegFacturacion');
      const anomaly = readAnomaly(found);
      const record = readWhole(found.maybe('RegistroFacturacionAnomalo'));
      return ended(found, { type, ...anomaly, record });
    }
    case '06': {
      const found = data.one('DeteccionAnomaliasRegEvento');
      const anomaly = readAnomaly(found);
      const event = found.maybe('RegEventoAnomalo');
      return ended(found, { type, ...anomaly, event: event === null ? null : readEventLink(event) });
    }
    case '08': {
      const found = data.one('ExportacionRegFacturacionPeriodo');
      return ended(found, {
        type,
        ...readPeriod(found),
        records: readTotals(found, 'Exportados'),
        is_no_longer_kept:
          found.choice('RegistrosFacturacionExportadosDejanDeConservarse', ['S', 'N']) === 'S',
      });
    }
    case '09': {
      const found = data.one('ExportacionRegEventoPeriodo');
      return ended(found, {
        type,
        ...readPeriod(found),
        first: readEventLink(found.one('RegistroEventoInicialPeriodo')),
        last: readEventLink(found.one('RegistroEventoFinalPeriodo')),
        count: readCount(found, 'NumeroDeRegEventoExportados'),
        is_no_longer_kept: found.choice('RegEventoExportadosDejanDeConservarse', ['S', 'N']) === 'S',
      });
    }
    case '10': {
      const found = data.one('ResumenEventos');
      const counts = found.many('TipoEvento', (child) =>
        ended(child, {
          type: child.choice('TipoEvento', eventTypes),
          count: readCount(child, 'NumeroDeEventos'),
        }),
      );
      return ended(found, { type, counts, records: readTotals(found, 'Generados') });
    }
  }
}

function readChecks(type: '03' | '05', data: ElementReader): IntegrityCounts {
  const { launch, records } = checkSubjects[type];
  const found = data.one(`LanzamientoProcesoDeteccionAnomalias${launch}`);
  const checked: IntegrityCounts = { huellas: null, signatures: null, links: null, dates: null };
  for (const { count, word } of checkNames) {
    const is_done = found.choice(`RealizadoProcesoSobre${word}${launch}`, ['S', 'N']) === 'S';
    if (is_done) checked[count] = readCount(found, `NumeroDe${records}ProcesadosSobre${word}`);
  }
  return ended(found, checked);
}

function readAnomaly(found: ElementReader) {
  return { anomaly: found.choice('TipoAnomalia', anomalyTypes), text: found.maybeText('OtrosDatosAnomalia') };
}

function readPeriod(found: ElementReader) {
  return {
    from: found.text('FechaHoraHusoInicioPeriodoExport'),
    to: found.text('FechaHoraHusoFinPeriodoExport'),
  };
}

function readTotals(found: ElementReader, done: 'Exportados' | 'Generados'): PeriodOfRecords {
  const record = (name: string) => {
    const link = found.maybe(name);
    return link === null ? null : readRecordLink(link);
  };
  return {
    first: record('RegistroFacturacionInicialPeriodo'),
    last: record('RegistroFacturacionFinalPeriodo'),
    altas: readCount(found, `NumeroDeRegistrosFacturacionAlta${done}`),
    tax_total: found.text('SumaCuotaTotalAlta'),
    total: found.text('SumaImporteTotalAlta'),
    anulaciones: readCount(found, `NumeroDeRegistrosFacturacionAnulacion${done}`),
  };
}

function readPrevious(link: ElementReader): EventLink | null {
  if (link.maybeChoice('PrimerEvento', ['S']) !== null) return null;
  return readEventLink(link.one('EventoAnterior'), 'FechaHoraHusoGenEvento');
}

function readEventLink(reader: ElementReader, stamp = 'FechaHoraHusoEvento'): EventLink {
  return ended(reader, {
    type: reader.choice('TipoEvento', eventTypes),
    stamped_at: reader.text(stamp),
    huella: reader.text('HuellaEvento'),
  });
}

function readWhole(reader: ElementReader | null): InvoiceRef | null {
  return reader === null ? null : ended(reader, readInvoiceRef(reader));
}

function readCount(reader: ElementReader, name: string): number {
  const text = reader.text(name);
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${name}: no es un número de hasta 9 cifras`);
  return Number(text);
}

/** Refuses whatever follows the value. */
function ended<T>(reader: ElementReader, value: T): T {
  reader.end();
  return value;
}
