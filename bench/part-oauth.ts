/** Part (o): a read with a token against one with a key; a refresh against a bare transaction with the same statements. */
import { createHash } from 'node:crypto';
import { newId } from '../src/kernel/uuid7.ts';
import { newOAuthSecret } from '../src/modules/oauth/secrets.ts';
import { hashSecret } from '../src/platform/credentials.ts';
import { makeInvoice } from './begun.ts';
import { startFolio } from './children.ts';
import { type LoadRequest, makeLoadGenerator, WrongResult } from './load.ts';
import type { BenchOptions } from './options.ts';
import type { BenchCompany, Place } from './place.ts';
import { type Figure, interleave, ratioOf, spreadOf } from './statistics.ts';

const part = '(o) oauth';
const client_id = 'svc_app_0123456789012345678901';
const callers = 8;
const grantsMax = 200;

export async function measureOAuth(place: Place, options: BenchOptions): Promise<Figure[]> {
  const folio = await startFolio(place.data_dir, options.profile_dir);
  const load = makeLoadGenerator(folio.url, grantsMax);
  try {
    const company = await place.makeCompany();
    const reads = Math.ceil(600 * options.scale);
    const refreshes = Math.ceil(400 * options.scale);
    const given = await storeGrants(place, company, { each: Math.ceil((refreshes * 2 * 7) / grantsMax) + 1 });
    const { id } = await makeInvoice(load, company);
    const read = (key: string) => async (is_warm_up: boolean) => {
      const headers = { authorization: `Bearer ${key}` };
      const make = (): LoadRequest => ({ method: 'GET', path: `/v1/invoices/${id}`, headers });
      const requests = is_warm_up ? Math.ceil(reads / 3) : reads;
      return (await load.run({ concurrency: 1, requests, status: 200, make })).per_second;
    };
    const tokens = given.tokens.values();
    const next = () => tokens.next().value ?? fail('The bench ran out of tokens.');
    const rates = await interleave(options.rounds, {
      key: read(company.key),
      token: read(given.access_token),
      async refresh(is_warm_up) {
        const requests = is_warm_up ? Math.ceil(refreshes / 3) : refreshes;
        const make = () => refreshRequest(next());
        return (await load.run({ concurrency: callers, requests, status: 200, make })).per_second;
      },
      bare: (is_warm_up) => runBare(place, company, next, is_warm_up ? Math.ceil(refreshes / 3) : refreshes),
    });
    const last = new Map(given.fresh.map((token) => [token, refreshRequest(token)]));
    const started = performance.now();
    const answers = await load.burst([...last.values()]);
    const seconds = (performance.now() - started) / 1000;
    const wrong = answers.find(({ status }) => status !== 200);
    if (wrong) fail(`One of ${answers.length} parallel refreshes answered ${wrong.status}: ${wrong.text}`);
    return figuresOf(rates, seconds);
  } finally {
    await load.close();
    await folio.stop();
  }
}

type Rates = Record<'key' | 'token' | 'refresh' | 'bare', number[]>;

function figuresOf(rates: Rates, burst_seconds: number): Figure[] {
  const ratio = (what: string, of: number[], to: number[], at_least: number): Figure => {
    return { part, what, unit: 'ratio', spread: ratioOf(of, to), aim: { at_least } };
  };
  return [
    { part, what: 'GET invoice with a key', unit: 'requests/s', spread: spreadOf(rates.key) },
    { part, what: 'GET invoice with a token', unit: 'requests/s', spread: spreadOf(rates.token) },
    ratio('GET invoice with a token / with a key', rates.token, rates.key, 0.95),
    { part, what: `${callers} callers: refresh`, unit: 'requests/s', spread: spreadOf(rates.refresh) },
    { part, what: `${callers} callers: bare transaction`, unit: 'requests/s', spread: spreadOf(rates.bare) },
    ratio(`${callers} callers: refresh / bare transaction`, rates.refresh, rates.bare, 0.6),
    { part, what: `${grantsMax} parallel refreshes`, unit: 's', spread: spreadOf([burst_seconds]) },
  ];
}

function fail(message: string): never {
  throw new WrongResult(message);
}

function refreshRequest(refresh_token: string): LoadRequest {
  const body = new URLSearchParams({ grant_type: 'refresh_token', client_id, refresh_token }).toString();
  return {
    method: 'POST',
    path: '/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body,
  };
}

