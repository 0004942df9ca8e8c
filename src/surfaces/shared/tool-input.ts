/**
 * The input of an operation as one flat object, for a tool: members of path, query and body side by side. Names have
 * letters, digits and `_` only. `created[gte]` is `created_gte`, `status[in]` is `status_in` with a list, and `metadata[pedido]` is
 * the member `pedido` of `metadata`.
 */
import { noObject, unknownField } from '../../kernel/check.ts';
import type { KeyedFilters } from '../../kernel/list-operation.ts';
import type { Operation } from '../../kernel/operation.ts';
import type { FieldIssue } from '../../kernel/problem.ts';
import { type JsonSchema, toWireSchema } from './wire-schema.ts';

export type CallParts = {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  body: Record<string, unknown> | undefined;
};

type Part = keyof CallParts;

type Member = {
  flat: string;
  part: Part;
  name: string;
  schema: JsonSchema;
  is_required: boolean;
  /** A query parameter of several values, joined by commas. */
  is_list: boolean;
  /** Query parameters whose keys the caller names. */
  is_keyed: boolean;
};

export function flatName(name: string): string {
  return name.replace(/\[(\w+)\]$/, '_$1');
}

const keyedName = /^(\w+)\[(.*)\]$/s;

/** The name by which a refusal tells the argument: `created_gte`, and `metadata.pedido` for `metadata[pedido]`. */
export function flatParam(param: string, operation: Operation | null | undefined): string {
  const [, name = '', key] = keyedName.exec(param) ?? [];
  return operation && membersByName(operation).get(name)?.is_keyed ? `${name}.${key}` : flatName(param);
}

/** A text that names arguments as REST does. */
export function flatText(text: string): string {
  return text.replace(/\b(\w+)\[(gte|lte|gt|lt|in)\]/g, '$1_$2');
}

/** How the values of a list are written in an address. */
const byCommas = /[,;]? separad[oa]s por comas(, sin espacios)?/;

/** A field at fault, told as the argument of the tool is called and given. */
export function flatIssue(issue: FieldIssue, operation: Operation | null | undefined): FieldIssue {
  const param = flatParam(issue.param, operation);
  const member = operation ? membersByName(operation).get(param) : undefined;
  // An address has no such parameter, but the tool has the argument.
  if (member?.is_keyed && issue.message === unknownField) return { ...issue, param, message: noObject };
  const message = flatText(member?.is_list ? issue.message.replace(byCommas, '') : issue.message);
  return { ...issue, param, message };
}

export function toolMembers(operation: Operation): Member[] {
  const parts: [Part, JsonSchema | null][] = [
    ['params', operation.params as JsonSchema | null],
    ['query', operation.query as JsonSchema | null],
    ['body', operation.body as JsonSchema | null],
  ];
  return parts.flatMap(([part, schema]) => {
    const required = new Set((schema?.required ?? []) as string[]);
    const is_needed = (name: string) =>
      part === 'params' ||
      (required.has(name) && !(part === 'body' && operation.body_optional)) ||
      (part === 'body' && operation.asks_for.includes(name));
    const plain = Object.entries((schema?.properties ?? {}) as Record<string, JsonSchema>);
    return [
      ...plain.map(([name, inner]) => ({
        flat: flatName(name),
        part,
        name,
        schema: inner,
        is_required: is_needed(name),
        is_list: part === 'query' && name.endsWith('[in]'),
        is_keyed: false,
      })),
      ...keyedMembers(part, (schema?.keyed ?? {}) as KeyedFilters),
    ];
  });
}

function keyedMembers(part: Part, filters: KeyedFilters): Member[] {
  return Object.entries(filters).map(([name, { value_max, description }]) => ({
    flat: name,
    part,
    name,
    schema: {
      type: 'object',
      additionalProperties: { type: 'string', maxLength: value_max },
      description: description.replace(/\[(\w+)\]=(\w+)/, '{"$1": "$2"}').replace(`${name}{`, '{'),
    },
    is_required: false,
    is_list: false,
    is_keyed: true,
  }));
}

