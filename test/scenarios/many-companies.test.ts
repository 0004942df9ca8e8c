/** A person of a house that keeps many companies: each is found, on every page that offers companies. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type App, startApp, type TestCompany } from '../harness.ts';
import {
  authorizeQuery,
  fieldsOf,
  givenClient,
  givenPerson,
  newVerifier,
  openConsent,
  type Person,
  sendForm,
} from '../support/oauth.ts';

/** Copies of the company, where the person has a role. The last one has the name that comes first. */
async function giveCompanies(app: App, acme: TestCompany, person: Person, count: number): Promise<string> {
  const copies = await app.sql<{ company_id: string }[]>`
    with copied as (
      insert into companies
      select (jsonb_populate_record(c, jsonb_build_object('company_id', gen_random_uuid(), 'sandbox_company_id', null,
              'name', 'Empresa ' || to_char(${count} - n, 'FM0000')))).*
        from companies c, generate_series(1, ${count}) n where c.company_id = ${acme.company_id}
      returning company_id, name)
    select company_id from copied order by name`;
  const ids = copies.map(({ company_id }) => company_id);
  await app.sql`
    insert into members (company_id, user_id, role, created_at, updated_at)
    select id, ${person.user_id}, 'owner', now(), now() from unnest(${ids}::uuid[]) id`;
  await app.sql`
    insert into user_companies (user_id, company_id) select ${person.user_id}, id from unnest(${ids}::uuid[]) id`;
  return ids[0]!;
}

test('given a person with more than a hundred companies, then the dashboard and the consent page offer each of them', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const [client, person] = [await givenClient(app, acme), await givenPerson(app, acme)];
  const last_made = await giveCompanies(app, acme, person, 150);
  const session = await app.get('/dashboard/api/session', { headers: { cookie: person.cookie } });
  const ids = session.body.data.companies.map(({ id }: { id: string }) => id);
  assert.deepEqual([ids.length, ids.includes(last_made)], [151, true]);
  const { code_challenge } = newVerifier();
  const { page } = await openConsent(app, person, authorizeQuery(client, code_challenge));
  const names = [...page.text.matchAll(/<option value="[-0-9a-f]{36}"[^>]*>(.+?) \(/g)].map(
    ([, name]) => name,
  );
  assert.equal(names.length, 151);
  assert.deepEqual(names.slice(1, 4), ['Empresa 0000', 'Empresa 0001', 'Empresa 0002']);
  const chosen = fieldsOf(page).map(([name, value]): [string, string] => [
    name,
    name === 'company' ? last_made : value,
  ]);
  const there = await sendForm(app, person, chosen);
  assert.equal(there.status, 200, there.text.slice(0, 300));
  const allowed = await sendForm(app, person, [...fieldsOf(there), ['decision', 'allow']]);
  assert.equal(allowed.status, 303);
  const [grant] = await app.sql`select company_id from oauth_grants where user_id = ${person.user_id}`;
  assert.equal(grant?.company_id, last_made);
});