/** What 200 consents of one person have left. */
async function storeGrants(place: Place, { company_id }: BenchCompany, { each }: { each: number }) {
  const { owner } = place;
  const [user_id, id, access_token] = [newId(), newId(), newOAuthSecret('access')];
  const now = new Date();
  const later = new Date(now.getTime() + 86_400_000);
  await owner`
    insert into users (id, name, language, password_set_at, email_confirmed_at, created_at, updated_at)
    values (${user_id}, 'Ana Gil', 'es', ${now}, ${now}, ${now}, ${now})`;
  await owner`
    insert into members (company_id, user_id, role, created_at, updated_at)
    values (${company_id}, ${user_id}, 'owner', ${now}, ${now})`;
  await owner`
    insert into oauth_clients (company_id, id, client_id, name, type, redirect_uris, created_at, updated_at)
    values (${company_id}, ${id}, ${client_id}, 'Bench', 'public', '{https://a.example/cb}', ${now}, ${now})`;
  await owner`insert into oauth_client_index (client_id, company_id, id) values (${client_id}, ${company_id}, ${id})`;
  const grants = Array.from({ length: grantsMax }, () => newId());
  await owner`
    insert into oauth_grants (company_id, id, opens_company_id, environment, audience, client_id, client_name, user_id,
                              scopes, created_at)
    select ${company_id}, g, ${company_id}, 'live', 'v1', ${client_id}, 'Bench', ${user_id}, '{invoices:read}', ${now}
      from unnest(${grants}::uuid[]) as g`;
  const names = Array.from({ length: each + 1 }, () =>
    grants.map((grant) => ({ token: newOAuthSecret('refresh'), grant })),
  ).flat();
  for (const { token, grant } of names)
    await owner`
      insert into oauth_refresh_tokens (token_hash, company_id, grant_id, client_id, expires_at)
      values (${hashSecret(token)}, ${company_id}, ${grant}, ${client_id}, ${later})`;
  await owner`
    insert into credentials (secret_hash, kind, audience, user_id, key_id, key_company_id, key_name, company_id, environment,
                             scopes, plan, allowed_ips, expires_at)
    values (${hashSecret(access_token)}, 'oauth', 'v1', ${user_id}, ${grants[0]!}, ${company_id}, 'Bench', ${company_id}, 'live',
            '{invoices:read}', 'scale', '{}', ${later})`;
  const all = names.map(({ token }) => token);
  return { access_token, tokens: all.slice(grantsMax), fresh: all.slice(0, grantsMax) };
}

/** The statements of a refresh, in its round trips, without a surface. */
async function runBare(
  { db }: Place,
  { company_id }: BenchCompany,
  next: () => string,
  requests: number,
): Promise<number> {
  let left = requests;
  const one = async (token: string) => {
    const hash = hashSecret(token);
    await db.index`select company_id, id from oauth_client_index where client_id = ${client_id} and deleted_at is null`;
    await db.read(company_id, (tx) => tx`select * from oauth_clients where company_id = ${company_id}`);
    const [known] = await db.index<{ grant_id: string }[]>`
      select * from oauth_refresh_tokens where token_hash = ${hash}`;
    const grant_id = known!.grant_id;
    await db.transaction(company_id, async (tx) => {
      const [[grant]] = await Promise.all([
        tx`select * from oauth_grants where company_id = ${company_id} and id = ${grant_id} for update`,
        tx`select * from oauth_refresh_tokens where token_hash = ${hash}`,
        tx`select plan from companies where company_id = ${company_id} for share`,
      ]);
      const { user_id } = grant as { user_id: string };
      await Promise.all([
        tx`select role from members where company_id = ${company_id} and user_id = ${user_id}`,
        tx`select * from users where id = ${user_id}`,
      ]);
      const [access, refresh] = ['a', 'r'].map((kind) =>
        createHash('sha256').update(`${kind}${token}`).digest(),
      );
      const later = new Date(Date.now() + 3_600_000);
      await Promise.all([
        tx`delete from credentials where key_company_id = ${company_id} and key_id = ${grant_id} and kind = 'oauth'
              and expires_at <= now()`,
        tx`insert into credentials (secret_hash, kind, audience, user_id, key_id, key_company_id, key_name, company_id,
                                    environment, scopes, plan, allowed_ips, expires_at)
           values (${access!}, 'oauth', 'v1', ${user_id}, ${grant_id}, ${company_id}, 'Bench', ${company_id}, 'live',
                   '{invoices:read}', 'scale', '{}', ${later})`,
        tx`insert into oauth_refresh_tokens (token_hash, company_id, grant_id, client_id, expires_at)
           values (${refresh!}, ${company_id}, ${grant_id}, ${client_id}, ${later})`,
        tx`update oauth_refresh_tokens set first_used_at = now(), uses = uses + 1 where token_hash = ${hash}`,
      ]);
    });
  };
  const caller = async () => {
    while (left-- > 0) await one(next());
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: callers }, caller));
  return requests / ((performance.now() - started) / 1000);
}
