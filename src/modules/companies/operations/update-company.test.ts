import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type App, randomTaxId, startApp } from '../../../../test/harness.ts';
import { idOf } from '../../../../test/support/api-keys.ts';
import { auditOf, giveRepresentation } from '../../../../test/support/company-certificates.ts';
import { waitersOf } from '../../../../test/support/held-lock.ts';
import { sampleLogos } from '../../../../test/support/printed-sample-logos.ts';
import {
  assertNeedsScope,
  assertReadOnly,
  assertRefused,
  assertRefusesUnknownKey,
} from '../../../../test/support/resource-checks.ts';
import { until } from '../../../../test/support/worker-place.ts';

const path = '/v1/account/company';

async function read(app: App, key: string): Promise<Record<string, unknown>> {
  return (await app.get(path, { key })).body.data;
}

const full = {
  name: 'Librería Sur SL',
  commercial_name: 'La Sur',
  address: {
    line1: 'Calle Mayor',
    line2: 'Edificio B',
    number: '1',
    floor: '2',
    door: 'A',
    staircase: 'dcha',
    postal_code: '28013',
    city: 'Madrid',
    province: 'Madrid',
    country: 'ES',
  },
  email: 'hola@libreria.es',
  phone: '+34 910 000 000',
  website: 'https://libreria.es',
  logo: `data:image/png;base64,${sampleLogos.photo.base64}`,
  colour: '#a1B2c3',
  language: 'ca',
  time_zone: 'Atlantic/Canary',
  iban: 'ES9121000418450200051332',
  default_vat: {
    invoice: 21,
    quote: 10,
    proforma: 4,
    delivery_note: 0,
    recurring_invoice: 5.5,
    tax_kind: 'igic',
  },
  reminders: { enabled: true, days_after_due: [0, 7, 30] },
};

test('given every setting, when they are changed, then they are answered and stored, and null clears optional ones', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const before = await read(app, key);
  app.clock.advance(1000);
  const answer = await app.put(path, { key, body: { ...full, tax_id: 'b-12345674' } });
  assert.equal(answer.status, 200, answer.text);
  const expected = { ...before, ...full, tax_id: 'B12345674', updated_at: app.clock.now().toISOString() };
  assert.deepEqual(answer.body.data, expected);
  assert.deepEqual(await read(app, key), expected);
  // The sandbox is a company of its own.
  assert.equal((await read(app, acme.test_key)).name, 'Acme SL');

  const cleared = [
    'name',
    'commercial_name',
    'address',
    'email',
    'phone',
    'website',
    'logo',
    'colour',
    'iban',
    'reminders',
  ];
  const nulls = Object.fromEntries(cleared.map((name) => [name, null]));
  const emptied = await app.put(path, { key, body: nulls });
  assert.deepEqual(emptied.body.data, { ...expected, ...nulls });
  for (const name of ['tax_id', 'language', 'time_zone', 'default_vat']) {
    assertRefused(await app.put(path, { key, body: { [name]: null } }), 422, 'parameter_invalid', name);
  }
});

test('given settings, when one is changed, then the others stay, and rates of other kinds too', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  await app.put(path, { key, body: full });
  const changed = await app.put(path, { key, body: { default_vat: { quote: 21, proforma: null } } });
  assert.deepEqual(changed.body.data.default_vat, { ...full.default_vat, quote: 21, proforma: null });
  const { default_vat: _, ...rest } = full;
  for (const [name, value] of Object.entries(rest)) assert.deepEqual(changed.body.data[name], value, name);
  // An address is one value: keys that are not sent are removed.
  const moved = await app.put(path, { key, body: { address: { city: 'Sevilla' } } });
  assert.deepEqual(moved.body.data.address, { city: 'Sevilla' });
});

test('given what GET answers, when it is sent back, then nothing changes and nothing is told', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  await app.put(path, { key, body: full });
  const before = await read(app, key);
  const version = async () =>
    (await app.sql`select settings_version from companies where company_id = ${acme.company_id}`)[0]
      ?.settings_version;
  const settings_version = await version();
  app.clock.advance(1000);
  for (const body of [before, {}]) {
    const answer = await app.put(path, { key, body });
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.body.data, before);
  }
  assert.deepEqual(await read(app, key), before);
  assert.equal(await version(), settings_version);
  const { body } = await app.get('/v1/audit-log', { key, query: { action: 'company.updated' } });
  assert.equal(body.data.length, 1);
  await assertReadOnly(app, key, path, {
    object: 'client',
    id: acme.sandbox_company_id,
    environment: 'test',
    plan: 'free',
    tier: 'free',
    created_at: '2020-01-01T00:00:00.000Z',
    updated_at: null,
  });
  await assertRefusesUnknownKey(app, 'PUT', path, key, {});
});

