/**
 * The second proofs of a person (ADR 63): an application of codes, passkeys, and codes for when both are lost. A change, the
 * recovery codes that come or go with it, and the message about it are one transaction.
 */
import { randomBytes } from 'node:crypto';
import type { Sql } from 'postgres';
import type { Clock } from '../../../platform/clock.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import {
  adoptPending,
  deletePasskey,
  dropTotp,
  findTotp,
  keepPending,
  renamePasskey,
  useStep,
} from './factors.store.ts';
import { type ChangeAccount, type Changing, userOf } from '../account/change-account.ts';
import type { NewPasskey, PasskeyPage, Passkeys } from './passkeys.ts';
import { hasFormOfRecoveryCode, makeRecoveryCodes } from './recovery-codes.ts';
import { dropCodesOfTheLast, viewOf } from './factors-view.ts';
import { base32, readBase32, stepOfCode, totpAddress } from '../rules/totp.ts';

const secretBytes = 20;

export type Person = { id: string; name: string; email: string };

export type FactorsParts = {
  sql: Sql;
  secrets: SecretBox;
  clock: Clock;
  form_keys: readonly Buffer[];
  passkeys: Passkeys;
  change: ChangeAccount;
};

/** Callers make sure that the person has proved themselves within `proofMs`. */
export type Factors = ReturnType<typeof makeFactors>;

/** The secret that a person's application of codes holds. */
function makeTotp({ sql, secrets, clock }: Pick<FactorsParts, 'sql' | 'secrets' | 'clock'>) {
  const placeOf = (user_id: string) => ({ table: 'users', company_id: null, id: user_id });
  /** Undefined for one that was sealed with a key that is gone: recovery codes still count. */
  function open(sealed: Buffer, user_id: string): Buffer | undefined {
    try {
      return readBase32(secrets.open(sealed, placeOf(user_id)));
    } catch {
      return undefined;
    }
  }

  return {
    open,

    async begin({ id, email }: Pick<Person, 'id' | 'email'>): Promise<{ secret: string; address: string }> {
      const secret = base32(randomBytes(secretBytes));
      await keepPending(sql, id, secrets.seal(secret, placeOf(id)));
      return { secret, address: totpAddress(secret, email) };
    },

    /** @returns whether a code of the application was taken; undefined for what is none. Each counts once. */
    async take(user_id: string, code: string): Promise<boolean | undefined> {
      const row = await findTotp(sql, user_id);
      if (!row?.totp_secret) return undefined;
      const last_step = row.totp_last_step === null ? null : Number(row.totp_last_step);
      const secret = open(row.totp_secret, user_id);
      const step = secret && stepOfCode(secret, code, clock.now(), last_step);
      if (step === undefined) return undefined;
      const sealed = secrets.isCurrent(row.totp_secret)
        ? row.totp_secret
        : secrets.seal(base32(secret!), placeOf(user_id));
      return useStep(sql, user_id, { was: row.totp_secret, sealed }, step);
    },
  };
}

export function makeFactors({ sql, secrets, clock, form_keys, passkeys, change }: FactorsParts) {
  const application = makeTotp({ sql, secrets, clock });
  const { newRecoveryCodes, isRecoveryCode } = makeRecoveryCodes(form_keys);

  const view = (user_id: string) => viewOf(sql, user_id);

  /** The first factor brings new codes, whatever old ones are left. Later factors keep the codes that are left. */
  async function codesOfTheFirst(tx: Sql, user_id: string): Promise<string[] | null> {
    const { totp, passkeys: keys, recovery_codes_left } = await viewOf(tx, user_id);
    const is_first = (totp ? 1 : 0) + keys.length === 1;
    return is_first || recovery_codes_left === 0 ? newRecoveryCodes(tx, user_id) : null;
  }

  return {
    view,

    async hasAny(user_id: string): Promise<boolean> {
      const { totp, passkeys: keys } = await view(user_id);
      return totp || keys.length > 0;
    },

    /** Nothing changes until a code of it is typed. */
    beginTotp: application.begin,

    async confirmTotp(who: Changing, code: string): Promise<'wrong' | { recovery_codes: string[] | null }> {
      const user_id = userOf(who);
      const pending = (await findTotp(sql, user_id))?.totp_pending;
      if (!pending) return 'wrong';
      const now = clock.now();
      const secret = application.open(pending, user_id);
      const step = secret && stepOfCode(secret, code, now, null);
      if (step === undefined) return 'wrong';
      return change(who, async (tx, tell) => {
        if (!(await adoptPending(tx, user_id, pending, step, now))) return 'wrong';
        const recovery_codes = await codesOfTheFirst(tx, user_id);
        await tell('totp_added');
        return { recovery_codes };
      });
    },

    removeTotp: (who: Changing): Promise<boolean> =>
      change(who, async (tx, tell) => {
        const user_id = userOf(who);
        if (!(await dropTotp(tx, user_id, clock.now()))) return false;
        await dropCodesOfTheLast(tx, user_id);
        await tell('totp_removed', 'always');
        return true;
      }),

    renewRecoveryCodes: (who: Changing): Promise<string[]> =>
      change(who, async (tx, tell) => {
        const codes = await newRecoveryCodes(tx, userOf(who));
        await tell('recovery_codes');
        return codes;
      }),

    async addPasskey(
      { of: who, ...given }: { of: Changing; name: string; response: NewPasskey },
      page: PasskeyPage,
    ): Promise<{ id: string; recovery_codes: string[] | null } | 'wrong' | 'refused'> {
      const read = await passkeys.readNew(given.response, page);
      if (!read) return 'wrong';
      const user_id = userOf(who);
      return change(who, async (tx, tell) => {
        const made = await passkeys.keepNew(tx, read, { ...given, user_id }, page);
        if (typeof made === 'string') return made;
        const recovery_codes = await codesOfTheFirst(tx, user_id);
        await tell('passkey_added');
        return { ...made, recovery_codes };
      });
    },

    renamePasskey: (user_id: string, id: string, name: string) => renamePasskey(sql, user_id, id, name),

    removePasskey: (who: Changing, id: string): Promise<boolean> =>
      change(who, async (tx, tell) => {
        const user_id = userOf(who);
        if (!(await deletePasskey(tx, user_id, id))) return false;
        await dropCodesOfTheLast(tx, user_id);
        await tell('passkey_removed', 'always');
        return true;
      }),

    /** A code of the application, or a recovery code. Each counts once. */
    async isCode(user_id: string, code: string): Promise<boolean> {
      const is_taken = await application.take(user_id, code);
      if (is_taken !== undefined) return is_taken;
      if (!hasFormOfRecoveryCode(code)) return false;
      return change(user_id, async (tx, tell) => {
        if (!(await isRecoveryCode(tx, user_id, code))) return false;
        await tell('recovery_code_used', 'always');
        return true;
      });
    },
  };
}
