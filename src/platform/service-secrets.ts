/**
 * Secrets of the installation, made on its first start and kept sealed. The table's key makes two simultaneous starts
 * use one secret.
 */
import { randomBytes } from 'node:crypto';
import type { Sql } from 'postgres';
import type { SecretBox } from './secrets.ts';

/** Each losing attempt finds one more row, and fewer processes than this start at once. */
const attemptsMax = 100;

export type ServiceSecret = {
  /** 32 bytes each. The first signs; any verifies. */
  keys: readonly Buffer[];
  /** Made now although no configured key opens the others. What the others signed is not recognised. */
  replaces_unreadable: boolean;
};

/**
 * Makes the secret when none can be read, and seals it again when FOLIO_SECRET_KEY has changed.
 * @param db for the table without a company
 */
export async function serviceSecret(db: Sql, box: SecretBox, name: string): Promise<ServiceSecret> {
  let replaces_unreadable = false;
  for (let attempt = 1; attempt <= attemptsMax; attempt++) {
    const rows = await db<{ revision: number; sealed: Buffer }[]>`
      select revision, sealed from service_secrets where name = ${name} order by revision`;
    const readable = rows.flatMap(({ sealed }) => {
      const text = tryOpen(box, sealed, name);
      return text === undefined ? [] : [{ text, is_current: box.isCurrent(sealed) }];
    });
    const texts = [...new Set(readable.map((row) => row.text))];
    const stale = texts.find((text) => !readable.some((row) => row.text === text && row.is_current));
    if (texts.length > 0 && stale === undefined)
      return { keys: texts.map((text) => Buffer.from(text, 'base64')), replaces_unreadable };
    const sealed = box.seal(stale ?? randomBytes(32).toString('base64'), placeOf(name));
    const added = await db`
      insert into service_secrets (name, revision, sealed)
      values (${name}, ${(rows.at(-1)?.revision ?? 0) + 1}, ${sealed})
      on conflict (name, revision) do nothing returning revision`;
    if (added.length > 0 && stale === undefined) replaces_unreadable = rows.length > 0;
  }
  throw new Error(`The secret ${name} of the installation was neither read nor made.`);
}

const placeOf = (name: string) => ({ table: 'service_secrets', company_id: null, id: name });

function tryOpen(box: SecretBox, sealed: Buffer, name: string): string | undefined {
  try {
    return box.open(sealed, placeOf(name));
  } catch {
    return undefined;
  }
}
