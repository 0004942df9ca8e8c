/**
 * From code or refresh token to tokens: one transaction each, under the lock of the grant's row. So of any number of requests
 * at once each sees what the one before it did.
 */
import type { Audience, Tx } from '../../kernel/operation.ts';
import type { Clock } from '../../platform/clock.ts';
import { holdPlan, type PlanRow } from '../../platform/company-row.ts';
import { countInWindow, type WindowCount } from '../../platform/window-count.ts';
import { holdClient } from './clients.store.ts';
import { endGrant } from './end-grants.ts';
import { type GrantRow, lockGrant } from './grants.store.ts';
import type { TurnedDatabase } from './in-turns.ts';
import { holdsAll, scopesOfPerson } from './person.ts';
import { invalidGrant, OAuthRefusal } from '../../domain/oauth/refusal.ts';
import { answersChallenge } from '../../domain/oauth/pkce.ts';
import { ruleOfUse } from './rules/reuse.ts';
import { readNarrowed, scopeText } from '../../domain/oauth/scopes.ts';
import { hasSecretForm, newOAuthSecret } from './secrets.ts';
import {
  countRefreshUse,
  deleteExpiredTokens,
  findAccessToken,
  findCode,
  findRefreshToken,
  type GrantPlace,
  insertAccessToken,
  insertRefreshToken,
  lifetimes,
  markCodeUsed,
} from './tokens.store.ts';

/** Answers of one grant in a minute, in this process: each leaves rows. */
const answersMax = 60;

export type TokenAnswer = {
  access_token: string;
  token_type: 'Bearer';
  expires_in: number;
  refresh_token: string;
  scope: string;
};

/** Who asks. */
export type From = { client_id: string; ip: string; request_id: string };

export type TokenIssuer = ReturnType<typeof makeTokenIssuer>;

type Made = { answer: TokenAnswer } | { refusal: OAuthRefusal };

export function makeTokenIssuer({ db, clock }: { db: TurnedDatabase; clock: Clock }) {
  const answered = countInWindow(answersMax);

  return {
    /**
     * @param asked.redirect_uri only clients of OAuth 2.0 send it; the verifier proves the same (OAuth 2.1, 10.2)
     * @throws OAuthRefusal
     */
    async exchangeCode(
      asked: {
        code: string;
        redirect_uri: string | undefined;
        code_verifier: string;
        audience: Audience | null;
      },
      from: From,
    ): Promise<TokenAnswer> {
      if (!hasSecretForm('code', asked.code)) throw invalidGrant();
      const known = await findCode(db.index, asked.code);
      if (known?.client_id !== from.client_id) throw invalidGrant();
      const now = clock.now();
      holdBack(answered, known, now);
      return answerOf(
        await db.transaction(known.company_id, async (tx): Promise<Made> => {
          const [company, grant, code, is_there] = await Promise.all([
            // First, as in a change of role, which ends grants.
            holdPlan(tx, known.company_id),
            lockGrant(tx, known.company_id, known.grant_id),
            findCode(tx, asked.code),
            holdClient(tx, from.client_id),
          ]);
          if (!grant || !code || !is_there || grant.revoked_at) return { refusal: invalidGrant() };
          if (code.used_at) return endAll(tx, grant, from, now, 'code');
          const fits = (asked.redirect_uri ?? code.redirect_uri) === code.redirect_uri;
          if (code.expires_at <= now || !fits || !answersChallenge(asked.code_verifier, code.code_challenge))
            return { refusal: invalidGrant() };
          if (isOther(asked.audience, grant)) return { refusal: otherTarget() };
          if (!(await isStillTheirs(tx, grant))) return endAll(tx, grant, from, now, 'role');
          const [answer] = await Promise.all([
            issue(tx, grant, grant.scopes, company, now),
            markCodeUsed(tx, asked.code, now),
          ]);
          return { answer };
        }),
      );
    },

    /** @throws OAuthRefusal */
    async refresh(
      asked: { refresh_token: string; scope: string | undefined; audience: Audience | null },
      from: From,
    ): Promise<TokenAnswer> {
      if (!hasSecretForm('refresh', asked.refresh_token)) throw invalidGrant();
      const known = await findRefreshToken(db.index, asked.refresh_token);
      if (known?.client_id !== from.client_id) throw invalidGrant();
      const now = clock.now();
      holdBack(answered, known, now);
      return answerOf(
        await db.transaction(known.company_id, async (tx): Promise<Made> => {
          const [company, grant, token, is_there] = await Promise.all([
            holdPlan(tx, known.company_id),
            lockGrant(tx, known.company_id, known.grant_id),
            findRefreshToken(tx, asked.refresh_token),
            holdClient(tx, from.client_id),
          ]);
          if (!grant || !token || !is_there || grant.revoked_at || token.expires_at <= now)
            return { refusal: invalidGrant() };
          const rule = ruleOfUse(token, now);
          if (rule === 'end') return endAll(tx, grant, from, now, 'refresh_token');
          if (rule === 'refuse') return { refusal: invalidGrant() };
          if (isOther(asked.audience, grant)) return { refusal: otherTarget() };
          const narrowed = readNarrowed(asked.scope, grant.scopes);
          if ('unknown' in narrowed)
            return { refusal: new OAuthRefusal('invalid_scope', 'A scope was not granted.') };
          if (!(await isStillTheirs(tx, grant))) return endAll(tx, grant, from, now, 'role');
          const [answer] = await Promise.all([
            issue(tx, grant, narrowed.scopes, company, now),
            countRefreshUse(tx, asked.refresh_token, now),
          ]);
          return { answer };
        }),
      );
    },

    /** Ends the grant of either token. One that is unknown, or of another client, is passed over (RFC 7009, 2.2). */
    async revoke(token: string, from: From): Promise<void> {
      const known = await findPlace(db, token);
      if (!known) return;
      const now = clock.now();
      await db.transaction(known.company_id, async (tx) => {
        const grant = await lockGrant(tx, known.company_id, known.grant_id);
        if (!grant || grant.revoked_at || grant.client_id !== from.client_id) return;
        await endAll(tx, grant, from, now, 'client');
      });
    },
  };
}

