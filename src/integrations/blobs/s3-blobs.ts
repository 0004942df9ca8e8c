/**
 * Addressed by path. The access key must also be allowed to list the bucket: otherwise the store answers 403 for what
 * is not there.
 */
import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import type { Agent, Dispatcher } from 'undici';
import { checkedKey, isKeyPart } from './blob-key.ts';
import type { S3Place } from './blob-place.ts';
import type { BlobStore } from './blobs.ts';

type Limits = {
  connect_ms: number;
  /** For an answer, and then for each of its parts. */
  answer_ms: number;
  /** Before each further attempt. */
  pauses_ms: readonly number[];
};
const usualLimits: Limits = { connect_ms: 2000, answer_ms: 5000, pauses_ms: [100, 400] };
/** No blob is larger. */
const bytesMax = 64 * 1024 * 1024;
/** Characters of a refusal that are quoted. */
const saidMax = 300;

class BlobStoreError extends Error {}

type Method = 'GET' | 'PUT' | 'DELETE';
type Reply = { status: number; bytes: Buffer; is_done: boolean };

/** `close` ends the connections at once. */
export function s3Blobs(place: S3Place, limits: Limits = usualLimits): BlobStore {
  const { origin, bucket, prefix, region, access_key: accessKeyId, secret: secretAccessKey } = place;
  const { pauses_ms } = limits;
  const connections = connectionsOf(limits);
  // Keeps the day's signing key.
  const cache = new Map<string, ArrayBuffer>();

  /** @param path below the bucket, with its query */
  async function attempt(
    method: Method,
    path: string,
    body: Uint8Array | null,
    type: string | null,
  ): Promise<Reply> {
    const signer = new AwsV4Signer({
      method,
      url: `${origin}/${bucket}${path}`,
      headers: {
        // The store checks the body against it.
        'x-amz-content-sha256': digestOf(body),
        ...(type === null ? {} : { 'content-type': type }),
      },
      accessKeyId,
      secretAccessKey,
      service: 's3',
      region,
      cache,
    });
    const signed = await signer.sign();
    const response = await connections.request(signed.url, {
      method,
      headers: Object.fromEntries(signed.headers),
      body: (body as Dispatcher.DispatchOptions['body']) ?? null,
    });
    const is_file = method === 'GET' && !path.startsWith('?');
    return replyOf(response.statusCode, Buffer.from(await response.body.arrayBuffer()), is_file);
  }

  /** Tries again without a connection or a timely answer, and when the store is busy or faulty. */
  async function ask(
    method: Method,
    path: string,
    body: Uint8Array | null = null,
    type: string | null = null,
  ) {
    for (let tries = 0; ; tries++) {
      const pause = pauses_ms[tries];
      try {
        const reply = await attempt(method, path, body, type);
        if (pause === undefined || !isPassing(reply)) return reply;
      } catch (error) {
        if (pause === undefined)
          throw new BlobStoreError(`${method} ${origin}/${bucket}: no answer`, { cause: error });
      }
      await wait(pause);
    }
  }

  const refused = (method: Method, reply: Reply) => refusalOf(place, method, reply);
  const pathOf = (key: string) => `/${prefix}${checkedKey(key)}`;

  return {
    async get(key) {
      const reply = await ask('GET', pathOf(key));
      if (reply.is_done) return reply.bytes;
      if (reply.status === 404 && !reply.bytes.includes('NoSuchBucket')) return undefined;
      throw refused('GET', reply);
    },
    async put(key, bytes, media_type) {
      const reply = await ask('PUT', pathOf(key), bytes, media_type);
      if (!reply.is_done) throw refused('PUT', reply);
    },
    async delete(key) {
      const reply = await ask('DELETE', pathOf(key));
      if (!reply.is_done && reply.status !== 404) throw refused('DELETE', reply);
    },
    /**
     * By version 1 of the list: it goes on from a key, which every store understands. What people put there is passed
     * over, such as `prefix/` itself, which a provider's page makes of a new folder.
     */
    async *keys() {
      for (let marker: string | undefined = ''; marker !== undefined; ) {
        const reply = await ask('GET', `?${new URLSearchParams({ prefix, marker })}`);
        const page: Page | undefined = reply.is_done
          ? readPage(reply.bytes.toString('utf8'), marker)
          : undefined;
        if (!page) throw refused('GET', reply);
        yield* page.keys.map((key) => key.slice(prefix.length)).filter(isOwnKey);
        marker = page.next;
      }
    },
    close: () => connections.close(),
  };
}

