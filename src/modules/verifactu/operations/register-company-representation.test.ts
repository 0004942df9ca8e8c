import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import {
  auditOf,
  giveCertificate,
  giveRepresentation,
  representationPath as path,
} from '../../../../test/support/company-certificates.ts';
import { assertRefused } from '../../../../test/support/resource-checks.ts';

const now = '2026-11-21T10:00:00.000Z';
const config = '/v1/verifactu/config';

test('given no representation, when one is registered, then it is shown with mode and term', async (t) => {
  const app = await startApp(t);
  app.clock.set(now);
  const { test_key: key } = await app.given.company();
  assertRefused(await app.get(path, { key }), 404, 'resource_not_found');
  const body = {
    valid_until: '2031-11-21',
    representative: { name: 'Ana Prueba', tax_id: '00000000t' },
    reference: 'REP-7',
  };
  const made = await app.post(path, { key, body });
  assert.equal(made.status, 201, made.text);
  const { id, ...rest } = made.body.data;
  assert.deepEqual(rest, {
    object: 'verifactu_representation',
    valid_from: '2026-11-21',
    valid_until: '2031-11-21',
    is_expired: false,
    remission_mode: null,
    representative: { name: 'Ana Prueba', tax_id: '00000000T' },
    reference: 'REP-7',
    created_at: now,
  });
  assert.deepEqual((await app.get(path, { key })).body, made.body);
  const { data } = (await app.get(config, { key })).body;
  assert.deepEqual(
    [
      data.has_active_representation,
      data.active_representation_valid_until,
      data.active_representation_is_expired,
      data.presenter,
      data.presenter_certificate_status,
      data.social_collaborator_available,
    ],
    [true, '2031-11-21', false, 'service', 'valid', true],
  );
  const [entry] = await auditOf(app, key, 'verifactu_representation.registered');
  assert.deepEqual([entry.target.id, entry.details.valid_until], [id, '2031-11-21']);
});

test('given VeriFactu on, when a representation is registered, then it says the mode', async (t) => {
  const app = await startApp(t);
  app.clock.set(now);
  const { test_key: key } = await app.given.company();
  await app.put('/v1/verifactu/settings', { key, body: { enabled: true } });
  const made = await app.post(path, { key, body: { valid_until: '2026-11-21' } });
  assert.deepEqual([made.status, made.body.data.remission_mode], [201, 'verifactu']);
});

test('given terms and names that cannot be, when they are registered, then each is refused', async (t) => {
  const app = await startApp(t);
  app.clock.set(now);
  const { test_key: key } = await app.given.company();
  const valid_until = '2027-01-01';
  const cases: [Record<string, unknown>, string][] = [
    [{}, 'valid_until'],
    [{ valid_until: '2026-02-30' }, 'valid_until'],
    [{ valid_until, representative: { name: 'Ana', tax_id: '00000000A' } }, 'representative.tax_id'],
    [{ valid_until, representative: { name: 'Ana' } }, 'representative.tax_id'],
    [{ valid_until, since: '2026-01-01' }, 'since'],
  ];
  for (const [body, param] of cases) {
    assertRefused(await app.post(path, { key, body }), 422, 'parameter_invalid', param);
  }
  for (const past_or_far of ['2026-11-20', '2031-11-22']) {
    const refused = await app.post(path, { key, body: { valid_until: past_or_far } });
    assertRefused(refused, 422, 'invalid_representation', 'valid_until');
  }
  assertRefused(await app.get(path, { key }), 404, 'resource_not_found');
});

test('given a service without a certificate, when a live company registers a representation, then it is told so first', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const { data } = (await app.get(config, { key })).body;
  assert.equal(data.social_collaborator_available, false);
  for (const valid_until of ['2027-01-01', '2020-01-01']) {
    const refused = await app.post(path, { key, body: { valid_until } });
    assertRefused(refused, 422, 'social_collaborator_unavailable');
  }
  assertRefused(await app.get(path, { key }), 404, 'resource_not_found');
});

test('given a representation, when another is registered, then it takes its place', async (t) => {
  const app = await startApp(t);
  app.clock.set(now);
  const acme = await app.given.company();
  const { test_key: key } = acme;
  const first = await app.post(path, { key, body: { valid_until: '2027-01-01' } });
  const second = await app.post(path, { key, body: { valid_until: '2030-01-01' } });
  assert.equal((await app.get(path, { key })).body.data.id, second.body.data.id);
  const rows = await app.sql<{ id: string; is_current: boolean }[]>`
    select id, is_current from verifactu_representations where company_id = ${acme.sandbox_company_id} order by id`;
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    [
      { id: first.body.data.id, is_current: false },
      { id: second.body.data.id, is_current: true },
    ],
  );
});

test('given many registrations at once, then one of them holds', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const { test_key: key } = acme;
  app.clock.set(now);
  const body = { valid_until: '2027-06-01' };
  const made = await Promise.all(Array.from({ length: 8 }, () => app.post(path, { key, body })));
  assert.deepEqual([...new Set(made.map((answer) => answer.status))], [201]);
  const [row] = await app.sql<{ count: number }[]>`
    select count(*)::integer as count from verifactu_representations
     where company_id = ${acme.sandbox_company_id} and is_current`;
  assert.equal(row?.count, 1);
});

