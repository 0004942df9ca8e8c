/**
 * Reads XML into plain nodes, so that no memory of libxml2 outlives the call.
 * Refuses a DOCTYPE before parsing: no DTD is read, no entity expanded, nothing fetched.
 */
import { ParseOption, XmlCData, XmlDocument, XmlElement, XmlText } from 'libxml2-wasm';

/** Without attributes. `text` excludes the children's. */
export type Xml = { ns: string; name: string; text: string; children: Xml[] };

/** The text is not XML, or has a DTD. */
export class NotXml extends Error {}

/** @throws {NotXml} for a text that is not well formed or has a DTD */
export function withDocument<T>(text: string, use: (root: XmlElement) => T): T {
  if (text.includes('<!DOCTYPE')) throw new NotXml('a DTD');
  let document: XmlDocument;
  try {
    document = XmlDocument.fromString(text, {
      option: ParseOption.XML_PARSE_NONET | ParseOption.XML_PARSE_NO_XXE,
    });
  } catch (error) {
    throw new NotXml(error instanceof Error ? error.message : 'not well formed');
  }
  try {
    return use(document.root);
  } finally {
    document.dispose();
  }
}

export function toTree(element: XmlElement): Xml {
  const node: Xml = { ns: element.namespaceUri, name: element.name, text: '', children: [] };
  for (let child = element.firstChild; child !== null; child = child.next) {
    if (child instanceof XmlElement) node.children.push(toTree(child));
    else if (child instanceof XmlText || child instanceof XmlCData) node.text += child.content;
  }
  return node;
}

export function childOf(node: Xml | undefined, name: string): Xml | undefined {
  return node?.children.find((child) => child.name === name);
}

export function textOf(node: Xml | undefined, name: string): string | undefined {
  return childOf(node, name)?.text;
}

export function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
}
