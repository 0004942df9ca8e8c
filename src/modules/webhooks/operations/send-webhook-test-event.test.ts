import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';

const path = '/v1/webhook_endpoints';
const url = 'https://hooks.example.com/folio';

const firsts = [
  { enabled_events: ['payment.received', 'invoice.paid'], type: 'payment.received' },
  { enabled_events: ['payment.*', 'invoice.paid'], type: 'payment.received' },
  { enabled_events: ['payment.*'], type: 'payment.received' },
  { enabled_events: ['*'], type: 'invoice.created' },
] as const;
for (const { enabled_events, type } of firsts) {
  test(`given ${enabled_events.join(' and ')}, when no type is named, then the first of its list is sent`, async (t) => {
    const app = await startApp(t);
    const acme = await app.given.company();
    const key = acme.live_key;
    const { id } = (await app.post(path, { key, body: { url, enabled_events } })).body.data;
    const sent = await app.post(`${path}/${id}/test_event`, { key });
    assert.equal(sent.status, 202, sent.text);
    const { event, delivery } = sent.body.data;
    assert.deepEqual([event.type, event.sequence, delivery.event_type, delivery.test], [type, 1, type, true]);
    const kept = await app.get(`/v1/events/${event.id}`, { key });
    assert.deepEqual(kept.body.data, event);
    const again = await app.post(`${path}/${id}/test_event`, { key, body: { type } });
    assert.equal(again.body.data.event.sequence, 2);
  });
}

test('given a payment and a test of one, when the log is read, then only the test says so, and a filter parts them', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  for (const key of [acme.live_key, acme.test_key]) {
    const { id } = (await app.post(path, { key, body: { url, enabled_events: ['client.*'] } })).body.data;
    const { event } = (await app.post(`${path}/${id}/test_event`, { key })).body.data;
    assert.equal(event.test, true);
    await app.post('/v1/clients', { key, body: { name: 'De verdad' } });
    const listed = async (query: Record<string, string>) => {
      const answer = await app.get('/v1/events', { key, query: { type: 'client.created', ...query } });
      assert.equal(answer.status, 200, answer.text);
      return answer.body.data.map((e: { id: string; test: boolean }) => [e.id === event.id, e.test]);
    };
    assert.deepEqual(await listed({}), [
      [false, false],
      [true, true],
    ]);
    assert.deepEqual(await listed({ test: 'true' }), [[true, true]]);
    assert.deepEqual(await listed({ test: 'false' }), [[false, false]]);
    const read = await app.get(`/v1/events/${event.id}`, { key });
    assert.equal(read.body.data.test, true);
    const bad = await app.get('/v1/events', { key, query: { test: 'maybe' } });
    assert.deepEqual([bad.status, bad.body.error.param], [422, 'test']);
  }
});

test('given a type that it is not subscribed to, or that is none, when it is asked for, then event_not_subscribed', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const { id } = (await app.post(path, { key, body: { url, enabled_events: ['invoice.*'] } })).body.data;
  for (const type of ['payment.received', 'webhook.ping', 'meal.eaten', '']) {
    const refused = await app.post(`${path}/${id}/test_event`, { key, body: { type } });
    assert.deepEqual(
      [refused.status, refused.body.error.code, refused.body.error.param],
      [422, 'event_not_subscribed', 'type'],
    );
  }
});

test('given a sandbox endpoint, when a test event is asked for, then the event is kept and nothing is queued', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.test_key;
  const { id } = (await app.post(path, { key, body: { url, enabled_events: ['*'] } })).body.data;
  const sent = await app.post(`${path}/${id}/test_event`, { key });
  assert.deepEqual([sent.status, sent.body.data.delivery, sent.body.data.event.livemode], [202, null, false]);
  const deliveries = await app.get(`${path}/${id}/deliveries`, { key });
  assert.deepEqual(deliveries.body.data, []);
});
