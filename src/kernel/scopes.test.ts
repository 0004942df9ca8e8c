import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planModules } from './plans.ts';
import {
  expandOauthScope,
  isKnownScope,
  oauthMacros,
  oauthScopes,
  type ScopeContext,
  scopeCatalogue,
  scopeGroups,
  scopeRefusal,
  scopesAllow,
} from './scopes.ts';

/** The contract's table: resource, then its actions. */
const specification = {
  contacts: { contacts: 'read write delete' },
  products: { products: 'read write delete', price_lists: 'read write' },
  invoices: { invoices: 'read write delete send void' },
  quotes: { quotes: 'read write delete send transition' },
  proformas: { proformas: 'read write delete send transition' },
  delivery_notes: { delivery_notes: 'read write delete transition gdpr_forget' },
  purchase_invoices: { purchase_invoices: 'read write delete transition' },
  recurring_invoices: { recurring_invoices: 'read write delete transition' },
  catalogs: { taxes: 'read write delete', series: 'read write', pdfs: 'read', tax_reports: 'read write' },
  account: { account: 'read write' },
  verifactu: { verifactu: 'read write' },
  facturae: { facturae: 'read write' },
  webhooks: { webhooks: 'read write delete', events: 'read' },
  integrations: {
    paygw_autoinvoicing: 'read write',
    payouts: 'read',
    integration_events: 'read write',
    developers: 'read',
    emails: 'read',
  },
  reserved: { gateway_a: 'read write', gateway_b: 'read write' },
  workforce: {
    employees: 'read write delete',
    time_entries: 'read write',
    absences: 'read write transition',
    work_schedules: 'read write',
    presence: 'read',
    holidays: 'read',
    payroll_exports: 'read write',
  },
  managed_companies: { companies: 'read write delete', api_keys: 'read write delete' },
  stores: { stores: 'read write' },
  automations: { automations: 'read write' },
} as const;

const scopesOf = (group: keyof typeof specification): string[] =>
  Object.entries(specification[group]).flatMap(([resource, actions]) =>
    actions.split(' ').map((action) => `${resource}:${action}`),
  );
const groups = Object.keys(specification) as (keyof typeof specification)[];
const upToEmails = groups.slice(0, groups.indexOf('reserved')).flatMap(scopesOf);

const live: ScopeContext = { modules: planModules('scale'), environment: 'live' };
const sandbox: ScopeContext = { modules: planModules('scale'), environment: 'test' };
const free: ScopeContext = { modules: planModules('free'), environment: 'live' };

for (const group of groups) {
  test(`the group ${group} has exactly the scopes of the specification`, () => {
    const found = scopeCatalogue.filter((entry) => entry.group === group).map((entry) => entry.scope);
    assert.deepEqual(found, scopesOf(group));
  });
}

test('there is no other group, no scope twice and every scope is described', () => {
  assert.deepEqual(
    scopeGroups.map(({ group }) => group),
    groups,
  );
  assert.equal(new Set(scopeCatalogue.map(({ scope }) => scope)).size, scopeCatalogue.length);
  assert.equal(scopeCatalogue.length, 61 + 4 + 14 + 6 + 2 + 2);
  for (const { description } of scopeCatalogue)
    for (const line of [description.es, description.en]) assert.match(line, /^\p{Lu}.+\.$/u);
});

test('the scopes of the catalogue, the reserved ones and * are known, and nothing else is', () => {
  for (const group of groups) for (const scope of scopesOf(group)) assert.ok(isKnownScope(scope), scope);
  assert.ok(isKnownScope('*'));
  for (const other of [
    '',
    'invoices',
    'invoices.read',
    'invoices:*',
    'Invoices:read',
    'toString',
    '__proto__',
  ]) {
    assert.ok(!isKnownScope(other), other);
  }
});

const creations = [
  ['invoices:read', 'free', 'live', null],
  ['invoices:void', 'free', 'test', null],
  ['*', 'free', 'live', null],
  ['*', 'free', 'test', null],
  ['invoices:everything', 'scale', 'live', 'invalid_scope'],
  ['gateway_a:read', 'scale', 'live', 'invalid_scope'],
  ['gateway_a:write', 'scale', 'live', 'invalid_scope'],
  ['gateway_b:read', 'scale', 'live', 'invalid_scope'],
  ['gateway_b:write', 'scale', 'test', 'invalid_scope'],
  ['employees:read', 'free', 'live', 'scope_not_allowed_by_plan'],
  ['payroll_exports:write', 'starter', 'test', 'scope_not_allowed_by_plan'],
  ['employees:read', 'growth', 'live', null],
  ['absences:transition', 'growth', 'test', null],
  ['companies:read', 'growth', 'live', 'scope_not_allowed_by_plan'],
  ['companies:delete', 'scale', 'live', null],
  ['companies:read', 'scale', 'test', 'scope_not_allowed_in_sandbox'],
  ['companies:write', 'free', 'test', 'scope_not_allowed_in_sandbox'],
  ['api_keys:write', 'free', 'live', null],
  ['api_keys:read', 'scale', 'test', 'scope_not_allowed_in_sandbox'],
  ['api_keys:delete', 'scale', 'test', 'scope_not_allowed_in_sandbox'],
  ['payouts:read', 'free', 'live', null],
  ['payouts:read', 'free', 'test', 'scope_not_allowed_in_sandbox'],
  ['paygw_autoinvoicing:write', 'free', 'test', 'scope_not_allowed_in_sandbox'],
  ['paygw_autoinvoicing:read', 'free', 'test', null],
  ['stores:read', 'growth', 'live', 'scope_not_allowed_by_plan'],
  ['stores:write', 'scale', 'test', null],
  ['automations:read', 'growth', 'live', 'scope_not_allowed_by_plan'],
  ['automations:write', 'scale', 'live', null],
] as const;
for (const [scope, plan, environment, expected] of creations) {
  test(`a ${environment} key of plan ${plan} asking for ${scope}: ${expected ?? 'allowed'}`, () => {
    assert.equal(scopeRefusal(scope, { modules: planModules(plan), environment }), expected);
  });
}