function findPlace(db: TurnedDatabase, token: string): Promise<GrantPlace | undefined> {
  if (hasSecretForm('refresh', token)) return findRefreshToken(db.index, token);
  return hasSecretForm('access', token) ? findAccessToken(db.index, token) : Promise.resolve(undefined);
}

/** @throws OAuthRefusal */
function holdBack(answered: WindowCount, { grant_id }: GrantPlace, now: Date): void {
  const seconds = answered.blockedFor(grant_id, now);
  if (seconds > 0)
    throw new OAuthRefusal('temporarily_unavailable', 'Too many requests of this grant.', seconds);
  answered.add(grant_id, now);
}

/** The transaction keeps what a refusal wrote, so a refusal is not thrown inside it. */
function answerOf(made: Made): TokenAnswer {
  if ('refusal' in made) throw made.refusal;
  return made.answer;
}

/** The tokens are for one resource. A request that names a resource must name the same. */
function isOther(audience: Audience | null, grant: GrantRow): boolean {
  return audience !== null && audience !== grant.audience;
}

const otherTarget = () => new OAuthRefusal('invalid_target', 'The grant is for another resource.');

async function isStillTheirs(tx: Tx, grant: GrantRow): Promise<boolean> {
  return holdsAll(await scopesOfPerson(tx, grant), grant.scopes);
}

async function issue(
  tx: Tx,
  grant: GrantRow,
  scopes: readonly string[],
  company: PlanRow,
  now: Date,
): Promise<TokenAnswer> {
  const [access_token, refresh_token] = [newOAuthSecret('access'), newOAuthSecret('refresh')];
  await Promise.all([
    deleteExpiredTokens(tx, grant, now),
    insertAccessToken(
      tx,
      access_token,
      grant,
      scopes,
      company,
      new Date(now.getTime() + lifetimes.access_ms),
    ),
    insertRefreshToken(tx, refresh_token, grant, new Date(now.getTime() + lifetimes.refresh_ms)),
  ]);
  return {
    access_token,
    token_type: 'Bearer',
    expires_in: lifetimes.access_ms / 1000,
    refresh_token,
    scope: scopeText(scopes),
  };
}

/**
 * `code`, `refresh_token`: used again. `role`: the person may no longer do what they granted. `client`: it gave the
 * grant back.
 */
type EndReason = 'code' | 'refresh_token' | 'role' | 'client';

const endActions = {
  code: 'oauth_grant.reuse_detected',
  refresh_token: 'oauth_grant.reuse_detected',
  role: 'oauth_grant.ended',
  client: 'oauth_grant.revoked',
} as const satisfies Record<EndReason, string>;

async function endAll(tx: Tx, grant: GrantRow, from: From, now: Date, reason: EndReason): Promise<Made> {
  const { id, client_name: name, user_id } = grant;
  const actor = {
    kind: 'oauth',
    id,
    name,
    key_id: null,
    user_id,
    ip: from.ip,
    request_id: from.request_id,
  } as const;
  await endGrant(tx, grant, actor, { action: endActions[reason], details: { reason } }, now);
  return { refusal: invalidGrant() };
}
