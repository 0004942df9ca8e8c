import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type App, startApp } from '../../../../test/harness.ts';
import {
  auditOf,
  giveCertificate,
  giveRepresentation,
} from '../../../../test/support/company-certificates.ts';
import { assertRefused } from '../../../../test/support/resource-checks.ts';

const path = '/v1/verifactu/settings';
const now = '2026-11-21T10:00:00.000Z';
const line = { description: 'Café', quantity: 1, unit_price: 10, tax_rate: 10 };

const ticket = (app: App, key: string) =>
  app.post('/v1/invoices', { key, body: { type: 'F2', lines: [line], options: { issue: true } } });

async function change(app: App, key: string, body: Record<string, unknown>) {
  const answer = await app.put(path, { key, body });
  assert.equal(answer.status, 200, answer.text);
  const { data } = answer.body;
  const { body: config } = await app.get('/v1/verifactu/config', { key });
  assert.deepEqual(config.data, data);
  return [data.enabled, data.remission_mode, data.next_remission_mode, data.next_remission_mode_on];
}

const eventsOf = async (app: App, company_id: string) =>
  (
    await app.sql<{ type: string }[]>`
      select type from verifactu_events where company_id = ${company_id} order by position`
  ).map((row) => row.type);

test('given VeriFactu off, when it is turned on and changed before any record, then each change holds at once', async (t) => {
  const app = await startApp(t);
  app.clock.set(now);
  const acme = await app.given.company();
  const { test_key: key } = acme;
  const { data } = (await app.get('/v1/verifactu/config', { key })).body;
  assert.deepEqual(
    [data.enabled, data.remission_mode, data.enabled_at, data.installation_number],
    [false, null, null, null],
  );
  assert.deepEqual(await change(app, key, {}), [false, null, null, null]);
  assert.deepEqual(await change(app, key, { enabled: true }), [true, 'verifactu', null, null]);
  const on = (await app.get('/v1/verifactu/config', { key })).body.data;
  assert.equal(on.enabled_at, now);
  assert.match(on.installation_number, /^[0-9a-f-]{36}$/);

  await giveCertificate(app, acme);
  assert.deepEqual(await change(app, key, { remission_mode: 'no_verifactu' }), [
    true,
    'no_verifactu',
    null,
    null,
  ]);
  assert.deepEqual(await eventsOf(app, acme.sandbox_company_id), ['01']);
  assert.deepEqual(await change(app, key, { remission_mode: 'verifactu' }), [true, 'verifactu', null, null]);
  assert.deepEqual(await change(app, key, { enabled: false }), [false, null, null, null]);
  const again = await change(app, key, { enabled: true });
  assert.deepEqual(again, [true, 'verifactu', null, null]);
  // The installation stays the same, whatever is turned off and on.
  const back = (await app.get('/v1/verifactu/config', { key })).body.data;
  assert.equal(back.installation_number, on.installation_number);
  const events = await eventsOf(app, acme.sandbox_company_id);
  assert.deepEqual([events[0], events.at(-1)], ['01', '02']);
  const entries = await auditOf(app, key, 'verifactu.settings_updated');
  assert.equal(entries.length, 5);
  assert.deepEqual(entries[1].details, { kind: 'now', mode: 'no_verifactu' });
});

test('given VeriFactu off, when a mode is chosen without turning it on, then it is refused', async (t) => {
  const app = await startApp(t);
  const { test_key: key } = await app.given.company();
  const refused = await app.put(path, { key, body: { remission_mode: 'verifactu' } });
  assertRefused(refused, 409, 'invalid_status_transition', 'remission_mode');
  for (const [body, param] of [
    [{ enabled: 'yes' }, 'enabled'],
    [{ remission_mode: 'off' }, 'remission_mode'],
    [{ enabled: true, effective_on: 'soon' }, 'effective_on'],
    [{ enabled: true, effective_on: '2027-02-01' }, 'effective_on'],
    [{ is_enabled: true }, 'is_enabled'],
  ] as const) {
    assertRefused(await app.put(path, { key, body }), 422, 'parameter_invalid', param);
  }
});

