import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import {
  assertNeedsScope,
  assertRefused,
  assertRefusesUnknownKey,
  create,
} from '../../../../test/support/resource-checks.ts';

test('given its fields, when a series is created, then it is answered and kept, and not the default', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const sent = {
    code: 'T1',
    name: 'Tienda 1',
    document_type: 'simplified_invoice',
    format: '{code}/{yy}{month}-{number:5}',
    reset: 'month',
    next_number: 348,
  };
  const answer = await app.post('/v1/series', { key, body: sent });
  assert.equal(answer.status, 201, answer.text);
  const { id, created_at, updated_at, ...fields } = answer.body.data;
  assert.deepEqual(fields, { object: 'series', ...sent, is_default: false, is_archived: false });
  assert.equal(created_at, app.clock.now().toISOString());
  assert.equal(updated_at, created_at);
  assert.deepEqual((await app.get(`/v1/series/${id}`, { key })).body, answer.body);
  assert.deepEqual(await app.eventTypes(acme, id), ['series.created']);
  // Those that a company begins with are no news.
  const { body: all } = await app.get('/v1/events', { key, query: { type: 'series.created' } });
  assert.deepEqual(
    all.data.map((event: { aggregate_id: string }) => event.aggregate_id),
    [id],
  );
});

test('given only code and kind, when a series is created, then it starts each year at 1', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const made = await create<Record<string, unknown>>(app, '/v1/series', key, {
    code: 'B',
    document_type: 'quote',
  });
  const { format, reset, next_number, name } = made;
  const expected = { format: '{code}{year}-{number:6}', reset: 'year', next_number: 1, name: null };
  assert.deepEqual({ format, reset, next_number, name }, expected);
});

test('given values that a series cannot have, when it is created, then the field is named', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const body = { code: 'B', document_type: 'invoice' };
  const cases: readonly (readonly [change: Record<string, unknown>, param: string])[] = [
    [{ code: '' }, 'code'],
    [{ code: 'x'.repeat(21) }, 'code'],
    [{ code: 'a"b' }, 'code'],
    [{ document_type: 'receipt' }, 'document_type'],
    [{ format: '{code}' }, 'format'],
    [{ format: '{code}-{number}', reset: 'year' }, 'format'],
    [{ reset: 'week' }, 'reset'],
    [{ next_number: 0 }, 'next_number'],
    [{ next_number: 1_000_000_000 }, 'next_number'],
    [{ next_number: 1.5 }, 'next_number'],
    [{ is_default: true }, 'is_default'],
  ];
  for (const [change, param] of cases) {
    const answer = await app.post('/v1/series', { key, body: { ...body, ...change } });
    assertRefused(answer, 422, 'parameter_invalid', param);
  }
  await assertRefusesUnknownKey(app, 'POST', '/v1/series', key, body);
});

test('given a series, when another could repeat its numbers or has its code, then it is refused', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const other = await app.given.company();
  const key = acme.live_key;
  const post = (body: object) => app.post('/v1/series', { key, body });
  assertRefused(await post({ code: 'F', document_type: 'quote' }), 422, 'business_rule_violation', 'code');
  const plain = { code: 'N', format: '{number:6}', reset: 'never' };
  await create(app, '/v1/series', key, { ...plain, document_type: 'invoice' });
  const clash = { ...plain, code: 'M', document_type: 'corrective_invoice' };
  for (const headers of [{}, { 'idempotency-key': 'choca' }]) {
    const answer = await app.post('/v1/series', { key, body: clash, headers });
    assertRefused(answer, 422, 'business_rule_violation', 'format');
    assert.match(answer.body.error.message, /serie N\b/);
  }
  await create(app, '/v1/series', key, { ...clash, document_type: 'quote' });
  await create(app, '/v1/series', other.live_key, clash);
});

test('given two clashing series at once, when both are created, then one is refused', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const body = (code: string) => ({ code, format: '{number:6}', reset: 'never', document_type: 'invoice' });
  const answers = await Promise.all(
    ['X', 'Y', 'Z'].map((code) => app.post('/v1/series', { key, body: body(code) })),
  );
  assert.deepEqual(answers.map((a) => a.status).sort(), [201, 422, 422]);
});

test('given a key without series:write, when a series is created, then it is refused', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  await assertNeedsScope(app, acme, 'series:write', 'POST', '/v1/series', {
    body: { code: 'B', document_type: 'quote' },
  });
});

test('given a short code, when a series has a long format, then its code counts as long as it is', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  // With twelve digits of the counter: 60 characters with the code Z, and 61 with ZA.
  const format = `{code}${'a'.repeat(47)}{number:4}`;
  const body = { code: 'Z', document_type: 'invoice', format, reset: 'never' };
  const made = await app.post('/v1/series', { key, body });
  assert.equal(made.status, 201, made.text);
  assertRefused(
    await app.post('/v1/series', { key, body: { ...body, code: 'ZA' } }),
    422,
    'parameter_invalid',
    'format',
  );
  const path = `/v1/series/${made.body.data.id}`;
  assertRefused(await app.put(path, { key, body: { code: 'ZA' } }), 422, 'parameter_invalid', 'format');
});
