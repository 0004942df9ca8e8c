import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import { recordingCompany, issueTicketOf, recordOf } from '../../../../test/support/recording-company.ts';
import { assertRefused } from '../../../../test/support/resource-checks.ts';

const path = '/v1/verifactu/records/find-by-huella';

test('given records, when one is looked for by its huella in either case, then it is that one', async (t) => {
  const app = await startApp(t);
  const [acme, other] = [await recordingCompany(app), await recordingCompany(app)];
  const { key } = acme;
  const ticket = await issueTicketOf(app, key);
  await issueTicketOf(app, key);
  const { qr_png_base64: _, legend: __, ...record } = await recordOf(app, key, ticket.id);
  for (const huella of [record.huella, record.huella.toLowerCase()]) {
    const found = await app.post(path, { key, body: { huella } });
    assert.deepEqual([found.status, found.body.data], [200, record]);
  }
  const { huella } = record;
  assertRefused(
    await app.post(path, { key: other.key, body: { huella } }),
    404,
    'resource_not_found',
    'huella',
  );
  const none = 'F'.repeat(64);
  assertRefused(await app.post(path, { key, body: { huella: none } }), 404, 'resource_not_found', 'huella');
  for (const wrong of ['', huella.slice(1), `${huella}0`, 'Z'.repeat(64), null])
    assertRefused(await app.post(path, { key, body: { huella: wrong } }), 422, 'parameter_invalid', 'huella');
});
