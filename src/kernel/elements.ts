/** Lists in a body whose elements stand or fall alone: a malformed element is no fault of the call. */
import { checkSchema, findUnstorableText, withoutElements } from './check.ts';
import type { FieldIssue } from './problem.ts';
import type { TSchema } from './schema.ts';

/** `list` names a list in the body, whose items have a schema. */
export type Elements = { readonly list: string };

/** The body's schema without that of its elements. */
export function envelopeOf(body: TSchema, { list }: Elements): TSchema {
  return withoutElements(body, [list]);
}

const found = new WeakMap<object, readonly FieldIssue[]>();

/**
 * Remembered for each element, since several steps of a call ask. Ids become lower case, in place.
 * @returns `param` begins at the element
 */
export function elementIssues(schema: TSchema, element: unknown): readonly FieldIssue[] {
  const is_object = element !== null && typeof element === 'object';
  const known = is_object ? found.get(element) : undefined;
  if (known) return known;
  const issues = checkElement(schema, element);
  if (is_object) found.set(element, issues);
  return issues;
}

function checkElement(schema: TSchema, element: unknown): readonly FieldIssue[] {
  const issues = checkSchema(schema, element);
  if (issues.length > 0)
    return issues.map((issue) => (issue.param === '' ? { ...issue, param: 'body' } : issue));
  const param = findUnstorableText(element);
  if (param === undefined) return [];
  return [{ param, code: 'parameter_invalid', message: unstorableText }];
}

export const unstorableText = 'Contiene caracteres que no se pueden guardar.';
