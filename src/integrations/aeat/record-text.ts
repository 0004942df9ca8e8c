/**
 * Writes RegistroAlta or RegistroAnulacion of SuministroInformacion.xsd. The text declares its namespaces on its root
 * and is its own inclusive canonical form, so it is hashed, signed, sent and kept unchanged. Any value can be read
 * back; schema-rules.ts checks values.
 */
import type {
  AltaContent,
  AnulacionContent,
  BreakdownRow,
  ChainedRecord,
  ChainLink,
  InvoiceRef,
  Party,
  SystemInfo,
  WrittenRecord,
} from '../../modules/verifactu/index.ts';
import { huellaOf } from './huella.ts';
import { namespaces } from './names.ts';
import { escapeText, writeDay, writeFlag } from './xml-text.ts';

/** Sorted by prefix, as C14N wants. `ds` is declared so that a signature does not change the root. */
const declared = `xmlns:ds="${namespaces.signature}" xmlns:sf="${namespaces.record}"`;

export function writeRecord(record: ChainedRecord): WrittenRecord {
  const { content } = record;
  const huella = huellaOf(record);
  const xml =
    content.kind === 'alta' ? writeAlta(content, record, huella) : writeAnulacion(content, record, huella);
  return { xml, huella };
}

function writeAlta(alta: AltaContent, record: ChainedRecord, huella: string): string {
  return (
    `<sf:RegistroAlta ${declared}><sf:IDVersion>1.0</sf:IDVersion>` +
    `<sf:IDFactura>${invoiceRef(alta.issuer.tax_id, alta)}</sf:IDFactura>` +
    maybe('RefExterna', alta.reference) +
    `<sf:NombreRazonEmisor>${escapeText(alta.issuer.name)}</sf:NombreRazonEmisor>` +
    (alta.is_subsanacion ? '<sf:Subsanacion>S</sf:Subsanacion>' : '') +
    maybe('RechazoPrevio', alta.prior_rejection) +
    `<sf:TipoFactura>${alta.type}</sf:TipoFactura>` +
    maybe('TipoRectificativa', alta.correction) +
    invoiceRefs('FacturasRectificadas', 'IDFacturaRectificada', alta.corrected_invoices) +
    invoiceRefs('FacturasSustituidas', 'IDFacturaSustituida', alta.substituted_invoices) +
    correctedAmounts(alta.corrected_amounts) +
    maybe('FechaOperacion', alta.operation_on === null ? null : writeDay(alta.operation_on)) +
    `<sf:DescripcionOperacion>${escapeText(alta.description)}</sf:DescripcionOperacion>` +
    (alta.is_qualified_simplified ? '<sf:FacturaSimplificadaArt7273>S</sf:FacturaSimplificadaArt7273>' : '') +
    (alta.is_without_recipient
      ? '<sf:FacturaSinIdentifDestinatarioArt61d>S</sf:FacturaSinIdentifDestinatarioArt61d>'
      : '') +
    (isMacro(alta.total) ? '<sf:Macrodato>S</sf:Macrodato>' : '') +
    maybe('EmitidaPorTerceroODestinatario', alta.issued_by) +
    (alta.third_party === null ? '' : `<sf:Tercero>${party(alta.third_party)}</sf:Tercero>`) +
    recipients(alta.recipients) +
    `<sf:Desglose>${alta.rows.map(breakdownRow).join('')}</sf:Desglose>` +
    `<sf:CuotaTotal>${escapeText(alta.tax_total)}</sf:CuotaTotal>` +
    `<sf:ImporteTotal>${escapeText(alta.total)}</sf:ImporteTotal>` +
    `${closing(record, huella)}</sf:RegistroAlta>`
  );
}

function writeAnulacion(anulacion: AnulacionContent, record: ChainedRecord, huella: string): string {
  return (
    `<sf:RegistroAnulacion ${declared}><sf:IDVersion>1.0</sf:IDVersion><sf:IDFactura>` +
    `<sf:IDEmisorFacturaAnulada>${escapeText(anulacion.issuer.tax_id)}</sf:IDEmisorFacturaAnulada>` +
    `<sf:NumSerieFacturaAnulada>${escapeText(anulacion.number)}</sf:NumSerieFacturaAnulada>` +
    `<sf:FechaExpedicionFacturaAnulada>${escapeText(writeDay(anulacion.issued_on))}` +
    '</sf:FechaExpedicionFacturaAnulada></sf:IDFactura>' +
    maybe('RefExterna', anulacion.reference) +
    (anulacion.has_no_prior_record ? '<sf:SinRegistroPrevio>S</sf:SinRegistroPrevio>' : '') +
    (anulacion.is_prior_rejection ? '<sf:RechazoPrevio>S</sf:RechazoPrevio>' : '') +
    `${closing(record, huella)}</sf:RegistroAnulacion>`
  );
}

/** The end of both kinds. */
function closing({ previous, system, stamped_at }: ChainedRecord, huella: string): string {
  return (
    `<sf:Encadenamiento>${chainLink(previous)}</sf:Encadenamiento>` +
    `<sf:SistemaInformatico>${writeSystem(system, 'sf')}</sf:SistemaInformatico>` +
    `<sf:FechaHoraHusoGenRegistro>${escapeText(stamped_at)}</sf:FechaHoraHusoGenRegistro>` +
    `<sf:TipoHuella>01</sf:TipoHuella><sf:Huella>${huella}</sf:Huella>`
  );
}

