/**
 * The OpenAPI 3.1 document, made from the catalogue of operations and nothing else: what an operation
 * declares is what callers read. Paths, components and members have a fixed order, so that the printed
 * file shows a change of contract as a small difference.
 */
import type { Example, Operation } from '../../kernel/operation.ts';
import { scopeCatalogue } from '../../kernel/scopes.ts';
import type { TObject } from '../../kernel/schema.ts';
import { latestVersion } from '../../kernel/versions.ts';
import { nameResources, pascalCase } from './components.ts';
import { type ExampleAnswers, exampleKey, examplesOf, presentExample } from './examples.ts';
import { answerHeaders, idempotencyParameter, requestHeaders, successHeaders } from './headers.ts';
import { collectProblems, problemSchemas } from './problem-answers.ts';
import { groupByTag } from './tags.ts';
import { type JsonSchema, type Placer, toWireSchema } from './wire-schema.ts';

export type OpenApiOptions = {
  public_url: string;
  /** Answers to print with the examples; without them only requests have examples. */
  answers?: ExampleAnswers;
};

const methodOrder = ['GET', 'POST', 'PUT', 'DELETE'];

const description = [
  'API de facturación para empresas en España.',
  '',
  '- **Autenticación**: `Authorization: Bearer <clave>` o `X-API-Key`. Cada clave abre una sola empresa, en `live` o en `test`.',
  '- **Respuestas**: `{ "data": … }`; las listas añaden `has_more` y `next_cursor`.',
  '- **Errores**: `{ "error": { type, code, message, param, doc_url, request_id } }`, o RFC 9457 si se pide `application/problem+json`. Los programas deciden por `code` y `type`.',
  '- **Reintentos**: las operaciones que modifican datos aceptan `Idempotency-Key`.',
  '- **Números**: se leen y se escriben como decimales exactos; los importes tienen dos decimales como máximo.',
].join('\n');

/** Makes the document; two calls with the same operations give the same object. */
export function makeOpenApi(operations: readonly Operation[], options: OpenApiOptions): object {
  const { public_url, answers = {} } = options;
  const { place, schemas } = nameResources(operations);
  const inputs = new Map<string, JsonSchema>();
  const problems = collectProblems();
  const paths: Record<string, JsonSchema> = {};
  for (const operation of operations.toSorted(byPathAndMethod)) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}');
    const item = (paths[path] ??= {});
    item[operation.method.toLowerCase()] = describeOperation(operation, {
      place,
      inputs,
      answers: answers[operation.name] ?? {},
      refusals: problems.of(operation),
    });
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Folio', version: latestVersion, description },
    servers: [{ url: public_url }],
    tags: groupByTag(operations).map(({ tag, title }) => ({ name: tag, description: title })),
    security: [{ bearer: [] }, { api_key: [] }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'Clave de API: svc_live_… o svc_test_…' },
        api_key: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description: 'La misma clave, sin Bearer.',
        },
      },
      parameters: requestHeaders,
      headers: answerHeaders,
      schemas: sortKeys({ ...schemas, ...problemSchemas, ...Object.fromEntries(inputs) }),
      responses: problems.components(),
    },
    externalDocs: { url: `${public_url}/docs`, description: 'Referencia' },
  };
}

type Parts = {
  place: Placer;
  inputs: Map<string, JsonSchema>;
  answers: ExampleAnswers[string];
  refusals: Record<string, JsonSchema>;
};

function describeOperation(operation: Operation, parts: Parts): JsonSchema {
  const { place, answers, refusals } = parts;
  const { name, tag, summary, scope, body } = operation;
  const examples = examplesOf(operation).map((example) => presentExample(operation, example));
  return {
    operationId: name,
    tags: [tag],
    summary,
    description: operationText(operation),
    'x-scope': scope,
    'x-rate-limit-class': operation.rate,
    security: [{ bearer: scope === null ? [] : [scope] }, { api_key: scope === null ? [] : [scope] }],
    parameters: describeParameters(operation, examples),
    ...(body ? { requestBody: describeBody(operation, body as JsonSchema, parts, examples) } : {}),
    responses: {
      [operation.status]: {
        description: operation.status === 202 ? 'Aceptado.' : 'Correcto.',
        headers: successHeaders(operation),
        content: {
          'application/json': {
            schema: toWireSchema(operation.output as JsonSchema, place),
            ...withExamples(
              examples.flatMap(({ title }) =>
                answers[title] ? [{ title, value: answers[title].body }] : [],
              ),
            ),
          },
        },
      },
      ...refusals,
    },
  };
}

/** Description, then the scope in words. */
export function operationText(operation: Operation): string {
  const { scope, description: own } = operation;
  const meaning = scopeCatalogue.find((entry) => entry.scope === scope)?.description;
  const needed =
    scope === null ? 'Vale cualquier clave.' : `Permiso: \`${scope}\`.${meaning ? ` ${meaning}` : ''}`;
  return own === undefined ? needed : `${own}\n\n${needed}`;
}

function describeParameters(operation: Operation, examples: readonly Example[]): JsonSchema[] {
  const idempotency = idempotencyParameter(operation);
  return [
    ...describeFields(operation.params, 'path', examples),
    ...describeFields(operation.query, 'query', examples),
    ...Object.keys(requestHeaders).map((name) => ({ $ref: `#/components/parameters/${name}` })),
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
  { place, inputs }: Parts,
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

function byPathAndMethod(a: Operation, b: Operation): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return methodOrder.indexOf(a.method) - methodOrder.indexOf(b.method);
}

function sortKeys<T>(record: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
