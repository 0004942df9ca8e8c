import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type App, startApp } from '../../../test/harness.ts';
import {
  certificatePath,
  giveCertificate,
  giveRepresentation,
  representationPath,
} from '../../../test/support/company-certificates.ts';
import { type RecordingCompany, recordingCompany } from '../../../test/support/recording-company.ts';
import { assertHidesForeignIds, assertRefused } from '../../../test/support/resource-checks.ts';

const eventsPath = '/v1/verifactu/events';

test('given a company that never turned VeriFactu on, when get_verifactu_config is called, then everything is off', async (t) => {
  const app = await startApp(t);
  const [acme, other] = [await app.given.company(), await app.given.company()];
  await giveCertificate(app, other);
  await app.put('/v1/verifactu/settings', { key: other.test_key, body: { enabled: true } });
  const { status, body } = await app.get('/v1/verifactu/config', { key: acme.test_key });
  assert.equal(status, 200);
  const { enabled, remission_mode, enabled_at, has_active_representation, certificate, alarm } = body.data;
  assert.deepEqual(
    [enabled, remission_mode, enabled_at, has_active_representation, certificate, alarm],
    [false, null, null, false, null, null],
  );
  assert.equal((await app.get('/v1/verifactu/config', { key: other.test_key })).body.data.enabled, true);
});

test("given another company's certificate, when get_verifactu_certificate or delete_verifactu_certificate is called, then there is none", async (t) => {
  const app = await startApp(t);
  const [acme, other] = [await app.given.company(), await app.given.company()];
  await giveCertificate(app, other);
  const before = await app.get(certificatePath, { key: other.test_key });
  assert.equal(before.status, 200, before.text);
  assertRefused(await app.get(certificatePath, { key: acme.test_key }), 404, 'resource_not_found');
  assertRefused(await app.delete(certificatePath, { key: acme.test_key }), 404, 'resource_not_found');
  assert.deepEqual((await app.get(certificatePath, { key: other.test_key })).body, before.body);
});

test("given another company's representation, when get_company_representation or revoke_company_representation is called, then there is none", async (t) => {
  const app = await startApp(t);
  const [acme, other] = [await app.given.company(), await app.given.company()];
  await giveRepresentation(app, other.test_key);
  const before = await app.get(representationPath, { key: other.test_key });
  assert.equal(before.status, 200, before.text);
  const key = acme.test_key;
  assertRefused(await app.get(representationPath, { key }), 404, 'resource_not_found');
  const revoked = await app.delete(representationPath, { key, body: { reason: 'No es suya' } });
  assertRefused(revoked, 404, 'resource_not_found');
  assert.deepEqual((await app.get(representationPath, { key: other.test_key })).body, before.body);
});

async function firstEvent(app: App, { key }: RecordingCompany) {
  const { status, body, text } = await app.get(eventsPath, { key });
  assert.equal(status, 200, text);
  return body.data[0] as { id: string };
}

for (const [name, method, action] of [
  ['get_verifactu_event', 'GET', ''],
  ['get_verifactu_event_xml', 'GET', '/xml'],
  ['retry_verifactu_event', 'POST', '/retry'],
] as const) {
  test(`given another company's event, when ${name} is called, then there is none, and a key needs its scope`, async (t) => {
    const app = await startApp(t);
    const [acme, other] = [
      await recordingCompany(app, { remission_mode: 'no_verifactu' }),
      await recordingCompany(app, { remission_mode: 'no_verifactu' }),
    ];
    const { id } = await firstEvent(app, other);
    await assertHidesForeignIds(app, method, (x) => `${eventsPath}/${x}${action}`, id, { key: acme.key });
    const without = await app.given.apiKey(other, { scopes: ['invoices:read'], environment: 'test' });
    const refused = await app.call(method, `${eventsPath}/${id}${action}`, { key: without });
    assertRefused(refused, 403, 'insufficient_scope');
  });
}

test("given another company's log, when list_verifactu_events is called, then only the caller's own events are there", async (t) => {
  const app = await startApp(t);
  const [acme, other] = [
    await recordingCompany(app, { remission_mode: 'no_verifactu' }),
    await recordingCompany(app),
  ];
  const own = await app.get(eventsPath, { key: acme.key });
  assert.deepEqual(
    own.body.data.map(({ type, status }: { type: string; status: string }) => [type, status]),
    [['01', 'logged']],
  );
  assert.deepEqual(
    (await app.get(eventsPath, { key: other.key })).body.data,
    [],
    'a company that sends has no log',
  );
});
