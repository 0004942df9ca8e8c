/** A document becomes another, once, and is open again when that one goes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { App } from '../harness.ts';
import { startWithOffers } from '../support/offer-family.ts';
import { assertRefused } from '../support/resource-checks.ts';

async function given(app: App) {
  const company = await app.given.company();
  const key = company.live_key;
  const post = (path: string, body?: unknown) =>
    app.post(path, { key, ...(body === undefined ? {} : { body }) });
  const client = (await post('/v1/clients', { name: 'Librería Norte', tax_id: 'A58818501' })).body.data;
  const lines = [
    { description: 'Reforma', quantity: 2, unit_price: 10, tax_rate: 21 },
    { description: 'Muestra', unit_price: 5, tax_rate: 0 },
  ];
  const open = async (more: object = {}) => {
    const made = await post('/v1/offers', { client_id: client.id, lines, ...more });
    assert.equal(made.status, 201, made.text);
    const opened = await post(`/v1/offers/${made.body.data.id}/open`);
    assert.equal(opened.status, 200, opened.text);
    return opened.body.data;
  };
  const offerOf = async (id: string) => (await app.get(`/v1/offers/${id}`, { key })).body.data;
  return { company, key, post, client, open, offerOf };
}

test('given an open offer, when it is converted, then the draft and its lines say where they come from', async (t) => {
  const app = await startWithOffers(t);
  const { key, post, open } = await given(app);
  const offer = await open();
  const made = await post(`/v1/offers/${offer.id}/convert`, { due_on: '2030-01-31', external_id: 'c-1' });
  assert.equal(made.status, 201, made.text);
  const invoice = made.body.data;
  assert.deepEqual(invoice.sources, [{ object: 'offer', id: offer.id, number: offer.number }]);
  assert.deepEqual([invoice.due_on, invoice.external_id], ['2030-01-31', 'c-1']);
  assert.deepEqual(
    invoice.lines.map(({ source }: { source: unknown }) => source),
    offer.lines.map(({ id }: { id: string }) => ({
      object: 'offer',
      id: offer.id,
      number: offer.number,
      operation_on: null,
      line_id: id,
    })),
  );
  assert.deepEqual(made.body.warning_codes, ['zero_rate_line_without_exemption']);
  assert.match(made.body.warnings[0], /línea 2/);
  // A client sends back what it read.
  const read = (await app.get(`/v1/invoices/${invoice.id}`, { key })).body.data;
  const put = await app.put(`/v1/invoices/${invoice.id}`, { key, body: read });
  assert.deepEqual([put.status, put.body.data], [200, read], put.text);
  const again = await post(`/v1/offers/${offer.id}/convert`, { external_id: 'c-1' });
  assert.deepEqual([again.status, again.headers['idempotent-replayed']], [200, 'true'], again.text);
  assert.equal(again.body.data.id, invoice.id);
  const other = await open();
  assertRefused(
    await post(`/v1/offers/${other.id}/convert`, { external_id: 'c-1' }),
    409,
    'idempotency_key_reused',
    'external_id',
  );
  // A copy comes from nothing.
  const copy = (await post(`/v1/invoices/${invoice.id}/duplicate`)).body.data;
  assert.deepEqual([copy.sources, copy.lines[0].source], [[], null]);
});

test('given a dry run of a conversion, then it tells all reasons and writes nothing', async (t) => {
  const app = await startWithOffers(t);
  const { company, key, post, client, open, offerOf } = await given(app);
  const offer = await open();
  const good = await post(`/v1/offers/${offer.id}/convert`, { dry_run: true });
  assert.deepEqual(
    [good.status, good.body.data, good.body.warning_codes],
    [
      200,
      { object: 'dry_run', id: offer.id, can_convert: true, reasons: [] },
      ['zero_rate_line_without_exemption'],
    ],
  );
  const foreign = await open({ currency: 'USD' });
  await app.put(`/v1/clients/${client.id}`, { key, body: { is_active: false } });
  const bad = await post(`/v1/offers/${foreign.id}/convert`, { dry_run: true });
  const reasons = bad.body.data.reasons.map(({ code, param }: Record<string, string>) => [code, param]);
  assert.deepEqual(
    [bad.body.data.can_convert, reasons],
    [
      false,
      [
        ['missing_required_param', 'exchange_rate'],
        ['parameter_invalid', 'client_id'],
      ],
    ],
  );
  const body = { exchange_rate: 0.9 };
  assertRefused(await post(`/v1/offers/${foreign.id}/convert`, body), 422, 'parameter_invalid', 'client_id');
  assert.deepEqual([(await offerOf(offer.id)).status, (await offerOf(foreign.id)).status], ['open', 'open']);
  assert.deepEqual((await app.get('/v1/invoices', { key })).body.data, []);
  const links = await app.sql`select 1 from document_links where company_id = ${company.company_id}`;
  assert.equal(links.length, 0);
});

test('given a key that another conversion took, then a dry run tells it as a reason', async (t) => {
  const app = await startWithOffers(t);
  const { post, open } = await given(app);
  const [offer, other] = [await open(), await open()];
  assert.equal((await post(`/v1/offers/${other.id}/convert`, { external_id: 'c-1' })).status, 201);
  const keyed = await post(`/v1/offers/${offer.id}/convert`, { dry_run: true, external_id: 'c-1' });
  assert.deepEqual([keyed.status, keyed.body.data.can_convert], [200, false]);
  assert.deepEqual(
    keyed.body.data.reasons.map(({ code, param }: Record<string, unknown>) => [code, param]),
    [['idempotency_key_reused', 'external_id']],
  );
  // The real call would be answered with what exists.
  const replay = await post(`/v1/offers/${other.id}/convert`, { dry_run: true, external_id: 'c-1' });
  assert.deepEqual(
    [replay.status, replay.body.data.can_convert, replay.body.data.reasons, replay.body.warning_codes],
    [200, true, [], ['zero_rate_line_without_exemption']],
  );
  const again = await post(`/v1/offers/${other.id}/convert`, { dry_run: true });
  assert.deepEqual(
    again.body.data.reasons.map(({ code }: Record<string, unknown>) => code),
    ['invalid_status_transition'],
  );
});

const ways: [
  what: string,
  isGone: (
    post: Awaited<ReturnType<typeof given>>['post'],
    app: App,
    key: string,
    id: string,
  ) => Promise<void>,
][] = [
  [
    'the draft is deleted',
    async (_post, app, key, id) => {
      assert.equal((await app.delete(`/v1/invoices/${id}`, { key })).status, 200);
    },
  ],
  [
    'the invoice is voided',
    async (post, _app, _key, id) => {
      assert.equal((await post(`/v1/invoices/${id}/issue`)).status, 200);
      const voided = await post(`/v1/invoices/${id}/void`);
      assert.equal(voided.status, 200, voided.text);
    },
  ],
];

for (const [what, go] of ways) {
  for (const move of ['open', 'accept']) {
    test(`given a converted offer, when ${what}, then it is as after ${move} again, and can be converted again`, async (t) => {
      const app = await startWithOffers(t);
      const { company, key, post, open, offerOf } = await given(app);
      const offer = await open();
      if (move === 'accept') await post(`/v1/offers/${offer.id}/accept`);
      const { status } = await offerOf(offer.id);
      const first = (await post(`/v1/offers/${offer.id}/convert`)).body.data;
      await go(post, app, key, first.id);
      const again = await offerOf(offer.id);
      assert.deepEqual([again.status, again.converted_to_id], [status, null]);
      assert.deepEqual((await app.eventTypes(company, offer.id)).slice(-1), ['offer.updated']);
      const log = (await app.get('/v1/audit-log', { key, query: { action: 'offer.reopen' } })).body.data;
      assert.deepEqual(
        log.map(({ target, details }: Record<string, { id: string }>) => [target?.id, details]),
        [[offer.id, { from: 'converted', to: status, channel: 'api' }]],
      );
      const second = await post(`/v1/offers/${offer.id}/convert`);
      assert.equal(second.status, 201, second.text);
      const links = await app.sql`
        select target_id, undone_at is null as is_in_force from document_links
         where company_id = ${company.company_id} order by created_at, target_id`;
      assert.deepEqual(
        links.map((row) => ({ ...row })),
        [
          { target_id: first.id, is_in_force: false },
          { target_id: second.body.data.id, is_in_force: true },
        ],
      );
    });
  }
}

test('given a converted offer, when its invoice is corrected, then it stays converted', async (t) => {
  const app = await startWithOffers(t);
  const { post, open, offerOf } = await given(app);
  const offer = await open();
  const invoice = (await post(`/v1/offers/${offer.id}/convert`)).body.data;
  await post(`/v1/invoices/${invoice.id}/issue`);
  const corrective = await post(`/v1/invoices/${invoice.id}/corrective`, {
    type: 'R1',
    correction: { type: 'substitution', reason: 'Precio' },
    lines: [{ description: 'Reforma', quantity: 1, unit_price: 10, tax_rate: 21 }],
  });
  assert.equal(corrective.status, 201, corrective.text);
  assert.deepEqual(corrective.body.data.sources, []);
  assert.equal((await offerOf(offer.id)).status, 'converted');
});