test('given a company without a name, when VeriFactu is turned on, then its name is missing', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  await app.sql`update companies set name = ' ' where company_id = ${acme.sandbox_company_id}`;
  const { test_key: key } = acme;
  for (const body of [{ enabled: true }, { enabled: true, effective_on: '2099-01-01' }]) {
    assertRefused(await app.put(path, { key, body }), 422, 'business_rule_violation', 'company_name');
  }
});

test('given no certificate, when no-verifactu mode is chosen, then it is refused, and VeriFactu stays as it was', async (t) => {
  const app = await startApp(t);
  const { test_key: key } = await app.given.company();
  const body = { enabled: true, remission_mode: 'no_verifactu' };
  const refused = await app.put(path, { key, body });
  assertRefused(refused, 422, 'representation_required', 'remission_mode');
  const { data } = (await app.get('/v1/verifactu/config', { key })).body;
  assert.equal(data.enabled, false);
  // The service signs for a company that it represents.
  await giveRepresentation(app, key);
  assert.deepEqual(await change(app, key, body), [true, 'no_verifactu', null, null]);
});

test('given sent records, when the company leaves, then 409 until 1 January, and it can be planned and taken back', async (t) => {
  const app = await startApp(t);
  app.clock.set(now);
  const acme = await app.given.company();
  const { test_key: key } = acme;
  await giveCertificate(app, acme);
  await change(app, key, { enabled: true });
  assert.equal((await ticket(app, key)).status, 201);

  for (const [body, param] of [
    [{ remission_mode: 'no_verifactu' }, 'remission_mode'],
    [{ enabled: false }, 'enabled'],
  ] as const) {
    assertRefused(await app.put(path, { key, body }), 409, 'invalid_status_transition', param);
  }
  assertRefused(
    await app.put(path, { key, body: { enabled: false, effective_on: '2026-12-31' } }),
    422,
    'parameter_invalid',
    'effective_on',
  );
  const effective_on = '2027-01-01';
  const planned = [true, 'verifactu', 'no_verifactu', effective_on];
  assert.deepEqual(await change(app, key, { remission_mode: 'no_verifactu', effective_on }), planned);
  assert.deepEqual(await change(app, key, {}), planned);
  assert.deepEqual(await change(app, key, { effective_on: null }), [true, 'verifactu', null, null]);
  assert.deepEqual(await change(app, key, { enabled: false, effective_on }), [
    true,
    'verifactu',
    'off',
    effective_on,
  ]);
  assert.deepEqual(await change(app, key, { remission_mode: 'verifactu' }), [true, 'verifactu', null, null]);
  await app.service.worker.runDue(acme.sandbox_company_id);
  const [batch] = await app.sql<{ status: string; ends_on: string | null }[]>`
    select status, ends_on from verifactu_batches where company_id = ${acme.sandbox_company_id}`;
  assert.deepEqual({ ...batch }, { status: 'answered', ends_on: null });
});

test('given issues and a change of mode at once, then no record is of the mode that was left', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const { test_key: key } = acme;
  await giveCertificate(app, acme);
  await change(app, key, { enabled: true });
  const [changed] = await Promise.all([
    app.put(path, { key, body: { remission_mode: 'no_verifactu' } }),
    ...Array.from({ length: 6 }, () => ticket(app, key)),
  ]);
  const rows = await app.sql<{ mode: string }[]>`
    select distinct mode from verifactu_records where company_id = ${acme.sandbox_company_id}`;
  const modes = rows.map((row) => row.mode);
  if (changed!.status === 200) assert.deepEqual(modes, ['no_verifactu']);
  else {
    assertRefused(changed!, 409, 'invalid_status_transition', 'remission_mode');
    assert.deepEqual(modes, ['verifactu']);
  }
});

test('given a service without a producer, when a live company turns VeriFactu on, then it is refused; a sandbox is not', async (t) => {
  const app = await startApp(t, { env: { FOLIO_PRODUCER_NAME: '', FOLIO_PRODUCER_TAX_ID: '' } });
  const acme = await app.given.company();
  const body = { enabled: true };
  const refused = await app.put(path, { key: acme.live_key, body });
  assertRefused(refused, 422, 'business_rule_violation', 'enabled');
  assert.match(refused.body.error.message, /quién produce el sistema/);
  assert.equal((await app.put(path, { key: acme.test_key, body })).status, 200);
  const configured = await startApp(t);
  assert.equal((await configured.put(path, { key: acme.live_key, body })).status, 200);
});
