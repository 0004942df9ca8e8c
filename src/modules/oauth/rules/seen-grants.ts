import type { Caller } from '../../../kernel/operation.ts';

/** Keys and owners see the grants of everybody. @returns whose grants the caller sees; null: all of the company */
export function ownGrantsOnly({ principal, user_id, scopes }: Caller): string | null {
  return principal.kind === 'user' && !scopes.includes('*') ? user_id : null;
}
