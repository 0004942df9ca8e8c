import { XmlElement } from 'libxml2-wasm';
import { MessageFault } from './message-fault.ts';
import { queryShape, submissionShape } from './message-shapes.ts';
import { namespaces } from './namespaces.ts';
import type { OfficialSchemas } from './official-schemas.ts';
import { faultIn, type Shape } from './shape.ts';
import { NotXml, toTree, withDocument, type Xml } from './xml-tree.ts';

export type Operation = 'RegFactuSistemaFacturacion' | 'ConsultaFactuSistemaFacturacion';
/** `content` is the operation's element, unchecked. */
export type Request = { operation: Operation; content: Xml; fault: MessageFault | null };

const operations: Record<Operation, { ns: string; shape: Shape; schema: string }> = {
  RegFactuSistemaFacturacion: { ns: namespaces.lr, shape: submissionShape, schema: 'SuministroLR.xsd' },
  ConsultaFactuSistemaFacturacion: { ns: namespaces.query, shape: queryShape, schema: 'ConsultaLR.xsd' },
};
const RECORDS_MAX = 1000;

/**
 * Reads a SOAP 1.1 request.
 * @returns `fault` for a wrong form (4102, 4114); the caller still learns whose message it is
 * @throws {MessageFault} 4138 empty, 4119 not UTF-8, 4103 not XML, 4118 another operation
 */
export function readRequest(body: Uint8Array, schemas: OfficialSchemas | null): Request {
  if (body.length === 0) throw new MessageFault(4138);
  const text = decode(body);
  try {
    return withDocument(text, (root) => readEnvelope(root, schemas));
  } catch (error) {
    if (error instanceof NotXml) throw new MessageFault(4103, error.message.split('\n', 1)[0]);
    throw error;
  }
}

function decode(body: Uint8Array): string {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw new MessageFault(4119);
  }
  const declared = /^\s*<\?xml[^>]*encoding=["']([^"']+)["']/.exec(text)?.[1];
  if (declared !== undefined && declared.toUpperCase() !== 'UTF-8') throw new MessageFault(4119, declared);
  return text;
}

function readEnvelope(root: XmlElement, schemas: OfficialSchemas | null): Request {
  const body =
    root.name === 'Envelope' && root.namespaceUri === namespaces.soap
      ? elementsOf(root).find(({ name, namespaceUri }) => name === 'Body' && namespaceUri === namespaces.soap)
      : undefined;
  if (!body) throw new MessageFault(4102, 'falta el cuerpo SOAP');
  const payload = elementsOf(body)[0];
  if (!payload) throw new MessageFault(4138);
  const operation = payload.name as Operation;
  const known = Object.hasOwn(operations, operation) ? operations[operation] : undefined;
  if (!known || known.ns !== payload.namespaceUri) throw new MessageFault(4118, payload.name);
  const content = toTree(payload);
  return { operation, content, fault: judgeForm(content, payload, known, schemas) };
}

function judgeForm(
  content: Xml,
  payload: XmlElement,
  { shape, schema }: { shape: Shape; schema: string },
  schemas: OfficialSchemas | null,
): MessageFault | null {
  const records = content.children.filter(({ name }) => name === 'RegistroFactura');
  if (records.length > RECORDS_MAX) return new MessageFault(4114, String(records.length));
  const fault = faultIn(content, shape) ?? schemas?.faultIn(payload, schema) ?? null;
  return fault === null ? null : new MessageFault(4102, fault);
}

function elementsOf(element: XmlElement): XmlElement[] {
  const found: XmlElement[] = [];
  for (let child = element.firstChild; child !== null; child = child.next) {
    if (child instanceof XmlElement) found.push(child);
  }
  return found;
}
