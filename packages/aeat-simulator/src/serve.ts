import { type SubmissionAnswer, writeFault, writeSubmissionAnswer } from './answers.ts';
import type { Holder } from './certificates.ts';
import type { CompanyQueue } from './company-queue.ts';
import { madridDay } from './dates.ts';
import { type Fault, keepsNothing } from './faults.ts';
import { checkHeader, checkQueryHeader } from './header-rules.ts';
import { MessageFault } from './message-fault.ts';
import type { LoggedMessage, MessageLog } from './message-log.ts';
import type { OfficialSchemas } from './official-schemas.ts';
import { answerQuery } from './query.ts';
import { type Request, readRequest } from './read-request.ts';
import { type BillingRecord, keyOf, readRecord } from './records.ts';
import { makeReply, type Reply, withFault } from './reply.ts';
import type { SimulatorStore } from './store.ts';
import { takeBatch } from './submission.ts';
import { childOf, textOf, type Xml } from './xml-tree.ts';

export type Service = {
  store: SimulatorStore;
  now: (company_id: string) => Date | Promise<Date>;
  schemas: OfficialSchemas | null;
  wait_seconds: number;
  takeFault: (company_id: string) => Fault | undefined;
  takeMagicFault: (company_id: string, records: readonly BillingRecord[]) => Fault | undefined;
  log: MessageLog;
  queue: CompanyQueue;
};
export type Message = { method: string; body: Buffer; holder: Holder; sandbox: string | null };
type Entry = Omit<LoggedMessage, 'body' | 'body_sha256'>;

const FAULT_STATUS = 500;

/** A wrong message gets a SOAP fault; only errors of store and clock are thrown. */
export async function answerMessage(service: Service, message: Message): Promise<Reply> {
  const entry: Entry = {
    at: '',
    company_id: message.sandbox ?? '',
    operation: '',
    holder_nif: message.holder.nif,
    records: 0,
    incidencia: null,
    fecha_fin: null,
    outcome: 'answered',
    csv: null,
    lines: [],
  };
  try {
    if (message.method !== 'POST') throw new MessageFault(4135);
    const request = readRequest(message.body, service.schemas);
    entry.operation = request.operation;
    entry.company_id ||= taxpayerOf(request.content) ?? '';
    if (entry.company_id === '') throw request.fault ?? new MessageFault(4102, 'Cabecera: falta el NIF');
    return await service.queue.run(entry.company_id, () => answer(service, message, request, entry));
  } catch (error) {
    if (!(error instanceof MessageFault)) throw error;
    entry.outcome = `fault ${error.code}`;
    return makeReply(FAULT_STATUS, writeFault('Client', error));
  } finally {
    service.log.add(entry, message.body);
  }
}

/** Whose message it is, as far as its form tells. */
function taxpayerOf(content: Xml): string | undefined {
  const header = childOf(content, 'Cabecera');
  return textOf(childOf(header, 'ObligadoEmision') ?? childOf(header, 'Destinatario'), 'NIF');
}

async function answer(service: Service, message: Message, request: Request, entry: Entry): Promise<Reply> {
  const now = await service.now(entry.company_id);
  entry.at = now.toISOString();
  if (request.fault) throw request.fault;
  if (request.operation === 'RegFactuSistemaFacturacion') {
    return submit(service, message, { content: request.content, entry, now });
  }
  const asked = checkQueryHeader(childOf(request.content, 'Cabecera'), message.holder);
  const query = { company_id: entry.company_id, ...asked, content: request.content };
  return makeReply(200, await answerQuery(service.store, query));
}

async function submit(
  service: Service,
  { holder }: Message,
  { content, entry, now }: { content: Xml; entry: Entry; now: Date },
): Promise<Reply> {
  const header = childOf(content, 'Cabecera') as Xml;
  const voluntary = childOf(header, 'RemisionVoluntaria');
  entry.incidencia = textOf(voluntary, 'Incidencia') ?? null;
  entry.fecha_fin = textOf(voluntary, 'FechaFinVeriFactu') ?? null;
  const today = madridDay(now);
  checkHeader(header, holder, today);
  const records = content.children
    .filter(({ name }) => name === 'RegistroFactura')
    .map(({ children }) => readRecord(children[0] as Xml));
  entry.records = records.length;

  const fault = service.takeFault(entry.company_id) ?? service.takeMagicFault(entry.company_id, records);
  if (fault) entry.outcome = fault.kind;
  if (fault && keepsNothing(fault)) return refuse(fault);
  const { lines, csv } = await takeBatch(service.store, {
    company_id: entry.company_id,
    records,
    facts: { taxpayer_nif: textOf(childOf(header, 'ObligadoEmision'), 'NIF') ?? '', now, today },
    presenter_nif: holder.nif,
    forced_code: fault?.kind === 'reject_record' ? fault.code : null,
  });
  entry.csv = csv;
  entry.lines = lines.map(({ record, state, code }) => ({
    key: keyOf(record.invoice),
    operation: record.operation,
    state,
    code,
  }));
  const written: SubmissionAnswer = {
    header,
    csv,
    presenter_nif: holder.nif,
    now,
    wait_seconds: fault?.kind === 'long_wait' ? fault.seconds : service.wait_seconds,
    lines,
  };
  return withFault(makeReply(200, writeSubmissionAnswer(written)), fault);
}

function refuse(fault: Fault): Reply {
  if (fault.kind === 'soap_fault_client' || fault.kind === 'soap_fault_server') {
    const side = fault.kind === 'soap_fault_client' ? 'Client' : 'Server';
    return makeReply(FAULT_STATUS, writeFault(side, new MessageFault(fault.code)));
  }
  if (fault.kind === 'unavailable') {
    return makeReply(503, '<html><body>Servicio no disponible</body></html>', 'text/html; charset=utf-8');
  }
  return withFault(makeReply(200, ''), fault);
}
