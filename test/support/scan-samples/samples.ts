/** Files as suppliers send them, and what is to be read of each. */
import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import type { PrintedDocument } from '../../../src/domain/printing/printed-document.ts';
import { drawPages, type Picture } from '../pdf-pictures.ts';
import { writePng } from '../png.ts';
import { printedSample } from '../printed-samples.ts';
import { facturae } from './facturae.ts';
import { blankPdf, lockedPdf, scannedPdf, textPdf } from './pdf-text.ts';

/** Of the QR of `a4-es`. */
export const photograph: Buffer = readFileSync(new URL('photograph.jpg', import.meta.url));

export type ScanSample = {
  name: string;
  bytes: Buffer;
  method: 'facturae' | 'verifactu_qr' | 'text' | 'none';
  /** Of the proposal; null for none. */
  total: number | null;
  /** Of the proposal. */
  number?: string;
  pages: number | null;
  /** What a warning says. */
  warns?: RegExp;
};

export type Print = (document: PrintedDocument) => Promise<Uint8Array>;

const xml = { method: 'facturae', pages: null } as const;
const declares = '<!DOCTYPE a [<!ENTITY x "y">]>';
const bomb = `<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 9 }, (_, at) => `<!ENTITY ${String.fromCharCode(98 + at)} "${`&${String.fromCharCode(97 + at)};`.repeat(10)}">`).join('')}]>`;

const fromXml: readonly ScanSample[] = [
  { ...xml, name: 'Facturae 3.2', bytes: facturae({ version: '3.2' }), total: 213.65, number: '2026/17' },
  {
    ...xml,
    name: 'Facturae 3.2, signed',
    bytes: facturae({ version: '3.2', is_signed: true }),
    total: 213.65,
  },
  { ...xml, name: 'Facturae 3.2.1', bytes: facturae({ version: '3.2.1' }), total: 213.65 },
  { ...xml, name: 'Facturae 3.2.2', bytes: facturae({ version: '3.2.2' }), total: 213.65 },
  {
    ...xml,
    name: 'Facturae 3.2.1, signed',
    bytes: facturae({ version: '3.2.1', is_signed: true }),
    total: 213.65,
  },
  {
    ...xml,
    name: 'Facturae 3.2.2, signed, with a retention and an exempt line',
    bytes: facturae({
      is_signed: true,
      number: 'R-9',
      sold: [
        { description: 'Asesoría', quantity: '1.0', price: '300.00', gross: '300.00', rate: '21.00' },
        {
          description: 'Curso',
          quantity: '2.0',
          price: '50.00',
          gross: '100.00',
          rate: '0.00',
          special: '01',
        },
      ],
      taxes: [
        { rate: '21.00', base: '300.00', tax: '63.00' },
        { rate: '0.00', base: '100.00', tax: '0.00' },
      ],
      withheld: { rate: '15.00', base: '400.00', tax: '60.00' },
      gross: '400.00',
      outputs: '63.00',
      due: '403.00',
    }),
    total: 463,
    number: 'R-9',
  },
  {
    ...xml,
    name: 'Facturae whose totals disagree',
    bytes: facturae({ due: '213.66' }),
    total: null,
    warns: /no cuadran/,
  },
  {
    ...xml,
    name: 'Facturae whose lines disagree',
    bytes: facturae({ gross: '186.00', due: '214.65' }),
    total: null,
    warns: /no cuadran/,
  },
  {
    ...xml,
    name: 'Facturae without an invoice',
    bytes: Buffer.from(
      facturae()
        .toString()
        .replace(/<Invoice>.*<\/Invoice>/s, ''),
    ),
    total: null,
    warns: /ninguna factura/,
  },
  {
    name: 'XML that is no Facturae',
    bytes: Buffer.from('<?xml version="1.0"?><a/>'),
    method: 'none',
    total: null,
    pages: null,
    warns: /no es una factura/,
  },
  {
    name: 'XML with a document type',
    bytes: facturae({ before: declares }),
    method: 'none',
    total: null,
    pages: null,
    warns: /DTD/,
  },
  {
    name: 'XML with a bomb of entities',
    bytes: facturae({ before: bomb }),
    method: 'none',
    total: null,
    pages: null,
    warns: /DTD/,
  },
];

const paper = (total: string) => [
  'Papelera Sur, S. L.  CIF B-12345674',
  'Factura n.º A-2026/881',
  'Fecha: 12/03/2026',
  'Base imponible 100,00',
  'IVA 21 % 21,00',
  `Total ${total}`,
];

