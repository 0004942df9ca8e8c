/** When records go to the authority (Orden HAC/1177/2024, art. 16.2). */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type App, startApp, type TestCompany } from '../harness.ts';
import { yearAt } from '../support/this-year.ts';
import { portsTo, startTestAuthority } from '../support/sandbox-authority.ts';
import { blockOf, givenSendingCompany, issue } from '../support/sending-companies.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** Service and simulator share the test's clock. */
async function startPlace(t: TestContext, wait_seconds: number) {
  let app: App | undefined;
  const authority = await startTestAuthority(t, { wait_seconds, now: () => app!.clock.now() });
  app = await startApp(t, { fresh: true, wrap_ports: portsTo(authority.connection) });
  const made = app;
  const { log, faults } = authority.simulator;
  return {
    app: made,
    faults,
    log,
    send: (company: TestCompany) => made.service.worker.runDue(company.sandbox_company_id),
  };
}

/** What is tested of the messages' headers. */
const headersOf = (log: readonly { records: number; incidencia: string | null; outcome: string }[]) =>
  log.map(({ records, incidencia, outcome }) => [outcome, records, incidencia]);

test('given a waiting time that the authority asked for, when less than it has passed, then the next record waits', async (t) => {
  const { app, log, send } = await startPlace(t, 120);
  const company = await givenSendingCompany(app);
  await issue(app, company);
  await send(company);
  assert.equal(log.length, 1);
  await issue(app, company, 2);
  app.clock.advance(120 * second - 1);
  await send(company);
  assert.equal(log.length, 1);
  app.clock.advance(1);
  await send(company);
  assert.deepEqual(
    log.map(({ records }) => records),
    [1, 2],
  );
});

test('given a waiting time, when the sandbox clock is set forward over it, then the record was sent by the answer', async (t) => {
  const { app, log, send } = await startPlace(t, 600);
  const company = await givenSendingCompany(app);
  await issue(app, company);
  await send(company);
  const [id] = await issue(app, company);
  const moveTo = (ms: number) =>
    app.put('/v1/sandbox/clock', {
      key: company.test_key,
      body: { now: new Date(app.clock.now().getTime() + ms).toISOString() },
    });
  await moveTo(599 * second);
  assert.equal((await blockOf(app, company, id)).status, 'pending');
  await moveTo(600 * second);
  assert.equal(log.length, 2);
  assert.equal(app.clock.now().toISOString(), log[0]!.at, 'no real time has passed');
});

test('given a frozen sandbox, when records are issued one after the other, then none waits', async (t) => {
  const { app, log, send } = await startPlace(t, 600);
  const company = await givenSendingCompany(app);
  const frozen = await app.put('/v1/sandbox/clock', { key: company.test_key, body: { frozen: true } });
  assert.ok([200, 202].includes(frozen.status), frozen.text);
  for (let n = 1; n <= 3; n++) {
    const [id] = await issue(app, company);
    await send(company);
    assert.equal(log.length, n);
    assert.equal((await blockOf(app, company, id)).status, 'accepted');
  }
});

test('given a long waiting time, when a thousand records wait, then they go at once, in one message', async (t) => {
  const { app, log, send } = await startPlace(t, 9999);
  const company = await givenSendingCompany(app);
  await issue(app, company);
  await send(company);
  await issue(app, company, 999);
  await send(company);
  assert.equal(log.length, 1);
  await issue(app, company, 3);
  await send(company);
  assert.deepEqual(
    log.map(({ records }) => records),
    [1, 1000],
  );
  app.clock.advance(9999 * second);
  await send(company);
  assert.deepEqual(
    log.map(({ records }) => records),
    [1, 1000, 2],
  );
});

test('given a way to the authority that breaks, when it works again, then what came late is marked and never mixed', async (t) => {
  const { app, log, faults, send } = await startPlace(t, 60);
  const company = await givenSendingCompany(app);
  const id = company.sandbox_company_id;
  faults.next(id, { kind: 'unavailable' });
  await issue(app, company, 2);
  await send(company);
  const late = await issue(app, company, 3);
  app.clock.advance(minute);
  await send(company);
  // The first message goes again unchanged; only its answer shows that the way is free.
  await issue(app, company, 4);
  app.clock.advance(minute);
  await send(company);
  app.clock.advance(minute);
  await send(company);
  assert.deepEqual(headersOf(log), [
    ['unavailable', 2, null],
    ['answered', 2, null],
    ['answered', 3, 'S'],
    ['answered', 4, null],
  ]);
  assert.equal(log[0]!.body_sha256, log[1]!.body_sha256);
  for (const one of late) assert.equal((await blockOf(app, company, one)).status, 'accepted');
});

test('given an authority that is away for two days, when hours pass, then each has its attempt, and all is sent in the end', async (t) => {
  const { app, log, faults, send } = await startPlace(t, 60);
  const company = await givenSendingCompany(app);
  const [id] = await issue(app, company);
  for (let n = 0; n < 60; n++) faults.next(company.sandbox_company_id, { kind: 'unavailable' });
  await send(company);
  for (let passed = 0; passed < 48; passed++) {
    const before = log.length;
    app.clock.advance(hour);
    await send(company);
    assert.ok(log.length > before, `no attempt in hour ${passed}`);
  }
  assert.equal((await blockOf(app, company, id)).csv, null);
  faults.clear(company.sandbox_company_id);
  app.clock.advance(hour);
  await send(company);
  assert.equal((await blockOf(app, company, id)).status, 'accepted');
  const hashes = new Set(log.map((message) => message.body_sha256));
  assert.equal(hashes.size, 1, 'always the same bytes');
});

test('given a failed message and a waiting time of ten minutes, when the way is free, then it is not tried before', async (t) => {
  const { app, log, faults, send } = await startPlace(t, 600);
  const company = await givenSendingCompany(app);
  await issue(app, company);
  await send(company);
  await issue(app, company);
  faults.next(company.sandbox_company_id, { kind: 'unavailable' });
  app.clock.advance(600 * second);
  await send(company);
  app.clock.advance(599 * second);
  await send(company);
  assert.equal(log.length, 2);
  app.clock.advance(second);
  await send(company);
  assert.equal(log.length, 3);
});

test('given a message that is refused for its schema, when halves of it follow, then they keep the waiting time', async (t) => {
  const { app, log, faults, send } = await startPlace(t, 60);
  const company = await givenSendingCompany(app);
  await issue(app, company, 4);
  faults.next(company.sandbox_company_id, { kind: 'soap_fault_client', code: 4102 });
  await send(company);
  assert.equal(log.length, 1);
  for (const records of [2, 2]) {
    app.clock.advance(minute - 1);
    await send(company);
    const before: number = log.length;
    app.clock.advance(1);
    await send(company);
    assert.deepEqual([log.length, log.at(-1)?.records], [before + 1, records]);
  }
});

test('given a company that leaves at the end of the year, when it sends from then on, then its messages say so', async (t) => {
  const { app, log, send } = await startPlace(t, 60);
  const company = await givenSendingCompany(app);
  await issue(app, company);
  await send(company);
  const year = yearAt(app.clock.now());
  const leaving = await app.put('/v1/verifactu/settings', {
    key: company.test_key,
    body: { enabled: false, effective_on: `${year + 1}-01-01` },
  });
  assert.equal(leaving.status, 200, leaving.text);
  await issue(app, company);
  app.clock.advance(minute);
  await send(company);
  assert.deepEqual(
    log.map(({ fecha_fin }) => fecha_fin),
    [null, `31-12-${year}`],
  );
});
