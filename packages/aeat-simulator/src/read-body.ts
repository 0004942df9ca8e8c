import type { IncomingMessage } from 'node:http';

/** Far more than 1,000 of the largest records take. */
const BODY_MAX = 64 * 1024 * 1024;

export async function readBody(request: IncomingMessage): Promise<Buffer | 'too_long'> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > BODY_MAX) return 'too_long';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
