/**
 * Every operation as every kind of caller. What is refused lacks a scope, whatever its input; what is let through comes as far as its
 * input, which is wrong on purpose, so nothing is done.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Caller,
  defineOperation,
  type Input,
  type Operation,
  type PrincipalKind,
  principalKinds,
  scopesNeeded,
} from '../../src/kernel/operation.ts';
import { planModuleNames } from '../../src/kernel/plans.ts';
import { Problem } from '../../src/kernel/problem.ts';
import { Type } from '../../src/kernel/schema.ts';
import { scopeCatalogue } from '../../src/kernel/scopes.ts';
import { newId } from '../../src/kernel/uuid7.ts';
import { catalog } from '../../src/modules/catalog.ts';
import { findPersonCaller, roles } from '../../src/modules/people/index.ts';
import { linkCaller } from '../../src/platform/link-caller.ts';
import { systemCaller } from '../../src/platform/system-caller.ts';
import { type App, startApp, type TestCompany } from '../harness.ts';
import { givenPerson } from '../support/person-browser.ts';

const entryOf = new Map<string, (typeof scopeCatalogue)[number]>(
  scopeCatalogue.map((one) => [one.scope, one]),
);

/** As the pages on scopes and roles say it, apart from the code that decides. */
function mayUse(caller: Caller, scope: string): boolean {
  const { kind } = caller.principal;
  const entry = entryOf.get(scope);
  assert.ok(entry, scope);
  if (!caller.scopes.includes(scope) && !caller.scopes.includes('*')) return false;
  if (caller.environment === 'test' && entry.refused_in_sandbox) return false;
  if (entry.module !== null && !caller.modules.includes(entry.module)) return false;
  if (kind === 'oauth') return entry.oauth !== null;
  return kind !== 'user' || (entry.group !== 'stores' && entry.group !== 'managed_companies');
}

function mayCall(caller: Caller, operation: Operation): boolean {
  const { environment, profile_scope } = operation;
  const for_profile =
    caller.owner_company_id === caller.key_company_id || profile_scope === null ? [] : [profile_scope];
  const { kind } = caller.principal;
  // Everybody may end what they granted.
  const is_own = kind === 'user' && operation.name === 'revoke_oauth_grant';
  const needed = is_own ? ['account:read'] : scopesNeeded(operation);
  return (
    operation.callers.includes(kind) &&
    (environment === null || environment === caller.environment) &&
    [...needed, ...for_profile].every((scope) => mayUse(caller, scope))
  );
}

async function outcome(app: App, caller: Caller, operation: Operation): Promise<string> {
  const { engine } = app.service;
  const input = { params: {}, query: { no_such_field: '1' }, body: { no_such_field: '1' } };
  const at = { operation, request_id: `req_${newId()}`, input };
  const visit = engine.open({
    ...at,
    ip: '192.0.2.1',
    secret: null,
    audience: 'v1',
    active_profile: null,
    version: null,
    idempotency_key: null,
  });
  try {
    if (caller.principal.kind === 'system')
      await engine.runAsSystem({ ...at, caller, idempotency_key: null, version: visit.version });
    else await engine.run(Object.assign(visit, { caller, is_admitted: true }), input);
    return 'done';
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.def.code;
  }
}

/** Of a company, in one of its environments, with every scope. */
function callersOf(acme: TestCompany, environment: 'live' | 'test', modules: Caller['modules']): Caller[] {
  const company_id = environment === 'live' ? acme.company_id : acme.sandbox_company_id;
  const company = { company_id, environment, owner_company_id: acme.company_id };
  const base = { ...systemCaller(company, { id: newId(), kind: 'test.job' }), modules };
  const user_id = newId();
  const every = [...entryOf.keys()];
  return [
    { ...base, principal: { kind: 'api_key', id: newId(), name: 'Clave' } },
    { ...base, principal: { kind: 'oauth', id: newId(), name: 'Agente' }, user_id },
    // Its row holds scopes that no consent gives.
    { ...base, principal: { kind: 'oauth', id: newId(), name: 'Agente' }, user_id, scopes: every },
    { ...base, principal: { kind: 'user', id: user_id, name: 'Ana' }, user_id },
    base,
    linkCaller(company, newId()),
  ];
}

/** Of scopes that no operation has yet. */
const closedOnes = ['stores:read', 'stores:write', 'companies:write', 'api_keys:read', 'employees:write'].map(
  (scope) =>
    defineOperation({
      name: `closed_${scope.replace(':', '_')}`,
      method: 'GET',
      path: `/v1/closed/${scope}`,
      scope,
      tag: 'account',
      summary: 'De prueba.',
      transaction: 'read',
      mcp: false,
      output: Type.Object({}),
      errors: [],
      handle: async () => ({}),
    }),
);

