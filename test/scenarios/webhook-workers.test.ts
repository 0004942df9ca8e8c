/** Several processes deliver each event once and in order. A dead process loses none. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type App, onOwnDatabase, type TestCompany } from '../harness.ts';
import { serverCertificate } from '../support/server-certificate.ts';
import { databaseOf, startChild } from '../support/service-child.ts';
import {
  answering,
  givenEndpoint,
  givenProducts,
  loopbackReceivers,
  TestReceiver,
} from '../support/test-receiver.ts';
import { silentLog, until, untilDone } from '../support/worker-place.ts';
import type { Ports } from '../../src/kernel/ports.ts';
import { makeDeliveryLoop } from '../../src/modules/webhooks/index.ts';
import { openDatabase } from '../../src/platform/db.ts';

const startApp = onOwnDatabase();

type Kept = { event_id: string; status: string };

function deliveriesIn(app: App, company: TestCompany): Promise<Kept[]> {
  return app.sql<Kept[]>`
    select event_id, status from webhook_deliveries where company_id = ${company.company_id}`.execute();
}

async function isAllDelivered(app: App, company: TestCompany, count: number): Promise<boolean> {
  const kept = await deliveriesIn(app, company);
  return kept.length === count && kept.every((one) => one.status === 'delivered');
}

test('given a loop that runs, when events are committed, then it is woken by the commit', async (t) => {
  const receiver = await TestReceiver.listen(t);
  const app = await startApp(t, loopbackReceivers());
  const acme = await app.given.company();
  await givenEndpoint(app, acme, receiver.url);
  app.service.deliveries.start();
  await givenProducts(app, acme, 5);
  await until(() => receiver.received.length === 5);
});

test('given two processes that deliver, when products change through both, then each event arrives once and in order', async (t) => {
  const receiver = await TestReceiver.listen(t);
  const apps = [await startApp(t, loopbackReceivers()), await startApp(t, loopbackReceivers())];
  const [app] = apps as [App, App];
  const acme = await app.given.company();
  for (const path of ['/a', '/b', '/c']) await givenEndpoint(app, acme, receiver.url + path);
  for (const one of apps) one.service.deliveries.start();
  receiver.behaviour = (_, response) =>
    void setTimeout(() => response.writeHead(204).end(), Math.random() * 4);
  const products = 12;
  const changes = 15;
  await Promise.all(
    Array.from({ length: products }, async (_, n) => {
      const [id] = await givenProducts(apps[n % 2]!, acme, 1);
      for (let change = 0; change < changes; change++) {
        const at = apps[(n + change) % 2]!;
        await at.put(`/v1/products/${id}`, { key: acme.live_key, body: { name: `Mesa ${n}.${change}` } });
      }
    }),
  );
  const total = 3 * products * (changes + 1);
  await untilDone(
    () => isAllDelivered(app, acme, total),
    () => receiver.received.length,
  );
  assert.equal(receiver.received.length, total);
  for (const path of ['/a', '/b', '/c']) {
    const by_product = Map.groupBy(receiver.at(path), (one) => one.event.aggregate_id as string);
    assert.equal(by_product.size, products);
    for (const those of by_product.values())
      assert.deepEqual(
        those.map((one) => one.event.sequence),
        Array.from({ length: changes + 1 }, (_, n) => n + 1),
      );
  }
});

test('given a process killed while it delivers, when another goes on, then only what has no stored result is repeated', async (t) => {
  const receiver = await TestReceiver.listen(t);
  const app = await startApp(t, loopbackReceivers());
  const acme = await app.given.company();
  for (const path of ['/a', '/b', '/c']) await givenEndpoint(app, acme, receiver.url + path);
  const products = 60;
  await givenProducts(app, acme, products);
  const total = 3 * products;
  receiver.behaviour = (_, response) => void setTimeout(() => response.writeHead(204).end(), 5);
  const { ca } = serverCertificate();
  const child = await startChild(t, app, { delivers: { ca } });
  await until(() => receiver.received.length >= total / 3);
  await child.kill();
  const stored = (await deliveriesIn(app, acme)).filter((one) => one.status === 'delivered').length;
  assert.ok(stored < total, 'it was killed in the middle');
  receiver.behaviour = answering(204);
  // The dead process's work is free when its leases run out.
  assert.equal(await app.service.deliveries.runDue(acme.company_id), 0);
  // Those ran on real time, which a busy machine may have taken much of.
  app.clock.set(new Date(Date.now() + 60_000));
  assert.equal(await app.service.deliveries.runDue(acme.company_id), total - stored);
  assert.ok(await isAllDelivered(app, acme, total));
  const times = Map.groupBy(receiver.received, (one) => `${one.path} ${one.event.id}`);
  assert.equal(times.size, total, 'each arrived at each endpoint');
  assert.ok([...times.values()].every((those) => those.length <= 2));
});

test('given a loop that lost its database while a receiver thinks, when it stops, then it waits for that answer alone', async (t) => {
  const receiver = await TestReceiver.listen(t);
  const { wrap_ports, ...receivers } = loopbackReceivers();
  let ports: Ports | undefined;
  const app = await startApp(t, {
    ...receivers,
    wrap_ports(own) {
      ports = wrap_ports(own);
      return ports;
    },
  });
  const acme = await app.given.company();
  await givenEndpoint(app, acme, receiver.url);
  const answer = Promise.withResolvers<void>();
  receiver.behaviour = (_, response) => void answer.promise.then(() => response.writeHead(204).end());
  const db = openDatabase({ target: (await databaseOf(app)) as never, pool_size: 2, role: null });
  t.after(() => db.close());
  const errors: string[] = [];
  const log = { ...silentLog, error: (_: object, message: string) => void errors.push(message) };
  const loop = makeDeliveryLoop({ db, clock: app.clock, ports: ports!, log });
  loop.start();
  await givenProducts(app, acme, 1);
  await until(() => receiver.received.length === 1);
  await db.close();
  const stopped = loop.stop();
  answer.resolve();
  await stopped;
  assert.deepEqual(errors, [], 'it did not wait in vain');
  // Its endpoint is free once the lease has run out.
  app.clock.set(new Date(Date.now() + 60_000));
  assert.equal(await app.service.deliveries.runDue(acme.company_id), 1);
});
