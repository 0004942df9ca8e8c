/** Checks before a call runs. */
import { checkSchema, findUnstorableText, issuesMax, unknownField } from '../kernel/check.ts';
import { commonErrors as c } from '../kernel/common.errors.ts';
import { elementIssues, type Elements, envelopeOf, unstorableText } from '../kernel/elements.ts';
import { scopesOfChange, scopesOfInput } from '../kernel/input-scopes.ts';
import {
  type Caller,
  type IdempotencyClaim,
  type Operation,
  scopesNeeded,
  scopesNeededOfPeople,
} from '../kernel/operation.ts';
import { fail, type FieldIssue, placeInLines, Problem } from '../kernel/problem.ts';
import { scopesAllow } from '../kernel/scopes.ts';
import type { TObject, TSchema } from '../kernel/schema.ts';
import type { AnyInput, Call } from './call.ts';
import { inTurns } from './give-way.ts';
import { hashRequest } from './idempotency.ts';

/** Whether the caller may call it with some input. */
export function isOpenTo(caller: Caller, operation: Operation): boolean {
  const { environment, callers } = operation;
  if (!callers.includes(caller.principal.kind)) return false;
  if (environment !== null && caller.environment !== environment) return false;
  return neededScopes(caller, operation).every((scope) => scopesAllow(caller.scopes, scope, caller));
}

function neededScopes(caller: Caller, operation: Operation): readonly string[] {
  const is_person = caller.principal.kind === 'user';
  const needed = is_person ? scopesNeededOfPeople(operation) : scopesNeeded(operation);
  return [...needed, ...profileScopes(caller, operation)];
}

/** @throws 403 insufficient_scope */
export function checkScope(caller: Caller, operation: Operation, input: AnyInput): void {
  const { environment, callers } = operation;
  if (!callers.includes(caller.principal.kind)) throw closedTo(operation);
  if (environment !== null && caller.environment !== environment) {
    const place = environment === 'test' ? 'en el entorno de pruebas' : 'en el entorno real';
    throw fail(c.insufficient_scope, { values: { scope: `${operation.scope ?? ''} ${place}`.trim() } });
  }
  const asked = operation.input_scopes.filter(({ if_changed }) => !if_changed);
  checkHeld(caller, [...neededScopes(caller, operation), ...scopesOfInput(asked, input.body)]);
}

/** For a handler that knows what is stored, and has changed nothing yet. @throws 403 insufficient_scope */
export function checkScopesOfChange(
  caller: Caller,
  operation: Operation,
  { body, shown }: { body: Readonly<Record<string, unknown>>; shown: Readonly<Record<string, unknown>> },
): void {
  const asked = scopesOfChange(operation.input_scopes, body, shown);
  if (asked.length > 0) checkHeld(caller, [...neededScopes(caller, operation), ...asked]);
}

/** @throws 403 insufficient_scope */
function checkHeld(caller: Caller, needed: readonly string[]): void {
  const missing = needed.find((scope) => !scopesAllow(caller.scopes, scope, caller));
  if (missing !== undefined) throw fail(c.insufficient_scope, { values: { scope: missing }, scopes: needed });
}

/** The refusal speaks of a missing scope, and tells nothing of what the operation works on. */
function closedTo({ scope }: Operation): Problem {
  return fail(c.insufficient_scope, {
    values: { scope: `${scope ?? ''} con esta clase de credencial`.trim() },
  });
}

/** @throws 404 for a path id that is not a UUID; 422 parameter_invalid for one that a tool was not given */
export function checkParams(operation: Operation, params: unknown): void {
  if (!operation.params) return;
  const [issue] = checkSchema(operation.params, params, true);
  const has = (name: string) => (params as Record<string, unknown> | undefined)?.[name] !== undefined;
  if (issue && !has(issue.param)) throw fail(c.parameter_invalid, { param: issue.param, errors: [issue] });
  if (issue) throw fail(operation.not_found ?? c.resource_not_found, { param: issue.param });
}

