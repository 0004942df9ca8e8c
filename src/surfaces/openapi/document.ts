/**
 * The OpenAPI 3.1 document of operations and events. Its order is fixed, so that a change of contract is a small
 * diff.
 */
import type { Operation } from '../../kernel/operation.ts';
import { latestVersion } from '../../kernel/versions.ts';
import type { JsonSchema, Placer } from '../shared/wire-schema.ts';
import { nameShapes, operationRoots } from './components.ts';
import {
  describeWebhooks,
  eventRoots,
  webhookParameters,
  webhookResponses,
  webhookSchemas,
} from './event-schemas.ts';
import type { ExampleAnswers } from './examples.ts';
import { answerHeaders } from './headers.ts';
import { describeOperation } from './operation-entry.ts';
import { describeParameters, parameterNames } from './operation-parameters.ts';
import { describeRefusals, problemSchemas, refusalNames } from './problem-answers.ts';
import { Shelf } from './shared-parts.ts';
import { groupByTag } from './tags.ts';

export type OpenApiOptions = {
  public_url: string;
  /** Without them the examples show only requests. */
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

export function makeOpenApi(operations: readonly Operation[], options: OpenApiOptions): object {
  const { public_url } = options;
  const { place, schemas } = nameShapes([...operationRoots(operations), ...eventRoots]);
  const { paths, parameters, responses } = describePaths(operations, place, options.answers ?? {});
  return {
    openapi: '3.1.0',
    info: {
      title: 'Folio',
      version: latestVersion,
      description,
      contact: { name: 'Folio', url: `${public_url}/docs` },
      license: { name: 'Propietaria', url: `${public_url}/docs` },
    },
    servers: [{ url: public_url }],
    tags: groupByTag(operations).map(({ tag, title, description: said }) => ({
      name: tag,
      'x-displayName': title,
      description: said,
    })),
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
      parameters: { ...parameters, ...webhookParameters },
      headers: answerHeaders,
      schemas: sortKeys({ ...schemas, ...webhookSchemas, ...problemSchemas }),
      responses: sortKeys({ ...responses, ...webhookResponses }),
    },
    externalDocs: { url: `${public_url}/docs`, description: 'Referencia' },
  };
}

function describePaths(operations: readonly Operation[], place: Placer, answers: ExampleAnswers) {
  const parameters = new Shelf('#/components/parameters');
  const responses = new Shelf('#/components/responses');
  const entries = operations.toSorted(byPathAndMethod).map((operation) => {
    const entry = {
      operation,
      refusals: describeRefusals(operation),
      parameters: describeParameters(operation),
    };
    for (const value of entry.parameters) parameters.note(value, parameterNames(operation, value));
    for (const [status, value] of Object.entries(entry.refusals))
      responses.note(value, refusalNames(operation, Number(status)));
    return entry;
  });
  const [shared_parameters, shared_responses] = [parameters.close(), responses.close()];
  const paths: Record<string, JsonSchema> = {};
  for (const { operation, ...entry } of entries) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}');
    const item = paths[path] ?? {};
    paths[path] = item;
    const refusals = Object.entries(entry.refusals).map(([status, value]) => [
      status,
      shared_responses.refer(value),
    ]);
    item[operation.method.toLowerCase()] = describeOperation(operation, {
      place,
      answers: answers[operation.name] ?? {},
      parameters: entry.parameters.map(shared_parameters.refer),
      refusals: Object.fromEntries(refusals),
    });
  }
  return { paths, parameters: shared_parameters.components, responses: shared_responses.components };
}

function byPathAndMethod(a: Operation, b: Operation): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return methodOrder.indexOf(a.method) - methodOrder.indexOf(b.method);
}

function sortKeys<T>(record: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
