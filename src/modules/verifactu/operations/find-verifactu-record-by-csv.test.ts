import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import {
  recordingCompany,
  issueTicketOf,
  recordOf,
  sendAll,
} from '../../../../test/support/recording-company.ts';
import { assertNeedsScope, assertRefused } from '../../../../test/support/resource-checks.ts';

const path = '/v1/verifactu/records/find-by-csv';

test('given a message of several records, when one is looked for by its CSV, then it is the last of them', async (t) => {
  const app = await startApp(t);
  const [acme, other] = [await recordingCompany(app), await recordingCompany(app)];
  const { key } = acme;
  const tickets = [
    await issueTicketOf(app, key),
    await issueTicketOf(app, key),
    await issueTicketOf(app, key),
  ];
  await sendAll(app, acme);
  const last = await recordOf(app, key, tickets[2]!.id);
  const { csv } = await recordOf(app, key, tickets[0]!.id);
  assert.equal(csv, last.csv);
  const { qr_png_base64: _, legend: __, ...record } = last;
  const found = await app.post(path, { key, body: { csv: ` ${csv} ` } });
  assert.deepEqual([found.status, found.body.data], [200, record]);
  assertRefused(await app.post(path, { key, body: { csv: `${csv}0` } }), 404, 'resource_not_found', 'csv');
  assertRefused(await app.post(path, { key: other.key, body: { csv } }), 404, 'resource_not_found', 'csv');
  for (const body of [{}, { csv: '' }, { csv: null }, { csv: 'x'.repeat(65) }])
    assertRefused(await app.post(path, { key, body }), 422, 'parameter_invalid', 'csv');
});

test('given a key that may only read, when a record is looked for, then it may: a find is a read', async (t) => {
  const app = await startApp(t);
  const acme = await recordingCompany(app, { environment: 'live' });
  const { id } = await recordOf(app, acme.key, (await issueTicketOf(app, acme.key)).id);
  await app.sql`update verifactu_sendings set csv = 'CSV-1', status = 'accepted' where record_id = ${id}`;
  await assertNeedsScope(app, acme, 'verifactu:read', 'POST', path, { body: { csv: 'CSV-1' } });
});