function chainLink(previous: ChainLink | null): string {
  if (previous === null) return '<sf:PrimerRegistro>S</sf:PrimerRegistro>';
  const huella = `<sf:Huella>${escapeText(previous.huella)}</sf:Huella>`;
  return `<sf:RegistroAnterior>${invoiceRef(previous.tax_id, previous)}${huella}</sf:RegistroAnterior>`;
}

/** Events have these children under their own prefix. */
export function writeSystem(system: SystemInfo, prefix: 'sf' | 'ev'): string {
  const p = prefix;
  return (
    writeParty(system.producer, p) +
    `<${p}:NombreSistemaInformatico>${escapeText(system.name)}</${p}:NombreSistemaInformatico>` +
    `<${p}:IdSistemaInformatico>${escapeText(system.code)}</${p}:IdSistemaInformatico>` +
    `<${p}:Version>${escapeText(system.version)}</${p}:Version>` +
    `<${p}:NumeroInstalacion>${escapeText(system.installation_number)}</${p}:NumeroInstalacion>` +
    `<${p}:TipoUsoPosibleSoloVerifactu>${writeFlag(system.is_verifactu_only)}</${p}:TipoUsoPosibleSoloVerifactu>` +
    `<${p}:TipoUsoPosibleMultiOT>${writeFlag(system.supports_many_taxpayers)}</${p}:TipoUsoPosibleMultiOT>` +
    `<${p}:IndicadorMultiplesOT>${writeFlag(system.has_many_taxpayers)}</${p}:IndicadorMultiplesOT>`
  );
}

export function writeParty({ name, tax_id, foreign_id }: Party, p: 'sf' | 'ev'): string {
  const named = `<${p}:NombreRazon>${escapeText(name)}</${p}:NombreRazon>`;
  if (foreign_id === null) return `${named}<${p}:NIF>${escapeText(tax_id)}</${p}:NIF>`;
  const { type, country, id } = foreign_id;
  const place = country === null ? '' : `<${p}:CodigoPais>${escapeText(country)}</${p}:CodigoPais>`;
  return `${named}<${p}:IDOtro>${place}<${p}:IDType>${type}</${p}:IDType><${p}:ID>${escapeText(id)}</${p}:ID></${p}:IDOtro>`;
}

const party = (who: Party) => writeParty(who, 'sf');

function recipients(all: readonly Party[]): string {
  if (all.length === 0) return '';
  const list = all.map((who) => `<sf:IDDestinatario>${party(who)}</sf:IDDestinatario>`).join('');
  return `<sf:Destinatarios>${list}</sf:Destinatarios>`;
}

function breakdownRow(row: BreakdownRow): string {
  return (
    `<sf:DetalleDesglose><sf:Impuesto>${row.tax_code}</sf:Impuesto>` +
    maybe('ClaveRegimen', row.regime_key) +
    maybe('CalificacionOperacion', row.qualification) +
    maybe('OperacionExenta', row.exemption_reason) +
    maybe('TipoImpositivo', row.rate) +
    `<sf:BaseImponibleOimporteNoSujeto>${escapeText(row.base)}</sf:BaseImponibleOimporteNoSujeto>` +
    maybe('BaseImponibleACoste', row.base_at_cost) +
    maybe('CuotaRepercutida', row.tax) +
    maybe('TipoRecargoEquivalencia', row.surcharge_rate) +
    maybe('CuotaRecargoEquivalencia', row.surcharge) +
    '</sf:DetalleDesglose>'
  );
}

function correctedAmounts(amounts: AltaContent['corrected_amounts']): string {
  if (amounts === null) return '';
  return (
    `<sf:ImporteRectificacion><sf:BaseRectificada>${escapeText(amounts.base)}</sf:BaseRectificada>` +
    `<sf:CuotaRectificada>${escapeText(amounts.tax)}</sf:CuotaRectificada>` +
    `${maybe('CuotaRecargoRectificado', amounts.surcharge)}</sf:ImporteRectificacion>`
  );
}

function invoiceRefs(list: string, item: string, refs: readonly InvoiceRef[]): string {
  if (refs.length === 0) return '';
  const items = refs.map((ref) => `<sf:${item}>${invoiceRef(ref.tax_id, ref)}</sf:${item}>`);
  return `<sf:${list}>${items.join('')}</sf:${list}>`;
}

function invoiceRef(tax_id: string, { number, issued_on }: { number: string; issued_on: string }): string {
  return (
    `<sf:IDEmisorFactura>${escapeText(tax_id)}</sf:IDEmisorFactura>` +
    `<sf:NumSerieFactura>${escapeText(number)}</sf:NumSerieFactura>` +
    `<sf:FechaExpedicionFactura>${escapeText(writeDay(issued_on))}</sf:FechaExpedicionFactura>`
  );
}

function maybe(name: string, value: string | null): string {
  return value === null ? '' : `<sf:${name}>${escapeText(value)}</sf:${name}>`;
}

/** Totals from 100,000,000 on, of either sign, have Macrodato. */
function isMacro(total: string): boolean {
  return /^-?0*[1-9]\d{8}/.test(total);
}
