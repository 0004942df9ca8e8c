/**
 * HTTPS to public addresses only. The address that the socket connects to is checked, so DNS rebinding gains nothing.
 * Redirects are not followed; time and bytes have bounds.
 */
import type { LookupAddress, lookup as lookUpName } from 'node:dns';
import { isIP } from 'node:net';
import type { Dispatcher, errors as faults } from 'undici';
import { isCertificateCode } from '../../kernel/certificate-codes.ts';
import type { DocumentPort, FetchedDocument } from '../../modules/oauth/ports.ts';
import type { OutgoingRequest, ReceiverAnswer, ReceiverPort } from '../../modules/webhooks/index.ts';
import { certificateFault } from '../http/certificate-fault.ts';
import type { Connections } from './connections.ts';
import { isPublicAddress } from './public-address.ts';
import { type Resolve, resolverFor } from './resolve-names.ts';

export type ReceiverSettings = {
  /** Allowed although not public. */
  allowed_ranges: readonly string[];
  /** Where requests go out from (FOLIO_EGRESS_IPS). */
  source_ips: readonly string[];
  /** For tests. */
  ca?: string;
  resolve?: Resolve;
};

export type Receivers = ReceiverPort & DocumentPort & { close(): Promise<void> };

/** undici is much to load, so the first request does it, and no start. */
const library = async () => {
  const [{ Connections }, { errors }] = await Promise.all([import('./connections.ts'), import('undici')]);
  return { Connections, errors };
};
type Library = Awaited<ReturnType<typeof library>>;

const keptBytes = 4096;
/** Answers are read up to here, so that their connection can be used again. */
const readBytes = 65_536;
const bodyMs = 2000;
const keepAliveMs = 10_000;
/** Past the time of a request: then its connection ends, if it was never made. undici does not end it. */
const connectPastMs = 1000;

class RefusedAddress extends Error {}

const privateAddress = 'La dirección del receptor no es pública.';
/** One text for all faults of a name: nobody learns which names a private network knows. */
const unusableName = 'El nombre del receptor no existe o no se resuelve, o su dirección no es pública.';

export const noAnswerIn = (seconds: number): string =>
  `Sin respuesta en ${seconds} ${seconds === 1 ? 'segundo' : 'segundos'}.`;

