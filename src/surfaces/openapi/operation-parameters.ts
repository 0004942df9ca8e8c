import { type Example, type Operation, takesCondition } from '../../kernel/operation.ts';
import type { KeyedFilters } from '../../kernel/list-operation.ts';
import type { TObject } from '../../kernel/schema.ts';
import { type JsonSchema, toWireSchema } from '../shared/wire-schema.ts';
import { presentExample } from './examples.ts';
import { idempotencyParameter, ifMatch, ifNoneMatch, isFile, requestHeaders } from './headers.ts';

export function describeParameters(operation: Operation): JsonSchema[] {
  const examples = operation.examples.map((example) => presentExample(operation, example));
  const idempotency = idempotencyParameter(operation);
  return [
    ...describeFields(operation.params, 'path', examples),
    ...describeFields(operation.query, 'query', examples),
    ...describeKeyed(operation.query),
    ...Object.values(requestHeaders),
    ...(isFile(operation) ? [ifNoneMatch] : []),
    ...(takesCondition(operation) ? [ifMatch] : []),
    ...(idempotency ? [idempotency] : []),
  ];
}

/** Names for a shared parameter, the best first: `limit`, `created_gte`, `path_invoice`. */
export function parameterNames(operation: Operation, { name, in: where }: JsonSchema): string[] {
  const plain = String(name).replace(/\[(\w+)\]$/, '_$1');
  const own = where === 'path' ? `path_${plain}` : plain;
  return [own, `${own}_of_${operation.name}`];
}

function describeFields(
  fields: TObject | null,
  where: 'path' | 'query',
  examples: readonly Example[],
): JsonSchema[] {
  if (!fields) return [];
  const required = new Set<string>((fields as { required?: string[] }).required ?? []);
  return Object.entries(fields.properties as Record<string, JsonSchema>).map(([name, schema]) => {
    const { description: said, ...rest } = toWireSchema(schema);
    const member = where === 'path' ? 'params' : 'query';
    const sample = examples.map((example) => example[member]?.[name]).find((value) => value !== undefined);
    return {
      name,
      in: where,
      required: where === 'path' || required.has(name),
      ...(said === undefined ? {} : { description: said }),
      schema: rest,
      ...(sample === undefined ? {} : { example: readSample(sample, rest) }),
    };
  });
}

/** `metadata[pedido]=7`: one parameter, with any keys. */
function describeKeyed(fields: TObject | null): JsonSchema[] {
  const { keyed = {} } = (fields ?? {}) as { keyed?: KeyedFilters };
  return Object.entries(keyed).map(([name, { value_max, description }]) => ({
    name,
    in: 'query',
    required: false,
    description,
    style: 'deepObject',
    explode: true,
    schema: { type: 'object', additionalProperties: { type: 'string', maxLength: value_max } },
  }));
}

/** Examples write parameters as text; the document shows them in the schema's type. */
function readSample(sample: string, { type }: JsonSchema): unknown {
  if (type === 'integer' || type === 'number') return Number(sample);
  return type === 'boolean' ? sample === 'true' : sample;
}
