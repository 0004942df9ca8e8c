/** What quotes, pro-forma invoices, delivery notes and recurring invoices answer in each state, and to bad input. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ports } from '../../src/kernel/ports.ts';
import type { LinkedKind } from '../../src/modules/pdfs/index.ts';
import { newId } from '../../src/kernel/uuid7.ts';
import { startApp } from '../harness.ts';
import { givenNotes, signatureImage } from '../support/notes.ts';
import { readText } from '../support/pdf-reader.ts';
import { recurrence } from '../support/recurrences.ts';
import { assertRefused } from '../support/resource-checks.ts';

const pathname = (url: string) => new URL(url).pathname;

type Way = [status: string, words: [word: string, body?: object][], said: string | null];

const answered = (masculine: boolean): Way[] => [
  ['draft', [], null],
  ['pending', [['mark-pending']], null],
  ['accepted', [['accept']], masculine ? 'Aceptado' : 'Aceptada'],
  ['rejected', [['mark-pending'], ['reject']], masculine ? 'Rechazado' : 'Rechazada'],
  ['expired', [['mark-pending', { valid_until: '2026-11-22' }]], 'Ha terminado su validez'],
  [
    'converted',
    [['mark-pending'], ['accept'], ['convert']],
    masculine ? 'Aceptado y tramitado' : 'Aceptada y facturada',
  ],
  // Its page does not say that the client accepted what only the company went on with.
  ['converted', [['mark-pending'], ['convert']], masculine ? 'Tramitado' : 'Facturada'],
  ['cancelled', [['mark-pending'], ['cancel']], null],
];

const papers: [kind: LinkedKind, collection: string, title: string, ways: Way[]][] = [
  ['quote', 'quotes', 'Presupuesto', answered(true)],
  ['proforma', 'proformas', 'Factura proforma', answered(false)],
  [
    'delivery_note',
    'delivery_notes',
    'Albarán',
    [
      ['draft', [], null],
      ['pending', [['mark-pending']], 'Pendiente de entrega'],
      ['delivered', [['mark-delivered']], 'Entregado'],
      [
        'signed',
        [['mark-pending'], ['sign', { signed_by: 'Eva Ruiz', signature_image: signatureImage }]],
        'Firmado',
      ],
      ['invoiced', [['mark-delivered'], ['convert', { target: 'invoice' }]], 'Facturado'],
      ['cancelled', [['mark-pending'], ['cancel']], null],
    ],
  ],
];

test('given a document in each state, then each has a paper, a draft has no page, and the page of a cancelled one says only that', async (t) => {
  let links: Ports['links'] | undefined;
  const app = await startApp(t, {
    wrap_ports: (ports) => {
      links = ports.links;
      return ports;
    },
  });
  for (const [kind, collection, title, ways] of papers) {
    app.clock.set('2026-11-22T12:00:00Z');
    const { company, key, done, body } = await givenNotes(app);
    const made: [Way, string][] = [];
    for (const way of ways) {
      const { id } = await done(`/v1/${collection}`, body);
      for (const [word, sent] of way[1]) await done(`/v1/${collection}/${id}/${word}`, sent);
      made.push([way, id]);
    }
    app.clock.set('2026-11-23T00:00:30+01:00');
    await app.service.worker.runDue(company.company_id);
    for (const [[status, , said], id] of made) {
      const what = `${kind} ${status}`;
      const path = `/v1/${collection}/${id}`;
      const shown = (await app.get(path, { key })).body.data;
      assert.equal(shown.status, status, what);
      const pdf = await app.get(`${path}/pdf`, { key });
      const text = (await readText(pdf.bytes)).join('\n');
      assert.ok(text.includes(title), what);
      assert.equal(/ANULAD[OA]|CANCELADO/.test(text), status === 'cancelled', `${what}: ${text}`);
      assert.equal(text.includes('BORRADOR'), status === 'draft', what);
      const { url } = (await app.get(`${path}/pdf-link`, { key })).body.data;
      const linked = await app.get(pathname(url));
      assert.deepEqual([linked.status, linked.headers['content-type']], [200, 'application/pdf'], what);
      assert.equal(shown.public_url === null, status === 'draft', what);
      const ref = { company_id: company.company_id, kind, id, renewed_at: null };
      const address = pathname(shown.public_url ?? links!.publicUrl(ref));
      const expected = { draft: 404, cancelled: 410 }[status] ?? 200;
      const page = await app.get(address);
      assert.deepEqual([page.status, (await app.get(`${address}/pdf`)).status], [expected, expected], what);
      if (expected === 200) assert.ok(page.text.includes(title) && page.text.includes(shown.number), what);
      else assert.ok(!page.text.includes('Librería Norte') && !page.text.includes('24,20'), what);
      if (said !== null) assert.ok(page.text.includes(said), `${what}: ${page.text}`);
    }
  }
});

test('given what no family takes, when it is sent to create or edit, then each refusal names its field, and nothing is kept', async (t) => {
  const app = await startApp(t);
  app.clock.set('2026-11-22T12:00:00Z');
  const { key, done, body, client, lines } = await givenNotes(app);
  const line = lines[0]!;
  const many = (count: number) => Array.from({ length: count }, () => line);
  const bad: [sent: object, param: string, line_index?: number][] = [
    [{ client_id: newId() }, 'client_id'],
    [{ client_id: 'x' }, 'client_id'],
    [{ series_id: newId() }, 'series_id'],
    [{ lines: [] }, 'lines'],
    [{ lines: many(501) }, 'lines'],
    [{ lines: 'x' }, 'lines'],
    [{ lines: [line, { ...line, product_id: newId() }] }, 'lines.1.product_id', 1],
    [{ lines: [line, { ...line, taxes_id: newId(), tax_rate: undefined }] }, 'lines.1.taxes_id', 1],
    [{ lines: [line, { ...line, quantity: 'dos' }] }, 'lines.1.quantity'],
    [{ lines: [{ ...line, colour: 'red' }] }, 'lines.0.colour'],
    [{ tags: many(51).map((_, n) => `t${n}`) }, 'tags'],
    [{ metadata: Object.fromEntries(many(51).map((_, n) => [`k${n}`, 'x'])) }, 'metadata'],
    [{ external_id: 'x'.repeat(256) }, 'external_id'],
    [{ colour: 'red' }, 'colour'],
  ];
  for (const path of [
    '/v1/quotes',
    '/v1/proformas',
    '/v1/delivery_notes',
    '/v1/recurring_invoices',
    '/v1/invoices',
  ]) {
    const whole =
      path === '/v1/recurring_invoices' ? recurrence({ type: 'F1', client_id: client.id, lines }) : body;
    const { id } = await done(path, whole);
    const before = (await app.get(`${path}/${id}`, { key })).body.data;
    for (const [sent, param, line_index] of bad) {
      const answers = [
        await app.post(path, { key, body: { ...whole, ...sent } }),
        await app.put(`${path}/${id}`, { key, body: sent }),
      ];
      for (const answer of answers) {
        assertRefused(answer, 422, 'parameter_invalid', param);
        if (line_index !== undefined)
          assert.equal(answer.body.error.line_index, line_index, `${path} ${param}`);
      }
    }
    assert.deepEqual((await app.get(path, { key })).body.data, [before], path);
  }
  const tomorrow = { issued_on: '2026-11-23' };
  for (const path of ['/v1/quotes', '/v1/proformas', '/v1/delivery_notes'])
    assertRefused(
      await app.post(path, { key, body: { ...body, ...tomorrow } }),
      422,
      'business_rule_violation',
      'issued_on',
    );
  // What the case requires is said in words, beside the name of the field.
  const note = await done('/v1/delivery_notes', body);
  const lacking: [path: string, sent: object, param: string, said: RegExp][] = [
    ['/v1/quotes', { lines, options: { mark_pending: true } }, 'client_id', /el cliente/],
    ['/v1/recurring_invoices', recurrence({ type: 'F1' }), 'client_id', /el cliente/],
    ['/v1/invoices', { lines, currency: 'USD' }, 'exchange_rate', /cuántos euros/],
    ['/v1/invoices', { lines, type: 'R1' }, 'correction', /rectificación/],
    [`/v1/delivery_notes/${note.id}/convert`, {}, 'target', /invoice/],
  ];
  for (const [path, sent, param, said] of lacking) {
    const answer = await app.post(path, { key, body: sent });
    assertRefused(answer, 422, 'missing_required_param', param);
    assert.match(answer.body.error.errors?.[0].message ?? '', said, param);
  }
  await app.delete(`/v1/delivery_notes/${note.id}`, { key });
  const ids = Array.from({ length: 51 }, newId);
  for (const path of ['/v1/delivery_notes/bulk-delete', '/v1/recurring_invoices/bulk-delete'])
    for (const sent of [[], ids, [ids[0], ids[0]]])
      assertRefused(await app.post(path, { key, body: { ids: sent } }), 422, 'invalid_param_value', 'ids');
  // So many values are looked at one by one once there is a fault among them.
  const faulty = [...Array.from({ length: 1001 }, newId), 'x'];
  const wrong = await app.post('/v1/delivery_notes/bulk-delete', { key, body: { ids: faulty } });
  assertRefused(wrong, 422, 'parameter_invalid', 'ids.1001');
  const listed = await Promise.all(['quotes', 'delivery_notes'].map((one) => app.get(`/v1/${one}`, { key })));
  assert.deepEqual(
    listed.map((answer) => answer.body.data.length),
    [1, 1],
  );
});