async function wrongOnes(app: App, callers: readonly Caller[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const caller of callers) {
    for (const operation of [...catalog, ...closedOnes]) {
      const found = await outcome(app, caller, operation);
      const may = mayCall(caller, operation);
      const fits = may
        ? ['parameter_invalid', 'resource_not_found', operation.not_found?.code]
        : ['insufficient_scope'];
      if (!fits.includes(found))
        wrong.push(`${operation.name} as ${caller.principal.kind} in ${caller.environment}: ${found}`);
    }
  }
  return wrong;
}

test('given any operation, then it is open to every kind of caller but where this list says another', () => {
  const closed = catalog.filter(({ callers }) => callers.length < principalKinds.length);
  const listed: Record<string, readonly PrincipalKind[]> = { get_account: ['api_key', 'oauth'] };
  const oauth = catalog.filter(({ tag }) => tag === 'oauth');
  assert.equal(oauth.length, 9);
  for (const { name } of oauth) listed[name] = ['api_key', 'user'];
  assert.deepEqual(Object.fromEntries(closed.map(({ name, callers }) => [name, callers])), listed);
});

test('given each kind of caller with every scope, then callers, scope, plan and environment let through what they allow', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const all = (['live', 'test'] as const).flatMap((environment) =>
    [planModuleNames, []].flatMap((modules) => callersOf(acme, environment, modules)),
  );
  assert.deepEqual(await wrongOnes(app, all), []);
});

test('given any operation, when a caller has every scope but one that it needs, then it is refused, whatever it asks for', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const [key, token] = callersOf(acme, 'live', planModuleNames);
  const [test_key] = callersOf(acme, 'test', planModuleNames);
  let asked = 0;
  const wrong: string[] = [];
  for (const operation of catalog)
    for (const needed of scopesNeeded(operation))
      for (const caller of [key!, token!, test_key!]) {
        const scopes = [...entryOf.keys()].filter((scope) => scope !== needed);
        const found = await outcome(app, { ...caller, scopes }, operation);
        asked += 1;
        if (found !== 'insufficient_scope') wrong.push(`${operation.name} without ${needed}: ${found}`);
      }
  assert.deepEqual(wrong, []);
  assert.ok(asked >= 3 * catalog.filter(({ scope }) => scope !== null).length);
});

test('given a caller of each kind for a managed company, then its keys are for keys alone', async (t) => {
  const app = await startApp(t);
  const [master, child] = [await app.given.company(), await app.given.company()];
  const all = callersOf(master, 'live', planModuleNames).map((caller) => ({
    ...caller,
    company_id: child.company_id,
    owner_company_id: child.company_id,
  }));
  assert.deepEqual(await wrongOnes(app, all), []);
  const made = catalog.find(({ name }) => name === 'create_api_key')!;
  const outcomes = await Promise.all(all.map((caller) => outcome(app, caller, made)));
  const by_kind = all.map(({ principal }, i) => [principal.kind, outcomes[i]]);
  assert.deepEqual(by_kind, [
    ['api_key', 'parameter_invalid'],
    ['oauth', 'insufficient_scope'],
    ['oauth', 'insufficient_scope'],
    ['user', 'insufficient_scope'],
    ['system', 'parameter_invalid'],
    ['link', 'insufficient_scope'],
  ]);
});

test('given a person in each role, then they may call what the role allows, in the company and its sandbox', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const stranger = await app.given.company();
  for (const role of roles) {
    const { user_id } = await givenPerson(app, acme, role);
    const person = { user_id, name: 'Ana Ruiz', ip: '192.0.2.1', user_agent: null };
    const find = (company_id: string) => findPersonCaller(app.db, person, company_id, app.clock.now());
    const [live, sandbox] = [await find(acme.company_id), await find(acme.sandbox_company_id)];
    assert.ok(live && sandbox);
    assert.deepEqual(
      [live.role, sandbox.environment, sandbox.owner_company_id],
      [role, 'test', acme.company_id],
    );
    assert.deepEqual(await wrongOnes(app, [live, sandbox]), [], role);
    assert.equal(await find(stranger.company_id), undefined);
    assert.equal(await find(newId()), undefined);
    await app.sql`delete from members where user_id = ${user_id}`;
    assert.equal(await find(acme.company_id), undefined, 'a role that is gone counts at once');
  }
});

/** How a call of a person comes whose session was proved. */
const inSession = (person: Caller) =>
  ({ person, ip: '192.0.2.1', secret: null, audience: 'v1', active_profile: null }) as const;

