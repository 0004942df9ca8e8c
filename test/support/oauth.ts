/** Persons, applications and consents for tests: over HTTP, but for the person's session, whose rows are written. */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import type { Environment } from '../../src/kernel/operation.ts';
import type { Role } from '../../src/modules/people/index.ts';
import { newId } from '../../src/kernel/uuid7.ts';
import type { Answer, App, TestCompany } from '../harness.ts';

export type Person = { user_id: string; name: string; cookie: string };

/** With a session, proved now. */
export async function givenPerson(
  app: App,
  company: { company_id: string } | null,
  role: Role = 'owner',
): Promise<Person> {
  const [user_id, token, now] = [newId(), randomBytes(32).toString('base64url'), app.clock.now()];
  const name = `Persona ${user_id.slice(-4)}`;
  await app.sql`
    insert into users (id, name, language, password_set_at, email_confirmed_at, created_at, updated_at)
    values (${user_id}, ${name}, 'es', ${now}, ${now}, ${now}, ${now})`;
  await app.sql`
    insert into sessions (token_hash, id, user_id, amr, created_at, last_seen_at, confirmed_at, expires_at, ip)
    values (${createHash('sha256').update(token).digest()}, ${newId()}, ${user_id}, '{pwd}', ${now}, ${now}, ${now},
            ${new Date(now.getTime() + 12 * 3_600_000)}, '127.0.0.1')`;
  if (company) await giveRole(app, company, user_id, role);
  return { user_id, name, cookie: `folio_session=${token}` };
}

export async function giveRole(
  app: App,
  { company_id }: { company_id: string },
  user_id: string,
  role: Role,
) {
  const now = app.clock.now();
  await app.sql`
    insert into members (company_id, user_id, role, created_at, updated_at)
    values (${company_id}, ${user_id}, ${role}, ${now}, ${now})
    on conflict (company_id, user_id) do update set role = excluded.role`;
  await app.sql`
    insert into user_companies (user_id, company_id) values (${user_id}, ${company_id}) on conflict do nothing`;
}

export type TestClient = { id: string; client_id: string; secret: string | undefined; redirect_uri: string };

export async function givenClient(
  app: App,
  company: TestCompany,
  type: 'public' | 'confidential' = 'public',
  redirect_uri = 'https://app.example.com/cb',
): Promise<TestClient> {
  const body = { name: 'Gestoría en línea', type, redirect_uris: [redirect_uri] };
  const answer = await app.post('/v1/oauth/clients', { key: company.live_key, body });
  assert.equal(answer.status, 201, answer.text);
  const { id, client_id, secret } = answer.body.data;
  if (secret !== undefined) app.given.secrets.push(secret);
  return { id, client_id, secret, redirect_uri };
}

/** RFC 7636: a verifier and its challenge. */
export function newVerifier() {
  const code_verifier = randomBytes(32).toString('base64url');
  return { code_verifier, code_challenge: createHash('sha256').update(code_verifier).digest('base64url') };
}

export function authorizeQuery(
  { client_id, redirect_uri }: Pick<TestClient, 'client_id' | 'redirect_uri'>,
  code_challenge: string,
  changes: Record<string, string | undefined> = {},
): string {
  const all: Record<string, string | undefined> = {
    response_type: 'code',
    client_id,
    redirect_uri,
    state: 'st',
    scope: 'invoices.read',
    code_challenge,
    code_challenge_method: 'S256',
    ...changes,
  };
  const given = Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return new URLSearchParams(given).toString();
}

export type Form = { fields: [string, string][]; page: Answer };

const inputs = /<input type="(hidden|checkbox)" name="(\w+)" value="([^"]*)"( checked)?/g;

/** The consent page, as a browser fills it in. */
export async function openConsent(app: App, person: Person, query: string): Promise<Form> {
  const page = await app.get(`/oauth/authorize?${query}`, { headers: { cookie: person.cookie } });
  assert.equal(page.status, 200, page.text.slice(0, 500));
  return { page, fields: fieldsOf(page) };
}

