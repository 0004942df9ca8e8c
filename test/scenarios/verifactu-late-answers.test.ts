/**
 * The CSV of a record comes with the authority's answer and cannot be asked for again: an answer that was read is kept,
 * whatever happens to the database or to the lease meanwhile.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Ports } from '../../src/kernel/ports.ts';
import type { SendResult } from '../../src/modules/verifactu/index.ts';
import { type App, startApp } from '../harness.ts';
import { type HeldLock, holdLock, waitersOf } from '../support/held-lock.ts';
import { magicLine } from '../support/magic-totals.ts';
import { portsTo, startTestAuthority, type TestAuthority } from '../support/sandbox-authority.ts';
import { until } from '../support/worker-place.ts';

type Place = { app: App; authority: TestAuthority; key: string; id: string };

/** @param onAnswer with each answer, before the sender has it, and its number from 1 */
async function startPlace(
  t: TestContext,
  onAnswer: (result: SendResult, count: number) => Promise<void>,
  totals: readonly (number | null)[] = [null, null],
): Promise<Place> {
  let app: App | undefined;
  const authority = await startTestAuthority(t, { now: () => app!.clock.now() });
  let count = 0;
  const wrap_ports = (made: Ports): Ports => {
    const ports = portsTo(authority.connection)(made);
    return {
      ...ports,
      authority: {
        ...ports.authority,
        async send(message, identity) {
          const result = await ports.authority.send(message, identity);
          await onAnswer(result, ++count);
          return result;
        },
      },
    };
  };
  app = await startApp(t, { fresh: true, wrap_ports });
  const company = await app.given.company();
  const key = company.test_key;
  const on = await app.put('/v1/verifactu/settings', { key, body: { enabled: true } });
  assert.equal(on.status, 200, on.text);
  for (const total of totals) {
    const line = total === null ? { unit_price: 100, tax_rate: 21 } : magicLine(total);
    const body = { type: 'F2', lines: [{ description: 'Café', ...line }], options: { issue: true } };
    const issued = await app.post('/v1/invoices', { key, body });
    assert.equal(issued.status, 201, issued.text);
  }
  return { app, authority, key, id: company.sandbox_company_id };
}

async function endsOf({ app, key }: Place): Promise<[status: string, has_csv: boolean][]> {
  const { body } = await app.get('/v1/verifactu/records', { key, query: { sort: 'created' } });
  return body.data.map(({ status, csv }: { status: string; csv: string | null }) => [status, csv !== null]);
}

async function eventsOf({ app, id }: Place): Promise<string[]> {
  const rows = await app.sql<{ type: string }[]>`
    select type from events where company_id = ${id} and type like 'invoice.verifactu%' order by id`;
  return rows.map(({ type }) => type);
}

const accepted = ['accepted', true] as const;
const submitted = 'invoice.verifactu_submitted';

test('given an answer that was read, when the database cuts the connection that writes it down, then nothing is sent again and the CSV is kept', async (t) => {
  let lock: HeldLock | undefined;
  const place = await startPlace(t, async (_result, count) => {
    if (count > 1) return;
    lock = await holdLock(
      t,
      place.app,
      (sql) => sql`select 1 from issuing_heads where company_id = ${place.id} for update`,
    );
  });
  const { app, authority, id } = place;
  const sending = app.service.worker.runDue(id, 1);
  await until(async () => (await waitersOf(app)) > 0);
  await app.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and usename = 'folio_service' and wait_event_type = 'Lock'`;
  await lock!.release();
  await sending;
  assert.deepEqual(await endsOf(place), [accepted, accepted]);
  assert.equal(authority.simulator.log.length, 1, 'the message went once');
  assert.deepEqual(await eventsOf(place), [submitted, submitted]);
});

/** The first sender's answer stays on its way until its lease is over and another one has sent the message again. */
async function sendTwice(
  t: TestContext,
  order: 'first answer last' | 'first answer first',
  totals?: readonly (number | null)[],
): Promise<Place> {
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let heard = 0;
  const place = await startPlace(
    t,
    async (_result, count) => {
      heard = count;
      await gates[count - 1]?.promise;
    },
    totals,
  );
  const { app, id, authority } = place;
  const first = app.service.worker.runDue(id, 1);
  await until(() => heard === 1);
  app.clock.advance(61_000);
  const second = app.service.worker.runDue(id, 1);
  await until(() => heard === 2);
  const [early, later] = order === 'first answer last' ? [1, 0] : [0, 1];
  for (const [gate, run] of [
    [early, early === 0 ? first : second],
    [later, later === 0 ? first : second],
  ] as const) {
    gates[gate]!.resolve();
    await run;
  }
  const [one, two] = authority.simulator.log;
  assert.equal(two?.body_sha256, one?.body_sha256, 'the same bytes went twice');
  return place;
}

for (const order of ['first answer last', 'first answer first'] as const) {
  test(`given a lease that ends while the answer is on its way, when another sender gets "already there" (${order}), then the CSV of the first answer is kept`, async (t) => {
    const place = await sendTwice(t, order);
    assert.deepEqual(await endsOf(place), [accepted, accepted]);
    assert.deepEqual(await eventsOf(place), [submitted, submitted], 'each end is told once');
    const { csv } = (await place.app.get('/v1/verifactu/records', { key: place.key })).body.data[0];
    assert.equal(csv, place.authority.simulator.log[0]?.csv);
    const batches = await place.app.sql<{ status: string; csv: string | null }[]>`
      select status, csv from verifactu_batches where company_id = ${place.id}`;
    assert.deepEqual([...batches], [{ status: 'answered', csv }]);
  });

  test(`given that lease and records with errors or refusals (${order}), then each ends as the first answer says`, async (t) => {
    const place = await sendTwice(t, order, [2988.13, 2988.11, null]);
    assert.deepEqual(await endsOf(place), [
      ['rejected', false],
      ['accepted_with_errors', true],
      ['accepted', true],
    ]);
    assert.deepEqual(await eventsOf(place), ['invoice.verifactu_failed', submitted, submitted]);
    place.app.clock.advance(3_700_000);
    await place.app.service.worker.runDue(place.id);
    assert.equal(place.authority.simulator.log.length, 2, 'what has ended is not sent again');
  });
}