test('given calls of a person and of an application for them, then the audit log names both', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const { user_id } = await givenPerson(app, acme, 'owner');
  const person = { user_id, name: 'Ana Ruiz', ip: '192.0.2.1', user_agent: null };
  const caller = await findPersonCaller(app.db, person, acme.company_id, app.clock.now());
  assert.ok(caller);
  const grant = { kind: 'oauth', id: newId(), name: 'Agente' } as const;
  const operation = catalog.find(({ name }) => name === 'update_company')!;
  const { engine } = app.service;
  const call = (phone: string) => {
    const input = { params: {}, query: {}, body: { phone } };
    return { operation, input, idempotency_key: null, version: '2026-10-01', request_id: `req_${newId()}` };
  };
  await engine.serve({ ...call('+34 600 000 001'), ...inSession(caller) });
  const token = { ...caller, principal: grant, scopes: ['account:write'] };
  const given = call('+34 600 000 002');
  const visit = engine.open({
    ...given,
    ip: '192.0.2.1',
    secret: null,
    audience: 'v1',
    active_profile: null,
  });
  await engine.run(Object.assign(visit, { caller: token, is_admitted: true }), given.input);
  engine.close(visit, { status: 200, error_code: null });
  const audit = await app.get('/v1/audit-log', { key: acme.live_key, query: { action: 'company.updated' } });
  const told = audit.body.data.map((e: Record<string, unknown>) => [
    e.actor,
    e.actor_id,
    e.actor_name,
    e.actor_key_id,
    e.actor_user_id,
    e.actor_user_name,
  ]);
  assert.deepEqual(told, [
    ['oauth', grant.id, 'Agente', null, user_id, 'Ana Ruiz'],
    ['user', user_id, 'Ana Ruiz', null, user_id, 'Ana Ruiz'],
  ]);
  await app.service.flush();
  const log = await app.get('/v1/request-logs', {
    key: acme.live_key,
    query: { request_id: given.request_id },
  });
  const [entry] = log.body.data;
  assert.deepEqual(
    [entry.key_id, entry.actor, entry.actor_id, entry.actor_name],
    [null, 'oauth', grant.id, 'Agente'],
  );
});

test('given roles that give keys, then only an owner gets the secret of one that opens all', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const people = new Map<string, string>();
  for (const role of roles) people.set(role, (await givenPerson(app, acme, role)).user_id);
  const call = async (
    name: string,
    role: string,
    company_id: string,
    input: Partial<Input<unknown, unknown, unknown>>,
    key?: string,
  ) => {
    const person = { user_id: people.get(role)!, name: 'Ana Ruiz', ip: '192.0.2.1', user_agent: null };
    const caller = await findPersonCaller(app.db, person, company_id, app.clock.now());
    const operation = catalog.find((one) => one.name === name)!;
    const given = { params: {}, query: {}, body: undefined, ...input };
    const rest = { idempotency_key: key ?? null, version: '2026-10-01', request_id: newId() };
    try {
      const arrival = { operation, input: given, ...rest, ...inSession(caller!) };
      const { status, body } = await app.service.engine.serve(arrival);
      const { id, secret } = (body as { data: { id: string; secret: string } }).data;
      app.given.secrets.push(secret);
      return { status, id, secret };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return { code: error.def.code, param: error.details.param };
    }
  };
  const give = (role: string, company_id: string, scopes: string[], key?: string) =>
    call('create_api_key', role, company_id, { body: { name: 'Suya', scopes } }, key);
  const refused = (param?: string) => ({ code: 'insufficient_scope', param });
  const { company_id: live, sandbox_company_id: sandbox } = acme;
  const all = await give('owner', live, ['*'], 'k1');
  assert.equal(all.status, 201);
  assert.equal((await give('developer', live, ['invoices:write', 'invoices:void'])).status, 201);
  assert.deepEqual(await give('developer', live, ['invoices:read', '*']), refused('scopes.1'));
  assert.deepEqual(await give('developer', sandbox, ['*']), refused('scopes.0'));
  assert.deepEqual(await give('accountant', live, ['invoices:read']), refused());
  assert.deepEqual(await give('reader', sandbox, ['invoices:read']), refused());
  // Nor by another way to the same secret.
  const params = { api_key: all.id! };
  assert.deepEqual(await call('rotate_api_key_secret', 'developer', live, { params }), refused('scopes.0'));
  assert.equal((await give('owner', live, ['*'], 'k1')).secret, all.secret, 'a replay');
  const other = { code: 'idempotency_key_reused', param: undefined };
  assert.deepEqual({ ...(await give('developer', live, ['*'], 'k1')), param: undefined }, other);
  const headers = { 'Idempotency-Key': 'k1' };
  const by_key = await app.post('/v1/account/api-keys', {
    key: acme.live_key,
    headers,
    body: { name: 'Suya', scopes: ['*'] },
  });
  assert.deepEqual(
    [by_key.status, by_key.body.error.code],
    [409, 'idempotency_key_reused'],
    'one space for all',
  );
});
