import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import { assertNeedsScope, assertRefused } from '../../../../test/support/resource-checks.ts';

const path = '/v1/account/company';

test('given a new company, when its settings are read, then they are its name and tax id and otherwise the defaults', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company({ name: 'Librería Norte SL', plan: 'growth' });
  const created_at = app.clock.now().toISOString();
  for (const [key, id, environment] of [
    [acme.live_key, acme.company_id, 'live'],
    [acme.test_key, acme.sandbox_company_id, 'test'],
  ] as const) {
    const { status, body } = await app.get(path, { key });
    assert.equal(status, 200);
    assert.deepEqual(body, {
      data: {
        object: 'company',
        id,
        environment,
        name: 'Librería Norte SL',
        commercial_name: null,
        tax_id: acme.tax_id,
        address: null,
        require_addresses: false,
        registry_data: null,
        email: null,
        phone: null,
        website: null,
        logo: null,
        colour: null,
        language: 'es',
        time_zone: 'Europe/Madrid',
        iban: null,
        default_vat: {
          invoice: null,
          quote: null,
          proforma: null,
          delivery_note: null,
          recurring_invoice: null,
          tax_kind: 'vat',
        },
        default_validity_days: { quote: 30, proforma: 30 },
        reminders: null,
        simplified_invoices_enabled: true,
        public_acceptance: true,
        public_link_months: null,
        plan: 'growth',
        tier: 'growth',
        created_at,
        updated_at: created_at,
      },
    });
  }
  assertRefused(
    await app.get(path, { key: acme.live_key, query: { id: acme.company_id } }),
    422,
    'parameter_invalid',
    'id',
  );
  await assertNeedsScope(app, acme, 'account:read', 'GET', path);
});
