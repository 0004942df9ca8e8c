import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oauthMacros, oauthScopes, scopeCatalogue } from '../../kernel/scopes.ts';
import { grantRefusal, inOrder, isSensitive, readScopes, scopeNames, scopeText } from './scopes.ts';
import { scopeWords } from './scope-words.ts';

/** As the public reference lists them; † is sensitive. */
const offered = `
contacts.read contacts.write contacts.delete† products.read products.write products.delete† price_lists.read price_lists.write
invoices.read invoices.write invoices.delete† invoices.send invoices.void†
quotes.read quotes.write quotes.delete† quotes.send quotes.transition
proformas.read proformas.write proformas.delete† proformas.send proformas.transition
delivery_notes.read delivery_notes.write delivery_notes.delete† delivery_notes.transition delivery_notes.gdpr_forget†
purchase_invoices.read purchase_invoices.write purchase_invoices.delete† purchase_invoices.transition
recurring_invoices.read recurring_invoices.write recurring_invoices.delete† recurring_invoices.transition
taxes.read taxes.write taxes.delete† series.read series.write pdfs.read tax_reports.read tax_reports.write
account.read account.write† verifactu.read verifactu.write† facturae.read facturae.write†
webhooks.read webhooks.write webhooks.delete† events.read
paygw_autoinvoicing.read paygw_autoinvoicing.write payouts.read integration_events.read integration_events.write developers.read emails.read
employees.read time_entries.read absences.read work_schedules.read presence.read holidays.read payroll_exports.read`
  .trim()
  .split(/\s+/);

const plain = offered.map((name) => name.replace('†', ''));
const macros = ['svc.read', 'svc.write', 'svc.full'];

test('the 68 names and three macros are offered, and the sensitive ones among them are marked', () => {
  assert.equal(offered.length, 68);
  assert.deepEqual([...scopeNames].sort(), [...plain, ...macros].sort());
  const marked = offered.filter((name) => name.endsWith('†')).map((name) => name.slice(0, -1));
  assert.equal(marked.length, 15);
  assert.deepEqual(plain.filter((name) => isSensitive(name.replace('.', ':'))).sort(), marked.sort());
});

test('each macro is what its name says', () => {
  const of = (name: string) => oauthMacros.get(name)?.map(({ scope }) => scope.replace(':', '.')) ?? [];
  const reads = plain.filter((name) => name.endsWith('.read'));
  assert.equal(reads.length, 30);
  assert.deepEqual(of('svc.read').sort(), reads.sort());
  const everyday = offered.filter((name) => !name.endsWith('†'));
  assert.equal(everyday.length, 53);
  assert.deepEqual(of('svc.write').sort(), everyday.sort());
  assert.deepEqual(of('svc.full').sort(), [...plain].sort());
});

const all = scopeText(inOrder(plain.map((name) => name.replace('.', ':'))));
const readings: readonly (readonly [string | undefined, string | { unknown: string }])[] = [
  ['invoices.read', 'invoices.read'],
  ['quotes.write invoices.read', 'invoices.read quotes.write'],
  ['invoices.read invoices.read', 'invoices.read'],
  ['svc.full', all],
  ['svc.full invoices.read svc.read', all],
  ['openid offline_access invoices.read', 'invoices.read'],
  ['  invoices.read   series.read ', 'invoices.read series.read'],
  ['invoices:read', { unknown: 'invoices:read' }],
  ['Invoices.Read', { unknown: 'Invoices.Read' }],
  ['SVC.READ', { unknown: 'SVC.READ' }],
  ['*', { unknown: '*' }],
  ['invoices.*', { unknown: 'invoices.*' }],
  ['companies.read', { unknown: 'companies.read' }],
  ['api_keys.write', { unknown: 'api_keys.write' }],
  ['gateway_a.read', { unknown: 'gateway_a.read' }],
  ['stores.read', { unknown: 'stores.read' }],
  ['employees.write', { unknown: 'employees.write' }],
  ['invoices.read\tseries.read', { unknown: 'invoices.read\tseries.read' }],
  ['invoices.read constructor', { unknown: 'constructor' }],
  [Array.from({ length: 500 }, () => 'invoices.read').join(' '), { unknown: 'more than 200 scopes' }],
];
for (const [text, expected] of readings) {
  test(`the scope ${JSON.stringify(text?.slice(0, 40))} is read`, () => {
    const read = readScopes(text);
    assert.deepEqual('scopes' in read ? scopeText(read.scopes) : read, expected);
  });
}

test('no scope, or nothing but those of habit, means to read', () => {
  const reads = readScopes('svc.read');
  for (const text of [undefined, '', ' ', 'openid profile email phone address offline_access'])
    assert.deepEqual(readScopes(text), reads);
});

const live = {
  modules: ['time_control', 'accountancy', 'automations', 'stores'],
  environment: 'live',
} as const;
const free = { modules: [], environment: 'live' } as const;
const sandbox = { ...live, environment: 'test' } as const;
const refusals = [
  ['invoices:write', ['*'], live, null],
  ['invoices:write', ['invoices:write'], live, null],
  ['invoices:write', ['invoices:read'], live, 'role'],
  ['employees:read', ['*'], free, 'plan'],
  ['employees:read', ['*'], live, null],
  ['payouts:read', ['*'], sandbox, 'environment'],
  ['payouts:read', ['*'], live, null],
  ['companies:read', ['*'], sandbox, 'environment'],
] as const;
for (const [scope, of_role, context, expected] of refusals) {
  test(`${scope} of ${of_role} in ${context.environment} with ${context.modules.length} modules: ${expected}`, () => {
    assert.equal(grantRefusal(scope, of_role, context), expected);
  });
}

test('every scope that is offered has words in both languages, and no other has', () => {
  assert.deepEqual(Object.keys(scopeWords).sort(), oauthScopes.map(({ scope }) => scope).sort());
  for (const { scope, description } of scopeCatalogue) {
    const words = scopeWords[scope];
    if (words === undefined) continue;
    assert.equal(words.es, description.es.replace(/\.$/, ''));
    assert.match(words.en, /^[A-Z][^.]+$/);
  }
});