export function fieldsOf(page: Answer): [string, string][] {
  const sent = [...page.text.matchAll(inputs)].filter(
    ([, type, , , checked]) => type === 'hidden' || checked,
  );
  const fields = sent.map(([, , name, value]): [string, string] => [name!, value!]);
  const chosen = [...page.text.matchAll(/<select id="(\w+)".*?<option value="([^"]*)" selected>/gs)];
  return [...fields, ...chosen.map(([, name, value]): [string, string] => [name!, value!])];
}

export function sendForm(app: App, person: Person, fields: readonly [string, string][]): Promise<Answer> {
  return app.post('/oauth/authorize', {
    headers: {
      cookie: person.cookie,
      origin: app.url,
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/x-www-form-urlencoded',
    },
    raw: new URLSearchParams(fields as [string, string][]).toString(),
  });
}

export function sendToken(
  app: App,
  fields: Record<string, string | undefined>,
  headers: Record<string, string> = {},
  path = '/oauth/token',
): Promise<Answer> {
  const given = Object.entries(fields).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return app.post(path, {
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    raw: new URLSearchParams(given).toString(),
  });
}

export type Granted = {
  access_token: string;
  refresh_token: string;
  scope: string;
  expires_in: number;
};

/** A code, after consent to all that is ticked and to the scopes in `also`. */
export async function grantCode(
  app: App,
  person: Person,
  client: TestClient,
  options: {
    scope?: string | undefined;
    also?: readonly string[];
    resource?: string;
    environment?: Environment;
    /** A live one of several that the person may choose. */
    company?: string;
  } = {},
): Promise<{ code: string; code_verifier: string; location: URL }> {
  const { code_verifier, code_challenge } = newVerifier();
  const { scope, also = [], resource, environment = 'live', company } = options;
  const changes = { ...('scope' in options ? { scope } : {}), ...(resource ? { resource } : {}) };
  let { fields } = await openConsent(app, person, authorizeQuery(client, code_challenge, changes));
  if (environment === 'test' || company !== undefined) {
    const other: Record<string, string | undefined> = { environment, company };
    const chosen = fields.map(([name, value]): [string, string] => [name, other[name] ?? value]);
    fields = fieldsOf(await sendForm(app, person, chosen));
  }
  const more = also.map((name): [string, string] => ['scope', name]);
  const answer = await sendForm(app, person, [...fields, ...more, ['decision', 'allow']]);
  assert.equal(answer.status, 303, answer.text);
  const location = new URL(String(answer.headers.location));
  const code = location.searchParams.get('code');
  assert.ok(code, location.href);
  app.given.secrets.push(code);
  return { code, code_verifier, location };
}

/** Tokens, by consent and exchange. */
export async function grantTokens(
  app: App,
  person: Person,
  client: TestClient,
  options: Parameters<typeof grantCode>[3] = {},
): Promise<Granted> {
  const { code, code_verifier } = await grantCode(app, person, client, options);
  const { client_id, secret: client_secret, redirect_uri } = client;
  const fields = {
    grant_type: 'authorization_code',
    code,
    redirect_uri,
    code_verifier,
    client_id,
    client_secret,
  };
  const answer = await sendToken(app, fields);
  assert.equal(answer.status, 200, answer.text);
  app.given.secrets.push(answer.body.access_token, answer.body.refresh_token);
  return answer.body;
}

export function refreshTokens(
  app: App,
  client: TestClient,
  refresh_token: string,
  more: Record<string, string> = {},
) {
  const { client_id, secret: client_secret } = client;
  return sendToken(app, { grant_type: 'refresh_token', refresh_token, client_id, client_secret, ...more });
}

/** Something that Ana Gil granted, without her consent page. @returns its id */
export async function storedGrant(
  app: App,
  company_id: string,
  { client_id, name }: { client_id: string; name: string },
): Promise<string> {
  const [id, user_id, now] = [newId(), newId(), app.clock.now()];
  await app.sql`
    insert into users (id, name, language, password_set_at, email_confirmed_at, created_at, updated_at)
    values (${user_id}, 'Ana Gil', 'es', ${now}, ${now}, ${now}, ${now})`;
  await app.sql`
    insert into oauth_grants (company_id, id, opens_company_id, environment, audience, client_id, client_name, user_id,
                              scopes, created_at)
    values (${company_id}, ${id}, ${company_id}, 'live', 'v1', ${client_id}, ${name}, ${user_id},
            '{invoices:read}', ${now})`;
  return id;
}