function profileScopes(caller: Caller, { profile_scope }: Operation): readonly string[] {
  const is_own = caller.owner_company_id === caller.key_company_id;
  return profile_scope === null || is_own ? [] : [profile_scope];
}

/** @throws 422 parameter_invalid with every field at fault, 404 for a path id that is not a UUID */
export function checkInput(operation: Operation, input: AnyInput): void {
  const refusal = foundBefore(operation, input.body);
  if (refusal) throw refusal;
  checkParams(operation, input.params);
  const issues: FieldIssue[] = operation.query
    ? checkSchema(operation.query, input.query, true)
    : unknownKeys(input.query);
  const is_known = refusal === null;
  if (!is_known) issues.push(...bodyIssues(operation, input.body));
  // Only a body that passed its schema has a bounded depth.
  const unstorable =
    issues.length > 0
      ? undefined
      : ((is_known ? undefined : findUnstorableText(sharedPart(operation, input.body))) ??
        findUnstorableText(input.query));
  if (unstorable !== undefined) {
    issues.push({
      param: unstorable,
      code: 'parameter_invalid',
      message: unstorableText,
    });
  }
  const [first] = issues;
  if (!first) return;
  const { param } = first;
  throw fail(c.parameter_invalid, { param, errors: issues.slice(0, issuesMax), ...placeInLines(param) });
}

/** A missing body is an empty one where an operation wants any. */
export function withBody<C extends Pick<Call, 'operation' | 'input'>>(call: C): C {
  const { operation, input } = call;
  if (input.body !== undefined || !operation.body || operation.body_optional) return call;
  return { ...call, input: { ...input, body: {} } };
}

function bodyIssues(operation: Operation, body: unknown): FieldIssue[] {
  if (!operation.body) return body === undefined ? [] : unknownKeys(body);
  if (operation.body_optional && body === undefined) return [];
  const { elements } = operation;
  const schema = elements ? envelopeOf(operation.body, elements) : operation.body;
  const found = checkSchema(schema, body);
  if (found.length === 0 && elements) checkElements(operation.body, elements, body);
  return found.map((issue) => (issue.param === '' ? { ...issue, param: 'body' } : issue));
}

/** Checked before the request is hashed, because a check changes the case of ids. */
function checkElements(schema: TSchema, { list }: Elements, body: unknown): void {
  const { items } = (schema as TObject).properties[list] as { items: TSchema };
  for (const element of (body as Record<string, unknown[]>)[list] ?? []) elementIssues(items, element);
}

/**
 * Before `checkInput`, which then finds each element checked: a body may hold as many lines as twenty-eight whole invoices,
 * and others have their turn meanwhile.
 */
export async function checkElementsInTurns(
  { body: schema, elements }: Operation,
  body: unknown,
): Promise<void> {
  const list = elements && (body as Record<string, unknown> | null | undefined)?.[elements.list];
  if (!schema || !elements || !Array.isArray(list)) return;
  const { items, maxItems = 0 } = (schema as TObject).properties[elements.list] as unknown as {
    items: TSchema;
    maxItems?: number;
  };
  if (list.length > maxItems) return;
  await inTurns(
    (function* () {
      for (const element of list) {
        elementIssues(items, element);
        yield;
      }
    })(),
  );
}

/** Without the elements that stand alone. */
function sharedPart({ elements }: Operation, body: unknown): unknown {
  return elements === null ? body : { ...(body as object), [elements.list]: [] };
}

function unknownKeys(value: unknown): FieldIssue[] {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    return value === undefined
      ? []
      : [{ param: 'body', code: 'parameter_invalid', message: 'Esta operación no lleva cuerpo.' }];
  }
  return Object.keys(value)
    .slice(0, issuesMax)
    .map((param) => ({
      param,
      code: 'parameter_invalid',
      message: unknownField,
    }));
}

