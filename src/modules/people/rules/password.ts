/** What a password may be. Its length is counted after NFKC, which is also what is hashed. */
import { isLongerThan } from '../../../kernel/text-length.ts';

export const passwordLength = { min: 12, max: 256 } as const;

export type PasswordFault = 'too_short' | 'too_long' | 'repeated' | 'known';

export const plainPassword = (text: string): string => text.normalize('NFKC');

/**
 * @param about what others know of the person: address, name, company
 * @returns null for one that will do
 */
export function passwordFault(
  text: string,
  about: { email: string; name: string; company_name?: string | null | undefined },
): PasswordFault | null {
  const password = plainPassword(text);
  if (!isLongerThan(password, passwordLength.min - 1)) return 'too_short';
  if (isLongerThan(password, passwordLength.max)) return 'too_long';
  const [first, ...rest] = password;
  if (rest.every((sign) => sign === first)) return 'repeated';
  const { email, name, company_name } = about;
  const known = [email, email.split('@')[0] ?? '', name, company_name ?? ''].map(bare);
  return known.includes(bare(password)) ? 'known' : null;
}

/** Without case and blanks. */
function bare(text: string): string {
  return plainPassword(text).toLowerCase().replaceAll(/\s/g, '');
}
