/** Bad input to what people alone may ask: of their company, and of their own account. No answer is a fault of ours. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type App, startApp } from '../../../test/harness.ts';
import { givenPerson, type PersonBrowser } from '../../../test/support/person-browser.ts';
import type { TObject } from '../../kernel/schema.ts';
import { newId } from '../../kernel/uuid7.ts';
import { personOperations } from '../../modules/people/index.ts';

/** As JSON texts. */
const oddTexts = [
  'null',
  'false',
  '-1',
  '1e400',
  '12345678901234567890',
  '""',
  '" "',
  '"x"',
  '[]',
  '{}',
  '[{}]',
  '{"a":1}',
  '{"__proto__":{"x":1}}',
  '{"toJSON":1}',
  '"\\u0000"',
  '"a\\u0000b@c.example"',
  '"\\ud800"',
  '"\\u202e"',
  '"a\\r\\nb"',
  '"😀"',
  '"\'; drop table users; --"',
  '"FFFFFFFF-FFFF-7FFF-BFFF-FFFFFFFFFFFF"',
  JSON.stringify('x'.repeat(3000)),
  JSON.stringify('ñ'.repeat(20_000)),
];

const wholeBodies = [
  '{',
  '[]',
  'null',
  '"x"',
  '1e400',
  '{"\\u0000":1}',
  '{"__proto__":{"name":"x"}}',
  '['.repeat(60_000),
  `{"a":"${'x'.repeat(65_536)}"}`,
  `{${Array.from({ length: 5001 }, (_, at) => `"k${at}":1`).join()}}`,
];

type Route = { method: 'GET' | 'POST' | 'PUT' | 'DELETE'; path: string; fields: Record<string, unknown> };

const passkey = { id: 'x', rawId: 'x', type: 'public-key', clientExtensionResults: {}, response: {} };

const ownRoutes: readonly Route[] = [
  { method: 'GET', path: '/me', fields: {} },
  { method: 'PUT', path: '/me', fields: { name: 'Ana', language: 'es' } },
  { method: 'POST', path: '/me/password', fields: { password: 'corta' } },
  { method: 'POST', path: '/companies', fields: { name: 'Sur SL', tax_id: 'B1' } },
  { method: 'DELETE', path: '/me/sessions/:id', fields: {} },
  { method: 'POST', path: '/me/totp/confirm', fields: { code: '000000' } },
  { method: 'POST', path: '/me/passkeys', fields: { name: 'Portátil', response: passkey } },
  { method: 'PUT', path: '/me/passkeys/:id', fields: { name: 'Portátil' } },
  { method: 'DELETE', path: '/me/passkeys/:id', fields: {} },
];

/** An e-mail address and a role are all that an operation of a company takes. */
const companyRoutes: readonly Route[] = personOperations.map(({ method, path, body }) => {
  const valid: Record<string, unknown> = { email: 'eva@norte.example', role: 'reader' };
  const names = Object.keys((body as TObject | null)?.properties ?? {});
  for (const name of names)
    assert.ok(name in valid, `${method} ${path} takes ${name}, which this file has not`);
  return {
    method: method as Route['method'],
    path: `/:company${path}`,
    fields: Object.fromEntries(names.map((name) => [name, valid[name]])),
  };
});

const oddIds = ['x', newId(), '%00', '%ff', '..%2f', `${newId()}%20`, 'x'.repeat(400)];

/** Sends as a page of the dashboard does, but any bytes. */
async function sender(app: App, browser: PersonBrowser) {
  const { body } = await browser.get('/dashboard/api/session');
  const headers = {
    origin: app.url,
    'x-folio-csrf': body.data.csrf as string,
    cookie: [...browser.cookies].map((pair) => pair.join('=')).join('; '),
    'content-type': 'application/json',
  };
  return async ({ method, path }: Route, raw: string | undefined): Promise<void> => {
    const sent = raw === undefined || method === 'GET' ? {} : { raw };
    const answer = await app.call(method, `/dashboard/api${path}`, { headers, ...sent });
    const said = `${method} ${path} ${raw?.slice(0, 200)}: ${answer.status} ${answer.text.slice(0, 300)}`;
    assert.ok(answer.status < 500, said);
    if (answer.status >= 400) assert.equal(typeof answer.body.error.message, 'string', said);
  };
}

for (const route of [...ownRoutes, ...companyRoutes])
  test(`${route.method} ${route.path}: whatever comes, the answer is no fault of ours`, async (t) => {
    const app = await startApp(t);
    const acme = await app.given.company();
    const { browser } = await givenPerson(app, acme, 'owner');
    const send = await sender(app, browser);
    const at = (id: string) => route.path.replace(':company', acme.company_id).replace(/:\w+/, id);
    const known = { ...route, path: at(newId()) };
    for (const [name] of Object.entries(route.fields)) {
      for (const text of oddTexts) {
        const others = Object.entries(route.fields).filter(([other]) => other !== name);
        const members = [...others.map(([key, value]) => [key, JSON.stringify(value)]), [name, text]];
        await send(known, `{${members.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join()}}`);
      }
    }
    for (const raw of [undefined, '', ...wholeBodies]) await send(known, raw);
    if (/:(?!company)/.test(route.path))
      for (const id of oddIds) await send({ ...route, path: at(id) }, JSON.stringify(route.fields));
  });
