/**
 * Only an answer understood as a whole counts. In doubt the message is sent again unchanged; records that the
 * authority already has come back as duplicates.
 */
import type { AnswerLine, AnswerState, SendResult } from '../../modules/verifactu/index.ts';
import { messageRecordsMax } from './message.ts';
import { answerBytesMax, noAnswer } from './no-answer.ts';
import { readDay } from './xml-text.ts';
import { parseXml, type XmlNode } from './xml-tree.ts';

/** Orden HAC/1177/2024, art. 16.2, for an answer that states no waiting time. */
const waitSecondsDefault = 60;

/** Faults inside the authority: the same message may pass the next time. */
const technicalCodes: ReadonlySet<string> = new Set([
  ...['1129', '1241', '1243', '1256', '1288', '3500', '3501', '4103', '4108', '4110', '4111', '4128'],
]);

const states: Readonly<Record<string, AnswerState>> = {
  Correcto: 'accepted',
  AceptadoConErrores: 'accepted_with_errors',
  Incorrecto: 'rejected',
};

const duplicateStates = {
  Correcta: 'accepted',
  AceptadaConErrores: 'accepted_with_errors',
  Anulada: 'annulled',
} as const;

/** Never throws, whatever the HTTP status. */
export function readAnswer(body: Uint8Array): SendResult {
  if (body.byteLength > answerBytesMax) return noAnswer('the answer is larger than 8 MB');
  try {
    const root = parseXml(body);
    if (root.name !== 'Envelope') return noAnswer('the answer is no SOAP envelope');
    const [content, ...more] = child(root, 'Body').children;
    if (content === undefined || more.length > 0) return noAnswer('the answer has no single content');
    const raw = new TextDecoder().decode(body);
    if (content.name === 'Fault') return readFault(content, raw);
    if (content.name === 'RespuestaRegFactuSistemaFacturacion') return readReply(content, raw);
    return noAnswer('the answer is none to a message of records');
  } catch (error) {
    return noAnswer(`the answer cannot be read: ${error instanceof Error ? error.message : 'unknown error'}`);
  }
}

/** Only a `Client` fault refuses the message. After any other it is sent again unchanged. */
function readFault(fault: XmlNode, raw: string): SendResult {
  const message = text(fault, 'faultstring') ?? '';
  const kind = text(fault, 'faultcode')?.split(':').at(-1)?.split('.')[0];
  if (kind !== 'Client') return noAnswer(`the service failed: ${message}`);
  const code = /Codigo\s*\[(\d{4})\]/.exec(message)?.[1] ?? null;
  return { kind: 'fault', is_client: code === null || !technicalCodes.has(code), code, message, raw };
}

function readReply(reply: XmlNode, raw: string): SendResult {
  const lines = reply.children.filter(({ name }) => name === 'RespuestaLinea').map(readLine);
  if (lines.length > messageRecordsMax) return noAnswer('the answer has too many lines');
  const wait = text(reply, 'TiempoEsperaEnvio') ?? '';
  const total = text(reply, 'EstadoEnvio') ?? '';
  if (!['Correcto', 'ParcialmenteCorrecto', 'Incorrecto'].includes(total))
    return noAnswer('the answer states no result');
  return {
    kind: 'answer',
    csv: text(reply, 'CSV') || null,
    wait_seconds: /^\d{1,4}$/.test(wait) ? Number(wait) : waitSecondsDefault,
    lines,
    raw,
  };
}

function readLine(line: XmlNode): AnswerLine {
  const id = child(line, 'IDFactura');
  const operation = text(child(line, 'Operacion'), 'TipoOperacion');
  const state = states[text(line, 'EstadoRegistro') ?? ''];
  if (state === undefined) throw new Error('a line has an unknown state');
  if (operation !== 'Alta' && operation !== 'Anulacion') throw new Error('a line has an unknown operation');
  return {
    kind: operation === 'Alta' ? 'alta' : 'anulacion',
    tax_id: needed(id, 'IDEmisorFactura'),
    number: needed(id, 'NumSerieFactura'),
    issued_on: readDay(needed(id, 'FechaExpedicionFactura')),
    reference: text(line, 'RefExterna') || null,
    state,
    code: text(line, 'CodigoErrorRegistro') || null,
    message: text(line, 'DescripcionErrorRegistro') || null,
    duplicate: readDuplicate(maybeChild(line, 'RegistroDuplicado')),
  };
}

function readDuplicate(node: XmlNode | undefined): AnswerLine['duplicate'] {
  if (node === undefined) return null;
  const told = needed(node, 'EstadoRegistroDuplicado');
  if (!Object.hasOwn(duplicateStates, told)) throw new Error('a duplicate has an unknown state');
  return {
    state: duplicateStates[told as keyof typeof duplicateStates],
    code: text(node, 'CodigoErrorRegistro') || null,
    message: text(node, 'DescripcionErrorRegistro') || null,
  };
}

// Finds elements by local name: prefixes vary, and in faults namespaces too.
function maybeChild(node: XmlNode, name: string): XmlNode | undefined {
  return node.children.find((one) => one.name === name);
}

function child(node: XmlNode, name: string): XmlNode {
  const found = maybeChild(node, name);
  if (found === undefined) throw new Error(`${node.name} lacks ${name}`);
  return found;
}

function text(node: XmlNode, name: string): string | undefined {
  return maybeChild(node, name)?.content.trim();
}

function needed(node: XmlNode, name: string): string {
  return child(node, name).content;
}
