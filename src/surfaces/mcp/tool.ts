/** An operation as a tool. Nothing here depends on the caller, so each tool is made once. */
import { type Operation, scopesNeeded } from '../../kernel/operation.ts';
import { scopeCatalogue } from '../../kernel/scopes.ts';
import { toolInputSchema } from '../shared/tool-input.ts';
import { type JsonSchema, toWireSchema } from '../shared/wire-schema.ts';
import { withDefinitions } from './definitions.ts';

export type Tool = {
  name: string;
  title: string;
  description: string;
  inputSchema: JsonSchema;
  outputSchema: JsonSchema;
  annotations: {
    title: string;
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
};

const sensitive: ReadonlySet<string> = new Set(
  scopeCatalogue.filter((entry) => entry.sensitive).map(({ scope }) => scope),
);

/** @param has_profiles whether the caller may work for other companies */
export function toolOf(operation: Operation, has_profiles = false): Tool {
  const title = operation.summary.replace(/\.$/, '');
  return {
    name: operation.name,
    title,
    description: [operation.summary, operation.description].filter(Boolean).join(' '),
    inputSchema: withExtras(toolInputSchema(operation), operation, has_profiles),
    outputSchema: toolOutputSchema(operation),
    annotations: { title, ...hintsOf(operation) },
  };
}

export function hintsOf(operation: Operation) {
  const { transaction, method, irreversible, reaches_outside } = operation;
  const is_read = transaction === 'read';
  const needs_sensitive = scopesNeeded(operation).some((scope) => sensitive.has(scope));
  return {
    readOnlyHint: is_read,
    destructiveHint: !is_read && (method === 'DELETE' || irreversible || needs_sensitive),
    idempotentHint: is_read || method === 'PUT' || method === 'DELETE',
    openWorldHint: reaches_outside,
  };
}

/** What is no input of the operation: the members of the call that REST has in headers. */
function withExtras(schema: JsonSchema, operation: Operation, has_profiles: boolean): JsonSchema {
  const { idempotency, idempotency_length: length } = operation;
  const extras: Record<string, JsonSchema> = {};
  if (idempotency !== 'none')
    extras.idempotency_key = {
      type: 'string',
      minLength: length.min,
      maxLength: length.max,
      pattern: '^[\\x20-\\x7e]+$',
      description: 'Clave de esta llamada: repetida con la misma, no se hace dos veces',
    };
  if (has_profiles)
    extras.active_profile = {
      type: 'string',
      format: 'uuid',
      description: 'Id de la empresa hija para la que se trabaja, si no es la propia',
    };
  const required = (schema.required ?? []) as string[];
  const needed = idempotency === 'required' ? [...required, 'idempotency_key'] : required;
  return {
    ...schema,
    properties: { ...(schema.properties as object), ...extras },
    ...(needed.length > 0 ? { required: needed } : {}),
  };
}

/** Every success that the operation may answer. */
function toolOutputSchema({ output, other_statuses }: Operation): JsonSchema {
  const others = other_statuses.flatMap((other) => (other.output ? [other.output] : []));
  const schemas = [output, ...others].map((schema) => withoutTexts(toWireSchema(schema as JsonSchema)));
  const [first, ...rest] = schemas;
  return withDefinitions(rest.length === 0 ? first! : { type: 'object', anyOf: schemas });
}

const perName = new Set(['properties', 'patternProperties', '$defs']);
const dropped = new Set(['description', 'title', 'examples']);

/** Tools carry each schema whole, so that texts of answers would be half of the list. */
function withoutTexts(schema: JsonSchema): JsonSchema {
  const entries = Object.entries(schema).filter(([keyword]) => !dropped.has(keyword));
  return Object.fromEntries(
    entries.map(([keyword, value]) => {
      if (perName.has(keyword))
        return [
          keyword,
          Object.fromEntries(
            Object.entries(value as Record<string, JsonSchema>).map(([name, inner]) => [name, bare(inner)]),
          ),
        ];
      return [
        keyword,
        keyword === 'enum' || keyword === 'const' || keyword === 'required' ? value : bare(value),
      ];
    }),
  );
}

function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  return value !== null && typeof value === 'object' ? withoutTexts(value as JsonSchema) : value;
}