test('given a representation, when it is revoked with a reason, then it is gone, and the reason is in the audit log', async (t) => {
  const app = await startApp(t);
  const { test_key: key } = await app.given.company();
  await giveRepresentation(app, key);
  const { id } = (await app.get(path, { key })).body.data;
  for (const [body, param] of [
    [undefined, 'reason'],
    [{ reason: 'no' }, 'reason'],
    [{ reason: '    ' }, 'reason'],
    [{ reason: '  no  ' }, 'reason'],
    [{ reason: 'x'.repeat(501) }, 'reason'],
  ] as const) {
    const answer = await app.delete(path, { key, ...(body ? { body } : {}) });
    assertRefused(answer, 422, 'parameter_invalid', param);
  }
  const revoked = await app.delete(path, { key, body: { reason: 'Tenemos certificado' } });
  assert.deepEqual(
    [revoked.status, revoked.body.data],
    [200, { id, object: 'verifactu_representation', deleted: true }],
  );
  assertRefused(await app.get(path, { key }), 404, 'resource_not_found');
  assertRefused(await app.delete(path, { key, body: { reason: 'Otra vez' } }), 404, 'resource_not_found');
  const { data } = (await app.get(config, { key })).body;
  assert.deepEqual(
    [data.has_active_representation, data.active_representation_valid_until, data.presenter],
    [false, null, null],
  );
  const [entry] = await auditOf(app, key, 'verifactu_representation.revoked');
  assert.deepEqual(entry.details, { reason: 'Tenemos certificado' });
});

test('given a representation and a certificate, when the sandbox clock crosses the days, then each warning is given once', async (t) => {
  const app = await startApp(t);
  app.clock.set(now);
  const acme = await app.given.company();
  const { test_key: key } = acme;
  await giveRepresentation(app, key, { valid_until: '2027-03-31' });
  await giveCertificate(app, acme, { valid_until: new Date('2027-04-10T15:00:00Z') });

  const told: string[] = [];
  const on = async (day: string) => {
    const moved = await app.put('/v1/sandbox/clock', {
      key,
      body: { now: `${day}T12:00:00Z`, frozen: true },
    });
    assert.equal(moved.status, 200, moved.text);
    const all = [
      ...(await auditOf(app, key, 'verifactu_representation.expiring')),
      ...(await auditOf(app, key, 'verifactu_certificate.expiring')),
    ].map((entry) => `${entry.target.object} ${entry.details.days} ${entry.details.valid_until}`);
    const fresh = all.slice();
    for (const one of told) fresh.splice(fresh.indexOf(one), 1);
    told.push(...fresh);
    const { data } = (await app.get(config, { key })).body;
    const shown = data.warnings.map(
      (warning: { code: string; days: number }) => `${warning.code} ${warning.days}`,
    );
    return { fresh, shown, expired: data.active_representation_is_expired };
  };

  const representation = 'verifactu_representation';
  const certificate = 'verifactu_certificate';
  assert.deepEqual(await on('2027-02-28'), { fresh: [], shown: [], expired: false });
  const first = ['representation_expiring 30'];
  assert.deepEqual(await on('2027-03-01'), {
    fresh: [`${representation} 30 2027-03-31`],
    shown: first,
    expired: false,
  });
  assert.deepEqual(await on('2027-03-02'), { fresh: [], shown: first, expired: false });
  assert.deepEqual((await on('2027-03-10')).fresh, []);
  assert.deepEqual(await on('2027-03-11'), {
    fresh: [`${certificate} 30 2027-04-10`],
    shown: ['certificate_expiring 30', 'representation_expiring 30'],
    expired: false,
  });
  assert.deepEqual((await on('2027-03-23')).fresh, []);
  assert.deepEqual(await on('2027-03-24'), {
    fresh: [`${representation} 7 2027-03-31`],
    shown: ['certificate_expiring 30', 'representation_expiring 7'],
    expired: false,
  });
  assert.deepEqual((await on('2027-03-31')).expired, false);
  assert.deepEqual(await on('2027-04-01'), { fresh: [], shown: ['certificate_expiring 30'], expired: true });
  assert.deepEqual(await on('2027-04-02'), { fresh: [], shown: ['certificate_expiring 30'], expired: true });
  assert.deepEqual((await on('2027-04-03')).fresh, [`${certificate} 7 2027-04-10`]);
  assert.deepEqual(await on('2027-04-11'), { fresh: [], shown: [], expired: true });
  const { data } = (await app.get(config, { key })).body;
  assert.deepEqual([data.certificate.status, data.presenter_certificate_status], ['expired', 'expired']);
  assert.equal(told.length, 4);

  // A new one has its own warnings, and only one when it ends within the week.
  await giveRepresentation(app, key, { valid_until: '2027-04-15' });
  assert.deepEqual((await on('2027-04-12')).fresh, [`${representation} 7 2027-04-15`]);
});
