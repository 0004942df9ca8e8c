/** Traces by OpenTelemetry (ADR 73): from a call through its job to whoever receives the webhook, and nothing that is secret. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../harness.ts';
import { mailSettings, startMailServer } from '../support/mail-server.ts';
import { deliveriesOf, givenEndpoint, loopbackReceivers, TestReceiver } from '../support/test-receiver.ts';
import { factsOf, type SentSpan, TraceCollector } from '../support/trace-collector.ts';

const trace_id = '4bf92f3577b34da6a3ce929d0e0e4736';
const caller_span = '00f067aa0ba902b7';

test('given a caller with a trace, when an invoice is sent, then one trace leads from the call to the receiver, and holds no secret', async (t) => {
  const [collector, mail, receiver] = [
    await TraceCollector.listen(t),
    await startMailServer(t),
    await TestReceiver.listen(t),
  ];
  const env = { FOLIO_OTEL_ENDPOINT: `${collector.url}/`, FOLIO_OTEL_PERCENT: '100', ...mailSettings(mail) };
  const app = await startApp(t, loopbackReceivers(env));
  const company = await app.given.company();
  const key = company.live_key;
  const secret_path = 'k7Yq2-camino-secreto';
  const endpoint = await givenEndpoint(app, company, `${receiver.url}/${secret_path}`, {
    enabled_events: ['invoice.email_sent'],
  });
  const client = { name: 'Librería Secreta', tax_id: 'B99286320', email: 'ana@secreta.example' };
  const { id: client_id } = (await app.post('/v1/clients', { key, body: client })).body.data;
  const lines = [{ description: 'Café confidencial', unit_price: 4321.98, tax_rate: 10 }];
  const body = { client_id, lines, options: { issue: true } };
  const { id } = (await app.post('/v1/invoices', { key, body })).body.data;

  const headers = { traceparent: `00-${trace_id}-${caller_span}-01` };
  const sent = await app.post(`/v1/invoices/${id}/send`, { key, headers, body: { to: [client.email] } });
  assert.equal(sent.status, 200, sent.text);
  await app.service.worker.runDue(company.company_id);
  await app.service.deliveries.runDue(company.company_id);
  const wrong = await app.get('/v1/clients', {
    key: 'live_wrong_0451',
    query: { cursor: 'x', text: client.name },
  });
  assert.equal(wrong.status, 401);
  await app.get('/no/such/page-secreta');
  await app.stop();

  const spans = collector.spans();
  const ours = spans.filter(({ traceId }) => traceId === trace_id);
  const named = (name: string): SentSpan => {
    const found = ours.find((span) => span.name === name);
    assert.ok(found, `${name} in ${ours.map((span) => span.name).join(', ')}`);
    return found;
  };
  const root = named('POST /v1/invoices/:invoice/send');
  assert.deepEqual([root.parentSpanId, root.kind], [caller_span, 2]);
  const facts = factsOf(root);
  assert.deepEqual(
    [facts['folio.operation'], facts['http.response.status_code'], facts['folio.request_id']],
    ['send_invoice', 200, sent.headers['x-request-id']],
  );
  const by_id = new Map(ours.map((span) => [span.spanId, span]));
  const above = (span: SentSpan): string[] => {
    const parent = by_id.get(span.parentSpanId ?? '');
    return parent ? [parent.name, ...above(parent)] : [];
  };
  for (const span of ours) if (span !== root) assert.equal(above(span).at(-1), root.name, span.name);
  assert.ok(above(named('job email.send')).includes('run'), 'the job goes on the trace of the operation');
  for (const name of ['send e-mail', 'print', 'send webhook'])
    assert.ok(above(named(name)).includes('job email.send'), `${name}: ${above(named(name)).join(' < ')}`);
  assert.ok(above(named('insert emails')).includes('transaction'));
  assert.ok(above(named('update emails')).includes('job email.send'));

  // The receiver goes on with it, and the company sees which header it was sent.
  const [received] = receiver.at(`/${secret_path}`);
  assert.equal(received?.headers.traceparent, `00-${trace_id}-${named('send webhook').spanId}-01`);
  assert.equal(mail.received.length, 1);
  assert.doesNotMatch(mail.received[0]!.raw.toString(), new RegExp(trace_id));

  assert.deepEqual([...collector.paths], ['POST /v1/traces']);
  const text = collector.said();
  const secrets = [
    key,
    'live_wrong_0451',
    endpoint.secret,
    secret_path,
    company.company_id,
    company.tax_id,
    id,
    client_id,
  ];
  for (const secret of [...secrets, ...Object.values(client), 'confidencial', '4321.98', 'secreta'])
    assert.ok(!text.includes(secret), `${secret} is in a trace`);
  // The id of a request, which is in its span, holds any few digits by chance.
  for (const number of ['432198', `${mail.port}`])
    assert.doesNotMatch(text, new RegExp(`(?<![0-9a-f])${number}(?![0-9a-f])`));
});

test('given a collector that never answers, when calls are made and the service stops, then all is as without one', async (t) => {
  const collector = await TraceCollector.listen(t);
  collector.answers = false;
  const receiver = await TestReceiver.listen(t);
  const app = await startApp(
    t,
    loopbackReceivers({ FOLIO_OTEL_ENDPOINT: collector.url, FOLIO_OTEL_PERCENT: '0' }),
  );
  const company = await app.given.company();
  const { id } = await givenEndpoint(app, company, receiver.url);
  const call = (flags: string) =>
    app.post('/v1/products', {
      key: company.live_key,
      headers: { traceparent: `00-${trace_id}-${caller_span}-${flags}` },
      body: { name: 'Silla' },
    });
  // The caller decides on its own trace, and of what begins here none are kept.
  assert.equal((await call('01')).status, 201);
  assert.equal((await call('00')).status, 201);
  const unreadable = await app.get('/v1/products', {
    key: company.live_key,
    headers: { traceparent: 'x'.repeat(999) },
  });
  assert.equal(unreadable.status, 200);
  await app.service.deliveries.runDue(company.company_id);
  const flags = (await deliveriesOf(app, company, id)).map(({ request_headers }) =>
    request_headers.traceparent.replace(/-[0-9a-f]{16}-/, '-'),
  );
  assert.deepEqual(flags.sort(), [`00-${trace_id}-00`, `00-${trace_id}-01`]);
  await app.stop();
  const roots = collector.spans().filter(({ kind }) => kind === 2);
  assert.equal(roots.length, 1);
});