test('exactly the eight decided scopes are refused in the sandbox', () => {
  const refused = scopeCatalogue.filter((entry) => entry.refused_in_sandbox).map((entry) => entry.scope);
  assert.deepEqual(refused.sort(), [
    'api_keys:delete',
    'api_keys:read',
    'api_keys:write',
    'companies:delete',
    'companies:read',
    'companies:write',
    'paygw_autoinvoicing:write',
    'payouts:read',
  ]);
});

test('a held scope opens what needs it and nothing else', () => {
  for (const { scope } of scopeCatalogue) {
    assert.equal(scopesAllow([scope], scope, live), true, scope);
    for (const other of scopeCatalogue) {
      if (other.scope !== scope) assert.equal(scopesAllow([scope], other.scope, live), false);
    }
  }
  assert.equal(scopesAllow([], 'invoices:read', live), false);
});

test('* opens what plan and sandbox do not refuse', () => {
  assert.ok(scopesAllow(['*'], 'companies:read', live));
  assert.ok(!scopesAllow(['*'], 'companies:read', sandbox));
  assert.ok(!scopesAllow(['*'], 'payouts:read', sandbox));
  assert.ok(scopesAllow(['*'], 'invoices:void', sandbox));
  assert.ok(scopesAllow(['*'], 'invoices:void', free));
  assert.ok(!scopesAllow(['*'], 'employees:read', free));
});

test('a held scope whose module the plan lost no longer counts', () => {
  assert.ok(scopesAllow(['employees:read'], 'employees:read', live));
  assert.ok(!scopesAllow(['employees:read'], 'employees:read', free));
});

test('what is not one scope of the catalogue is never allowed', () => {
  for (const needed of ['*', '', 'unknown:read', 'invoices.read']) {
    assert.equal(scopesAllow(['*', needed], needed, live), false, needed);
  }
});

test('OAuth offers 68 dotted names: the 61 up to emails:read and the seven workforce reads', () => {
  const workforceReads = scopesOf('workforce').filter((scope) => scope.endsWith(':read'));
  assert.equal(upToEmails.length, 61);
  assert.equal(workforceReads.length, 7);
  assert.equal(upToEmails.at(-1), 'emails:read');
  const expected = [...upToEmails, ...workforceReads].map((scope) => scope.replace(':', '.'));
  assert.equal(expected.length, 68);
  assert.deepEqual(
    oauthScopes.map((entry) => entry.oauth),
    expected,
  );
});

test('the sensitive ones that OAuth offers are those decided', () => {
  const deletes = [...upToEmails].filter((scope) => scope.endsWith(':delete'));
  const named = [
    'account:write',
    'delivery_notes:gdpr_forget',
    'facturae:write',
    'invoices:void',
    'verifactu:write',
  ];
  const sensitive = oauthScopes.filter((entry) => entry.sensitive).map((entry) => entry.scope);
  assert.deepEqual([...sensitive].sort(), [...deletes, ...named].sort());
  for (const { scope, sensitive } of scopeCatalogue)
    if (scope.endsWith(':delete')) assert.ok(sensitive, scope);
});

test('the macros read, write and full stand for more and more', () => {
  const names = (macro: string) => (oauthMacros.get(macro) ?? []).map((entry) => entry.oauth ?? '');
  assert.deepEqual([...oauthMacros.keys()], ['svc.read', 'svc.write', 'svc.full']);
  assert.ok(names('svc.read').every((name) => name.endsWith('.read')));
  // 23 up to emails.read, seven of the workforce.
  assert.equal(names('svc.read').length, 30);
  assert.equal(names('svc.full').length, 68);
  const write = names('svc.write');
  for (const name of names('svc.read')) assert.ok(write.includes(name), name);
  for (const name of ['invoices.write', 'invoices.send', 'quotes.transition', 'paygw_autoinvoicing.write']) {
    assert.ok(write.includes(name), name);
  }
  for (const name of [
    'account.write',
    'verifactu.write',
    'facturae.write',
    'invoices.void',
    'contacts.delete',
  ]) {
    assert.ok(!write.includes(name), name);
  }
  assert.ok(!write.includes('delivery_notes.gdpr_forget') && !write.includes('employees.write'));
});

test('a dotted name or macro expands, and anything else does not', () => {
  const scopes = (name: string) => expandOauthScope(name)?.map((entry) => entry.scope);
  assert.deepEqual(scopes('price_lists.read'), ['price_lists:read']);
  assert.deepEqual(scopes('delivery_notes.gdpr_forget'), ['delivery_notes:gdpr_forget']);
  assert.equal(scopes('svc.full')?.length, 68);
  for (const name of [
    'invoices:read',
    'stores.read',
    'companies.read',
    'employees.write',
    'gateway_a.read',
    '*',
    '',
  ]) {
    assert.equal(scopes(name), undefined, name);
  }
});
