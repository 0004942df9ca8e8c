/** Chooses the reader for each kind of file. */
import type { ScanReading } from '../../modules/purchase-scans/index.ts';
import { picturePdf } from './picture-pdf.ts';
import { nothingRead } from './nothing-read.ts';
import { readPdf } from './read-pdf.ts';
import type { ReadRequest } from './read-process.ts';
import { readXml } from './read-xml.ts';

export async function readScan({ bytes, media_type }: ReadRequest): Promise<ScanReading> {
  if (media_type === 'application/xml') return readXml(bytes);
  if (media_type === 'application/pdf') return readPdf(bytes);
  const pdf = picturePdf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), media_type);
  return pdf ? readPdf(pdf) : nothingRead('La imagen es de una clase poco común, o está dañada.', 1);
}
