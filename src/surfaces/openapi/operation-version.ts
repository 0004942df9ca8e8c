import type { Operation } from '../../kernel/operation.ts';
import { type ApiVersion, isAtLeast } from '../../kernel/versions.ts';
import type { TSchema } from '../../kernel/schema.ts';
import type { ExampleAnswers } from './examples.ts';

/** The operation as callers of one version know it: without the errors and members that are gone by then. */
export function operationIn(version: ApiVersion, operation: Operation): Operation {
  const { gone_since: gone } = operation;
  if (gone === null || !isAtLeast(version, gone.version)) return operation;
  const { errors = [], members = [] } = gone;
  return {
    ...operation,
    errors: operation.errors.filter((def) => !errors.includes(def)),
    output: withoutMembers(operation.output, members),
  };
}

/**
 * The answers of the operation's examples. The latest version gave them, so there are none for an operation that
 * answers other members in this version.
 */
export function answersIn(
  version: ApiVersion,
  { name, gone_since: gone }: Operation,
  answers: ExampleAnswers,
): ExampleAnswers[string] {
  const differs = gone?.members !== undefined && !isAtLeast(version, gone.version);
  return differs ? {} : (answers[name] ?? {});
}

type ObjectSchema = TSchema & { properties: Record<string, TSchema>; required?: string[] };

function withoutMembers(output: TSchema, members: readonly string[]): TSchema {
  if (members.length === 0) return output;
  const answer = output as ObjectSchema;
  const data = answer.properties.data as ObjectSchema;
  const kept = Object.entries(data.properties).filter(([name]) => !members.includes(name));
  const properties = { ...answer.properties, data: { ...data, properties: Object.fromEntries(kept) } };
  return { ...answer, properties } as TSchema;
}
