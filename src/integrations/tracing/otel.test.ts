import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { SpanKind } from '../../kernel/tracing.ts';
import { sendTraces } from './otel.ts';

test('given a collector that takes no traces, when some are sent, then it is logged once, without what it answered', async (t) => {
  const server = createServer((request, response) =>
    request.resume().on('end', () => response.writeHead(404).end('secret')),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const told: string[] = [];
  const tell = (details: object, message: string) => void told.push(JSON.stringify([details, message]));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sender = sendTraces({ endpoint, percent: 100, role: 'all', log: { info: tell, warn: tell } });
  for (let n = 0; n < 600; n++) sender.open('one', 'server', {}, null)?.end(null);
  await sender.close();
  assert.deepEqual(told, ['[{},"traces do not reach the collector in FOLIO_OTEL_ENDPOINT"]']);
});

test('given no trace, then a part of one is no span; given one, then root and parts are of it', () => {
  const log = { info: () => undefined, warn: () => undefined };
  const sender = sendTraces({ endpoint: 'http://127.0.0.1:1', percent: 100, role: 'all', log });
  assert.equal(sender.open('select invoices', 'client', {}), null);
  assert.equal(sender.traceparent(), null);
  const root = sender.open(
    'GET /v1/x',
    'server',
    {},
    '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  )!;
  const child = root.within(() => sender.open('select invoices', 'client', {}))!;
  for (const span of [root, child])
    assert.match(span.traceparent, /^00-4bf92f3577b34da6a3ce929d0e0e4736-\w{16}-01$/);
  const keep = root.within(() => sender.keep());
  assert.equal(
    keep(() => sender.traceparent()),
    root.traceparent,
  );
  assert.equal(
    root.within(() => sender.without(() => sender.traceparent())),
    null,
  );
  // A caller who keeps none is believed. An unreadable header counts as none.
  const quiet = sender.open(
    'GET /v1/x',
    'server',
    {},
    '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00',
  )!;
  assert.equal(
    quiet.within(() => sender.open('select invoices', 'client', {})),
    null,
  );
  const other = sender.open('GET /v1/x', 'server', {}, '00-zz-zz-01')!;
  assert.doesNotMatch(other.traceparent, /4bf92f3577b34da6/);
});

test('given strangers who say that their traces are kept, then ten in a second are, and others by the percentage', (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 1_900_000_000_000 });
  t.mock.method(Math, 'random', () => 0.5);
  const log = { info: () => undefined, warn: () => undefined };
  // With this id, sampling by the id would keep every trace.
  const said = '00-00000000000000000000000000000001-00f067aa0ba902b7-01';
  const keptOf = (kind: SpanKind, percent: number) => {
    const sender = sendTraces({ endpoint: 'http://127.0.0.1:1', percent, role: 'all', log });
    return () => {
      const opened = Array.from({ length: 100 }, () => sender.open('x', kind, {}, said)!);
      return opened.filter(({ traceparent }) => traceparent.endsWith('-01')).length;
    };
  };
  const kept = keptOf('server', 10);
  assert.equal(kept(), 10);
  assert.equal(kept(), 0);
  t.mock.timers.tick(1000);
  assert.equal(kept(), 10, 'in the next second');
  t.mock.timers.setTime(1_800_000_000_000);
  assert.equal(kept(), 10, 'after the clock was set back');
  assert.equal(keptOf('server', 60)(), 100);
  assert.equal(keptOf('consumer', 10)(), 100, 'what was stored with a job is the own word of the service');
});
