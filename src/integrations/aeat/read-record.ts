/**
 * The values may have changed since writeRecord wrote them. Elements that it never writes are refused: Cupon,
 * NumRegistroAcuerdoFacturacion, IdAcuerdoSistemaInformatico, GeneradoPor.
 */
import type {
  AltaContent,
  AnulacionContent,
  BreakdownRow,
  ChainedRecord,
  InvoiceRef,
  Party,
  ReadRecord,
} from '../../modules/verifactu/index.ts';
import { ElementReader } from './element-reader.ts';
import { namespaces } from './names.ts';
import { readInvoiceRef, readRecordLink, readSystem, readWholeParty } from './read-parts.ts';
import { exemptionReasons, invoiceTypes, qualifications, regimeKeys, taxCodes } from './value-lists.ts';
import { readDay } from './xml-text.ts';
import { parseXml } from './xml-tree.ts';

/**
 * Takes values as they are, so that their faults can be shown.
 * @throws Error for a text that writeRecord cannot have written
 */
export function readRecord(xml: string): ReadRecord {
  const root = parseXml(xml, namespaces.signature);
  const reader = new ElementReader(root, namespaces.record);
  if (root.name !== 'RegistroAlta' && root.name !== 'RegistroAnulacion')
    throw new Error('no es un registro de facturación');
  reader.choice('IDVersion', ['1.0']);
  const content = root.name === 'RegistroAlta' ? readAlta(reader) : readAnulacion(reader);
  return { content, ...readClosing(reader) };
}

function readAlta(reader: ElementReader): AltaContent {
  const id = reader.one('IDFactura');
  const { tax_id, number, issued_on } = readInvoiceRef(id);
  id.end();
  return {
    kind: 'alta',
    reference: reader.maybeText('RefExterna'),
    issuer: { name: reader.text('NombreRazonEmisor'), tax_id },
    number,
    issued_on,
    is_subsanacion: reader.flag('Subsanacion'),
    prior_rejection: readPriorRejection(reader),
    type: reader.choice('TipoFactura', invoiceTypes),
    correction: reader.maybeChoice('TipoRectificativa', ['S', 'I']),
    corrected_invoices: readInvoiceRefs(reader, 'FacturasRectificadas', 'IDFacturaRectificada'),
    substituted_invoices: readInvoiceRefs(reader, 'FacturasSustituidas', 'IDFacturaSustituida'),
    corrected_amounts: readCorrectedAmounts(reader.maybe('ImporteRectificacion')),
    operation_on: maybeDay(reader.maybeText('FechaOperacion')),
    description: reader.text('DescripcionOperacion'),
    is_qualified_simplified: reader.flag('FacturaSimplificadaArt7273'),
    is_without_recipient: reader.flag('FacturaSinIdentifDestinatarioArt61d'),
    ...readIssuedBy(reader),
    recipients: readRecipients(reader.maybe('Destinatarios')),
    rows: readRows(reader.one('Desglose')),
    tax_total: reader.text('CuotaTotal'),
    total: reader.text('ImporteTotal'),
  };
}

function readAnulacion(reader: ElementReader): AnulacionContent {
  const id = reader.one('IDFactura');
  const tax_id = id.text('IDEmisorFacturaAnulada');
  const number = id.text('NumSerieFacturaAnulada');
  const issued_on = readDay(id.text('FechaExpedicionFacturaAnulada'));
  id.end();
  return {
    kind: 'anulacion',
    // An annulment does not hold the issuer's name.
    issuer: { name: '', tax_id },
    number,
    issued_on,
    reference: reader.maybeText('RefExterna'),
    has_no_prior_record: reader.flag('SinRegistroPrevio'),
    is_prior_rejection: reader.flag('RechazoPrevio'),
  };
}

function readClosing(reader: ElementReader): Omit<ReadRecord, 'content'> {
  const link = reader.one('Encadenamiento');
  const previous = readChainLink(link);
  link.end();
  const system = readSystem(reader.one('SistemaInformatico'));
  const stamped_at = reader.text('FechaHoraHusoGenRegistro');
  reader.choice('TipoHuella', ['01']);
  const huella = reader.text('Huella');
  const is_signed = reader.foreign('Signature', namespaces.signature);
  reader.end();
  return { previous, system, stamped_at, huella, is_signed };
}

function readChainLink(reader: ElementReader): ChainedRecord['previous'] {
  if (reader.maybeChoice('PrimerRegistro', ['S']) !== null) return null;
  return readRecordLink(reader.one('RegistroAnterior'));
}

function readInvoiceRefs(reader: ElementReader, list: string, item: string): InvoiceRef[] {
  const all = reader.maybe(list);
  if (all === null) return [];
  return atLeastOne(all, item, (child) => {
    const ref = readInvoiceRef(child);
    child.end();
    return ref;
  });
}

function readRecipients(reader: ElementReader | null): Party[] {
  return reader === null ? [] : atLeastOne(reader, 'IDDestinatario', readWholeParty);
}

function readRows(reader: ElementReader): BreakdownRow[] {
  return atLeastOne(reader, 'DetalleDesglose', readRow);
}

function readRow(reader: ElementReader): BreakdownRow {
  const tax_code = reader.choice('Impuesto', taxCodes);
  const regime_key = reader.maybeChoice('ClaveRegimen', regimeKeys);
  const qualification = reader.maybeChoice('CalificacionOperacion', qualifications);
  const row: BreakdownRow = {
    tax_code,
    regime_key,
    qualification,
    exemption_reason: qualification === null ? reader.choice('OperacionExenta', exemptionReasons) : null,
    rate: reader.maybeText('TipoImpositivo'),
    base: reader.text('BaseImponibleOimporteNoSujeto'),
    base_at_cost: reader.maybeText('BaseImponibleACoste'),
    tax: reader.maybeText('CuotaRepercutida'),
    surcharge_rate: reader.maybeText('TipoRecargoEquivalencia'),
    surcharge: reader.maybeText('CuotaRecargoEquivalencia'),
  };
  reader.end();
  return row;
}

function readCorrectedAmounts(reader: ElementReader | null): AltaContent['corrected_amounts'] {
  if (reader === null) return null;
  const amounts = {
    base: reader.text('BaseRectificada'),
    tax: reader.text('CuotaRectificada'),
    surcharge: reader.maybeText('CuotaRecargoRectificado'),
  };
  reader.end();
  return amounts;
}

/** Macrodato is skipped: the total decides it. */
function readIssuedBy(reader: ElementReader): Pick<AltaContent, 'issued_by' | 'third_party'> {
  reader.flag('Macrodato');
  const issued_by = reader.maybeChoice('EmitidaPorTerceroODestinatario', ['D', 'T']);
  const third = reader.maybe('Tercero');
  return { issued_by, third_party: third === null ? null : readWholeParty(third) };
}

function readPriorRejection(reader: ElementReader): AltaContent['prior_rejection'] {
  const value = reader.maybeChoice('RechazoPrevio', ['S', 'X', 'N']);
  return value === 'N' ? null : value;
}

function maybeDay(text: string | null): string | null {
  return text === null ? null : readDay(text);
}

function atLeastOne<T>(reader: ElementReader, item: string, read: (child: ElementReader) => T): T[] {
  const found = [read(reader.one(item)), ...reader.many(item, read)];
  reader.end();
  return found;
}
