/** A draft edited and then issued equals the invoice of a single call. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type App, startApp } from '../../../../test/harness.ts';
import { asRead } from '../../../../test/support/as-read.ts';
import { assertRefused, create } from '../../../../test/support/resource-checks.ts';

const line = { description: 'Obra', unit_price: 100, tax_rate: 21 };
type Json = Record<string, unknown>;

/** Without ids, number and instants. */
function content({ lines, ...invoice }: Json) {
  const { id: _, number: __, public_url: ___, created_at: ____, updated_at: _____, ...rest } = invoice;
  return { ...rest, lines: (lines as Json[]).map(({ id: _____, ...one }) => one) };
}

async function bothWays(app: App, key: string, ways: { first: Json; edit: Json; whole: Json }) {
  const draft = await create(app, '/v1/invoices', key, ways.first);
  const path = `/v1/invoices/${draft.id}`;
  const edited = await app.put(path, { key, body: ways.edit });
  assert.equal(edited.status, 200, edited.text);
  const later = await app.post(`${path}/issue`, { key });
  const at_once = await app.post('/v1/invoices', { key, body: { ...ways.whole, options: { issue: true } } });
  return { edited, later, at_once };
}

test('given a draft whose earlier line declares 01, when it is issued, then 14 excuses no later operation, as in one call', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const { id: client_id } = await create(app, '/v1/clients', key, {
    name: 'Ayuntamiento',
    tax_id: 'P2807900B',
  });
  const late = { client_id, operation_on: '2199-01-01' };
  const works = { ...line, regime_key: '14' };
  const tax = await create(app, '/v1/taxes', key, { name: 'Obra', kind: 'vat', rate: 21, regime_key: '14' });
  const general = { ...line, regime_key: '01' };
  for (const [lines, is_refused] of [
    [[general, works], true],
    [[line, works], false],
    [[works, general], false],
    [[{ description: 'Obra', unit_price: 1, taxes_id: tax.id }], false],
  ] as const) {
    const whole = { ...late, lines };
    const { later, at_once } = await bothWays(app, key, { first: whole, edit: { notes: 'x' }, whole });
    for (const answer of [later, at_once]) {
      if (is_refused) assertRefused(answer, 422, 'operation_date_after_issue_date', 'operation_on');
      else assert.ok(answer.status === 200 || answer.status === 201, answer.text);
    }
  }
});

test('given a draft with surcharge, when it moves to clients with and without it, then its lines follow except where stated', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const client = (name: string, is_surcharge_subject: boolean) =>
    create(app, '/v1/clients', key, { name, tax_id: '12345678Z', is_surcharge_subject });
  const [subject, plain] = [await client('Tienda', true), await client('Norte SL', false)];
  const lines = [
    line,
    { ...line, surcharge_rate: 1.75 },
    { ...line, surcharge_rate: 0 },
    { ...line, tax_rate: 10 },
  ];
  for (const [from, to, surcharges] of [
    [subject, plain, [null, 1.75, null, null]],
    [plain, subject, [5.2, 1.75, null, 1.4]],
  ] as const) {
    for (const resent of [false, true]) {
      const first = { client_id: from.id, lines };
      const draft = await create<{ id: string; lines: Json[] }>(app, '/v1/invoices', key, first);
      const body = { client_id: to.id, ...(resent ? { lines: draft.lines } : {}) };
      const edited = await app.put(`/v1/invoices/${draft.id}`, { key, body });
      assert.deepEqual(
        edited.body.data?.lines.map((one: Json) => one.surcharge_rate),
        surcharges,
        edited.text,
      );
    }
    // Goods with surcharge are issued apart from the rest (RD 1619/2012, art. 16.4).
    for (const is_charged of [true, false]) {
      const apart = lines.filter((_, at) => (surcharges[at] !== null) === is_charged);
      if (apart.length === 0) continue;
      const draft = await create(app, '/v1/invoices', key, { client_id: from.id, lines: apart });
      const edited = await app.put(`/v1/invoices/${draft.id}`, { key, body: { client_id: to.id } });
      assert.equal(edited.status, 200, edited.text);
      const issued = await app.post(`/v1/invoices/${draft.id}/issue`, { key });
      const whole = { client_id: to.id, lines: apart, options: { issue: true } };
      assert.deepEqual(
        content(issued.body.data),
        content(asRead(await create(app, '/v1/invoices', key, whole))),
      );
    }
  }
});

test('given a client who has left the surcharge regime, when an earlier invoice is corrected, then its surcharge is undone', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const client = await create(app, '/v1/clients', key, {
    name: 'Tienda',
    tax_id: '12345678Z',
    is_surcharge_subject: true,
  });
  const made = await create<{ id: string; total: number }>(app, '/v1/invoices', key, {
    client_id: client.id,
    lines: [line],
    options: { issue: true },
  });
  assert.equal(made.total, 126.2);
  await app.put(`/v1/clients/${client.id}`, { key, body: { is_surcharge_subject: false } });
  const corrective = await app.post(`/v1/invoices/${made.id}/corrective`, {
    key,
    body: { correction: { type: 'differences' } },
  });
  assert.equal(corrective.body.data?.total, -126.2, corrective.text);
});
