/** One operation in the OpenAPI document: its parameters, body, answer, refusals and examples. */
import { type Example, type Operation, scopesNeeded } from '../../kernel/operation.ts';
import type { TObject } from '../../kernel/schema.ts';
import { scopeCatalogue } from '../../kernel/scopes.ts';
import { pascalCase } from './components.ts';
import { type ExampleAnswers, exampleKey, examplesOf, presentExample } from './examples.ts';
import {
  idempotencyParameter,
  ifNoneMatch,
  isFile,
  requestHeaders,
  successHeaders,
  unchangedFile,
} from './headers.ts';
import { type JsonSchema, type Placer, toWireSchema } from '../shared/wire-schema.ts';

export type EntryParts = {
  place: Placer;
  /** Collects the schemas of bodies, which become components. */
  inputs: Map<string, JsonSchema>;
  answers: ExampleAnswers[string];
  refusals: Record<string, JsonSchema>;
};

/** The operation as a member of its path. */
export function describeOperation(operation: Operation, parts: EntryParts): JsonSchema {
  const { place, answers, refusals } = parts;
  const { name, tag, summary, scope, also_scopes, body } = operation;
  const scopes = scopesNeeded(operation);
  const examples = examplesOf(operation).map((example) => presentExample(operation, example));
  return {
    operationId: name,
    tags: [tag],
    summary,
    description: operationText(operation),
    'x-scope': scope,
    ...(also_scopes.length > 0 ? { 'x-also-scopes': also_scopes } : {}),
    'x-rate-limit-class': operation.rate,
    security: [{ bearer: scopes }, { api_key: scopes }],
    parameters: describeParameters(operation, examples),
    ...(body ? { requestBody: describeBody(operation, body as JsonSchema, parts, examples) } : {}),
    responses: {
      [operation.status]: {
        description: operation.status === 202 ? 'Aceptado.' : 'Correcto.',
        headers: successHeaders(operation),
        content: {
          [operation.output_media_type]: {
            schema: toWireSchema(operation.output as JsonSchema, place),
            ...withExamples(
              examples.flatMap(({ title }) =>
                answers[title] ? [{ title, value: answers[title].body }] : [],
              ),
            ),
          },
        },
      },
      ...Object.fromEntries(
        operation.other_statuses.map(({ status, when }) => [
          status,
          {
            description: when,
            headers: successHeaders(operation),
            content: {
              [operation.output_media_type]: { schema: toWireSchema(operation.output as JsonSchema, place) },
            },
          },
        ]),
      ),
      ...(isFile(operation)
        ? { 304: { description: unchangedFile, headers: successHeaders(operation) } }
        : {}),
      ...refusals,
    },
  };
}

/** Description, then the scopes in words. */
function operationText(operation: Operation): string {
  const { description: own } = operation;
  const told = scopesNeeded(operation).map((scope) => {
    const meaning = scopeCatalogue.find((entry) => entry.scope === scope)?.description;
    return `\`${scope}\`.${meaning ? ` ${meaning}` : ''}`;
  });
  const needed =
    told.length === 0
      ? 'Vale cualquier clave.'
      : `${told.length === 1 ? 'Permiso' : 'Permisos, todos'}: ${told.join(' ')}`;
  return own === undefined ? needed : `${own}\n\n${needed}`;
}

function describeParameters(operation: Operation, examples: readonly Example[]): JsonSchema[] {
  const idempotency = idempotencyParameter(operation);
  return [
    ...describeFields(operation.params, 'path', examples),
    ...describeFields(operation.query, 'query', examples),
    ...Object.keys(requestHeaders).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ...(isFile(operation) ? [ifNoneMatch] : []),
    ...(idempotency ? [idempotency] : []),
  ];
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

/** Examples write parameters as texts; the document shows them as their schema's type. */
function readSample(sample: string, { type }: JsonSchema): unknown {
  if (type === 'integer' || type === 'number') return Number(sample);
  return type === 'boolean' ? sample === 'true' : sample;
}

function describeBody(
  operation: Operation,
  body: JsonSchema,
  { place, inputs }: EntryParts,
  examples: readonly Example[],
): JsonSchema {
  const name = `${pascalCase(operation.name)}Input`;
  inputs.set(name, toWireSchema(body, place));
  const sent = examples.flatMap(({ title, body: value }) => (value === undefined ? [] : [{ title, value }]));
  return {
    required: !operation.body_optional,
    content: {
      'application/json': { schema: { $ref: `#/components/schemas/${name}` }, ...withExamples(sent) },
    },
  };
}

function withExamples(examples: readonly { title: string; value: unknown }[]): JsonSchema {
  if (examples.length === 0) return {};
  const named = examples.map(({ title, value }) => [exampleKey(title), { summary: title, value }]);
  return { examples: Object.fromEntries(named) };
}
