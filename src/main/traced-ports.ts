/** Calls to the outside as spans of the call or job that makes them (ADR 73). Webhooks have theirs where they are sent. */
import type { Ports } from '../kernel/ports.ts';
import { type SpanFacts, traced } from '../kernel/tracing.ts';

type Asking = (...args: never[]) => Promise<unknown>;

function asSpan<F extends Asking>(
  name: string,
  call: F,
  factsOf: (...args: Parameters<F>) => SpanFacts = () => ({}),
): F {
  return ((...args: Parameters<F>) => traced(name, 'client', factsOf(...args), () => call(...args))) as F;
}

/** No header goes along: a trace of ours is nobody's business there. */
export function tracedPorts(ports: Ports): Ports {
  const { authority, mailer, printer, blobs, client_documents, scan_reader } = ports;
  return {
    ...ports,
    authority: {
      ...authority,
      send: asSpan('send to the authority', authority.send, ({ records }) => ({
        'folio.count': records.length,
      })),
    },
    mailer: {
      ...mailer,
      send: asSpan('send e-mail', mailer.send, ({ recipients }) => ({ 'folio.count': recipients.length })),
    },
    printer: { ...printer, print: asSpan('print', printer.print) },
    scan_reader: { ...scan_reader, read: asSpan('read scan', scan_reader.read) },
    blobs: {
      ...blobs,
      get: asSpan('get blob', blobs.get),
      put: asSpan('put blob', blobs.put),
      delete: asSpan('delete blob', blobs.delete),
    },
    client_documents: {
      ...client_documents,
      fetchDocument: asSpan('fetch document', client_documents.fetchDocument),
    },
  };
}
