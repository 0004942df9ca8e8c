/**
 * The huella of a record, from its XML alone: the texts as they were written, joined and hashed (huella
 * specification 0.1.2). Written apart from the code that makes records, so that each checks the other.
 */
import { createHash } from 'node:crypto';
import type { BillingRecord } from './records.ts';
import { childOf, textOf, type Xml } from './xml-tree.ts';

/** 64 upper-case hexadecimal digits. */
export function huellaOf({ operation, xml }: BillingRecord): string {
  const id = childOf(xml, 'IDFactura');
  const previous = childOf(childOf(xml, 'Encadenamiento'), 'RegistroAnterior');
  const suffix = operation === 'Alta' ? '' : 'Anulada';
  const parts: [name: string, from: Xml | undefined][] = [
    [`IDEmisorFactura${suffix}`, id],
    [`NumSerieFactura${suffix}`, id],
    [`FechaExpedicionFactura${suffix}`, id],
  ];
  if (operation === 'Alta') parts.push(['TipoFactura', xml], ['CuotaTotal', xml], ['ImporteTotal', xml]);
  parts.push(['Huella', previous], ['FechaHoraHusoGenRegistro', xml]);
  const text = parts.map(([name, from]) => `${name}=${trimBlanks(textOf(from, name) ?? '')}`).join('&');
  return createHash('sha256').update(text, 'utf8').digest('hex').toUpperCase();
}

/** Blanks are the code points up to U+0020, and only at the ends. */
function trimBlanks(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && text.charCodeAt(start) <= 0x20) start++;
  while (end > start && text.charCodeAt(end - 1) <= 0x20) end--;
  return text.slice(start, end);
}
