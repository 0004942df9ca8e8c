import type { InputScope } from '../../kernel/input-scopes.ts';
import { type Example, type Operation, outputSchema, scopesNeeded } from '../../kernel/operation.ts';
import { scopeCatalogue } from '../../kernel/scopes.ts';
import { inputName } from './components.ts';
import { consequenceTexts } from './consequences.ts';
import { type ExampleAnswers, exampleKey, presentExample } from './examples.ts';
import { isFile, successHeaders, unchangedFile } from './headers.ts';
import { type JsonSchema, type Placer, toWireSchema } from '../shared/wire-schema.ts';

export type EntryParts = {
  place: Placer;
  answers: ExampleAnswers[string];
  parameters: readonly JsonSchema[];
  refusals: Record<string, JsonSchema>;
};

export function describeOperation(operation: Operation, parts: EntryParts): JsonSchema {
  const { name, tag, summary, scope, also_scopes, profile_scope, input_scopes, body } = operation;
  const scopes = scopesNeeded(operation);
  const examples = operation.examples.map((example) => presentExample(operation, example));
  return {
    operationId: name,
    tags: [tag],
    ...(operation.deprecated ? { deprecated: true } : {}),
    summary,
    description: operationText(operation),
    'x-scope': scope,
    ...(also_scopes.length > 0 ? { 'x-also-scopes': also_scopes } : {}),
    ...(profile_scope === null ? {} : { 'x-profile-scope': profile_scope }),
    ...(input_scopes.length > 0 ? { 'x-input-scopes': input_scopes } : {}),
    'x-rate-limit-class': operation.rate,
    ...consequences(operation),
    security: [{ bearer: scopes }, { api_key: scopes }],
    parameters: parts.parameters,
    ...(body ? { requestBody: describeBody(operation, examples) } : {}),
    responses: { ...describeSuccesses(operation, parts, examples), ...parts.refusals },
  };
}

/** For programs that warn a person before they call. */
function consequences({ effects, irreversible, reaches_outside, events }: Operation): JsonSchema {
  return {
    'x-effects': effects,
    ...(irreversible ? { 'x-irreversible': true } : {}),
    ...(reaches_outside ? { 'x-reaches-outside': true } : {}),
    ...(events.length > 0 ? { 'x-events': events } : {}),
  };
}

function describeSuccesses(
  operation: Operation,
  { place, answers }: EntryParts,
  examples: readonly Example[],
): JsonSchema {
  const headers = successHeaders(operation);
  const content = (status: number, shown: JsonSchema = {}) => ({
    [operation.output_media_type]: {
      schema: toWireSchema(outputSchema(operation, status) as JsonSchema, place),
      ...shown,
    },
  });
  const answered = examples.flatMap(({ title }) =>
    answers[title] ? [{ title, value: answers[title].body }] : [],
  );
  const others = operation.other_statuses.map(({ status, when }) => [
    status,
    { description: when, headers, content: content(status) },
  ]);
  return {
    [operation.status]: {
      description: operation.status === 202 ? 'Aceptado.' : 'Correcto.',
      headers,
      content: content(operation.status, withExamples(answered)),
    },
    ...Object.fromEntries(others),
    ...(isFile(operation) ? { 304: { description: unchangedFile, headers } } : {}),
  };
}

/** @returns Markdown */
function inputScopeText({ param, scope, if_changed }: InputScope): string {
  return `${if_changed ? 'Si cambia' : 'Con'} \`${param}\` hace falta también \`${scope}\`.`;
}

function operationText(operation: Operation): string {
  const told = scopesNeeded(operation).map((scope) => {
    const meaning = scopeCatalogue.find((entry) => entry.scope === scope)?.description.es;
    return `\`${scope}\`.${meaning ? ` ${meaning}` : ''}`;
  });
  const needed =
    told.length === 0
      ? 'Vale cualquier clave.'
      : `${told.length === 1 ? 'Permiso' : 'Permisos, todos'}: ${told.join(' ')}`;
  const events = operation.events.map((name) => `\`${name}\``).join(', ');
  return [
    operation.description,
    consequenceTexts(operation).join(' '),
    events === '' ? undefined : `Eventos que puede emitir: ${events}.`,
    operation.profile_scope === null
      ? needed
      : `${needed}\n\nCon \`X-Active-Profile\`, además: \`${operation.profile_scope}\`.`,
    ...operation.input_scopes.map(inputScopeText),
  ]
    .filter((text) => text !== undefined && text !== '')
    .join('\n\n');
}

function describeBody(operation: Operation, examples: readonly Example[]): JsonSchema {
  const schema = { $ref: `#/components/schemas/${inputName(operation.name)}` };
  const sent = examples.flatMap(({ title, body: value }) => (value === undefined ? [] : [{ title, value }]));
  return {
    required: !operation.body_optional,
    'x-max-bytes': operation.body_limit,
    content: { 'application/json': { schema, ...withExamples(sent) } },
  };
}

function withExamples(examples: readonly { title: string; value: unknown }[]): JsonSchema {
  if (examples.length === 0) return {};
  const named = examples.map(({ title, value }) => [exampleKey(title), { summary: title, value }]);
  return { examples: Object.fromEntries(named) };
}
