/** Reads checked XML. Amounts and rates are hundredths. */
import { hundredths } from './decimals.ts';
import { childOf, textOf, type Xml } from './xml-tree.ts';

export type Person = {
  name: string;
  nif: string | undefined;
  country: string | undefined;
  id_type: string | undefined;
  id: string | undefined;
};

/** The date stays `dd-mm-yyyy`. */
export type InvoiceId = { issuer: string; number: string; issued_on: string };

/** `cost_base` is BaseImponibleACoste. */
export type Detail = {
  tax: string;
  regime: string | undefined;
  qualification: string | undefined;
  exemption: string | undefined;
  rate: bigint | undefined;
  base: bigint;
  cost_base: bigint | undefined;
  quota: bigint | undefined;
  surcharge_rate: bigint | undefined;
  surcharge: bigint | undefined;
};

type Common = {
  invoice: InvoiceId;
  external_ref: string | undefined;
  rejected_before: string | undefined;
  previous: (InvoiceId & { huella: string }) | undefined;
  system: Person & { system_id: string; installation: string };
  stamp: string;
  huella: string;
  /** For rules that need the original texts. */
  xml: Xml;
};

export type Alta = Common & {
  operation: 'Alta';
  issuer_name: string;
  subsanacion: string | undefined;
  type: string;
  corrective_kind: string | undefined;
  rectified: InvoiceId[] | undefined;
  replaced: InvoiceId[] | undefined;
  has_rectified_amounts: boolean;
  operated_on: string | undefined;
  is_simplified_with_recipient: boolean;
  is_without_recipient: boolean;
  is_macro: boolean;
  issued_by: string | undefined;
  third_party: Person | undefined;
  recipients: Person[] | undefined;
  has_coupon: boolean;
  details: Detail[];
  tax_total: bigint;
  total: bigint;
  agreement: string | undefined;
};

export type Annulment = Common & {
  operation: 'Anulacion';
  without_previous: string | undefined;
  generated_by: string | undefined;
  generator: Person | undefined;
};

export type BillingRecord = Alta | Annulment;

/** No accepted part holds a tab. */
export function keyOf({ issuer, number, issued_on }: InvoiceId): string {
  return `${issuer}\t${number}\t${issued_on}`;
}

/** The taxpayer's installation, whatever its version. */
export function systemOf({ invoice, system }: BillingRecord): string {
  const { nif, country, id_type, id, system_id, installation } = system;
  return [invoice.issuer, nif ?? [country, id_type, id].join(' '), system_id, installation].join('\t');
}

/** @param xml the child of a RegistroFactura */
export function readRecord(xml: Xml): BillingRecord {
  return xml.name === 'RegistroAlta' ? readAlta(xml) : readAnnulment(xml);
}

function readAlta(xml: Xml): Alta {
  const list = (block: string) => {
    const found = childOf(xml, block)?.children;
    return found?.map((child) => readInvoiceId(child, ''));
  };
  return {
    operation: 'Alta',
    ...readCommon(xml, readInvoiceId(childOf(xml, 'IDFactura'), '')),
    issuer_name: textOf(xml, 'NombreRazonEmisor') ?? '',
    subsanacion: textOf(xml, 'Subsanacion'),
    type: textOf(xml, 'TipoFactura') ?? '',
    corrective_kind: textOf(xml, 'TipoRectificativa'),
    rectified: list('FacturasRectificadas'),
    replaced: list('FacturasSustituidas'),
    has_rectified_amounts: childOf(xml, 'ImporteRectificacion') !== undefined,
    operated_on: textOf(xml, 'FechaOperacion'),
    is_simplified_with_recipient: textOf(xml, 'FacturaSimplificadaArt7273') === 'S',
    is_without_recipient: textOf(xml, 'FacturaSinIdentifDestinatarioArt61d') === 'S',
    is_macro: textOf(xml, 'Macrodato') === 'S',
    issued_by: textOf(xml, 'EmitidaPorTerceroODestinatario'),
    third_party: readPerson(childOf(xml, 'Tercero')),
    recipients: childOf(xml, 'Destinatarios')?.children.map(personOf),
    has_coupon: textOf(xml, 'Cupon') === 'S',
    details: childOf(xml, 'Desglose')?.children.map(readDetail) ?? [],
    tax_total: hundredths(textOf(xml, 'CuotaTotal')) ?? 0n,
    total: hundredths(textOf(xml, 'ImporteTotal')) ?? 0n,
    agreement: textOf(xml, 'NumRegistroAcuerdoFacturacion'),
  };
}

function readAnnulment(xml: Xml): Annulment {
  return {
    operation: 'Anulacion',
    ...readCommon(xml, readInvoiceId(childOf(xml, 'IDFactura'), 'Anulada')),
    without_previous: textOf(xml, 'SinRegistroPrevio'),
    generated_by: textOf(xml, 'GeneradoPor'),
    generator: readPerson(childOf(xml, 'Generador')),
  };
}

function readCommon(xml: Xml, invoice: InvoiceId): Common {
  const previous = childOf(childOf(xml, 'Encadenamiento'), 'RegistroAnterior');
  const system = childOf(xml, 'SistemaInformatico');
  return {
    invoice,
    external_ref: textOf(xml, 'RefExterna'),
    rejected_before: textOf(xml, 'RechazoPrevio'),
    previous: previous && { ...readInvoiceId(previous, ''), huella: textOf(previous, 'Huella') ?? '' },
    system: {
      ...personOf(system),
      system_id: textOf(system, 'IdSistemaInformatico') ?? '',
      installation: textOf(system, 'NumeroInstalacion') ?? '',
    },
    stamp: textOf(xml, 'FechaHoraHusoGenRegistro') ?? '',
    huella: textOf(xml, 'Huella') ?? '',
    xml,
  };
}

function readInvoiceId(xml: Xml | undefined, suffix: string): InvoiceId {
  return {
    issuer: textOf(xml, `IDEmisorFactura${suffix}`) ?? '',
    number: textOf(xml, `NumSerieFactura${suffix}`) ?? '',
    issued_on: textOf(xml, `FechaExpedicionFactura${suffix}`) ?? '',
  };
}

function readPerson(xml: Xml | undefined): Person | undefined {
  return xml && personOf(xml);
}

function personOf(xml: Xml | undefined): Person {
  const other = childOf(xml, 'IDOtro');
  return {
    name: textOf(xml, 'NombreRazon') ?? '',
    nif: textOf(xml, 'NIF'),
    country: textOf(other, 'CodigoPais'),
    id_type: textOf(other, 'IDType'),
    id: textOf(other, 'ID'),
  };
}

function readDetail(xml: Xml): Detail {
  return {
    tax: textOf(xml, 'Impuesto') ?? '01',
    regime: textOf(xml, 'ClaveRegimen'),
    qualification: textOf(xml, 'CalificacionOperacion'),
    exemption: textOf(xml, 'OperacionExenta'),
    rate: hundredths(textOf(xml, 'TipoImpositivo')),
    base: hundredths(textOf(xml, 'BaseImponibleOimporteNoSujeto')) ?? 0n,
    cost_base: hundredths(textOf(xml, 'BaseImponibleACoste')),
    quota: hundredths(textOf(xml, 'CuotaRepercutida')),
    surcharge_rate: hundredths(textOf(xml, 'TipoRecargoEquivalencia')),
    surcharge: hundredths(textOf(xml, 'CuotaRecargoEquivalencia')),
  };
}
