/** Each row is a role and an environment, written from the page of roles: what it may and what it may not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oauthScopes, scopeCatalogue } from '../../../kernel/scopes.ts';
import { roles, scopesOfRole } from './roles.ts';

const readsOfWork = [
  'employees:read',
  'time_entries:read',
  'absences:read',
  'work_schedules:read',
  'presence:read',
  'holidays:read',
  'payroll_exports:read',
];
const readsOfBooks = [
  'contacts:read',
  'products:read',
  'price_lists:read',
  'invoices:read',
  'quotes:read',
  'proformas:read',
  'delivery_notes:read',
  'purchase_invoices:read',
  'recurring_invoices:read',
  'taxes:read',
  'series:read',
  'pdfs:read',
  'tax_reports:read',
  'account:read',
  'verifactu:read',
  'facturae:read',
  'webhooks:read',
  'events:read',
  'paygw_autoinvoicing:read',
  'payouts:read',
  'integration_events:read',
  'emails:read',
  'automations:read',
];
const books = [
  ...['contacts', 'products', 'taxes'].flatMap((one) => [`${one}:write`, `${one}:delete`]),
  ...['price_lists', 'series', 'tax_reports', 'verifactu', 'facturae'].map((one) => `${one}:write`),
  ...['write', 'delete', 'send', 'void'].map((verb) => `invoices:${verb}`),
  ...['quotes', 'proformas'].flatMap((one) =>
    ['write', 'delete', 'send', 'transition'].map((verb) => `${one}:${verb}`),
  ),
  ...['delivery_notes', 'purchase_invoices', 'recurring_invoices'].flatMap((one) =>
    ['write', 'delete', 'transition'].map((verb) => `${one}:${verb}`),
  ),
];
const developer = [
  ...readsOfBooks,
  'developers:read',
  'account:write',
  'webhooks:write',
  'webhooks:delete',
  'integration_events:write',
  'paygw_autoinvoicing:write',
];

const cases = [
  ['owner', 'live', ['*']],
  ['owner', 'test', ['*']],
  ['developer', 'live', developer],
  ['developer', 'test', ['*']],
  ['accountant', 'live', [...readsOfBooks, ...books]],
  ['accountant', 'test', [...readsOfBooks, ...books]],
  ['reader', 'live', readsOfBooks],
  ['reader', 'test', readsOfBooks],
] as const;

for (const [role, environment, expected] of cases) {
  test(`a ${role} in ${environment} has what the page says, and nothing else`, () => {
    assert.deepEqual([...scopesOfRole(role, environment)].sort(), [...expected].sort());
  });
}

test('every role has a row for both environments, and only reads of work and of keys are left out', () => {
  assert.deepEqual(new Set(cases.map(([role]) => role)), new Set(roles));
  const known = new Set<string>([...developer, ...readsOfWork]);
  const left = scopeCatalogue.filter(({ scope }) => scope.endsWith(':read') && !known.has(scope));
  assert.deepEqual(
    left
      .map(({ group }) => group)
      .filter((group) => !['managed_companies', 'stores', 'reserved'].includes(group)),
    [],
  );
  assert.equal(oauthScopes.filter(({ scope }) => known.has(scope) && scope.endsWith(':read')).length, 30);
});
