/** Papers to upload and to read, each of other bytes. */
import { Buffer } from 'node:buffer';
import { facturae } from '../test/support/scan-samples/facturae.ts';
import { textPdf } from '../test/support/scan-samples/pdf-text.ts';
import { writePng } from '../test/support/png.ts';

let made = 0;

/** With the totals on the last page, as papers have them. */
export function paperPdf(pages: number): Buffer {
  const number = ++made;
  const page = (at: number) => [
    `Papelera del Sur SL  NIF B12345674  Factura A-${number}  Fecha 12/01/2026  Hoja ${at + 1}`,
    ...Array.from(
      { length: 45 },
      (_, row) => `${row + 1}  Resma de papel ${number}-${at}-${row}  2  1,00  2,00`,
    ),
  ];
  const sheets = Array.from({ length: pages }, (_, at) => page(at));
  sheets.at(-1)!.push('Base imponible 100,00', 'IVA 21 % 21,00', 'Total factura 121,00');
  return textPdf(sheets);
}

/** Of pages without text, filled up by a comment. */
export function fullPdf(bytes: number): Buffer {
  const paper = paperPdf(1);
  const rest = Buffer.alloc(bytes - paper.length, '%');
  rest.write(`\n% ${++made} `);
  return Buffer.concat([paper, rest]);
}

/** Little in the file, and much when it is drawn. */
const shades = writePng(
  3000,
  2000,
  Uint8Array.from({ length: 3000 * 2000 * 4 }, (_, at) => (at % 4 === 3 ? 255 : (at >> 14) % 256)),
);

/** A comment after the end of the picture. */
export function photograph(): Buffer {
  return Buffer.concat([shades, Buffer.from(`${++made}`)]);
}

export function electronic(): Buffer {
  return facturae({ number: `F-${++made}` });
}

export function uploadBody(bytes: Buffer): string {
  return JSON.stringify({ file_name: 'factura.pdf', content_base64: bytes.toString('base64') });
}
