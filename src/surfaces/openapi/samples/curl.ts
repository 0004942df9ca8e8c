import { keyVariable, type SampleCall } from './sample-call.ts';

/** For a POSIX shell. */
export function curlSample({ method, url, needs_retry_key, version, body, file }: SampleCall): string {
  const parts = [
    `curl ${file === null ? '' : '--fail '}${method === 'GET' ? '' : `-X ${method} `}${shellQuoted(url)}`,
    `-H "Authorization: Bearer $${keyVariable}"`,
  ];
  if (version !== null) parts.push(`-H 'Service-Version: ${version}'`);
  if (needs_retry_key) parts.push('-H "Idempotency-Key: $(uuidgen)"');
  if (body !== undefined)
    parts.push("-H 'Content-Type: application/json'", `-d ${shellQuoted(JSON.stringify(body, null, 2))}`);
  if (file !== null) parts.push(`-o ${shellQuoted(file)}`);
  return parts.join(' \\\n  ');
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
