/**
 * Reads which message a delivery notice is about, and who did not get it (RFC 3464 inside RFC 6522; RFC 6533
 * for international addresses). Limits bound the work. A notice proves nothing: the caller checks its
 * Message-ID.
 */
import { EMAIL_ADDRESS_MAX } from '../../../domain/email-address.ts';
import type { UnservedRecipient } from '../ports.ts';

export type DeliveryNotice = {
  /** With angle brackets. Some providers add their own. */
  message_ids: readonly string[];
  /** For good; no delays, no successes. */
  failed: readonly UnservedRecipient[];
};

/** Report and quoted headers precede the quoted body, so the rest is not read. */
const bytesMax = 512 * 1024;
const linesMax = 20_000;
/** Lines that start with `--`, as borders of parts do. */
const borderLinesMax = 1_000;
const headersMax = 128 * 1024;
const depthMax = 10;
const quotedMax = 20;
const answerMax = 500;
/** Anybody can write a notice with too many recipients. */
const recipientsMax = 200;
const blocksMax = 1_000;

const statusTypes = ['message/delivery-status', 'message/global-delivery-status'];
const quotedTypes = ['message/rfc822', 'message/global', 'text/rfc822-headers', 'message/global-headers'];
const idHeaders = ['message-id', 'x-folio-message-id'];

type Part = { mimeType: string; content: Buffer };
/** By lower-case name, the first value. */
type Headers = ReadonlyMap<string, string>;

/** Notices are few, and no start waits for it. */
const reader = async () => (await import('postal-mime')).default;

/** @returns undefined when it is no delivery notice */
export async function readDeliveryNotice(message: Buffer): Promise<DeliveryNotice | undefined> {
  const parts = await readParts(beginningOf(message));
  const status = parts.find(({ mimeType }) => statusTypes.includes(mimeType));
  if (!status) return undefined;
  const quoted = parts.filter(({ mimeType }) => quotedTypes.includes(mimeType)).slice(0, quotedMax);
  const headers = await Promise.all(quoted.map((part) => readHeaders(blocksOf(part, 1)[0])));
  const [, ...recipients] = await Promise.all(blocksOf(status, blocksMax).map(readHeaders));
  return {
    message_ids: [...new Set(headers.flatMap((found) => idHeaders.flatMap((name) => found.get(name) ?? [])))],
    failed: recipients.flatMap(readFailure).slice(0, recipientsMax),
  };
}

function beginningOf(message: Buffer): Buffer {
  const end = Math.min(message.length, bytesMax);
  let at = 0;
  let borders = 0;
  for (let lines = 0; lines < linesMax && at < end; lines++) {
    if (message[at] === 0x2d && message[at + 1] === 0x2d && ++borders > borderLinesMax) break;
    const line_end = message.indexOf('\n', at);
    at = line_end < 0 ? end : line_end + 1;
  }
  return message.subarray(0, Math.min(at, end));
}

/** Leaf parts that are not text for people. None when a limit is passed. */
async function readParts(message: Buffer): Promise<Part[]> {
  const PostalMime = await reader();
  try {
    const { attachments } = await PostalMime.parse(message, {
      forceRfc822Attachments: true,
      maxNestingDepth: depthMax,
      maxHeadersSize: headersMax,
    });
    return attachments.map(({ mimeType, content }) => ({
      mimeType,
      content: Buffer.from(content as ArrayBuffer),
    }));
  } catch {
    return [];
  }
}

/** Blank lines separate blocks. */
function blocksOf({ content }: Part, blocks_max: number): string[] {
  return content
    .toString('utf8')
    .trimStart()
    .split(/\r?\n[ \t]*\r?\n/, blocks_max);
}

async function readHeaders(block = ''): Promise<Headers> {
  const PostalMime = await reader();
  try {
    const { headers } = await PostalMime.parse(block, { maxHeadersSize: headersMax });
    return new Map(headers.toReversed().map(({ key, value }) => [key, value]));
  } catch {
    return new Map();
  }
}

/** Text in parentheses, also inside others, is no part of a field (RFC 3464, section 2.1.1). */
function withoutComments(field = ''): string {
  let depth = 0;
  const kept = [...field.matchAll(/[()]|[^()]+/g)].filter(([part]) => {
    if (part === '(') depth += 1;
    else if (part === ')') depth = Math.max(0, depth - 1);
    else return depth === 0;
    return false;
  });
  return kept.join('').trim();
}

function readFailure(fields: Headers): UnservedRecipient[] {
  if (withoutComments(fields.get('action')).toLowerCase() !== 'failed') return [];
  const address = addressOf(fields.get('original-recipient')) ?? addressOf(fields.get('final-recipient'));
  if (address === undefined) return [];
  const said = fields.get('diagnostic-code')?.replace(/^[\w.-]+\s*;/, '') ?? fields.get('status') ?? '';
  return [{ address, answer: oneLineOf(said) }];
}

/** `rfc822; ana@example.com`, or `utf-8; jos\x{E9}@example.com` (RFC 6533, section 3). */
function addressOf(field: string | undefined): string | undefined {
  const [, ...rest] = withoutComments(field).split(';');
  const written = rest
    .join(';')
    .trim()
    .slice(0, 2 * EMAIL_ADDRESS_MAX);
  const text = written.replace(/\\x\{([0-9a-f]{2,6})\}/gi, (all, hex: string) => {
    const point = Number.parseInt(hex, 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : all;
  });
  const address = text.startsWith('<') && text.endsWith('>') ? text.slice(1, -1) : text;
  const at = address.lastIndexOf('@');
  const is_one = at > 0 && at < address.length - 1 && !/[\p{C}\s<>]/u.test(address);
  return is_one && address.length <= EMAIL_ADDRESS_MAX ? address : undefined;
}

/** Cut between characters, because PostgreSQL does not store half of one. */
function oneLineOf(text: string): string {
  return text
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, answerMax)
    .replace(/\p{Cs}$/u, '');
}
