/** Who is signed in. It is asked for before anything is drawn, and again after a 401. */
import { createContext, useContext } from 'react';
import { ApiError, request } from './api.ts';
import { publicPath } from './server-words.ts';
import type { Language } from './words.ts';

export type Role = 'owner' | 'developer' | 'accountant' | 'reader';

export type SessionCompany = {
  id: string;
  name: string | null;
  tax_id: string;
  role: Role;
  sandbox_id: string | null;
};

export type Session = {
  object: 'session';
  user: { id: string; name: string; email: string; language: Language };
  csrf: string;
  /** When the person last gave a proof; null, never. */
  confirmed_at: string | null;
  expires_at: string;
  companies: readonly SessionCompany[];
  public_url: string;
  /** Where `/docs` is. */
  docs_url: string;
  version: string;
  features: { mail: boolean; sign_up: boolean; mcp: boolean; passkeys: boolean };
};

/** Null where nobody is signed in. */
export async function readSession(): Promise<Session | null> {
  try {
    return (await request<{ data: Session }>('/session')).data;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

/** The page that signs in, and comes back. */
export function signInAddress(return_to = location.pathname + location.search): string {
  const own = return_to.startsWith(publicPath) ? return_to.slice(publicPath.length) : return_to;
  return `${publicPath}/sign-in?${new URLSearchParams({ return_to: own })}`;
}

type SessionHold = {
  session: Session;
  /** Reads it again: after a change of name, companies or proof. */
  renew(): Promise<Session | null>;
};

export const SessionContext = createContext<SessionHold | null>(null);

export function useSession(): SessionHold {
  const held = useContext(SessionContext);
  if (held === null) throw new Error('There is no session around this.');
  return held;
}
