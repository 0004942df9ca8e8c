/** What the command `api` does. Loaded when it runs. */
import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { parseJson } from '../kernel/json.ts';
import { ApiClient } from './api-client.ts';
import { CommandError, UsageError } from './command-error.ts';
import type { Config } from './config.ts';
import { serviceAddress } from './hints.ts';
import { handOver, say } from './terminal.ts';

type Values = {
  key: string;
  url: string | undefined;
  data: string | undefined;
  'idempotency-key': string | undefined;
  'api-version': string | undefined;
};

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'];
/** A header is sent as it is written, and RFC 9110 takes visible ASCII in it. */
const headerText = /^[\x20-\x7e]+$/;

/** Turns `--limit 3` and `--limit=3` into parameters of the query. An option given twice is sent twice. */
export function readParameters(words: readonly string[]): Record<string, string[]> {
  const query: Record<string, string[]> = {};
  for (let i = 0; i < words.length; i++) {
    const [, name, told] = /^--([^=]+)(?:=(.*))?$/s.exec(words[i]!) ?? [];
    if (name === undefined) throw new UsageError(`Parameters are --NAME VALUE: "${words[i]}" is none.`);
    const value = told ?? words[++i];
    if (value === undefined) throw new UsageError(`Parameter --${name} has no value.`);
    query[name] = [...(query[name] ?? []), value];
  }
  return query;
}

async function readBody(data: string): Promise<string> {
  const text = data.startsWith('@') ? await readFrom(data.slice(1)) : data;
  try {
    JSON.parse(text);
  } catch {
    throw new UsageError(`--data must be JSON${data.startsWith('@') ? ` in ${data.slice(1)}` : ''}.`);
  }
  // Sent as it came, so that a number keeps its digits.
  return text;
}

async function readFrom(file: string): Promise<string> {
  try {
    return (file === '-' ? await buffer(process.stdin) : readFileSync(file)).toString();
  } catch (error) {
    throw new CommandError(`${file} cannot be read (${(error as { code?: string }).code ?? String(error)}).`);
  }
}

function headersOf(values: Values): Record<string, string> {
  const named = { 'idempotency-key': 'Idempotency-Key', 'api-version': 'Service-Version' } as const;
  const headers: Record<string, string> = {};
  for (const [option, header] of Object.entries(named)) {
    const text = values[option as keyof typeof named];
    if (text === undefined) continue;
    if (!headerText.test(text)) throw new UsageError(`--${option} must be visible ASCII.`);
    headers[header] = text;
  }
  return headers;
}

export async function callApi(
  values: Values,
  rest: readonly string[],
  config: () => Config,
  as_json: boolean,
): Promise<void> {
  const [asked = '', path = '', ...parameters] = rest;
  const method = asked.toUpperCase();
  if (!methods.includes(method)) throw new UsageError(`The method must be one of ${methods.join(', ')}.`);
  if (!/^\/(?!\/)[\x21-\x7e]*$/.test(path))
    throw new UsageError('The path must begin with one slash, for example /v1/invoices.');
  const options = {
    query: readParameters(parameters),
    headers: headersOf(values),
    ...(values.data === undefined ? {} : { body_text: await readBody(values.data) }),
  };
  const api = new ApiClient(values.url ?? serviceAddress(config()), values.key);
  const { body, headers, refuse } = await api.send(method, path, options);
  if (method === 'HEAD') {
    if (as_json) say(JSON.stringify(headers));
    else for (const [name, value] of Object.entries(headers)) say(`${name}: ${value}`);
    return;
  }
  const media_type = String(headers['content-type'] ?? '');
  if (!media_type.includes('json')) {
    handOver(process.stdout, body, media_type);
    return;
  }
  const text = body.toString().trim();
  const read = parsed(text) ?? refuse();
  for (const line of as_json ? [text] : JSON.stringify(read, null, 2).split('\n')) say(line);
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
