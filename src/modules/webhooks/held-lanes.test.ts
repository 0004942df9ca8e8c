import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onOwnDatabase } from '../../../test/harness.ts';
import { givenPaidInvoice } from '../../../test/support/paid-invoice.ts';
import { silentLog } from '../../../test/support/worker-place.ts';
import type { Ports } from '../../kernel/ports.ts';
import { systemClock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db.ts';
import type { EndpointWork } from './deliveries.store.ts';
import { makeDeliveryLoop } from './delivery-loop.ts';
import { fanOut } from './fan-out.ts';

const startApp = onOwnDatabase();

/** Sees what each read of waiting deliveries brings. */
function watchingReads(db: Database, see: (work: EndpointWork) => void): Database {
  const read: Database['read'] = async (company_id, work, share) => {
    const found = await db.read(company_id, work, share);
    if (found instanceof Map) for (const one of found.values() as Iterable<EndpointWork>) see(one);
    return found;
  };
  return new Proxy(db, {
    get(target, name) {
      if (name === 'read') return read;
      const member: unknown = Reflect.get(target, name);
      // A connection is a function with members of its own.
      return typeof member === 'function' && name !== 'index' ? member.bind(target) : member;
    },
  });
}

test('given many large deliveries that wait at two endpoints, when a process takes them up, then it holds a few megabytes of each endpoint at a time, and each delivery goes out once', async (t) => {
  let ports: Ports | undefined;
  const app = await startApp(t, { wrap_ports: (own) => (ports = own) });
  const { live_key: key, company_id } = await app.given.company();
  for (const path of ['/a', '/b']) {
    const body = { url: `https://hooks.example.com${path}`, enabled_events: ['payment.reversed'] };
    const endpoint = await app.post('/v1/webhook_endpoints', { key, body });
    assert.equal(endpoint.status, 201, endpoint.text);
  }
  const id = await givenPaidInvoice(app, key, company_id, 250);
  const annulled = await app.post(`/v1/invoices/${id}/annul`, { key, body: { revert_collections: true } });
  assert.equal(annulled.status, 200);
  while ((await fanOut({ db: app.db, clock: systemClock }, company_id, undefined)).is_more);
  let held = 0;
  let most = 0;
  const sent: string[] = [];
  const db = watchingReads(app.db, ({ deliveries }) => {
    held += deliveries.reduce((sum, { request_body }) => sum + request_body.length, 0);
    most = Math.max(most, held);
  });
  const receivers: Ports['receivers'] = {
    source_ips: [],
    refusal: () => null,
    async send({ url, body }) {
      held -= body.length;
      sent.push(`${url} ${(JSON.parse(body) as { id: string }).id}`);
      return { status: 204, body: null, duration_ms: 1, error: null };
    },
  };

  const loop = makeDeliveryLoop({ db, clock: systemClock, ports: { ...ports!, receivers }, log: silentLog });
  await loop.runDue(company_id);
  await loop.stop();

  assert.equal(sent.length, 500);
  assert.equal(new Set(sent).size, 500);
  // The queue of an endpoint, one delivery beyond it, and those under way.
  const bound = 2 * (4_000_000 + 9 * 30_000);
  assert.ok(most < bound, `${most} bytes of bodies`);
});
