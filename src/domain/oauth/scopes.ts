/** Scopes as applications name them: with a dot, or by a macro. Rows and callers hold them with a colon. */
import {
  expandOauthScope,
  oauthMacros,
  oauthScopes,
  type ScopeContext,
  type ScopeEntry,
  scopeRefusal,
} from '../../kernel/scopes.ts';

/** Clients of OpenID Connect ask for these out of habit. They are passed over. */
const habits: ReadonlySet<string> = new Set([
  'openid',
  'profile',
  'email',
  'phone',
  'address',
  'offline_access',
]);

/** The scopes of a request that names none. */
const usual = 'svc.read';

/** More than the catalogue has, so that a text of any length costs little. */
const namesMax = 200;

/** What `scopes_supported` tells: every name, then the macros. */
export const scopeNames: readonly string[] = [
  ...oauthScopes.map((entry) => dottedScope(entry.scope)),
  ...oauthMacros.keys(),
];

const places: ReadonlyMap<string, number> = new Map(oauthScopes.map(({ scope }, index) => [scope, index]));

export type ReadScopes = { scopes: readonly string[] } | { unknown: string };

/**
 * Reads the `scope` of a request (RFC 6749, 3.3). Macros are expanded.
 * @returns scopes with a colon, each once, in the order of the catalogue
 */
export function readScopes(text: string | undefined): ReadScopes {
  const names = (text ?? '').split(' ').filter((name) => name !== '' && !habits.has(name));
  if (names.length > namesMax) return { unknown: `more than ${namesMax} scopes` };
  const asked = names.length === 0 ? [usual] : names;
  const found = new Set<string>();
  for (const name of asked) {
    const entries = expandOauthScope(name);
    if (!entries) return { unknown: name };
    for (const { scope } of entries) found.add(scope);
  }
  return { scopes: inOrder([...found]) };
}

export function dottedScope(scope: string): string {
  return scope.replace(':', '.');
}

/** The value of `scope` in an answer. */
export function scopeText(scopes: readonly string[]): string {
  return scopes.map(dottedScope).join(' ');
}

/** Scopes that a token may hold. The super-scope and those of keys alone are not among them. */
export function inOrder(scopes: readonly string[]): string[] {
  return scopes
    .filter((scope) => places.has(scope))
    .sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
}

/** Why a person cannot grant a scope: their role, or else what the company's plan or environment refuse. */
export type GrantRefusal = 'role' | 'plan' | 'environment';

/** Null when it can be granted. @param of_role the scopes that the person has there, `*` for all */
export function grantRefusal(
  scope: string,
  of_role: readonly string[],
  context: ScopeContext,
): GrantRefusal | null {
  const refusal = scopeRefusal(scope, context);
  if (refusal === 'scope_not_allowed_in_sandbox') return 'environment';
  if (refusal !== null) return 'plan';
  return of_role.includes('*') || of_role.includes(scope) ? null : 'role';
}

/** The entries of the scopes, by the groups of the catalogue. */
export function byGroup(scopes: readonly string[]): ReadonlyMap<string, readonly ScopeEntry[]> {
  const asked = new Set(scopes);
  return Map.groupBy(
    oauthScopes.filter(({ scope }) => asked.has(scope)),
    ({ group }) => group,
  );
}

const sensitive: ReadonlySet<string> = new Set(
  oauthScopes.filter((entry) => entry.sensitive).map(({ scope }) => scope),
);

export function isSensitive(scope: string): boolean {
  return sensitive.has(scope);
}

/**
 * Reads the `scope` of a refresh. It may narrow the grant. A macro stands for what was granted of it.
 * @returns scopes with a colon; none of them beyond the grant
 */
export function readNarrowed(text: string | undefined, granted: readonly string[]): ReadScopes {
  const names = (text ?? '').split(' ').filter((name) => name !== '' && !habits.has(name));
  if (names.length === 0) return { scopes: granted };
  if (names.length > namesMax) return { unknown: `more than ${namesMax} scopes` };
  const found = new Set<string>();
  for (const name of names) {
    const entries = expandOauthScope(name)?.filter(({ scope }) => granted.includes(scope)) ?? [];
    if (entries.length === 0) return { unknown: name };
    for (const { scope } of entries) found.add(scope);
  }
  return { scopes: inOrder([...found]) };
}
