/**
 * Finds what of a record breaks the authority's schema. The authority refuses the whole message of such a record
 * (4102), so it is never sent. Rules between fields are in domain/tax and combination-rules.ts.
 */
import type {
  AltaContent,
  BreakdownRow,
  ChainedRecord,
  ChainLink,
  InvoiceRef,
  Party,
  SystemInfo,
} from '../../modules/verifactu/index.ts';
import { recordCountries } from './countries.ts';
import { type Fault, FaultList } from './field-rules.ts';
import {
  exemptionReasons,
  foreignIdTypes,
  invoiceTypes,
  qualifications,
  regimeKeys,
  taxCodes,
} from './value-lists.ts';

const listMax = 1000;
const rowsMax = 12;

/** As `IDFactura/NumSerieFactura: pasa de 60 caracteres`. */
export function findSchemaFaults(record: ChainedRecord): string[] {
  try {
    return schemaFaultsOf(record).map(tellFault);
  } catch (error) {
    return [tellUnread(error)];
  }
}

export function tellUnread(error: unknown): string {
  return `No se puede leer: ${error instanceof Error ? error.message : 'error desconocido'}`;
}

export function tellFault({ at, what }: Fault): string {
  return `${at}: ${what}`;
}

/** Each fault says whether the schema itself refuses it too. */
export function schemaFaultsOf({ content, previous, system, stamped_at }: ChainedRecord): Fault[] {
  const check = new FaultList();
  const id = content.kind === 'alta' ? '' : 'Anulada';
  check.taxId(`IDFactura/IDEmisorFactura${id}`, content.issuer.tax_id);
  check.text(`IDFactura/NumSerieFactura${id}`, content.number, 60, true);
  check.day(`IDFactura/FechaExpedicionFactura${id}`, content.issued_on);
  check.maybeText('RefExterna', content.reference, 60);
  if (content.kind === 'alta') checkAlta(check, content);
  if (previous !== null) checkLink(check, 'Encadenamiento/RegistroAnterior', previous);
  checkSystem(check, system, recordCountries);
  check.stamp('FechaHoraHusoGenRegistro', stamped_at);
  return check.faults;
}

function checkAlta(check: FaultList, alta: AltaContent): void {
  check.text('NombreRazonEmisor', alta.issuer.name, 120);
  check.maybeOneOf('RechazoPrevio', alta.prior_rejection, ['S', 'X', 'N']);
  check.oneOf('TipoFactura', alta.type, invoiceTypes);
  check.maybeOneOf('TipoRectificativa', alta.correction, ['S', 'I']);
  checkRefs(check, 'FacturasRectificadas', alta.corrected_invoices);
  checkRefs(check, 'FacturasSustituidas', alta.substituted_invoices);
  if (alta.corrected_amounts !== null) {
    check.amount('ImporteRectificacion/BaseRectificada', alta.corrected_amounts.base);
    check.amount('ImporteRectificacion/CuotaRectificada', alta.corrected_amounts.tax);
    check.maybeAmount('ImporteRectificacion/CuotaRecargoRectificado', alta.corrected_amounts.surcharge);
  }
  if (alta.operation_on !== null) check.day('FechaOperacion', alta.operation_on);
  check.text('DescripcionOperacion', alta.description, 500);
  check.maybeOneOf('EmitidaPorTerceroODestinatario', alta.issued_by, ['D', 'T']);
  if (alta.third_party !== null) checkParty(check, 'Tercero', alta.third_party, recordCountries);
  if (alta.recipients.length > listMax) check.add('Destinatarios', `son más de ${listMax}`);
  for (const recipient of alta.recipients) checkParty(check, 'IDDestinatario', recipient, recordCountries);
  if (alta.rows.length === 0) check.add('Desglose', 'está vacío');
  if (alta.rows.length > rowsMax) check.add('Desglose', `tiene más de ${rowsMax} líneas`);
  for (const row of alta.rows) checkRow(check, row);
  check.amount('CuotaTotal', alta.tax_total);
  check.amount('ImporteTotal', alta.total);
}

function checkRow(check: FaultList, row: BreakdownRow): void {
  check.oneOf('Desglose/Impuesto', row.tax_code, taxCodes);
  check.maybeOneOf('Desglose/ClaveRegimen', row.regime_key, regimeKeys);
  check.maybeOneOf('Desglose/CalificacionOperacion', row.qualification, qualifications);
  check.maybeOneOf('Desglose/OperacionExenta', row.exemption_reason, exemptionReasons);
  if ((row.qualification === null) === (row.exemption_reason === null))
    check.add('Desglose', 'cada línea lleva calificación o causa de exención, y solo una');
  check.maybeRate('Desglose/TipoImpositivo', row.rate);
  check.amount('Desglose/BaseImponibleOimporteNoSujeto', row.base);
  check.maybeAmount('Desglose/BaseImponibleACoste', row.base_at_cost);
  check.maybeAmount('Desglose/CuotaRepercutida', row.tax);
  check.maybeRate('Desglose/TipoRecargoEquivalencia', row.surcharge_rate);
  check.maybeAmount('Desglose/CuotaRecargoEquivalencia', row.surcharge);
}

function checkRefs(check: FaultList, at: string, refs: readonly InvoiceRef[]): void {
  if (refs.length > listMax) check.add(at, `son más de ${listMax}`);
  for (const ref of refs) checkRef(check, at, ref, true);
}

/** The schema refuses an empty number only where `is_id`. */
export function checkRef(check: FaultList, at: string, ref: InvoiceRef, is_id: boolean): void {
  check.taxId(`${at}/IDEmisorFactura`, ref.tax_id);
  check.text(`${at}/NumSerieFactura`, ref.number, 60, is_id);
  check.day(`${at}/FechaExpedicionFactura`, ref.issued_on);
}

export function checkLink(check: FaultList, at: string, link: ChainLink): void {
  checkRef(check, at, link, false);
  check.huella(`${at}/Huella`, link.huella);
}

function checkParty(check: FaultList, at: string, party: Party, countries: ReadonlySet<string>): void {
  check.text(`${at}/NombreRazon`, party.name, 120);
  if (party.foreign_id === null) {
    check.taxId(`${at}/NIF`, party.tax_id);
    return;
  }
  const { type, country, id } = party.foreign_id;
  check.oneOf(`${at}/IDOtro/IDType`, type, foreignIdTypes);
  check.text(`${at}/IDOtro/ID`, id, 20);
  if (country !== null && !countries.has(country))
    check.add(`${at}/IDOtro/CodigoPais`, 'no está en su lista');
}

export function checkSystem(check: FaultList, system: SystemInfo, countries: ReadonlySet<string>): void {
  const at = 'SistemaInformatico';
  checkParty(check, at, system.producer, countries);
  check.text(`${at}/NombreSistemaInformatico`, system.name, 30);
  check.text(`${at}/IdSistemaInformatico`, system.code, 2);
  if (!/^[A-Z0-9]{2}$/.test(system.code))
    check.add(`${at}/IdSistemaInformatico`, 'no son dos de A-Z y 0-9', true);
  check.text(`${at}/Version`, system.version, 50);
  check.text(`${at}/NumeroInstalacion`, system.installation_number, 100);
}
