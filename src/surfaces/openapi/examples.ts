/**
 * Examples of the operations as the document and the pages show them. The requests are the operations'
 * own; the answers are those that the service really gave, kept in docs/openapi-examples.json by
 * test/scenarios/openapi.test.ts. An id that only exists once something was created is written `{client}`.
 */
import { existsSync, readFileSync } from 'node:fs';
import type { Example, Operation } from '../../kernel/operation.ts';

/** Answers by operation and title of the example. */
export type ExampleAnswers = Record<string, Record<string, { status: number; body: unknown }>>;

const answersFile = new URL('../../../docs/openapi-examples.json', import.meta.url);

/** The answers kept with the source; none where the folder of documents is not there. */
export function readExampleAnswers(): ExampleAnswers {
  return existsSync(answersFile) ? (JSON.parse(readFileSync(answersFile, 'utf8')) as ExampleAnswers) : {};
}

/**
 * The examples of an operation: its own or, where there is nothing to write into one (no body that must be sent),
 * the plain call. Empty for an operation that owes one.
 */
export function examplesOf(operation: Operation): readonly Example[] {
  const { examples, summary, body, body_optional } = operation;
  if (examples.length > 0 || (body && !body_optional)) return examples;
  return [{ title: summary.replace(/\.$/, '') }];
}

/** The id shown for whatever has no real one. */
export const sampleId = '0199c4a8-0000-7000-8000-000000000001';

const placeholder = /^\{([a-z_]+)\}$/;

/** The name in a text that stands for an id (`{client}`); undefined for any other value. */
export function placeholderName(value: unknown): string | undefined {
  return typeof value === 'string' ? placeholder.exec(value)?.[1] : undefined;
}

/** A copy of the value with each placeholder replaced by what `resolve` gives for its name. */
export function fillPlaceholders<T>(value: T, resolve: (name: string) => string): T {
  const name = placeholderName(value);
  if (name !== undefined) return resolve(name) as T;
  if (Array.isArray(value)) return value.map((member) => fillPlaceholders(member, resolve)) as T;
  if (value === null || typeof value !== 'object') return value;
  const members = Object.entries(value).map(([key, member]) => [key, fillPlaceholders(member, resolve)]);
  return Object.fromEntries(members) as T;
}

/** The example with sample ids in place of placeholders, and in every path parameter that it leaves out. */
export function presentExample(operation: Operation, example: Example): Example {
  const filled = fillPlaceholders(example, () => sampleId);
  const names = Object.keys(operation.params?.properties ?? {});
  const params = Object.fromEntries(names.map((name) => [name, filled.params?.[name] ?? sampleId]));
  return { ...filled, params };
}

/** Names of the examples within one operation: `clave_de_solo_lectura`. */
export function exampleKey(title: string): string {
  const plain = title.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.replace(/[^a-z0-9]+/g, '_').replace(/^_|_$/g, '') || 'ejemplo';
}

/** The example as a curl command for a shell; the key is in a variable, so that nobody pastes one. */
export function curlCommand(operation: Operation, example: Example, public_url: string): string {
  const { params = {}, query = {}, body } = presentExample(operation, example);
  const path = operation.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams(query).toString();
  const url = `${public_url}${path}${search === '' ? '' : `?${search}`}`;
  const parts = [
    `curl ${operation.method === 'GET' ? '' : `-X ${operation.method} `}${shellQuoted(url)}`,
    '-H "Authorization: Bearer $FOLIO_API_KEY"',
  ];
  if (operation.idempotency === 'required') parts.push('-H "Idempotency-Key: $(uuidgen)"');
  if (body !== undefined) {
    parts.push("-H 'Content-Type: application/json'", `-d ${shellQuoted(JSON.stringify(body, null, 2))}`);
  }
  return parts.join(' \\\n  ');
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
