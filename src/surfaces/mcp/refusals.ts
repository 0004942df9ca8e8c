/** A refusal as a JSON-RPC error, and what it says in HTTP. */
import { inOrder, scopeText } from '../../domain/oauth/scopes.ts';
import type { Operation } from '../../kernel/operation.ts';
import {
  type CallMember,
  type FieldIssue,
  type Problem,
  type ProblemBody,
  problemBody,
} from '../../kernel/problem.ts';
import { isUuid } from '../../kernel/uuid7.ts';
import { flatIssue, flatParam, flatText } from '../shared/tool-input.ts';

export type RefusalData = ProblemBody & { retry_after_seconds?: number };

/** Codes of JSON-RPC 2.0. */
export const invalidRequest = -32600;
export const methodNotFound = -32601;
export const invalidParams = -32602;
export const internalError = -32603;
export const parseError = -32700;

/** These are answers of HTTP too; all other refusals stand in an answer 200. */
const ofHttp: ReadonlySet<number> = new Set([401, 403, 429, 503]);

export function httpStatusOf({ def }: Problem): number | undefined {
  return ofHttp.has(def.status) ? def.status : undefined;
}

/** The first two are arguments of every tool. */
const memberNames: Readonly<Record<CallMember, string>> = {
  idempotency_key: 'idempotency_key',
  active_profile: 'active_profile',
  version: 'Service-Version',
  expected_tags: 'If-Match',
};

type Told = { code: number; message: string; data: RefusalData };

export function toldOf(
  problem: Problem,
  call: { request_id: string; docs_url: string; operation?: Operation | null; params?: unknown },
): Told {
  const { def, details } = problem;
  const { operation, params } = call;
  const { param, errors, ...body } = problemBody(problem, { ...call, member_names: memberNames });
  const data: RefusalData = {
    ...body,
    message: flatText(body.message),
    param: param === null ? null : flatParam(param, operation),
    ...(errors === undefined ? {} : { errors: errors.map((issue) => flatIssue(issue, operation)) }),
    ...(details.retry_after_seconds === undefined
      ? {}
      : { retry_after_seconds: details.retry_after_seconds }),
  };
  const named = data.param === null ? def.code : `${def.code} (${cut(data.param)})`;
  const more = fieldsText(data.errors ?? idIssues(data, operation, params));
  return { code: codeOf(problem), message: `${named}: ${data.message}${more}`, data };
}

/** Over REST an id that is none is not found. A model that takes a number or a name for an id is told so. */
function idIssues(
  { code, param }: RefusalData,
  operation?: Operation | null,
  params?: unknown,
): FieldIssue[] {
  if (code !== 'resource_not_found' || param === null) return [];
  const { format } = (operation?.params?.properties[param] ?? {}) as { format?: string };
  const given = (params as Record<string, unknown> | undefined)?.[param];
  if (format !== 'uuid' || (typeof given === 'string' && isUuid(given))) return [];
  return [{ param, code, message: 'Debe ser un id (UUID), como los que responden las listas.' }];
}

const fieldsMax = 10;
const cut = (text: string) => (text.length <= 200 ? text : `${text.slice(0, 200)}…`);

/** Many hosts show a model the message alone, so it tells what is wrong with each field. The others are in `data`. */
function fieldsText(errors: readonly FieldIssue[] = []): string {
  const told = errors.slice(0, fieldsMax).map(({ param, message }) => ` ${cut(param)}: ${cut(message)}`);
  return told.join('') + (errors.length > fieldsMax ? ' …' : '');
}

function codeOf({ def }: Problem): number {
  return def.status === 500 ? internalError : def.status;
}

/** Of a request whose message was not read, or not served. */
export function errorText(
  problem: Problem,
  call: { request_id: string; docs_url: string },
  rpc_code?: number,
): string {
  const told = toldOf(problem, call);
  return JSON.stringify({ jsonrpc: '2.0', id: null, error: { ...told, code: rpc_code ?? told.code } });
}

/** `WWW-Authenticate` (RFC 6750, 3; RFC 9728, 5.1). A client then asks for the scopes that it holds and for these. */
export function challengeOf(
  { def, details }: Problem,
  has_credential: boolean,
  public_url: string,
): string | undefined {
  if (def.status !== 401 && def.status !== 403) return undefined;
  const metadata = `resource_metadata="${public_url}/.well-known/oauth-protected-resource/mcp"`;
  if (def.status === 401) {
    const error = has_credential ? ', error="invalid_token"' : '';
    return `Bearer ${metadata}, scope="svc.read svc.write"${error}`;
  }
  if (def.code !== 'insufficient_scope') return undefined;
  const scope = scopeText(inOrder(details.scopes ?? []));
  // Scopes of keys alone are left out, since no consent gives them; and no scope opens the other environment.
  return `Bearer ${metadata}, error="insufficient_scope"${scope === '' ? '' : `, scope="${scope}"`}`;
}
