/**
 * Writes records into a SOAP 1.1 envelope, byte for byte. The same message always gives the same text, so that it can
 * be repeated after a lost answer.
 */
import type { Message } from '../../modules/verifactu/index.ts';
import { namespaces } from './names.ts';
import { escapeText, writeDay } from './xml-text.ts';

/** The schema's limit for one message. */
export const messageRecordsMax = 1000;

const opening =
  '<?xml version="1.0" encoding="UTF-8"?>' +
  `<soapenv:Envelope xmlns:soapenv="${namespaces.soap}"><soapenv:Header></soapenv:Header><soapenv:Body>` +
  `<lr:RegFactuSistemaFacturacion xmlns:lr="${namespaces.message}" xmlns:sf="${namespaces.record}">`;
const closing = '</lr:RegFactuSistemaFacturacion></soapenv:Body></soapenv:Envelope>';

type Content = Pick<Message, 'taxpayer' | 'is_incident' | 'ends_on' | 'records'>;

/** @throws RangeError for no record, or more than 1,000 */
export function writeMessage({ taxpayer, is_incident, ends_on, records }: Content): string {
  if (records.length === 0 || records.length > messageRecordsMax)
    throw new RangeError(`a message takes 1 to ${messageRecordsMax} records, not ${records.length}`);
  return (
    `${opening}<lr:Cabecera><sf:ObligadoEmision><sf:NombreRazon>${escapeText(taxpayer.name)}</sf:NombreRazon>` +
    `<sf:NIF>${escapeText(taxpayer.tax_id)}</sf:NIF></sf:ObligadoEmision>` +
    `${voluntary(is_incident, ends_on)}</lr:Cabecera><lr:RegistroFactura>` +
    `${records.join('</lr:RegistroFactura><lr:RegistroFactura>')}</lr:RegistroFactura>${closing}`
  );
}

/** An empty RemisionVoluntaria is left out. */
function voluntary(is_incident: boolean, ends_on: string | null): string {
  if (!is_incident && ends_on === null) return '';
  const end =
    ends_on === null ? '' : `<sf:FechaFinVeriFactu>${escapeText(writeDay(ends_on))}</sf:FechaFinVeriFactu>`;
  const late = is_incident ? '<sf:Incidencia>S</sf:Incidencia>' : '';
  return `<sf:RemisionVoluntaria>${end}${late}</sf:RemisionVoluntaria>`;
}
