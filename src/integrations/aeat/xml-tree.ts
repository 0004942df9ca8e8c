/**
 * Reads XML of others. A document type is refused before parsing: nothing is fetched, no entity is expanded, and no
 * small text becomes large.
 */
import { ParseOption, XmlCData, XmlDocument, XmlElement, XmlText } from 'libxml2-wasm';

/** `name` has no prefix, `content` is its own text, `has_attributes` ignores namespaces. */
export type XmlNode = {
  readonly name: string;
  readonly namespace: string;
  readonly content: string;
  readonly has_attributes: boolean;
  readonly children: readonly XmlNode[];
};

const bytesMax = 16 * 1024 * 1024;
/** More than any document of the authority has. The parser stops at 256. */
const depthMax = 40;

/** Elements, and attributes: each costs the reader more than its bytes. */
const elementsMax = 50_000;

const parseOptions =
  ParseOption.XML_PARSE_NONET | ParseOption.XML_PARSE_NO_XXE | ParseOption.XML_PARSE_NO_SYS_CATALOG;

/**
 * @param opaque namespace whose elements are kept without attributes and children, such as signatures
 * @throws Error when it is not well-formed, declares a document type or passes a limit
 */
export function parseXml(source: string | Uint8Array, opaque?: string): XmlNode {
  // An element has two marks. Other text with such marks makes the bound narrower, which harms nobody.
  if (hasMore(source, '<', 2 * elementsMax) || hasMore(source, '=', 2 * elementsMax))
    throw new Error('the text has too many elements or attributes');
  using document = openXml(source);
  return readElement(document.root, opaque, 0);
}

/** The caller disposes of the document (`using`). */
export function openXml(source: string | Uint8Array): XmlDocument {
  if (source.length === 0 || source.length > bytesMax) throw new Error('the text is empty or too large');
  if (hasDocumentType(source)) throw new Error('a document type is not admitted');
  const document =
    typeof source === 'string'
      ? XmlDocument.fromString(source, { option: parseOptions })
      : XmlDocument.fromBuffer(source, { option: parseOptions });
  // A document type in another encoding. Nothing of it was loaded or expanded.
  if (document.dtd === null) return document;
  document.dispose();
  throw new Error('a document type is not admitted');
}

/** As bytes: Node never ends a search for UTF-16 in a buffer that begins at an odd address. */
const wideDocumentType = Buffer.from('<!DOCTYPE', 'utf16le');

/** True also inside comments and CDATA, where no document of the authority has one. */
function hasDocumentType(source: string | Uint8Array): boolean {
  if (typeof source === 'string') return source.includes('<!DOCTYPE');
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  return bytes.includes('<!DOCTYPE') || bytes.includes(wideDocumentType) || bytes.includes(0);
}

/** Stops counting at the bound. */
function hasMore(source: string | Uint8Array, sign: string, most: number): boolean {
  const text =
    typeof source === 'string' ? source : Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  let count = 0;
  for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + 1))
    if (++count > most) return true;
  return false;
}

function readElement(element: XmlElement, opaque: string | undefined, depth: number): XmlNode {
  if (depth > depthMax) throw new Error('the document is nested too deeply');
  const { name, namespaceUri: namespace } = element;
  if (opaque !== undefined && namespace === opaque)
    return { name, namespace, content: '', has_attributes: false, children: [] };
  const children: XmlNode[] = [];
  let content = '';
  for (let child = element.firstChild; child !== null; child = child.next) {
    if (child instanceof XmlElement) children.push(readElement(child, opaque, depth + 1));
    else if (child instanceof XmlText || child instanceof XmlCData) content += child.content;
  }
  return { name, namespace, content, has_attributes: element.attrs.length > 0, children };
}
