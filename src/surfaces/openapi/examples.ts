/**
 * Each operation declares the requests of its examples. The answers are real: test/scenarios/openapi.test.ts writes
 * them to docs/openapi-examples.json. `{client}` stands for a client's id.
 */
import { existsSync, readFileSync } from 'node:fs';
import type { Example, Operation } from '../../kernel/operation.ts';

/** By operation and title of the example. */
export type ExampleAnswers = Record<string, Record<string, { status: number; body: unknown }>>;

const answersFile = new URL('../../../docs/openapi-examples.json', import.meta.url);

/** @returns nothing when the service runs without docs/ */
export function readExampleAnswers(): ExampleAnswers {
  return existsSync(answersFile) ? (JSON.parse(readFileSync(answersFile, 'utf8')) as ExampleAnswers) : {};
}

export const sampleId = '0199c4a8-0000-7000-8000-000000000001';

const placeholder = /^\{([a-z_]+)\}$/;

/** `client` for `{client}`. */
export function placeholderName(value: unknown): string | undefined {
  return typeof value === 'string' ? placeholder.exec(value)?.[1] : undefined;
}

export function fillPlaceholders<T>(value: T, resolve: (name: string) => string): T {
  const name = placeholderName(value);
  if (name !== undefined) return resolve(name) as T;
  if (Array.isArray(value)) return value.map((member) => fillPlaceholders(member, resolve)) as T;
  if (value === null || typeof value !== 'object') return value;
  const members = Object.entries(value).map(([key, member]) => [key, fillPlaceholders(member, resolve)]);
  return Object.fromEntries(members) as T;
}

/** Fills placeholders and missing path parameters with sample ids. */
export function presentExample(operation: Operation, example: Example): Example {
  const filled = fillPlaceholders(example, () => sampleId);
  const names = Object.keys(operation.params?.properties ?? {});
  const params = Object.fromEntries(names.map((name) => [name, filled.params?.[name] ?? sampleId]));
  return { ...filled, params };
}

/** `Clave de solo lectura` to `clave_de_solo_lectura`. */
export function exampleKey(title: string): string {
  const plain = title.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.replace(/[^a-z0-9]+/g, '_').replace(/^_|_$/g, '') || 'ejemplo';
}
