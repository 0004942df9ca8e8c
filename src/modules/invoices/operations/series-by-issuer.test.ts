/** Another issuer needs a separate series (RD 1619/2012, art. 6.1.a). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, type App, startApp } from '../../../../test/harness.ts';
import { assertRefused, create } from '../../../../test/support/resource-checks.ts';

const lines = [{ description: 'Consultoría', unit_price: 100, tax_rate: 21 }];
const options = { issue: true };
const agency = { issued_by: 'third_party', third_party: { name: 'Gestoría Sur', tax_id: 'B99286320' } };
const other = { issued_by: 'third_party', third_party: { name: 'Gestoría Norte', tax_id: 'A58818501' } };

type Made = { id: string; number: string; series: { id: string } };

async function setUp(app: App) {
  const { live_key: key } = await app.given.company();
  const client = async (name: string) => (await create(app, '/v1/clients', key, { name })).id;
  const series = async (code: string, document_type = 'invoice') =>
    (await create(app, '/v1/series', key, { code, document_type })).id;
  const client_id = await client('Norte SL');
  const issue = (more: object): Promise<Answer> =>
    app.post('/v1/invoices', { key, body: { client_id, lines, options, ...more } });
  const issued = (more: object) =>
    create<Made>(app, '/v1/invoices', key, { client_id, lines, options, ...more });
  return { key, client, series, issue, issued };
}

const refused = (answer: Answer) => assertRefused(answer, 422, 'business_rule_violation', 'series_id');

test('given the default series, when somebody else issues in it, then it is refused, as a dry run says, and no number is lost', async (t) => {
  const app = await startApp(t);
  const { key, issue, issued } = await setUp(app);
  for (const by of [agency, { issued_by: 'recipient' }]) {
    refused(await issue(by));
    const draft = await issued({ ...by, options: {} });
    refused(await app.post(`/v1/invoices/${draft.id}/issue`, { key }));
    const can = await app.post(`/v1/invoices/${draft.id}/can-issue`, { key });
    const dry = await issue({ ...by, options: { dry_run: true } });
    for (const { body } of [can, dry]) {
      assert.deepEqual(
        body.data.reasons.map((r: { code: string; param: string }) => [r.code, r.param]),
        [['business_rule_violation', 'series_id']],
      );
    }
  }
  assert.match((await issued({})).number, /-000001$/);
});

test('given a series of a third party, when another or the issuer issues in it, then it is refused, whatever the year', async (t) => {
  const app = await startApp(t);
  app.clock.set('2026-11-20T10:00:00Z');
  const { series, issue, issued, client } = await setUp(app);
  const series_id = await series('G');
  await issued({ ...agency, series_id });
  for (const when of ['2026-11-20T10:00:00Z', '2027-02-01T10:00:00Z']) {
    app.clock.set(when);
    refused(await issue({ series_id }));
    refused(await issue({ ...other, series_id }));
    refused(await issue({ issued_by: 'recipient', series_id }));
    await issued({ ...agency, series_id });
  }
  const own = await series('D');
  await issued({ issued_by: 'recipient', series_id: own });
  refused(await issue({ issued_by: 'recipient', client_id: await client('Otro SL'), series_id: own }));
  await issued({ issued_by: 'recipient', series_id: own });
});

test('given a series of a third party that is made the default, when invoices name none, then only that one issues in it', async (t) => {
  const app = await startApp(t);
  const { key, series, issue, issued } = await setUp(app);
  const series_id = await series('G');
  await issued({ ...agency, series_id });
  assert.equal((await app.post(`/v1/series/${series_id}/set-default`, { key })).status, 200);
  assert.equal((await issued(agency)).series.id, series_id);
  refused(await issue({}));
});

test('given an invoice of a third party, when it is corrected, then the corrective goes in a series of that one too', async (t) => {
  const app = await startApp(t);
  const { key, series, issued } = await setUp(app);
  const made = await issued({ ...agency, series_id: await series('G') });
  const path = `/v1/invoices/${made.id}/corrective`;
  const correction = { type: 'differences' };
  refused(await app.post(path, { key, body: { correction } }));
  const series_id = await series('GR', 'corrective_invoice');
  assert.equal((await app.post(path, { key, body: { correction, series_id } })).status, 201);
});

test('given a new series, when several issue their first invoice in it at once, then it is of one of them', async (t) => {
  const app = await startApp(t);
  const { series, issue } = await setUp(app);
  const series_id = await series('G');
  const answers = await Promise.all(
    [agency, other, {}, agency, other, {}].map((by) => issue({ ...by, series_id })),
  );
  const names = answers.flatMap(({ status, body }) =>
    status === 201 ? [body.data.third_party?.name ?? 'issuer'] : [],
  );
  assert.deepEqual([names.length, new Set(names).size], [2, 1]);
  for (const answer of answers) if (answer.status !== 201) refused(answer);
});

test('given air tickets that an agency invoices for others (key 09), when they are issued, then they have a series of their own', async (t) => {
  const app = await startApp(t);
  const { key, series, issue, issued } = await setUp(app);
  const tickets = { lines: [{ description: 'Vuelo', unit_price: 100, tax_rate: 10, regime_key: '09' }] };
  const answer = await issue(tickets);
  refused(answer);
  assert.match(answer.body.error.message, /clave 09/);
  const dry = await issue({ ...tickets, options: { dry_run: true } });
  assert.deepEqual(
    dry.body.data.reasons.map((r: { param: string }) => r.param),
    ['series_id'],
  );
  const series_id = await series('B');
  const made = await issued({ ...tickets, series_id });
  assert.match(made.number, /-000001$/);
  refused(await issue({ series_id }));
  await issued({ ...tickets, series_id });
  const used = await series('U');
  await issued({ series_id: used });
  refused(await issue({ ...tickets, series_id: used }));
  const path = `/v1/invoices/${made.id}/corrective`;
  const correction = { type: 'differences' };
  refused(await app.post(path, { key, body: { correction } }));
  const own = await series('BR', 'corrective_invoice');
  assert.equal((await app.post(path, { key, body: { correction, series_id: own } })).status, 201);
});
