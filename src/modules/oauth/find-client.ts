/** The application that presents itself: registered by a company, or described by a document (ADR 56). */
import { timingSafeEqual } from 'node:crypto';
import { hashSecret } from '../../platform/credentials.ts';
import { type ClientRow, findClientPlace, findClientRow } from './clients.store.ts';
import type { TurnedDatabase } from './in-turns.ts';
import type { ClientType } from '../../domain/oauth/redirect-uris.ts';

export type OAuthClient = {
  client_id: string;
  name: string;
  type: ClientType;
  redirect_uris: readonly string[];
  /** Of a document: the host of its address, which is all that is known for sure. */
  host: string | null;
  /** Null for a document. */
  registered: ClientRow | null;
};

const registeredId = /^svc_app_[0-9A-Za-z]{22}$/;

export async function findRegisteredClient(
  db: TurnedDatabase,
  client_id: string,
): Promise<OAuthClient | undefined> {
  if (!registeredId.test(client_id)) return undefined;
  const place = await findClientPlace(db.index, client_id);
  const row =
    place && (await db.read(place.company_id, (tx) => findClientRow(tx, place.company_id, place.id)));
  if (!row) return undefined;
  const { name, type, redirect_uris } = row;
  return { client_id, name, type, redirect_uris, host: null, registered: row };
}

/** Whether a secret is the client's. `expires_at`: until when, for the one before the last rotation. */
export type SecretCheck = { is_valid: boolean; expires_at: Date | null };

/** @param now real time */
export function checkClientSecret(
  { registered }: Pick<OAuthClient, 'registered'>,
  secret: string,
  now: Date,
): SecretCheck {
  const hash = hashSecret(secret);
  const isHashOf = (stored: Buffer | null | undefined) => stored != null && timingSafeEqual(hash, stored);
  if (isHashOf(registered?.secret_hash)) return { is_valid: true, expires_at: null };
  const until = registered?.previous_until ?? null;
  const is_previous = until !== null && until > now && isHashOf(registered?.previous_secret_hash);
  return { is_valid: is_previous, expires_at: is_previous ? until : null };
}