const digestOf = (body: Uint8Array | null): string =>
  createHash('sha256')
    .update(body ?? '')
    .digest('hex');

function connectionsOf({ connect_ms, answer_ms }: Limits) {
  const closing = new AbortController();
  let agent: Agent | undefined;
  return {
    /** undici is loaded for the first request: it is much, and most places are folders. */
    async request(url: URL, options: Omit<Dispatcher.RequestOptions, 'origin' | 'path'>) {
      const [undici, { connectorOf }] = await Promise.all([import('undici'), import('../http/connector.ts')]);
      closing.signal.throwIfAborted();
      agent ??= new undici.Agent({
        connect: connectorOf({ timeout: connect_ms, signal: closing.signal }),
        // With HTTP/2 undici makes one connection at a time until it knows what the store speaks.
        allowH2: false,
        connections: 16,
        headersTimeout: answer_ms,
        bodyTimeout: answer_ms,
        maxResponseSize: bytesMax,
      });
      const signal = AbortSignal.timeout(connect_ms + 2 * answer_ms);
      return await undici.request(url, { ...options, dispatcher: agent, signal });
    },
    async close(): Promise<void> {
      const ended = agent?.destroy();
      // An agent that is destroyed leaves connections that are not made yet.
      closing.abort();
      await ended;
    },
  };
}

type Page = { keys: readonly string[]; next: string | undefined };

/** @returns undefined for what cannot be a whole page: whoever copies what is listed would lack the rest */
function readPage(text: string, marker: string): Page | undefined {
  if (!text.includes('</ListBucketResult>')) return undefined;
  const keys = [...text.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) => unescapeText(key));
  if (!/<IsTruncated>true</.test(text)) return { keys, next: undefined };
  const next = keys.at(-1);
  return next === undefined || next === marker ? undefined : { keys, next };
}

const isOwnKey = (key: string): boolean => key.split('/').every(isKeyPart);

const escapes: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** What XML escapes is in no key of ours, but the list may have to go on after a key that has it. */
const unescapeText = (text: string): string =>
  text.replace(/&(?:#(\d{1,6})|#x([\da-f]{1,5})|(\w{1,4}));/gi, (all, decimal, hexadecimal, name) =>
    name
      ? (escapes[name] ?? all)
      : String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hexadecimal, 16)),
  );

/**
 * S3 answers 200 to a copy before it is made, and then an error; some stores and what stands before them do so to any
 * request. The root of the document tells: blanks, a declaration and comments may precede it.
 */
function isError(bytes: Buffer): boolean {
  const start = bytes.subarray(0, 4096).toString('utf8');
  const [, root = ''] = /<(?![?!])([^\s/>]+)/.exec(start) ?? [];
  return root === 'Error' || root.endsWith(':Error');
}

/** @param is_file what is asked for under a key may begin in any way */
const replyOf = (status: number, bytes: Buffer, is_file: boolean): Reply => ({
  status,
  bytes,
  is_done: status >= 200 && status < 300 && (is_file || !isError(bytes)),
});

/** A connection over which nothing came for a while is told by 408, or by 400 and a code. */
const isPassing = ({ status, bytes, is_done }: Reply): boolean =>
  status >= 500 ||
  [408, 429].includes(status) ||
  (status === 400 && bytes.includes('<Code>RequestTimeout</Code>')) ||
  (status < 300 && !is_done);

/** Quotes what the store said, without the keys to it. */
function refusalOf(
  { origin, bucket, access_key, secret }: S3Place,
  method: Method,
  { status, bytes }: Reply,
): BlobStoreError {
  const text = bytes.subarray(0, 4096).toString('utf8').replaceAll(access_key, '…').replaceAll(secret, '…');
  const said = text.replace(/\s+/g, ' ').slice(0, saidMax);
  return new BlobStoreError(`${method} ${origin}/${bucket} was answered ${status}: ${said}`);
}
