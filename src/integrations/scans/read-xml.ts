import { Buffer } from 'node:buffer';
import type { ScanReading } from '../../modules/purchase-scans/index.ts';
import { isFacturae, readFacturae } from '../../modules/purchase-scans/ports.ts';
import { parseXml, type XmlNode } from '../aeat/xml-tree.ts';
import { nothingRead } from './nothing-read.ts';

const signatures = 'http://www.w3.org/2000/09/xmldsig#';

export function readXml(bytes: Uint8Array): ScanReading {
  let root: XmlNode;
  try {
    root = parseXml(wideText(bytes) ?? bytes, signatures);
  } catch {
    return nothingRead(
      'El XML no está bien formado, es demasiado grande, o declara un tipo de documento (DTD), que no se admite.',
    );
  }
  return isFacturae(root)
    ? readFacturae(root)
    : nothingRead('El XML no es una factura Facturae 3.2, 3.2.1 o 3.2.2.');
}

/** UTF-16, told by its mark or its first `<` (XML 1.0, appendix F). The parser takes its text, which has no declaration. */
function wideText(bytes: Uint8Array): string | undefined {
  const begin = Buffer.from(bytes.subarray(0, 2)).toString('hex');
  const encoding = { fffe: 'utf-16le', '3c00': 'utf-16le', feff: 'utf-16be', '003c': 'utf-16be' }[begin];
  if (encoding === undefined) return undefined;
  return new TextDecoder(encoding, { fatal: true }).decode(bytes).replace(/^<\?xml\s[^>]*>/, '');
}
