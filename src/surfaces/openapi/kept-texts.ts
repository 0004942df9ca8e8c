/**
 * Texts that are made once, at their first request, and sent often: pages and documents. Each has a strong tag for each coding,
 * since each is other bytes (RFC 9110, 8.8.3.3), and is compressed once, when somebody first takes the coding.
 */
import { hash } from 'node:crypto';
import type { FastifyBaseLogger, FastifyReply } from 'fastify';
import { holdsTag } from '../shared/entity-tags.ts';
import { chooseCoding, type Coding, compress, compressedFrom, withVary } from '../shared/content-coding.ts';

export type KeptText = {
  bytes: Buffer;
  /** What the tags of its codings begin with. */
  tag: string;
  compressed: Map<Coding, Promise<Buffer>>;
};

/** @param place what the texts depend on besides their name, such as the public address, known only when somebody asks */
export function makeKeptTexts(
  place: () => string,
): (name: string, make: () => string | Promise<string>) => Promise<KeptText> {
  const kept = new Map<string, Promise<KeptText>>();
  return (name, make) => {
    const key = `${name} ${place()}`;
    const known = kept.get(key);
    if (known) return known;
    const made = makeText(make);
    kept.set(key, made);
    // A failure is not kept.
    made.catch(() => kept.delete(key));
    return made;
  };
}

async function makeText(make: () => string | Promise<string>): Promise<KeptText> {
  const text = await make();
  const tag = hash('sha256', text, 'base64url').slice(0, 22);
  return { bytes: Buffer.from(text), tag, compressed: new Map() };
}

/**
 * Answers 304 to a caller who has the same bytes. A text that cannot be compressed goes out as it is.
 * @param type a text media type, without its charset
 */
export async function sendKept(
  reply: FastifyReply,
  type: string,
  making: Promise<KeptText>,
): Promise<FastifyReply> {
  const kept = await making;
  const { headers } = reply.request;
  const is_worth_it = kept.bytes.length >= compressedFrom;
  const wanted = is_worth_it ? chooseCoding(headers['accept-encoding']) : null;
  // Nothing fails from here on, so no refusal bears the headers of a text.
  const { bytes, coding } = await encodedOrPlain(kept, wanted, reply.log);
  const tag = coding === null ? `"${kept.tag}"` : `"${kept.tag}-${coding}"`;
  reply.header('Cache-Control', 'public, max-age=60').header('ETag', tag);
  if (is_worth_it) reply.header('Vary', withVary(reply.getHeader('Vary'), 'Accept-Encoding'));
  if (holdsTag(headers['if-none-match'], tag)) return reply.code(304).send();
  if (coding !== null) reply.header('Content-Encoding', coding);
  return reply.header('Content-Type', `${type}; charset=utf-8`).send(bytes);
}

async function encodedOrPlain(
  kept: KeptText,
  coding: Coding | null,
  log: FastifyBaseLogger,
): Promise<{ bytes: Buffer; coding: Coding | null }> {
  if (coding === null) return { bytes: kept.bytes, coding };
  try {
    return { bytes: await compressedOf(kept, coding), coding };
  } catch (error) {
    log.error({ err: error, coding }, 'a text is not compressed');
    return { bytes: kept.bytes, coding: null };
  }
}

function compressedOf({ bytes, compressed }: KeptText, coding: Coding): Promise<Buffer> {
  const known = compressed.get(coding);
  if (known) return known;
  const made = compress(bytes, coding, 'once');
  // A failure is not kept.
  made.catch(() => compressed.delete(coding));
  compressed.set(coding, made);
  return made;
}
