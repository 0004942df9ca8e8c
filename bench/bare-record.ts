import { hash } from 'node:crypto';
import { namespaces } from '../src/integrations/aeat/names.ts';
import type { AltaContent, ChainLink, SystemInfo, WrittenRecord } from '../src/modules/verifactu/index.ts';

const day = (iso: string) => `${iso.slice(8)}-${iso.slice(5, 7)}-${iso.slice(0, 4)}`;

/**
 * The floor of a record: an F1 with a Spanish client. Nothing is escaped, checked or omitted, so only the
 * bench's own invoices can be written.
 */
export function bareRecord(
  alta: AltaContent,
  reference: string,
  previous: ChainLink | null,
  system: SystemInfo,
  stamped_at: string,
): WrittenRecord {
  const issued_on = day(alta.issued_on);
  const huella = hash(
    'sha256',
    `IDEmisorFactura=${alta.issuer.tax_id}&NumSerieFactura=${alta.number}&FechaExpedicionFactura=${issued_on}` +
      `&TipoFactura=${alta.type}&CuotaTotal=${alta.tax_total}&ImporteTotal=${alta.total}` +
      `&Huella=${previous?.huella ?? ''}&FechaHoraHusoGenRegistro=${stamped_at}`,
    'hex',
  ).toUpperCase();
  let rows = '';
  for (const row of alta.rows)
    rows += `<sf:DetalleDesglose><sf:Impuesto>${row.tax_code}</sf:Impuesto><sf:ClaveRegimen>${row.regime_key}</sf:ClaveRegimen><sf:CalificacionOperacion>${row.qualification}</sf:CalificacionOperacion><sf:TipoImpositivo>${row.rate}</sf:TipoImpositivo><sf:BaseImponibleOimporteNoSujeto>${row.base}</sf:BaseImponibleOimporteNoSujeto><sf:CuotaRepercutida>${row.tax}</sf:CuotaRepercutida></sf:DetalleDesglose>`;
  const [client] = alta.recipients;
  const link =
    previous === null
      ? '<sf:PrimerRegistro>S</sf:PrimerRegistro>'
      : `<sf:RegistroAnterior><sf:IDEmisorFactura>${previous.tax_id}</sf:IDEmisorFactura><sf:NumSerieFactura>${previous.number}</sf:NumSerieFactura><sf:FechaExpedicionFactura>${day(previous.issued_on)}</sf:FechaExpedicionFactura><sf:Huella>${previous.huella}</sf:Huella></sf:RegistroAnterior>`;
  const xml = `<sf:RegistroAlta xmlns:ds="${namespaces.signature}" xmlns:sf="${namespaces.record}"><sf:IDVersion>1.0</sf:IDVersion><sf:IDFactura><sf:IDEmisorFactura>${alta.issuer.tax_id}</sf:IDEmisorFactura><sf:NumSerieFactura>${alta.number}</sf:NumSerieFactura><sf:FechaExpedicionFactura>${issued_on}</sf:FechaExpedicionFactura></sf:IDFactura><sf:RefExterna>${reference}</sf:RefExterna><sf:NombreRazonEmisor>${alta.issuer.name}</sf:NombreRazonEmisor><sf:TipoFactura>${alta.type}</sf:TipoFactura><sf:DescripcionOperacion>${alta.description}</sf:DescripcionOperacion><sf:Destinatarios><sf:IDDestinatario><sf:NombreRazon>${client?.name}</sf:NombreRazon><sf:NIF>${client?.tax_id}</sf:NIF></sf:IDDestinatario></sf:Destinatarios><sf:Desglose>${rows}</sf:Desglose><sf:CuotaTotal>${alta.tax_total}</sf:CuotaTotal><sf:ImporteTotal>${alta.total}</sf:ImporteTotal><sf:Encadenamiento>${link}</sf:Encadenamiento><sf:SistemaInformatico><sf:NombreRazon>${system.producer.name}</sf:NombreRazon><sf:NIF>${system.producer.tax_id}</sf:NIF><sf:NombreSistemaInformatico>${system.name}</sf:NombreSistemaInformatico><sf:IdSistemaInformatico>${system.code}</sf:IdSistemaInformatico><sf:Version>${system.version}</sf:Version><sf:NumeroInstalacion>${system.installation_number}</sf:NumeroInstalacion><sf:TipoUsoPosibleSoloVerifactu>N</sf:TipoUsoPosibleSoloVerifactu><sf:TipoUsoPosibleMultiOT>S</sf:TipoUsoPosibleMultiOT><sf:IndicadorMultiplesOT>N</sf:IndicadorMultiplesOT></sf:SistemaInformatico><sf:FechaHoraHusoGenRegistro>${stamped_at}</sf:FechaHoraHusoGenRegistro><sf:TipoHuella>01</sf:TipoHuella><sf:Huella>${huella}</sf:Huella></sf:RegistroAlta>`;
  return { xml, huella };
}
