/**
 * Records that are sent late carry Incidencia, whatever kept them: the mark tells of a failure of power, of the
 * network or of the invoicing system itself (Orden HAC/1177/2024, art. 16).
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Ports } from '../../src/kernel/ports.ts';
import type { Message, SendResult } from '../../src/modules/verifactu/index.ts';
import { type App, startApp, type TestCompany } from '../harness.ts';
import { acceptedLine } from '../support/accepted-line.ts';
import { giveCertificate } from '../support/company-certificates.ts';

const minute = 60_000;
const hour = 60 * minute;

type Place = {
  app: App;
  company: TestCompany;
  /** Records and mark of each message. */
  sent: [records: number, is_incident: boolean][];
  issue(count: number): Promise<void>;
  work(): Promise<unknown>;
};

/** An authority that takes every record of live companies. `before` may throw: the process then ends in the call. */
async function startPlace(
  t: TestContext,
  options: { wait_seconds?: number; before?: (count: number) => void; certificate?: false } = {},
): Promise<Place> {
  const sent: Place['sent'] = [];
  const send = async ({ records, is_incident }: Message): Promise<SendResult> => {
    sent.push([records.length, is_incident]);
    options.before?.(sent.length);
    const { wait_seconds = 60 } = options;
    return { kind: 'answer', csv: 'A-1', wait_seconds, lines: records.map(acceptedLine), raw: '' };
  };
  const wrap_ports = (ports: Ports): Ports => ({
    ...ports,
    authority: { ...ports.authority, isConfigured: () => true, send },
  });
  const env = { FOLIO_PRODUCER_NAME: 'Folio SL', FOLIO_PRODUCER_TAX_ID: 'B12345674' };
  const app = await startApp(t, { fresh: true, env, wrap_ports });
  const company = await app.given.company();
  const key = company.live_key;
  const on = await app.put('/v1/verifactu/settings', { key, body: { enabled: true } });
  assert.equal(on.status, 200, on.text);
  if (options.certificate !== false) await giveCertificate(app, company, {}, key);
  const body = {
    type: 'F2',
    lines: [{ description: 'Café', unit_price: 1.5, tax_rate: 10 }],
    options: { issue: true },
  };
  return {
    app,
    company,
    sent,
    async issue(count) {
      for (let n = 0; n < count; n++) {
        const made = await app.post('/v1/invoices', { key, body });
        assert.equal(made.status, 201, made.text);
      }
    },
    work: () => app.service.worker.runDue(company.company_id),
  };
}

test('given a worker that works, when records are sent a moment after they were made, then they are not marked', async (t) => {
  const { app, sent, issue, work } = await startPlace(t);
  await issue(2);
  app.clock.advance(4 * minute);
  await work();
  await issue(1);
  app.clock.advance(minute);
  await work();
  assert.deepEqual(sent, [
    [2, false],
    [1, false],
  ]);
});

test('given a worker that was down for hours, when it works again, then what was made meanwhile is marked, and nothing else', async (t) => {
  const { app, company, sent, issue, work } = await startPlace(t);
  await issue(1);
  await work();
  await issue(2);
  app.clock.advance(3 * hour);
  await issue(1);
  await work();
  app.clock.advance(minute);
  await work();
  assert.deepEqual(sent, [
    [1, false],
    [2, true],
    [1, false],
  ]);
  const records = await app.sql<{ is_incident: boolean }[]>`
    select is_incident from verifactu_sendings where company_id = ${company.company_id} order by position`;
  assert.deepEqual(
    Array.from(records, (record) => record.is_incident),
    [false, true, true, false],
    'as each record tells',
  );
});

test('given a long waiting time of the authority, when the records go after it, then they are marked only if that was late, too', async (t) => {
  const { app, sent, issue, work } = await startPlace(t, { wait_seconds: 7200 });
  await issue(1);
  await work();
  for (const late of [0, 4 * minute, 30 * minute]) {
    await issue(1);
    app.clock.advance(2 * hour + late);
    await work();
  }
  assert.deepEqual(sent, [
    [1, false],
    [1, false],
    [1, false],
    [1, true],
  ]);
});

test('given a worker that ended in the middle of a message, when another goes on hours later, then the same bytes go unmarked and the rest is marked', async (t) => {
  const { app, sent, issue, work } = await startPlace(t, {
    before: (count) => {
      if (count === 1) throw new Error('the process ends here');
    },
  });
  await issue(1);
  await work();
  await issue(1);
  app.clock.advance(5 * hour);
  await work();
  app.clock.advance(minute);
  await work();
  assert.deepEqual(sent, [
    [1, false],
    [1, false],
    [1, true],
  ]);
});

test('given a company that could not send for a day, when it gets its certificate, then what waited is marked', async (t) => {
  const { app, company, sent, issue, work } = await startPlace(t, { certificate: false });
  await issue(2);
  for (let n = 0; n < 24; n++) {
    await work();
    app.clock.advance(hour);
  }
  assert.deepEqual(sent, []);
  await giveCertificate(app, company, {}, company.live_key);
  await work();
  assert.deepEqual(sent, [[2, true]]);
});

test('given a sandbox, when its clock is set forward, then nothing was late', async (t) => {
  const { app, sent } = await startPlace(t);
  const company = await app.given.company();
  const key = company.test_key;
  await app.put('/v1/verifactu/settings', { key, body: { enabled: true } });
  const body = {
    type: 'F2',
    lines: [{ description: 'Café', unit_price: 1.5, tax_rate: 10 }],
    options: { issue: true },
  };
  await app.post('/v1/invoices', { key, body });
  const now = new Date(app.clock.now().getTime() + 24 * hour).toISOString();
  await app.put('/v1/sandbox/clock', { key, body: { now, frozen: false } });
  await app.service.worker.runDue(company.sandbox_company_id);
  assert.deepEqual(sent, [[1, false]]);
});
