import type { Operation } from '../../kernel/operation.ts';
import type { ProblemDef, ProblemType } from '../../kernel/problem.ts';
import { pascalCase } from './components.ts';
import { problemHeaders } from './headers.ts';
import { isCommon, operationProblems } from './operation-problems.ts';
import type { JsonSchema } from '../shared/wire-schema.ts';

const types: readonly ProblemType[] = [
  'authentication_error',
  'authorization_error',
  'not_found_error',
  'idempotency_error',
  'invalid_request_error',
  'rate_limit_error',
  'api_error',
];

const text = (description: string, more: JsonSchema = {}): JsonSchema => ({
  type: 'string',
  description,
  ...more,
});

const shared = {
  code: text('Código estable; los programas deciden por él y por el tipo, nunca por el mensaje.'),
  message: text('Mensaje en español para personas.'),
  param: { type: ['string', 'null'], description: 'Campo al que se refiere el error, o null.' },
  doc_url: text('Página que explica el código.', { format: 'uri' }),
  request_id: text('Identificador de la petición.'),
  subcode: text('Precisión del código, en los que la tienen.'),
  line_index: { type: 'integer', minimum: 0, description: 'Línea del documento, desde 0.' },
  errors: {
    type: 'array',
    description: 'Los campos no válidos, aunque sea uno, con el motivo de cada uno: cien como máximo.',
    items: { $ref: '#/components/schemas/FieldIssue' },
  },
} satisfies Record<string, JsonSchema>;

export const problemSchemas: Record<string, JsonSchema> = {
  Error: {
    type: 'object',
    description:
      'Quien envía `Accept: application/problem+json` recibe lo mismo según la RFC 9457, con todo en la raíz: `type` es doc_url, `title` el código, `status` el estado, `detail` el mensaje, `instance` el request_id, `error_type` el tipo; los demás miembros se llaman igual.',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        required: ['type', 'code', 'message', 'param', 'doc_url', 'request_id'],
        properties: { type: { type: 'string', enum: [...types] }, ...shared },
      },
    },
  },
  FieldIssue: {
    type: 'object',
    required: ['param', 'code', 'message'],
    properties: {
      param: text('Ruta del campo, por ejemplo lines.0.tax_rate.'),
      code: text('Código del error del campo.'),
      message: text('Mensaje en español para personas.'),
    },
  },
};

/** One media type: with two of them generators ask which one came, before they show the code. */
function content(codes: readonly string[]): JsonSchema {
  const code = {
    type: 'object',
    required: ['code'],
    properties: { code: { type: 'string', enum: codes } },
  };
  return {
    'application/json': {
      schema: {
        allOf: [
          { $ref: '#/components/schemas/Error' },
          { type: 'object', required: ['error'], properties: { error: code } },
        ],
      },
    },
  };
}

function describe(status: number, problems: readonly ProblemDef[]): JsonSchema {
  return {
    description: problems.map(({ code, message }) => `- \`${code}\`: ${message.es}`).join('\n'),
    headers: problemHeaders(status),
    content: content(problems.map(({ code }) => code)),
  };
}

const statusNames: Record<number, string> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  413: 'ContentTooLarge',
  415: 'UnsupportedMediaType',
  422: 'UnprocessableContent',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'Unavailable',
};

export function describeRefusals(operation: Operation): Record<string, JsonSchema> {
  const by_status = Map.groupBy(operationProblems(operation), (def) => def.status);
  return Object.fromEntries(
    [...by_status].map(([status, problems]) => [String(status), describe(status, problems)]),
  );
}

const codesNamedMax = 2;

/**
 * Names for a shared refusal, the best first. With common errors only it is named after its status. Otherwise its own
 * codes follow, or the operation when there are many.
 */
export function refusalNames(operation: Operation, status: number): string[] {
  const problems = operationProblems(operation).filter((def) => def.status === status);
  const base = statusNames[status] ?? `Status${status}`;
  const own = problems.filter((def) => !isCommon(def)).map(({ code }) => pascalCase(code));
  if (own.length === 0) return [base];
  if (own.join() === 'ResourceNotFound') return ['ResourceNotFound'];
  const by_operation = `${base}Of${pascalCase(operation.name)}`;
  return own.length <= codesNamedMax ? [`${base}${own.join('Or')}`, by_operation] : [by_operation];
}