export function makeReceivers({
  allowed_ranges,
  source_ips,
  ca,
  resolve = resolverFor(allowed_ranges),
}: ReceiverSettings): Receivers {
  const all = new Map<string, Connections>();
  const stopping = new AbortController();
  const isAllowed = (ip: string) => isPublicAddress(ip, allowed_ranges);

  const lookup = lookUpAllowed(resolve, isAllowed);

  /** Those for each time that a request may take, since undici limits that of connecting by agent. */
  function connectionsFor(loaded: Library, source_ip: string | undefined, timeout_ms: number): Connections {
    const name = `${timeout_ms} ${source_ip ?? ''}`;
    const known = all.get(name);
    if (known) return known;
    const made = new loaded.Connections({
      // Many endpoints share a host, and none may wait for another's requests. The sender bounds each endpoint's
      // requests.
      connections: null,
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: keepAliveMs,
      // An option of the client: it overwrites the one of `connect`.
      ...(source_ip === undefined ? {} : { localAddress: source_ip }),
      connect: {
        lookup,
        timeout: timeout_ms + connectPastMs,
        // An agent that is destroyed waits for connections that are not made yet.
        signal: stopping.signal,
        ...(ca === undefined ? {} : { ca }),
        // A socket that is bound to IPv4 cannot reach IPv6, nor the other way round.
        ...(source_ip === undefined ? {} : { family: isIP(source_ip) }),
      } as never,
    });
    all.set(name, made);
    return made;
  }

  function refusal(url: string): string | null {
    if (!URL.canParse(url)) return 'No es una dirección.';
    const { protocol, hostname } = new URL(url);
    if (protocol !== 'https:') return 'Tiene que ser una dirección https.';
    const host = hostname.replace(/^\[|[\].]$/g, '');
    if (isIP(host) !== 0) return isAllowed(host) ? null : privateAddress;
    const is_local = host === 'localhost' || host.endsWith('.localhost');
    return is_local && !isAllowed('127.0.0.1') ? privateAddress : null;
  }

  async function send(outgoing: OutgoingRequest): Promise<ReceiverAnswer> {
    const refused = refusal(outgoing.url);
    if (refused !== null) return { status: null, body: null, duration_ms: 0, error: refused };
    const loaded = await library();
    const started = performance.now();
    const elapsed = () => Math.round(performance.now() - started);
    const time = new AbortController();
    const timer = setTimeout(() => time.abort(), outgoing.timeout_ms);
    try {
      const [source_ip] = outgoing.source_ips;
      const connections = connectionsFor(loaded, source_ip, outgoing.timeout_ms);
      const answer = await connections.request(outgoing.url, time.signal, {
        method: 'POST',
        headers: outgoing.headers as Record<string, string>,
        body: outgoing.body,
        headersTimeout: 0,
        bodyTimeout: bodyMs,
      });
      clearTimeout(timer);
      const duration_ms = elapsed();
      return { status: answer.statusCode, body: await readStart(answer.body), duration_ms, error: null };
    } catch (error) {
      const fault = time.signal.aborted
        ? noAnswerIn(outgoing.timeout_ms / 1000)
        : describe(error, loaded.errors);
      // How long a name took would tell too.
      return { status: null, body: null, duration_ms: fault === unusableName ? 0 : elapsed(), error: fault };
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    source_ips,
    refusal,
    send,
    fetchDocument: async (url, bounds) =>
      refusal(url) === null
        ? fetchWhole(url, bounds, connectionsFor(await library(), source_ips[0], bounds.timeout_ms))
        : undefined,
    async close() {
      const ended = [...all.values()].map((connections) => connections.destroy());
      stopping.abort();
      await Promise.all(ended);
    },
  };
}

/** Refuses a name unless each of its addresses is allowed. */
function lookUpAllowed(resolve: Resolve, isAllowed: (ip: string) => boolean): typeof lookUpName {
  const lookUp = (
    name: string,
    options: { all?: boolean; family?: number },
    callback: (error: Error | null, address?: string | LookupAddress[], family?: number) => void,
  ) => {
    resolve(name, options, (error, addresses = []) => {
      if (error) return callback(new RefusedAddress(unusableName));
      if (addresses.length === 0 || !addresses.every(({ address }) => isAllowed(address)))
        return callback(new RefusedAddress(unusableName));
      if (options.all) return callback(null, addresses);
      const [first] = addresses as [LookupAddress];
      return callback(null, first.address, first.family);
    });
  };
  return lookUp as never;
}

async function fetchWhole(
  url: string,
  { timeout_ms, bytes_max }: { timeout_ms: number; bytes_max: number },
  connections: Connections,
): Promise<FetchedDocument | undefined> {
  const time = new AbortController();
  const timer = setTimeout(() => time.abort(), timeout_ms);
  try {
    const { statusCode, headers, body } = await connections.request(url, time.signal, {
      method: 'GET',
      headers: { accept: 'application/json' },
      headersTimeout: 0,
      bodyTimeout: timeout_ms,
    });
    const bytes = statusCode === 200 ? await readWhole(body, bytes_max) : undefined;
    // Its rest may fail, and nobody awaits that.
    if (!bytes) body.on('error', () => undefined).destroy();
    return bytes && { bytes, cache_control: String(headers['cache-control'] ?? '') };
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

/** @returns undefined for more than that */
async function readWhole(
  body: Dispatcher.ResponseData['body'],
  bytes_max: number,
): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += (chunk as Buffer).length;
    if (size > bytes_max) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

/** The status has decided already, so a fault in the rest does not matter. */
async function readStart(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  const timer = setTimeout(() => body.destroy(), bodyMs);
  try {
    for await (const chunk of body) {
      if (size < keptBytes) chunks.push(chunk as Buffer);
      size += (chunk as Buffer).length;
      if (size > readBytes) break;
    }
  } catch {
    // Cut off: keep what came.
  } finally {
    clearTimeout(timer);
  }
  // NUL cannot be stored. A character that was cut in two is left out.
  const text = new TextDecoder('utf-8').decode(Buffer.concat(chunks).subarray(0, keptBytes), {
    stream: true,
  });
  return text.replaceAll('\0', '\uFFFD');
}

const faultTexts: Record<string, string> = {
  ECONNREFUSED: 'El receptor no acepta conexiones.',
  ECONNRESET: 'El receptor cerró la conexión sin responder.',
  EHOSTUNREACH: 'No hay camino hasta el receptor.',
  ENETUNREACH: 'No hay camino hasta el receptor.',
  ETIMEDOUT: 'El receptor no respondió a tiempo.',
};

const unreadable =
  'La respuesta del receptor no se puede leer: no es una respuesta final de HTTP/1.1 o es demasiado larga.';

/** It came, so the receiver may have the event. An answer of 101 is told as a closed socket. */
const isUnreadable = (error: Error, errors: typeof faults): boolean =>
  error instanceof errors.HTTPParserError ||
  error instanceof errors.HeadersOverflowError ||
  error instanceof errors.ResponseContentLengthMismatchError ||
  (error instanceof errors.SocketError && error.message.startsWith('bad '));

/** Words for the receiver's developer, from the causes that undici wraps. */
function describe(error: unknown, errors: typeof faults): string {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if (at instanceof RefusedAddress) return at.message;
    if (isUnreadable(at, errors)) return unreadable;
    const code = (at as { code?: unknown }).code;
    if (typeof code !== 'string') continue;
    const known = faultTexts[code];
    if (known !== undefined) return known;
    if (code.startsWith('ERR_SSL')) return `No se pudo cifrar la conexión con el receptor (${code}).`;
    if (isCertificateCode(code))
      return `El certificado del receptor no es válido${certificateFault(code, at.message)}.`;
    if (at instanceof errors.SocketError) return 'El receptor cerró la conexión sin responder.';
  }
  return 'No se pudo enviar la petición.';
}
