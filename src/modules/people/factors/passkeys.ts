/**
 * Passkeys (Web Authentication, level 3), by the library that reads what authenticators say. A challenge is stateless: it holds its time
 * and a code of whom it was made for, so that a stranger who opens the page writes no row.
 */
import { isIP } from 'node:net';
import type {
  AuthenticationResponseJSON,
  RegistrationResponseJSON,
  WebAuthnCredential,
} from '@simplewebauthn/server';
import type { Sql } from 'postgres';
import { newId } from '../../../kernel/uuid7.ts';
import type { Clock } from '../../../platform/clock.ts';
import { findPasskey, insertPasskey, listPasskeys, type PasskeyRow, usePasskey } from './factors.store.ts';
import { challengeMs, makeChallenges } from './passkey-challenges.ts';

export const passkeysMax = 20;

/** Web Authentication, level 3, section 5.8.1. */
const credentialIdMax = 1023;

export type PasskeyParts = {
  sql: Sql;
  clock: Clock;
  form_keys: readonly Buffer[];
  public_url: () => string;
};

/** The page whose form brings an answer. */
export type PasskeyPage = {
  /** Its visitor. */
  bound_to: string;
  /** As the browser names it. */
  host: string | undefined;
};

export type PasskeyAnswer = AuthenticationResponseJSON;
export type NewPasskey = RegistrationResponseJSON;

/** Not kept yet. */
type ReadPasskey = {
  credential_id: Buffer;
  public_key: Buffer;
  counter: number;
  challenge_text: string;
};

export type Passkeys = ReturnType<typeof makePasskeys>;

/** Loaded with the first use: its readers of certificates would slow each start. */
const library = () => import('@simplewebauthn/server');

/**
 * Nobody asks who made an authenticator, yet it may say so. The library would check such a statement: certificates in it name
 * addresses that it asks for those that were withdrawn, of any host, within no time and size. So the statement is left out.
 * @throws Error for what is no attestation object
 */
async function withoutStatement(answer: NewPasskey): Promise<NewPasskey> {
  const { decodeAttestationObject, isoCBOR } = await import('@simplewebauthn/server/helpers');
  const { attestationObject, ...response } = answer.response;
  const authData = decodeAttestationObject(Uint8Array.from(Buffer.from(attestationObject, 'base64url'))).get(
    'authData',
  );
  const none = isoCBOR.encode(
    new Map<string, string | Map<string, never> | Uint8Array>([
      ['fmt', 'none'],
      ['attStmt', new Map<string, never>()],
      ['authData', authData],
    ]),
  );
  return {
    ...answer,
    response: { ...response, attestationObject: Buffer.from(none).toString('base64url') },
  };
}

type Library = Awaited<ReturnType<typeof library>>;

async function verifyNew(asked: Parameters<Library['verifyRegistrationResponse']>[0]) {
  const { verifyRegistrationResponse } = await library();
  return verifyRegistrationResponse({ ...asked, response: await withoutStatement(asked.response) });
}

/** Where the page is: at the public address, or at `localhost` where that address is 127.0.0.1. */
function addressOf({ host }: PasskeyPage, public_url: string): URL {
  const here = new URL(public_url);
  const is_named =
    here.protocol === 'http:' && here.hostname === '127.0.0.1' && host === `localhost:${here.port}`;
  return is_named ? new URL(`http://${host}`) : here;
}

