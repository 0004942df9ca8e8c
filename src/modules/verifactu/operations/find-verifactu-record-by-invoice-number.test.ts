import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import { recordingCompany, issueTicketOf, recordOf } from '../../../../test/support/recording-company.ts';
import { assertRefused } from '../../../../test/support/resource-checks.ts';

const path = '/v1/verifactu/records/find-by-invoice-number';

test('given an invoice with several records, when one is looked for by its number, then it is the last', async (t) => {
  const app = await startApp(t);
  const [acme, other] = [await recordingCompany(app), await recordingCompany(app)];
  const { key } = acme;
  const ticket = await issueTicketOf(app, key);
  const alta = await recordOf(app, key, ticket.id);
  const find = (number: string, by = key) => app.post(path, { key: by, body: { number } });
  assert.equal((await find(ticket.number)).body.data.id, alta.id);
  await app.post(`/v1/invoices/${ticket.id}/annul`, { key, body: {} });
  await issueTicketOf(app, key);
  const found = await find(ticket.number);
  assert.deepEqual([found.body.data.kind, found.body.data.follows_id], ['anulacion', alta.id]);
  assertRefused(await find(`${ticket.number}0`), 404, 'resource_not_found', 'number');
  assertRefused(await find(ticket.number, other.key), 404, 'resource_not_found', 'number');
  assertRefused(await find(''), 422, 'parameter_invalid', 'number');
});
