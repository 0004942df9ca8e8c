/**
 * SHA-256 over `name=value` pairs in a fixed order, in upper-case hex. The authority accepts a wrong huella with
 * error 2000, so only tests here would notice it.
 */
import { hash } from 'node:crypto';
import type { ChainedEvent, ChainedRecord } from '../../modules/verifactu/index.ts';
import { legible, trimForHuella, writeDay } from './xml-text.ts';

const clean = (text: string) => trimForHuella(legible(text));

export function huellaOf(record: ChainedRecord): string {
  return sha256(huellaText(record));
}

export function huellaOfEvent(event: ChainedEvent): string {
  return sha256(eventHuellaText(event));
}

/** The first record of a chain has `Huella=` with nothing after it. */
export function huellaText({ content, previous, stamped_at }: ChainedRecord): string {
  const { issuer, number, issued_on } = content;
  const before = previous === null ? '' : clean(previous.huella);
  if (content.kind === 'anulacion') {
    return (
      `IDEmisorFacturaAnulada=${clean(issuer.tax_id)}&NumSerieFacturaAnulada=${clean(number)}` +
      `&FechaExpedicionFacturaAnulada=${clean(writeDay(issued_on))}` +
      `&Huella=${before}&FechaHoraHusoGenRegistro=${clean(stamped_at)}`
    );
  }
  return (
    `IDEmisorFactura=${clean(issuer.tax_id)}&NumSerieFactura=${clean(number)}` +
    `&FechaExpedicionFactura=${clean(writeDay(issued_on))}&TipoFactura=${content.type}` +
    `&CuotaTotal=${clean(content.tax_total)}&ImporteTotal=${clean(content.total)}` +
    `&Huella=${before}&FechaHoraHusoGenRegistro=${clean(stamped_at)}`
  );
}

/** The first `NIF` is the producer's (or its foreign `ID`), the second the taxpayer's. */
export function eventHuellaText({ details, previous, system, taxpayer, stamped_at }: ChainedEvent): string {
  const { producer } = system;
  return (
    `NIF=${clean(producer.tax_id ?? '')}&ID=${clean(producer.foreign_id?.id ?? '')}` +
    `&IdSistemaInformatico=${clean(system.code)}&Version=${clean(system.version)}` +
    `&NumeroInstalacion=${clean(system.installation_number)}&NIF=${clean(taxpayer.tax_id)}` +
    `&TipoEvento=${details.type}&HuellaEvento=${previous === null ? '' : clean(previous.huella)}` +
    `&FechaHoraHusoGenEvento=${clean(stamped_at)}`
  );
}

function sha256(text: string): string {
  return hash('sha256', text, 'hex').toUpperCase();
}
