/**
 * Reads a delivery status notification as mail systems send it (RFC 3464, in the report of RFC 6522; RFC 6533 for
 * international addresses): which message it is about, and what became of it for whom. It reads no more of MIME than
 * that takes, in time that grows with the length alone, and believes nothing: whose message it is shows its Message-ID.
 */
import { EMAIL_ADDRESS_MAX } from '../../../domain/email-address.ts';
import type { UnservedRecipient } from '../ports.ts';

export type DeliveryNotice = {
  /** What the quoted headers call the message, with angle brackets: one or, through some providers, two. */
  message_ids: readonly string[];
  /** Recipients who will not get it; delays and successes are left out. */
  failed: readonly UnservedRecipient[];
};

const depthMax = 5;
const partsMax = 100;
const textMax = 500;
/** A message has fewer recipients: whoever got it may write what he likes into a notice about it. */
const recipientsMax = 200;

type Headers = ReadonlyMap<string, string>;
type Part = { headers: Headers; body: string };

/**
 * @param message as it came, one byte a character (latin1)
 * @returns undefined for what is no such notice
 */
export function readDeliveryNotice(message: string): DeliveryNotice | undefined {
  const parts = leavesOf(readPart(message.replace(/\r\n?/g, '\n')), 0);
  const status = parts.find((part) => /^message\/(global-)?delivery-status$/.test(typeOf(part)));
  if (!status) return undefined;
  const quoted = parts.filter((part) =>
    /^(message\/(rfc822|global)|text\/rfc822-headers|message\/global-headers)$/.test(typeOf(part)),
  );
  const message_ids = quoted.flatMap((part) => {
    const { headers } = readPart(decode(part).trimStart());
    return ['message-id', 'x-folio-message-id'].flatMap((name) => headers.get(name)?.trim() ?? []);
  });
  const [, ...recipients] = decode(status)
    .split(/\n[ \t]*\n/)
    .map((block) => readHeaders(block.split('\n')));
  return {
    message_ids: [...new Set(message_ids)],
    failed: recipients.flatMap(readFailure).slice(0, recipientsMax),
  };
}

function readFailure(fields: Headers): UnservedRecipient[] {
  if (fields.get('action')?.trim().toLowerCase() !== 'failed') return [];
  const address = addressOf(fields.get('original-recipient')) ?? addressOf(fields.get('final-recipient'));
  if (address === undefined) return [];
  const said = fields.get('diagnostic-code')?.replace(/^\s*[\w.-]+\s*;/, '') ?? fields.get('status') ?? '';
  return [{ address, answer: oneLineOf(said) }];
}

/** `rfc822; ana@example.com`; of RFC 6533, section 3: `utf-8; jos\x{E9}@example.com` */
function addressOf(field = ''): string | undefined {
  const [, ...rest] = field.split(';');
  const written = utf8(
    rest
      .join(';')
      .trim()
      .slice(0, 2 * EMAIL_ADDRESS_MAX),
  );
  const text = written.replace(/\\x\{([0-9a-f]{2,6})\}/gi, (all, hex: string) => {
    const point = Number.parseInt(hex, 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : all;
  });
  const address = text.startsWith('<') && text.endsWith('>') ? text.slice(1, -1) : text;
  const at = address.lastIndexOf('@');
  const is_one = at > 0 && at < address.length - 1 && !/[\p{C}\s<>]/u.test(address);
  return is_one && address.length <= EMAIL_ADDRESS_MAX ? address : undefined;
}

/** On one line, of a bounded length, and cut between characters: half of one cannot be stored. */
function oneLineOf(text: string): string {
  return utf8(text)
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, textMax)
    .replace(/\p{Cs}$/u, '');
}

const utf8 = (latin1: string) => Buffer.from(latin1, 'latin1').toString('utf8');

function readPart(text: string): Part {
  const end = text.indexOf('\n\n');
  const head = end < 0 ? text : text.slice(0, end);
  return { headers: readHeaders(head.split('\n')), body: end < 0 ? '' : text.slice(end + 2) };
}

/** The first of each name counts, in lower case; folded lines are one. */
function readHeaders(lines: readonly string[]): Headers {
  const headers = new Map<string, string>();
  let name: string | undefined;
  for (const line of lines) {
    if (/^[ \t]/.test(line)) {
      if (name !== undefined) headers.set(name, `${headers.get(name) ?? ''} ${line.trim()}`);
      continue;
    }
    const colon = line.indexOf(':');
    const found = colon > 0 ? line.slice(0, colon).trim().toLowerCase() : undefined;
    name = found === undefined || headers.has(found) ? undefined : found;
    if (name !== undefined) headers.set(name, line.slice(colon + 1).trim());
  }
  return headers;
}

function typeOf({ headers }: Part): string {
  return (headers.get('content-type') ?? 'text/plain').split(';', 1)[0]!.trim().toLowerCase();
}

/** The parts that hold no others; what is quoted is one, whatever it holds. */
function leavesOf(part: Part, depth: number): Part[] {
  if (!typeOf(part).startsWith('multipart/') || depth >= depthMax) return [part];
  const found = /;\s*boundary\s*=\s*(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(
    part.headers.get('content-type') ?? '',
  );
  const boundary = found?.[1] ?? found?.[2];
  if (boundary === undefined) return [part];
  const mark = `\n--${boundary}`;
  const [, ...inner] = `\n${part.body}`.split(mark, partsMax);
  const bodies = inner.filter((text) => !text.startsWith('--')).map((text) => text.replace(/^[ \t]*\n/, ''));
  return bodies.flatMap((text) => leavesOf(readPart(text), depth + 1));
}

function decode({ headers, body }: Part): string {
  switch (headers.get('content-transfer-encoding')?.trim().toLowerCase()) {
    case 'base64':
      return Buffer.from(body, 'base64').toString('latin1').replace(/\r\n?/g, '\n');
    case 'quoted-printable':
      return body
        .replace(/=[ \t]*\n/g, '')
        .replace(/=([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
        .replace(/\r\n?/g, '\n');
    default:
      return body;
  }
}