const wrongFields: [body: Record<string, unknown>, param: string][] = [
  [{ name: '' }, 'name'],
  [{ name: 'x'.repeat(251) }, 'name'],
  [{ name: '\u200b\u3164' }, 'name'],
  [{ tax_id: 'B12345675' }, 'tax_id'],
  [{ tax_id: 'B1234567' }, 'tax_id'],
  [{ tax_id: '' }, 'tax_id'],
  [{ tax_id: 'FR12345678901' }, 'tax_id'],
  [{ tax_id: 12345674 }, 'tax_id'],
  [{ iban: 'ES9121000418450200051333' }, 'iban'],
  [{ iban: 'ES91' }, 'iban'],
  [{ iban: '' }, 'iban'],
  [{ address: { country: 'XX' } }, 'address.country'],
  [{ address: { country: 'es' } }, 'address.country'],
  [{ address: { country: 'ESP' } }, 'address.country'],
  [{ address: { street: 'Mayor' } }, 'address.street'],
  [{ address: 'Calle Mayor 1' }, 'address'],
  [{ address: { city: 'a\0b' } }, 'address.city'],
  [{ email: 'nobody' }, 'email'],
  [{ email: 'a@b.es, c@d.es' }, 'email'],
  [{ colour: 'red' }, 'colour'],
  [{ colour: '#12345g' }, 'colour'],
  [{ logo: 'https://libreria.es/logo.png' }, 'logo'],
  [{ logo: 'data:text/html;base64,PGI+' }, 'logo'],
  [{ language: 'fr' }, 'language'],
  [{ time_zone: 'Europe/Paris' }, 'time_zone'],
  [{ default_vat: { invoice: 101 } }, 'default_vat.invoice'],
  [{ default_vat: { invoice: -1 } }, 'default_vat.invoice'],
  [{ default_vat: { invoice: 21.005 } }, 'default_vat.invoice'],
  [{ default_vat: { invoice: '21' } }, 'default_vat.invoice'],
  [{ default_vat: { ticket: 21 } }, 'default_vat.ticket'],
  [{ default_vat: { tax_kind: 'other' } }, 'default_vat.tax_kind'],
  [{ default_vat: { tax_kind: null } }, 'default_vat.tax_kind'],
  [{ default_vat: 21 }, 'default_vat'],
  [{ reminders: { enabled: true } }, 'reminders.days_after_due'],
  [{ reminders: { enabled: true, days_after_due: [-1] } }, 'reminders.days_after_due.0'],
  [{ reminders: { enabled: true, days_after_due: [7, 7] } }, 'reminders.days_after_due'],
];

test('given a setting at fault, when it is sent, then it is refused by name and none is changed', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const before = await read(app, key);
  for (const [body, param] of wrongFields) {
    const answer = await app.put(path, { key, body: { phone: '+34 600 000 000', ...body } });
    assert.equal(answer.status, 422, JSON.stringify(body));
    assertRefused(answer, 422, 'parameter_invalid', param);
  }
  for (const [body, form] of [
    [{ colour: 'red' }, /#1A2B3C/],
    [{ logo: 'https://libreria.es/logo.png' }, /data:image\/png;base64,/],
  ] as const) {
    const answer = await app.put(path, { key, body });
    assert.match(answer.body.error.errors[0].message, form);
  }
  const several = await app.put(path, {
    key,
    body: { iban: 'ES91', tax_id: 'B1', address: { country: 'XX' }, email: '@' },
  });
  const params = several.body.error.errors.map((e: { param: string }) => e.param);
  assert.deepEqual([...params].sort(), ['address.country', 'email', 'iban', 'tax_id']);
  assert.equal(several.body.error.param, params[0]);
  assert.deepEqual(await read(app, key), before);
});

