/** The address of a PostgreSQL, as DATABASE_URL and `folio move --to` take it. */
import { signsToEncode } from '../kernel/addresses.ts';

export const isOfPostgres = (text: string): boolean => /^postgres(ql)?:\/\//.test(text);

/**
 * A password as it is told, with signs that an address has a use for, leaves none, or one that the driver fails at.
 * @returns why what begins as the address of a PostgreSQL is none. The text may hold a password, so nothing of it is said.
 */
export function addressFault(text: string): string | null {
  if (!isOfPostgres(text) || isReadable(text)) return null;
  return signsToEncode;
}

function isReadable(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password, hostname } = new URL(text);
  const parts = [username, password, hostname];
  try {
    // What it gives is counted: a bundler leaves out a call whose result nobody uses, and its fault with it.
    return parts.map((part) => decodeURIComponent(part)).length === parts.length;
  } catch {
    return false;
  }
}