const fromText: readonly ScanSample[] = [
  {
    name: 'text of a PDF',
    bytes: textPdf([paper('121,00')]),
    method: 'text',
    total: 121,
    number: 'A-2026/881',
    pages: 1,
  },
  {
    name: 'text of a ticket whose prices have their tax',
    bytes: textPdf([
      [
        'Casa Pepe  NIF B-12345674',
        'Factura simplificada T26/0123',
        '12/03/2026 14:32',
        'Base 82,64  IVA 21 % 17,36',
        'TOTAL 100,00',
      ],
    ]),
    method: 'text',
    total: 100,
    number: 'T26/0123',
    pages: 1,
  },
  {
    name: 'text on two pages, with a retention',
    bytes: textPdf([
      ['Gestoría  NIF: 12345678Z', 'Factura núm. 14/2026', 'Fecha de emisión: 2 de marzo de 2026'],
      ['Base imponible 1.000,00', 'IVA 21 % 210,00', 'IRPF 15 % -150,00', 'Total a pagar 1.060,00'],
    ]),
    method: 'text',
    total: 1210,
    number: '14/2026',
    pages: 2,
  },
  {
    name: 'text whose total disagrees',
    bytes: textPdf([paper('122,00')]),
    method: 'text',
    total: null,
    pages: 1,
    warns: /sumen el total/,
  },
  {
    name: 'text of something else',
    bytes: textPdf([['Hola', 'Total 121,00']]),
    method: 'none',
    total: null,
    pages: 1,
    warns: /NIF válido/,
  },
  {
    name: 'PDF of empty pages',
    bytes: blankPdf(2),
    method: 'none',
    total: null,
    pages: 2,
    warns: /NIF válido/,
  },
  {
    name: 'PDF of 101 pages',
    bytes: blankPdf(101),
    method: 'none',
    total: null,
    pages: 101,
    warns: /101 páginas/,
  },
  {
    name: 'encrypted PDF',
    bytes: lockedPdf(),
    method: 'none',
    total: null,
    pages: null,
    warns: /contraseña/,
  },
  {
    name: 'damaged PDF',
    bytes: Buffer.from('%PDF-1.7\nnothing follows'),
    method: 'none',
    total: null,
    pages: null,
    warns: /dañado/,
  },
];

/** By a quarter to the right. */
function turned({ width, height, rgba }: Picture): Buffer {
  const out = Buffer.alloc(rgba.length);
  const [from, to] = [
    new Uint32Array(rgba.buffer),
    new Uint32Array(out.buffer, out.byteOffset, width * height),
  ];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) to[x * height + (height - 1 - y)] = from[y * width + x]!;
  return writePng(height, width, out, 1);
}

/** Our own papers, so that the reader reads what the printer prints. */
async function fromPrinter(print: Print): Promise<ScanSample[]> {
  const es = printedSample('a4-es').document;
  const other = { ...es, qr: { ...es.qr!, url: es.qr!.url.replace('F2026-00012', 'F2026-00013') } };
  const [spanish, catalan, two] = await Promise.all([
    print(es),
    print(printedSample('a4-ca').document),
    print(other),
  ]);
  const not_sent = await print({
    ...es,
    qr: { ...es.qr!, url: es.qr!.url.replace('ValidarQR', 'ValidarQRNoVerifactu') },
  });
  const of_other_total = await print({
    ...es,
    qr: { ...es.qr!, url: es.qr!.url.replace('2741.39', '2741.40') },
  });
  const [picture] = await drawPages(spanish, 150);
  const [second] = await drawPages(two, 150);
  const qr = { method: 'verifactu_qr', pages: 1 } as const;
  return [
    {
      ...qr,
      name: 'our PDF with its QR',
      bytes: Buffer.from(spanish),
      total: 2741.39,
      number: 'F2026-00012',
    },
    { ...qr, name: 'our PDF of another language', bytes: Buffer.from(catalan), total: 2741.39 },
    { ...qr, name: 'our PDF of the other mode', bytes: Buffer.from(not_sent), total: 2741.39 },
    {
      ...qr,
      name: 'our PDF with the QR of another number',
      bytes: Buffer.from(two),
      total: null,
      warns: /otra factura/,
    },
    {
      ...qr,
      name: 'our PDF with the QR of another total',
      bytes: Buffer.from(of_other_total),
      total: null,
      warns: /bases y cuotas/,
    },
    {
      ...qr,
      name: 'a photograph of it, turned',
      bytes: turned(picture!),
      total: null,
      warns: /bases y cuotas/,
    },
    {
      ...qr,
      name: 'a photograph as JPEG, askew and pale',
      bytes: photograph,
      total: null,
      warns: /bases y cuotas/,
    },
    {
      ...qr,
      name: 'a scan of two pages, with the QR on the second',
      bytes: scannedPdf([blank(picture!), picture!]),
      total: null,
      pages: 2,
      warns: /bases y cuotas/,
    },
    {
      ...qr,
      name: 'a scan of two pages with the same QR',
      bytes: scannedPdf([picture!, picture!]),
      total: null,
      pages: 2,
      warns: /bases y cuotas/,
    },
    {
      name: 'a scan of two pages with two QRs',
      bytes: scannedPdf([picture!, second!]),
      method: 'none',
      total: null,
      pages: 2,
      warns: /varias facturas/,
    },
    {
      name: 'a photograph of two papers',
      bytes: beside(picture!, second!),
      method: 'none',
      total: null,
      pages: 1,
      warns: /varias facturas/,
    },
  ];
}

const blank = (of: Picture): Picture => ({ ...of, rgba: new Uint8ClampedArray(of.rgba.length).fill(255) });

/** The upper parts of two pictures, one below the other. */
function beside(above: Picture, below: Picture): Buffer {
  const rows = Math.round(above.height * 0.35);
  const bytes = rows * above.width * 4;
  const parts = [above, below].map(({ rgba }) => Buffer.from(rgba.buffer, 0, bytes));
  return writePng(above.width, 2 * rows, Buffer.concat(parts), 1);
}

export async function scanSamples(print: Print): Promise<ScanSample[]> {
  return [...fromXml, ...fromText, ...(await fromPrinter(print))];
}
