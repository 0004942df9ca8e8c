/** Reads objects and streams by the table at the end of the PDF. */
import assert from 'node:assert/strict';
import { inflateSync } from 'node:zlib';
import { textsOfPages, withPdf } from './pdfium.ts';

export type PdfObject = {
  /** As written. */
  text: string;
  /** Unpacked. */
  stream: Buffer | null;
};

export type PdfFile = {
  objects: ReadonlyMap<number, PdfObject>;
  trailer: string;
  /** What entry `name` of a dictionary refers to or contains. @throws without such an entry */
  follow(text: string, name: string): PdfObject;
};

/** @throws AssertionError for wrong offsets, lengths or references */
export function readPdf(pdf: Uint8Array): PdfFile {
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength);
  assert.equal(bytes.toString('latin1', 0, 8), '%PDF-1.7');
  const table = Number(/startxref\n(\d+)\n%%EOF\s*$/.exec(bytes.toString('latin1', bytes.length - 40))?.[1]);
  const end = bytes.toString('latin1', table);
  const [, first, count] = /^xref\n(\d+) (\d+)/.exec(end) ?? [];
  assert.equal(first, '0', 'one table, from object 0 on');
  const offsets = [...end.matchAll(/^(\d{10}) \d{5} ([nf]) ?$/gm)];
  assert.equal(offsets.length, Number(count), 'as many objects as the table says');
  const objects = new Map<number, PdfObject>();
  offsets.forEach(([, offset, kind], number) => {
    if (kind === 'n') objects.set(number, readObject(bytes, Number(offset), number));
  });
  const follow = (text: string, name: string): PdfObject => {
    const reference = new RegExp(`/${name}\\s+(?:(\\d+) 0 R|(<<.*?>>))`, 's').exec(text);
    const found = reference?.[1] ? objects.get(Number(reference[1])) : undefined;
    const made = found ?? (reference?.[2] ? { text: reference[2], stream: null } : undefined);
    assert.ok(made, `/${name} in ${text}`);
    return made;
  };
  return { objects, trailer: end.slice(end.indexOf('trailer'), end.lastIndexOf('startxref')), follow };
}

function readObject(bytes: Buffer, offset: number, number: number): PdfObject {
  const head = `${number} 0 obj\n`;
  assert.equal(
    bytes.toString('latin1', offset, offset + head.length),
    head,
    'the object where the table says',
  );
  const begin = offset + head.length;
  const [end, stream] = [bytes.indexOf('\nendobj', begin), bytes.indexOf('\nstream\n', begin)];
  if (stream < 0 || stream > end) return { text: bytes.toString('latin1', begin, end), stream: null };
  const text = bytes.toString('latin1', begin, stream);
  const length = Number(/\/Length (\d+)/.exec(text)?.[1]);
  const from = stream + '\nstream\n'.length;
  assert.match(
    bytes.toString('latin1', from + length, from + length + 12),
    /^\s*endstream/,
    'as long as it says',
  );
  const data = bytes.subarray(from, from + length);
  return { text, stream: text.includes('/FlateDecode') ? inflateSync(data) : Buffer.from(data) };
}

export function readText(pdf: Uint8Array): Promise<string[]> {
  return withPdf(pdf, textsOfPages);
}
