/** Which coding of an answer a caller takes (RFC 9110, 12.5.3), and the two that the service has. */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export type Coding = 'br' | 'gzip';

/** `once`: made once and sent often. `each`: made for one answer, while its caller waits. */
export type Effort = 'once' | 'each';

/** Fewer bytes fit in two packets anyway, so they go out as they are. */
export const compressedFrom = 2048;

const bothCodings: readonly Coding[] = ['br', 'gzip'];
const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
/** The highest of brotli, 11, takes forty times as long as 9 and saves a tenth. */
const brotliQuality: Readonly<Record<Effort, number>> = { once: 9, each: 4 };
const gzipLevel: Readonly<Record<Effort, number>> = { once: 9, each: 3 };

/** In a thread of the pool: the event loop goes on meanwhile. */
export function compress(bytes: Buffer, coding: Coding, effort: Effort): Promise<Buffer> {
  if (coding === 'gzip') return zip(bytes, { level: gzipLevel[effort] });
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;
  return brotli(bytes, {
    params: { [BROTLI_PARAM_QUALITY]: brotliQuality[effort], [BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });
}

/**
 * @param accepted the header `Accept-Encoding`; without it no coding is chosen
 * @param offered the better one first, which wins between equal weights
 * @returns null for the bytes as they are, also when the header refuses those too
 */
export function chooseCoding(
  accepted: string | string[] | undefined,
  offered: readonly Coding[] = bothCodings,
): Coding | null {
  if (accepted === undefined) return null;
  const weights = readWeights(String(accepted));
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0;
  const [best] = offered.toSorted((a, b) => weightOf(b) - weightOf(a));
  if (best === undefined || weightOf(best) === 0) return null;
  return weightOf(best) >= (weights.get('identity') ?? 0) ? best : null;
}

function readWeights(accepted: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of accepted.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((word) => word.trim());
    const weight = parameters.find((word) => word.startsWith('q='));
    weights.set(coding, weight === undefined ? 1 : Number(weight.slice(2)) || 0);
  }
  return weights;
}

/** Adds to what `Vary` says already. */
export function withVary(before: unknown, name: string): string {
  return [before, name].filter(Boolean).join(', ');
}
