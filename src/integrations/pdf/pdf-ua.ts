/**
 * Declares a PDF/A-3a as PDF/UA-1 too (ISO 14289-1, clause 5): the compiler writes one standard at a time. Only three
 * things are missing: the identifier in the metadata, its description (ISO 19005-3, 6.6.2.3), and the title in the
 * reader's window.
 */

const namespace = ' xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/"';
const identifier = '<pdfuaid:part>1</pdfuaid:part>';
const description = [
  '<rdf:li rdf:parseType="Resource"><pdfaSchema:schema>PDF/UA identification schema</pdfaSchema:schema>',
  '<pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI>',
  '<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix><pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource">',
  '<pdfaProperty:category>internal</pdfaProperty:category>',
  '<pdfaProperty:description>PDF/UA version identifier</pdfaProperty:description>',
  '<pdfaProperty:name>part</pdfaProperty:name><pdfaProperty:valueType>Integer</pdfaProperty:valueType>',
  '</rdf:li></rdf:Seq></pdfaSchema:property></rdf:li>',
].join('');

type Edit = { at: number; length: number; text: string };

/**
 * @param pdf as the compiler writes it: one table of objects at the end, no packed objects
 * @throws Error for another shape
 */
export function declareAccessible(pdf: Buffer): Buffer {
  const table = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(pdf.toString('latin1', pdf.length - 64))?.[1]);
  const find = (what: string, from: number) => {
    const at = pdf.indexOf(what, from, 'latin1');
    if (!(at >= 0)) throw new Error(`There is no "${what}" in the PDF.`);
    return at;
  };
  const catalog = pdf.lastIndexOf('/Type /Catalog', table, 'latin1');
  const metadata = pdf.lastIndexOf('<?xpacket begin', catalog, 'latin1');
  const schemas = '<pdfaExtension:schemas><rdf:Bag>';
  const inserted = [
    { at: find(' xmlns:pdfaid=', metadata), text: namespace },
    { at: find(schemas, metadata) + schemas.length, text: description },
    { at: find('<pdfaid:part>', metadata), text: identifier },
  ];
  const grown = inserted.reduce((sum, { text }) => sum + text.length, 0);
  const preferences = '/ViewerPreferences <<';
  return edit(pdf, table, [
    longer(pdf, pdf.lastIndexOf('/Length ', metadata, 'latin1'), grown),
    ...inserted.map((one) => ({ ...one, length: 0 })),
    { at: find(preferences, catalog) + preferences.length, length: 0, text: '\n    /DisplayDocTitle true' },
  ]);
}

function longer(pdf: Buffer, at: number, grown: number): Edit {
  const [whole, length] = /^\/Length (\d+)/.exec(pdf.toString('latin1', at, at + 32)) ?? [];
  if (whole === undefined) throw new Error('The metadata of the PDF have no length.');
  return { at, length: whole.length, text: `/Length ${Number(length) + grown}` };
}

/** Applies edits and corrects the table of objects. The edits are in file order, before the table. */
function edit(pdf: Buffer, table: number, edits: readonly Edit[]): Buffer {
  const moved = (offset: number) =>
    edits.reduce((sum, { at, length, text }) => (at < offset ? sum + text.length - length : sum), offset);
  const parts: Buffer[] = [];
  let from = 0;
  for (const { at, length, text } of edits) {
    parts.push(pdf.subarray(from, at), Buffer.from(text, 'latin1'));
    from = at + length;
  }
  const end = pdf
    .toString('latin1', table)
    .replace(/^(\d{10})(?= \d{5} n)/gm, (offset) => String(moved(Number(offset))).padStart(10, '0'))
    .replace(/(?<=startxref\s+)\d+/, String(moved(table)));
  return Buffer.concat([...parts, pdf.subarray(from, table), Buffer.from(end, 'latin1')]);
}
