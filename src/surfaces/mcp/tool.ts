/** An operation as a tool. Nothing here depends on the caller, so each tool is made once. */
import { type Operation, scopesNeeded } from '../../kernel/operation.ts';
import { scopeCatalogue } from '../../kernel/scopes.ts';
import { toolInputSchema } from '../shared/tool-input.ts';
import type { JsonSchema } from '../shared/wire-schema.ts';
import { inputForModels, outputForModels } from './model-schema.ts';

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
    description: textForModels([operation.summary, operation.description].filter(Boolean).join(' ')),
    inputSchema: withExtras(inputForModels(toolInputSchema(operation)), operation, has_profiles),
    outputSchema: outputForModels(operation),
    annotations: { title, ...hintsOf(operation) },
  };
}

/**
 * Names headers and members of REST as the arguments and members that they are here. A tool has no conditions, so the text about
 * them is dropped.
 */
function textForModels(text: string): string {
  const named = text
    .replaceAll('Idempotency-Key', 'idempotency_key')
    .replaceAll('X-Active-Profile', 'active_profile')
    .replaceAll('Idempotent-Replayed', 'folio/idempotent-replayed')
    .replaceAll(/\berror\.(param|errors)\b/g, '$1');
  if (!named.includes('If-Match')) return named;
  const sentences = named.replace(/\.$/, '').split('. ');
  return `${sentences.filter((one) => !one.includes('If-Match')).join('. ')}.`;
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

/** Adds members that are no input of the operation: REST has them in headers. */
function withExtras(schema: JsonSchema, operation: Operation, has_profiles: boolean): JsonSchema {
  const { idempotency, idempotency_length: length } = operation;
  const extras: Record<string, JsonSchema> = {};
  if (idempotency !== 'none')
    extras.idempotency_key = {
      type: 'string',
      minLength: length.min,
      maxLength: length.max,
      pattern: '^[ -~]+$',
      description: 'Repetida con la misma clave, la llamada no se hace dos veces',
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
