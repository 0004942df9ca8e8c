/**
 * Computes the huella by the authority's specification 0.1.2: hashes the texts as written.
 * It shares no code with senders, so that it can check theirs.
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

/** Removes code points up to U+0020 at both ends. */
function trimBlanks(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && text.charCodeAt(start) <= 0x20) start++;
  while (end > start && text.charCodeAt(end - 1) <= 0x20) end--;
  return text.slice(start, end);
}