/** Browsers know no passkeys of an address without a name, and none over plain http but on localhost. */
function hasPasskeys({ hostname, protocol }: URL): boolean {
  const is_name = isIP(hostname) === 0 && !hostname.startsWith('[');
  return is_name && (protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost'));
}

function newPasskeyOf(
  { id, publicKey, counter }: WebAuthnCredential,
  challenge_text: string,
): ReadPasskey | undefined {
  const credential_id = Buffer.from(id, 'base64url');
  if (credential_id.length > credentialIdMax) return undefined;
  return { credential_id, public_key: Buffer.from(publicKey), counter, challenge_text };
}

export function makePasskeys({ sql, clock, form_keys, public_url }: PasskeyParts) {
  const { challenge, readChallenge, spend } = makeChallenges({ clock, form_keys });

  const placeOf = (page: PasskeyPage) => addressOf(page, public_url());

  return {
    isOffered: (page: PasskeyPage): boolean => hasPasskeys(placeOf(page)),

    /** For `PublicKeyCredential.parseCreationOptionsFromJSON`. */
    async creationOptions(user: { id: string; name: string; email: string }, page: PasskeyPage) {
      const { generateRegistrationOptions } = await library();
      const known = await listPasskeys(sql, user.id);
      return generateRegistrationOptions({
        rpName: 'Folio',
        rpID: placeOf(page).hostname,
        userID: Uint8Array.from(Buffer.from(user.id.replaceAll('-', ''), 'hex')),
        userName: user.email,
        userDisplayName: user.name,
        challenge: challenge(page.bound_to),
        timeout: challengeMs,
        attestationType: 'none',
        excludeCredentials: known.map(({ credential_id }) => ({ id: credential_id.toString('base64url') })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      });
    },

    /** @returns what an authenticator says of a new passkey; undefined for an answer that is not for this page */
    async readNew(response: NewPasskey, page: PasskeyPage): Promise<ReadPasskey | undefined> {
      let challenge_text: string | undefined;
      const verified = await verifyNew({
        response,
        expectedChallenge(text) {
          challenge_text = text;
          return readChallenge(text, page.bound_to) !== undefined;
        },
        expectedOrigin: placeOf(page).origin,
        expectedRPID: placeOf(page).hostname,
        requireUserVerification: true,
      }).catch(() => undefined);
      if (!verified?.verified || challenge_text === undefined) return undefined;
      return newPasskeyOf(verified.registrationInfo.credential, challenge_text);
    },

    /** @returns its id; `wrong` for a challenge that was answered before; `refused` for a known one, or one too many */
    async keepNew(
      tx: Sql,
      { challenge_text, ...read }: ReadPasskey,
      { user_id, name }: { user_id: string; name: string },
      { bound_to }: PasskeyPage,
    ): Promise<{ id: string } | 'wrong' | 'refused'> {
      if (!(await spend(tx, challenge_text, bound_to))) return 'wrong';
      const row = { ...read, id: newId(), user_id, name, created_at: clock.now() };
      return (await insertPasskey(tx, row, passkeysMax)) ? { id: row.id } : 'refused';
    },

    /**
     * For `PublicKeyCredential.parseRequestOptionsFromJSON`.
     * @param user_id the person, if known; otherwise the authenticator names them
     */
    async requestOptions(page: PasskeyPage, user_id?: string) {
      const { generateAuthenticationOptions } = await library();
      const known = user_id === undefined ? [] : await listPasskeys(sql, user_id);
      return generateAuthenticationOptions({
        rpID: placeOf(page).hostname,
        challenge: challenge(page.bound_to),
        timeout: challengeMs,
        userVerification: 'required',
        allowCredentials: known.map(({ credential_id }) => ({ id: credential_id.toString('base64url') })),
      });
    },

    /** @returns the passkey, with its person; each answer counts once */
    async verify(response: PasskeyAnswer, page: PasskeyPage): Promise<PasskeyRow | undefined> {
      if (typeof response.id !== 'string' || !/^[\w-]{1,1400}$/.test(response.id)) return undefined;
      const known = await findPasskey(sql, Buffer.from(response.id, 'base64url'));
      if (!known) return undefined;
      const { verifyAuthenticationResponse } = await library();
      let seen: string | undefined;
      const verified = await verifyAuthenticationResponse({
        response,
        expectedChallenge(text) {
          seen = text;
          return readChallenge(text, page.bound_to) !== undefined;
        },
        expectedOrigin: placeOf(page).origin,
        expectedRPID: placeOf(page).hostname,
        credential: {
          id: response.id,
          publicKey: Uint8Array.from(known.public_key),
          counter: Number(known.counter),
        },
        requireUserVerification: true,
      }).catch(() => undefined);
      if (!verified?.verified || !(await spend(sql, seen, page.bound_to))) return undefined;
      const { newCounter } = verified.authenticationInfo;
      return (await usePasskey(sql, known.credential_id, newCounter, clock.now())) ? known : undefined;
    },
  };
}
