/** Which second proofs a person has, in a transaction or out of one. */
import type { Sql } from 'postgres';
import { countRecoveryCodes, findTotp, listPasskeys, replaceRecoveryCodes } from './factors.store.ts';

type FactorsView = {
  totp: boolean;
  recovery_codes_left: number;
  passkeys: { id: string; name: string; created_at: Date; last_used_at: Date | null }[];
};

export async function viewOf(sql: Sql, user_id: string): Promise<FactorsView> {
  const totp = await findTotp(sql, user_id);
  const keys = await listPasskeys(sql, user_id);
  return {
    totp: totp?.totp_secret != null,
    recovery_codes_left: await countRecoveryCodes(sql, user_id),
    passkeys: keys.map(({ id, name, created_at, last_used_at }) => ({
      id,
      name,
      created_at,
      last_used_at,
    })),
  };
}

/** Recovery codes are useless without a factor, so they go with the last one. */
export async function dropCodesOfTheLast(tx: Sql, user_id: string): Promise<void> {
  const { totp, passkeys: left } = await viewOf(tx, user_id);
  if (!totp && left.length === 0) await replaceRecoveryCodes(tx, user_id, []);
}
