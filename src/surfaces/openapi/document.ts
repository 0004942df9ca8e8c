/**
 * The OpenAPI 3.1 document of operations and events. Its order is fixed, so that a change of contract is a small
 * diff.
 */
import type { Operation } from '../../kernel/operation.ts';
import { runSteps, type Steps } from '../../kernel/steps.ts';
import { type ApiVersion, latestVersion } from '../../kernel/versions.ts';
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
import { headerComponents } from './headers.ts';
import { describeOperation } from './operation-entry.ts';
import { answersIn, operationIn } from './operation-version.ts';
import { describeParameters, parameterNames } from './operation-parameters.ts';
import { describeRefusals, problemSchemas, refusalNames } from './problem-answers.ts';
import { Shelf } from './shared-parts.ts';
import { groupByTag } from './tags.ts';

export type OpenApiOptions = {
  public_url: string;
  /** Where `/docs` is; beside the API when left out. */
  docs_url?: string;
  /** Without them the examples show only requests. */
  answers?: ExampleAnswers;
  /** The latest when left out. */
  version?: ApiVersion;
};

const methodOrder = ['GET', 'POST', 'PUT', 'DELETE'];

const description = [
  'API de facturación para empresas en España.',
  '',
  '- **Autenticación**: `Authorization: Bearer <clave>` o `X-API-Key`. Cada clave abre una sola empresa, en `live` o en `test`.',
  '- **Respuestas**: `{ "data": … }`; las listas añaden `has_more` y `next_cursor`.',
  '- **Errores**: `{ "error": { type, code, message, param, doc_url, request_id } }`, o lo mismo según la RFC 9457 si se pide `application/problem+json`. Los programas deciden por `code` y `type`.',
  '- **Reintentos**: las operaciones que modifican datos aceptan `Idempotency-Key`.',
  '- **Versiones**: este documento es de una; `/openapi/{fecha}.json` es el de cada una, y `Service-Version` la fija en cada petición.',
  '- **Números**: se leen y se escriben como decimales exactos; los importes tienen dos decimales como máximo.',
].join('\n');

/** Of one version: what only other versions answer is not in it. */
export function makeOpenApi(all: readonly Operation[], options: OpenApiOptions): object {
  return runSteps(openApiSteps(all, options));
}

/** The same in steps: it takes some hundred milliseconds, which no other call should wait for. */
export function* openApiSteps(all: readonly Operation[], options: OpenApiOptions): Steps<object> {
  const { public_url, docs_url = public_url, version = latestVersion } = options;
  const operations = all.map((operation) => operationIn(version, operation));
  const { place, schemas } = yield* nameShapes([...operationRoots(operations), ...eventRoots]);
  const { paths, parameters, responses } = yield* describePaths(operations, place, (operation) =>
    answersIn(version, operation, options.answers ?? {}),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'Folio',
      version,
      description,
      contact: { name: 'Folio', url: `${docs_url}/docs` },
      license: { name: 'Propietaria', url: `${docs_url}/docs` },
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
      headers: headerComponents,
      schemas: sortKeys({ ...schemas, ...webhookSchemas, ...problemSchemas }),
      responses: sortKeys({ ...responses, ...webhookResponses }),
    },
    externalDocs: { url: `${docs_url}/docs`, description: 'Referencia' },
  };
}

type Entry = { operation: Operation; refusals: Record<string, JsonSchema>; parameters: JsonSchema[] };
type Described = Record<'paths' | 'parameters' | 'responses', Record<string, JsonSchema>>;

function* describePaths(
  operations: readonly Operation[],
  place: Placer,
  answersOf: (operation: Operation) => ExampleAnswers[string],
): Steps<Described> {
  const parameters = new Shelf('#/components/parameters');
  const responses = new Shelf('#/components/responses');
  const entries: Entry[] = [];
  for (const operation of operations.toSorted(byPathAndMethod)) {
    const entry = {
      operation,
      refusals: describeRefusals(operation),
      parameters: describeParameters(operation),
    };
    for (const value of entry.parameters) parameters.note(value, parameterNames(operation, value));
    for (const [status, value] of Object.entries(entry.refusals))
      responses.note(value, refusalNames(operation, Number(status)));
    entries.push(entry);
    yield;
  }
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
      answers: answersOf(operation),
      parameters: entry.parameters.map(shared_parameters.refer),
      refusals: Object.fromEntries(refusals),
    });
    yield;
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