/** One closed object without choices at its root. */
export function toolInputSchema(operation: Operation): JsonSchema {
  const members = toolMembers(operation);
  const required = members.filter(({ is_required }) => is_required).map(({ flat }) => flat);
  return {
    type: 'object',
    properties: Object.fromEntries(members.map((member) => [member.flat, memberSchema(member, members)])),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

function memberSchema({ name, schema, is_list }: Member, members: readonly Member[]): JsonSchema {
  const wire = toWireSchema(schema);
  const { description } = wire;
  if (typeof description !== 'string') return wire;
  if (/\[(lte|gt|lt)\]$/.test(name)) return { ...wire, description: withoutForm(description) };
  if (!is_list) return wire;
  const said = withoutForm(description.replace(byCommas, ''));
  return { type: 'array', items: oneOfList(name, members), minItems: 1, description: said };
}

/** What `field` takes, where its values are known. The operation checks the values of a list once they are joined. */
function oneOfList(name: string, members: readonly Member[]): JsonSchema {
  const single = members.find(({ part, name: other }) => part === 'query' && `${other}[in]` === name);
  const { enum: values, format } = single ? toWireSchema(single.schema) : {};
  if (values !== undefined) return { type: 'string', enum: values };
  return { type: 'string', ...(format === 'uuid' ? { format } : { pattern: '^[^,]+$' }) };
}

/** Removes what is said already: the form beside `field_gte`, and the meaning of one value beside `field`. */
function withoutForm(description: string): string {
  return description.replace(/ \([^()]*\)$/, '');
}

/** @throws Error for a member that the operation does not declare */
export function flattenInput(operation: Operation, parts: CallParts): Record<string, unknown> {
  const members = toolMembers(operation);
  const flat: Record<string, unknown> = {};
  for (const part of ['params', 'query', 'body'] as const)
    for (const [name, value] of Object.entries(parts[part] ?? {})) {
      const { 1: keyed_by, 2: key } = keyedName.exec(name) ?? [];
      const member = members.find(
        (one) => one.part === part && (one.is_keyed ? one.name === keyed_by : one.name === name),
      );
      if (!member) throw new Error(`${operation.name} declares no ${part} member ${name}.`);
      if (member.is_keyed) {
        const keyed = (flat[member.flat] ?? {}) as Record<string, unknown>;
        setMember(keyed, key ?? '', value);
        flat[member.flat] = keyed;
      } else flat[member.flat] = member.is_list && typeof value === 'string' ? value.split(',') : value;
    }
  return flat;
}

/**
 * Splits the flat input into its parts. An undeclared member goes to the body, or to the query without a body, and is
 * refused there by name.
 */
export function unflattenInput(operation: Operation, flat: Readonly<Record<string, unknown>>): CallParts {
  const members = membersByName(operation);
  const parts = { params: {}, query: {}, body: {} } as Record<Part, Record<string, unknown>>;
  for (const [name, value] of Object.entries(flat)) {
    const member = members.get(name);
    const part = member?.part ?? (operation.body ? 'body' : 'query');
    if (member?.is_keyed && isObject(value)) {
      for (const [key, one] of Object.entries(value)) setMember(parts[part], `${member.name}[${key}]`, one);
      continue;
    }
    const given = member?.is_list && Array.isArray(value) ? joined(value) : value;
    setMember(parts[part], member?.name ?? name, given);
  }
  const has_body = operation.body && !(operation.body_optional && Object.keys(parts.body).length === 0);
  return { params: parts.params, query: parts.query, body: has_body ? parts.body : undefined };
}

/** What is no text stays, and is refused: joined, an object would be a text that nothing has. */
function joined(values: readonly unknown[]): unknown {
  return values.some((one) => typeof one === 'object') ? values : values.join(',');
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

const known = new WeakMap<Operation, ReadonlyMap<string, Member>>();

/** Made once for each operation: a call must not walk through its schemas. */
function membersByName(operation: Operation): ReadonlyMap<string, Member> {
  const found = known.get(operation) ?? new Map(toolMembers(operation).map((one) => [one.flat, one]));
  known.set(operation, found);
  return found;
}

/** An assignment to `__proto__` would change the prototype. */
function setMember(object: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}
