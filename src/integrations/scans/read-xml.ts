import type { ScanReading } from '../../modules/purchase-scans/index.ts';
import { isFacturae, readFacturae } from '../../modules/purchase-scans/ports.ts';
import { parseXml, type XmlNode } from '../aeat/xml-tree.ts';
import { nothingRead } from './nothing-read.ts';

const signatures = 'http://www.w3.org/2000/09/xmldsig#';

export function readXml(bytes: Uint8Array): ScanReading {
  let root: XmlNode;
  try {
    root = parseXml(bytes, signatures);
  } catch {
    return nothingRead(
      'El XML no está bien formado, es demasiado grande, o declara un tipo de documento (DTD), que no se admite.',
    );
  }
  return isFacturae(root)
    ? readFacturae(root)
    : nothingRead('El XML no es una factura Facturae 3.2, 3.2.1 o 3.2.2.');
}
