/**
 * Computes a signature from what arrived ("Authenticating Requests: Using the Authorization Header", AWS Signature
 * Version 4 for Amazon S3).
 */
import { createHash, createHmac } from 'node:crypto';

export type ArrivedRequest = { method: string; path: string; headers: Record<string, string>; body: Buffer };

const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** @returns the Authorization header over the headers that the request lists as signed */
export function authorizationOf(
  { method, path, headers, body }: ArrivedRequest,
  { access_key, secret, region }: { access_key: string; secret: string; region: string },
): string {
  const signed = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '')?.[1] ?? '';
  const stamp = headers['x-amz-date'] ?? '';
  const scope = `${stamp.slice(0, 8)}/${region}/s3/aws4_request`;
  const canonical = [
    method,
    path,
    '',
    ...signed.split(';').map((name) => `${name}:${headers[name]}`),
    '',
    signed,
    sha256(body),
  ].join('\n');
  const to_sign = ['AWS4-HMAC-SHA256', stamp, scope, sha256(canonical)].join('\n');
  const key = scope.split('/').reduce<string | Buffer>((made, part) => hmac(made, part), `AWS4${secret}`);
  const signature = hmac(key, to_sign).toString('hex');
  return `AWS4-HMAC-SHA256 Credential=${access_key}/${scope}, SignedHeaders=${signed}, Signature=${signature}`;
}
