/**
 * Refusals in the document (specification, section 7): the two envelopes, and for each operation its
 * errors by status. What every operation refuses alike is one shared component for each status.
 */
import { commonErrors as c } from '../../kernel/common.errors.ts';
import type { Operation } from '../../kernel/operation.ts';
import type { ProblemDef, ProblemType } from '../../kernel/problem.ts';
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
    description: 'Todos los campos no válidos, cuando hay más de uno.',
    items: { $ref: '#/components/schemas/FieldIssue' },
  },
} satisfies Record<string, JsonSchema>;

/** Schemas of the envelopes. */
export const problemSchemas: Record<string, JsonSchema> = {
  Error: {
    type: 'object',
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
  Problem: {
    type: 'object',
    description: 'RFC 9457, para quien envía Accept: application/problem+json.',
    required: [
      'type',
      'title',
      'status',
      'detail',
      'instance',
      'error_type',
      'code',
      'message',
      'param',
      'doc_url',
      'request_id',
    ],
    properties: {
      type: text('La misma dirección que doc_url.', { format: 'uri' }),
      title: text('El código.'),
      status: { type: 'integer' },
      detail: text('El mensaje.'),
      instance: text('El identificador de la petición.'),
      error_type: { type: 'string', enum: [...types] },
      ...shared,
    },
  },
};

function content(codes: readonly string[]): JsonSchema {
  const code = { type: 'object', properties: { code: { type: 'string', enum: codes } } };
  return {
    'application/json': {
      schema: {
        allOf: [{ $ref: '#/components/schemas/Error' }, { type: 'object', properties: { error: code } }],
      },
    },
    'application/problem+json': { schema: { allOf: [{ $ref: '#/components/schemas/Problem' }, code] } },
  };
}

function describe(status: number, problems: readonly ProblemDef[]): JsonSchema {
  return {
    description: problems.map(({ code, message }) => `- \`${code}\`: ${message}`).join('\n'),
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

function isShared(def: ProblemDef): boolean {
  return isCommon(def) || def === c.resource_not_found;
}

/** Collects the refusals of operations, with the shared ones apart. */
export function collectProblems() {
  const shared_answers = new Map<string, JsonSchema>();
  return {
    /** The refusals of one operation by status. */
    of(operation: Operation): Record<string, JsonSchema> {
      const by_status = Map.groupBy(operationProblems(operation), (def) => def.status);
      const entries = [...by_status].map(([status, problems]): [string, JsonSchema] => {
        const answer = describe(status, problems);
        if (!problems.every(isShared)) return [String(status), answer];
        const base = problems.includes(c.resource_not_found) ? 'ResourceNotFound' : statusNames[status];
        return [
          String(status),
          { $ref: `#/components/responses/${share(base ?? `Status${status}`, answer)}` },
        ];
      });
      return Object.fromEntries(entries);
    },
    /** The shared refusals by their component name, sorted. */
    components(): Record<string, JsonSchema> {
      return Object.fromEntries([...shared_answers].sort(([a], [b]) => (a < b ? -1 : 1)));
    },
  };

  /** The name of the component; operations that meet fewer of the common errors have one of their own. */
  function share(base: string, answer: JsonSchema): string {
    const text_of = JSON.stringify(answer);
    for (let n = 1; ; n++) {
      const name = n === 1 ? base : `${base}${n}`;
      const known = shared_answers.get(name);
      if (known === undefined) shared_answers.set(name, answer);
      if (known === undefined || JSON.stringify(known) === text_of) return name;
    }
  }
}
