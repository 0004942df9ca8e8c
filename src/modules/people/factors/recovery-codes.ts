/** Codes for when every other factor is lost. The database has their HMAC, and each counts once. */
import { createHmac, randomInt } from 'node:crypto';
import type { Sql } from 'postgres';
import { replaceRecoveryCodes, useRecoveryCode } from './factors.store.ts';

const codesOfAPerson = 10;
/** Without signs that look alike. */
const codeAlphabet = '23456789abcdefghjkmnpqrstuvwxyz';
const codeSigns = 12;

const plainOf = (code: string) => code.toLowerCase().replaceAll(/[\s-]/g, '');

export const hasFormOfRecoveryCode = (code: string): boolean => plainOf(code).length === codeSigns;

export function makeRecoveryCodes(form_keys: readonly Buffer[]) {
  const codeHash = (key: Buffer, user_id: string, code: string) =>
    createHmac('sha256', key).update(`folio recovery code\n${user_id}\n${code}`).digest();

  async function newRecoveryCodes(sql: Sql, user_id: string): Promise<string[]> {
    const codes = Array.from({ length: codesOfAPerson }, () =>
      Array.from({ length: codeSigns }, () => codeAlphabet[randomInt(codeAlphabet.length)]).join(''),
    );
    await replaceRecoveryCodes(
      sql,
      user_id,
      codes.map((code) => codeHash(form_keys[0]!, user_id, code)),
    );
    return codes.map((code) => code.replace(/(.{4})(?=.)/g, '$1-'));
  }

  async function isRecoveryCode(sql: Sql, user_id: string, code: string): Promise<boolean> {
    const plain = plainOf(code);
    const hashes = form_keys.map((key) => codeHash(key, user_id, plain));
    return useRecoveryCode(sql, user_id, hashes);
  }

  return { newRecoveryCodes, isRecoveryCode };
}