test('given a company that has issued, when its tax id is changed, then it is refused; all else still changes', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const [tax_id, other] = [randomTaxId(), randomTaxId()];
  const key = acme.live_key;
  assert.equal((await app.put(path, { key, body: { tax_id } })).body.data.tax_id, tax_id);
  const line = { description: 'Uno', unit_price: 1, tax_rate: 21 };
  const draft = await app.post('/v1/invoices', { key, body: { type: 'F2', lines: [line] } });
  assert.equal(
    (await app.put(path, { key, body: { tax_id: acme.tax_id } })).status,
    200,
    'a draft binds nobody',
  );
  await app.put(path, { key, body: { tax_id } });
  const issued = await app.post(`/v1/invoices/${draft.body.data.id}/issue`, { key });
  assert.equal(issued.status, 200, issued.text);

  const refused = await app.put(path, { key, body: { tax_id: other, name: 'No' } });
  assertRefused(refused, 422, 'business_rule_violation', 'tax_id');
  const again = await app.put(path, { key, body: { tax_id: tax_id.toLowerCase(), name: 'Sí' } });
  assert.deepEqual([again.status, again.body.data.tax_id, again.body.data.name], [200, tax_id, 'Sí']);
  // The sandbox has issued nothing.
  assert.equal((await app.put(path, { key: acme.test_key, body: { tax_id: other } })).status, 200);
});

test('given a representation, when the tax id is changed, then it ends, and no other change ends it', async (t) => {
  const app = await startApp(t);
  const { test_key: key } = await app.given.company();
  await giveRepresentation(app, key);
  const isActive = async () =>
    (await app.get('/v1/verifactu/config', { key })).body.data.has_active_representation;
  await app.put(path, { key, body: { name: 'Otra SL' } });
  assert.equal(await isActive(), true);
  assert.equal((await app.put(path, { key, body: { tax_id: randomTaxId() } })).status, 200);
  assert.equal(await isActive(), false);
  const [entry] = await auditOf(app, key, 'verifactu_representation.revoked');
  assert.deepEqual(entry.details, { reason: 'La empresa ha cambiado de NIF.' });
  await giveRepresentation(app, key);
  assert.equal(await isActive(), true);
});

test('given an invoice that is being issued, when the tax id is changed, then the change waits and is refused', async (t) => {
  const app = await startApp(t);
  const { live_key: key, company_id, tax_id } = await app.given.company();
  let answered = false;
  const change = await app.sql.begin(async (issuing) => {
    await issuing`update issuing_heads set issued_count = 1 where company_id = ${company_id}`;
    const put = app.put(path, { key, body: { tax_id: randomTaxId() } }).finally(() => {
      answered = true;
    });
    await until(async () => answered || (await waitersOf(app)) > 0);
    return { put };
  });
  assertRefused(await change.put, 422, 'business_rule_violation', 'tax_id');
  assert.equal((await read(app, key)).tax_id, tax_id);
});

test('given a change, when the audit log is read, then it tells who changed which settings, not to what', async (t) => {
  const app = await startApp(t);
  const { live_key: key, company_id: id } = await app.given.company();
  const unchanged = await read(app, key);
  const body = { ...unchanged, phone: '+34 600 000 000', default_vat: { invoice: 21 } };
  const answer = await app.put(path, { key, body });
  const logged = await app.get('/v1/audit-log', { key, query: { action: 'company.updated' } });
  const [entry, ...others] = logged.body.data;
  assert.deepEqual(others, []);
  assert.deepEqual(entry.target, { object: 'company', id });
  assert.deepEqual([...entry.details.keys].sort(), ['default_vat', 'phone']);
  assert.equal(entry.actor_key_id, await idOf(app, key));
  assert.equal(entry.request_id, answer.headers['x-request-id']);
});

test('given two changes at once, when both are answered, then both are kept', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const names = ['invoice', 'quote', 'proforma', 'delivery_note', 'recurring_invoice'];
  await Promise.all(
    names.map((name, rate) => app.put(path, { key, body: { default_vat: { [name]: rate } } })),
  );
  const rates = Object.fromEntries(names.map((name, rate) => [name, rate]));
  assert.deepEqual((await read(app, key)).default_vat, { ...rates, tax_kind: 'vat' });
  await assertNeedsScope(app, acme, 'account:write', 'PUT', path, { body: { phone: null } });
});