/** What was found of a call that may begin before its caller is admitted, by its body: null where it is accepted. */
const findings = new WeakMap<object, { operation: Operation; refusal: Problem | null }>();

/** Undefined for what was not checked. Else a call would be checked twice. */
function foundBefore(operation: Operation, body: unknown): Problem | null | undefined {
  const known = typeof body === 'object' && body !== null ? findings.get(body) : undefined;
  return known?.operation === operation ? known.refusal : undefined;
}

/** Nobody may change the body afterwards. */
export function isAccepted(operation: Operation, input: AnyInput): boolean {
  const { body } = input;
  const note = (refusal: Problem | null) => {
    if (typeof body === 'object' && body !== null) findings.set(body, { operation, refusal });
  };
  try {
    checkInput(operation, input);
    note(null);
    return true;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    note(error);
    return false;
  }
}

/**
 * @returns null without a key, and for a dry run: it has no effect to repeat, and the real call may come under the same key
 * @throws 422 missing_required_param, parameter_invalid
 */
export function readClaim(call: Call): IdempotencyClaim | null {
  const { operation, idempotency_key: key } = call;
  if (operation.idempotency === 'none') return null;
  if (key === null) {
    if (operation.idempotency === 'optional') return null;
    throw fail(c.missing_required_param, { member: 'idempotency_key' });
  }
  checkKey(key, operation.idempotency_length);
  if (operation.rate_of?.(call.input) === 'read') return null;
  return {
    key: keyspaceOf(call) + key,
    operation: operation.name,
    body_hash: hashRequest(requestOf(call), call.input),
    ...otherHashOf(call),
    version: call.version,
    ...(call.caller.principal.kind === 'system' ? { of_job: true } : {}),
  };
}

/**
 * Where a body may be left out, an empty object says the same as none. Each keeps its hash, since an earlier version may have stored either,
 * and one that runs beside this one compares them.
 */
function otherHashOf(call: Call): { other_hash?: Buffer } {
  const { operation, input } = call;
  if (operation.body && !operation.body_optional) return {};
  if (input.body !== undefined && !isEmptyObject(input.body)) return {};
  const body = input.body === undefined ? {} : undefined;
  return { other_hash: hashRequest(requestOf(call), { ...input, body }) };
}

function isEmptyObject(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0
  );
}

/** @throws 422 parameter_invalid */
export function checkKey(key: string, { min, max }: Operation['idempotency_length']): void {
  if (key.length >= min && key.length <= max && /^[\x20-\x7e]+$/.test(key)) return;
  const message = `Debe tener de ${min} a ${max} caracteres ASCII.`;
  const errors = [{ param: 'idempotency_key', code: 'parameter_invalid', message }];
  throw fail(c.parameter_invalid, { member: 'idempotency_key', errors });
}

/**
 * A stored answer that holds a secret is only for whom it was made, as long as they may do the same. Others may do less, and the request log
 * tells the idempotency keys of all. Keys with every scope may all do the same, so they have one. A person has seen the secret already, whatever
 * their role is by now.
 */
function requestOf({ operation, caller: { principal, scopes } }: Call): string {
  const may_do_all = principal.kind === 'api_key' && scopes.includes('*');
  if (!operation.holds_secret || may_do_all) return operation.name;
  const one = `${operation.name} of ${principal.kind} ${principal.id}`;
  return principal.kind === 'user' ? one : `${one} with ${scopes.toSorted().join(' ')}`;
}

/**
 * Keeps callers of one company apart. A test key that works on the account must not get a live key's stored answer,
 * which may hold a secret. Nor may jobs meet callers. A key on the wire has no line feed.
 */
function keyspaceOf({ operation, caller }: Call): string {
  if (caller.principal.kind === 'system') return 'system\n';
  return operation.acts_on !== 'company' && caller.environment === 'test' ? 'test\n' : '';
}
