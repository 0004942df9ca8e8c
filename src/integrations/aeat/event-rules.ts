import type {
  ChainedEvent,
  EventDetails,
  EventLink,
  PeriodOfRecords,
} from '../../modules/verifactu/index.ts';
import { eventCountries } from './countries.ts';
import { type Fault, FaultList } from './field-rules.ts';
import { readEvent } from './read-event.ts';
import { checkLink, checkRef, checkSystem, tellFault } from './schema-rules.ts';
import { anomalyTypes, eventTypes } from '../../modules/verifactu/ports.ts';

const countDigits = { '03': 7, '05': 5 } as const;
const summaryMax = 20;

/** What of an event or its text breaks EventosSIF.xsd, apart from the signature, in the form of findSchemaFaults. */
export function findEventSchemaFaults(event: ChainedEvent | string): string[] {
  try {
    if (typeof event !== 'string') return eventFaultsOf(event).map(tellFault);
    const read = readEvent(event);
    // For a value the huella is computed; a text has its own.
    const own = new FaultList();
    own.huella('HuellaEvento', read.huella);
    return [...eventFaultsOf(read), ...own.faults].map(tellFault);
  } catch (error) {
    return [`No se puede leer: ${error instanceof Error ? error.message : 'error desconocido'}`];
  }
}

/** Each fault says whether the schema itself refuses it too. */
export function eventFaultsOf(event: ChainedEvent): Fault[] {
  const check = new FaultList();
  checkSystem(check, event.system, eventCountries);
  check.text('ObligadoEmision/NombreRazon', event.taxpayer.name, 120);
  check.taxId('ObligadoEmision/NIF', event.taxpayer.tax_id);
  check.stamp('FechaHoraHusoGenEvento', event.stamped_at);
  check.oneOf('TipoEvento', event.details.type, eventTypes);
  checkDetails(check, event.details);
  check.maybeText('OtrosDatosEvento', event.note, 100);
  if (event.previous !== null) checkEventLink(check, 'Encadenamiento/EventoAnterior', event.previous);
  return check.faults;
}

function checkDetails(check: FaultList, details: EventDetails): void {
  switch (details.type) {
    case '03':
    case '05':
      for (const count of Object.values(details.checked))
        if (count !== null) check.count('NumeroDeRegistrosProcesados', count, countDigits[details.type]);
      return;
    case '04':
      checkAnomaly(check, details);
      if (details.record !== null) checkRef(check, 'RegistroFacturacionAnomalo', details.record, false);
      return;
    case '06':
      checkAnomaly(check, details);
      if (details.event !== null) checkEventLink(check, 'RegEventoAnomalo', details.event);
      return;
    case '08':
      checkPeriod(check, details);
      if (details.records.first === null || details.records.last === null)
        check.add('ExportacionRegFacturacionPeriodo', 'no nombra el primer registro y el último');
      checkTotals(check, details.records, 9);
      return;
    case '09':
      checkPeriod(check, details);
      checkEventLink(check, 'RegistroEventoInicialPeriodo', details.first);
      checkEventLink(check, 'RegistroEventoFinalPeriodo', details.last);
      check.count('NumeroDeRegEventoExportados', details.count, 7);
      return;
    case '10':
      if (details.counts.length === 0) check.add('ResumenEventos', 'está vacío');
      if (details.counts.length > summaryMax)
        check.add('ResumenEventos', `tiene más de ${summaryMax} líneas`);
      for (const { type, count } of details.counts) {
        check.oneOf('ResumenEventos/TipoEvento', type, eventTypes);
        check.count('ResumenEventos/NumeroDeEventos', count, 4);
      }
      checkTotals(check, details.records, 6);
  }
}

function checkAnomaly(check: FaultList, { anomaly, text }: { anomaly: string; text: string | null }): void {
  check.oneOf('TipoAnomalia', anomaly, anomalyTypes);
  check.maybeText('OtrosDatosAnomalia', text, 100);
}

function checkPeriod(check: FaultList, { from, to }: { from: string; to: string }): void {
  check.stamp('FechaHoraHusoInicioPeriodoExport', from);
  check.stamp('FechaHoraHusoFinPeriodoExport', to);
}

function checkTotals(check: FaultList, records: PeriodOfRecords, digits: number): void {
  if (records.first !== null) checkLink(check, 'RegistroFacturacionInicialPeriodo', records.first);
  if (records.last !== null) checkLink(check, 'RegistroFacturacionFinalPeriodo', records.last);
  check.count('NumeroDeRegistrosFacturacionAlta', records.altas, digits);
  check.amount('SumaCuotaTotalAlta', records.tax_total);
  check.amount('SumaImporteTotalAlta', records.total);
  check.count('NumeroDeRegistrosFacturacionAnulacion', records.anulaciones, digits);
}

function checkEventLink(check: FaultList, at: string, link: EventLink): void {
  check.oneOf(`${at}/TipoEvento`, link.type, eventTypes);
  check.stamp(`${at}/FechaHoraHusoEvento`, link.stamped_at);
  check.huella(`${at}/HuellaEvento`, link.huella);
}
