/**
 * The OpenAPI 3.1 document, made from the catalogues of operations and events and nothing else: what an
 * operation declares is what callers read. Paths, components and members have a fixed order, so that the printed
 * file shows a change of contract as a small difference.
 */
import type { Operation } from '../../kernel/operation.ts';
import { latestVersion } from '../../kernel/versions.ts';
import { nameResources } from './components.ts';
import { describeWebhooks, webhookParameters, webhookSchemas } from './event-schemas.ts';
import type { ExampleAnswers } from './examples.ts';
import { answerHeaders, requestHeaders } from './headers.ts';
import { describeOperation } from './operation-entry.ts';
import { collectProblems, problemSchemas } from './problem-answers.ts';
import { groupByTag } from './tags.ts';
import type { JsonSchema } from '../shared/wire-schema.ts';

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
    const item = paths[path] ?? {};
    paths[path] = item;
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
    webhooks: describeWebhooks(place),
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
      parameters: { ...requestHeaders, ...webhookParameters },
      headers: answerHeaders,
      schemas: sortKeys({ ...schemas, ...webhookSchemas, ...problemSchemas, ...Object.fromEntries(inputs) }),
      responses: problems.components(),
    },
    externalDocs: { url: `${public_url}/docs`, description: 'Referencia' },
  };
}

function byPathAndMethod(a: Operation, b: Operation): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return methodOrder.indexOf(a.method) - methodOrder.indexOf(b.method);
}

function sortKeys<T>(record: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
