/** What was signed stays and can be proved: sign_delivery_note, get_delivery_note_signature, get_delivery_note_signature_image. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import { givenNotes, givenShirts, signatureImage } from '../../../../test/support/notes.ts';
import { readText } from '../../../../test/support/pdf-reader.ts';
import { assertHidesForeignIds, assertRefused } from '../../../../test/support/resource-checks.ts';

const pdfText = async (bytes: Uint8Array) => (await readText(bytes)).join('\n');

test('given a pending note, when it is signed, then its signature is read, and it is signed once', async (t) => {
  const app = await startApp(t);
  const { key, post, path, noteIn } = await givenNotes(app);
  const note = await noteIn('delivered');
  const body = {
    signed_by: ' Eva Ruiz ',
    signer_tax_id: '12345678Z',
    signature_image: signatureImage,
    received_by: { name: 'Pablo Gil' },
  };
  const answers = await Promise.all([1, 2, 3].map(() => post(`${path}/${note.id}/sign`, body)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409]);
  const signed = answers.find(({ status }) => status === 200)!.body.data;
  assert.deepEqual(
    [signed.status, signed.signed_by, signed.signed_at, signed.received_by],
    ['signed', 'Eva Ruiz', app.clock.now().toISOString(), { name: 'Pablo Gil', tax_id: null }],
  );
  assert.deepEqual((await app.get(`${path}/${note.id}`, { key })).body.data, signed);
  const { data } = (await app.get(`${path}/${note.id}/signature`, { key })).body;
  assert.deepEqual([data.signer_tax_id, data.erased_at, data.ip !== null], ['12345678Z', null, true]);
  // A reader without the service makes the same hash.
  const line = { description: 'Cuaderno', product_id: null, product_name: null, quantity: '2', unit: null };
  const amounts = {
    unit_price: '10',
    discount_percent: null,
    tax_kind: 'vat',
    tax_rate: '21',
    surcharge_rate: null,
    retention_rate: null,
    total: '24.2',
  };
  const content = {
    client: { address: null, id: note.client.id, name: 'Librería Norte', tax_id: 'A58818501' },
    currency: 'EUR',
    lines: [Object.fromEntries(Object.entries({ ...line, ...amounts }).sort(([a], [b]) => (a < b ? -1 : 1)))],
    prices_include_tax: false,
    subtotal: '20',
    taxes_total: '4.2',
    total: '24.2',
  };
  assert.equal(data.content_hash, createHash('sha256').update(JSON.stringify(content)).digest('hex'));
  const image = await app.get(new URL(signed.signature_image_url).pathname, { key });
  assert.deepEqual([image.status, image.headers['content-type']], [200, 'image/png']);
  assert.deepEqual([image.headers['cache-control'], image.headers.etag], ['no-store', undefined]);
  assert.equal(image.headers['content-disposition'], 'inline; filename="firma"');
  assert.equal(image.bytes.toString('base64'), signatureImage.split(',')[1]);
  assertRefused(await app.delete(`${path}/${note.id}`, { key }), 409, 'invalid_status_transition');
  const bulk = await post(`${path}/bulk-delete`, { ids: [note.id] });
  assert.match(bulk.body.data.failed[0].reason, /firmó/);
  await post(`${path}/${note.id}/cancel`);
  assertRefused(await app.delete(`${path}/${note.id}`, { key }), 409, 'invalid_status_transition');
  assert.equal((await app.get(`${path}/${note.id}`, { key })).body.data.signed_by, 'Eva Ruiz');
  assert.deepEqual((await app.get(path, { key, query: { signed: 'true' } })).body.data.length, 1);
});

test('given bad signatures, when they are sent, then each is refused by name and nothing is signed', async (t) => {
  const app = await startApp(t);
  const { key, post, path, noteIn } = await givenNotes(app);
  const { id } = await noteIn('pending');
  const png = (bytes: Buffer) => `data:image/png;base64,${bytes.toString('base64')}`;
  const good = Buffer.from(signatureImage.split(',')[1]!, 'base64');
  const wide = Buffer.from(good);
  wide.writeUInt32BE(20_000, 16);
  const bad: [object, string][] = [
    [{}, 'signed_by'],
    [{ signed_by: '   ' }, 'signed_by'],
    [{ signed_by: 'x'.repeat(121) }, 'signed_by'],
    [
      { signed_by: 'Eva', signature_image: png(Buffer.from('un texto que se llama firma.png')) },
      'signature_image',
    ],
    [{ signed_by: 'Eva', signature_image: png(wide) }, 'signature_image'],
    [
      { signed_by: 'Eva', signature_image: png(Buffer.concat([good, Buffer.alloc(301 * 1024)])) },
      'signature_image',
    ],
    [{ signed_by: 'Eva', signature_image: signatureImage.replace('png', 'svg+xml') }, 'signature_image'],
    [{ signed_by: 'Eva', signed_at: '2026-01-01T00:00:00Z' }, 'signed_at'],
  ];
  for (const [body, param] of bad) {
    const answer = await post(`${path}/${id}/sign`, body);
    assert.equal(answer.status, 422, param);
    assert.equal(answer.body.error.param, param, answer.text);
  }
  const huge = await post(`${path}/${id}/sign`, { signed_by: 'x', signature_image: 'x'.repeat(10_000_000) });
  assert.equal(huge.status, 413);
  assert.equal((await app.get(`${path}/${id}`, { key })).body.data.status, 'pending');
  assertRefused(await app.get(`${path}/${id}/signature`, { key }), 404, 'resource_not_found');
  const foreign = await (await givenNotes(app)).noteIn('signed');
  for (const word of ['signature', 'signature/image'])
    await assertHidesForeignIds(app, 'GET', (one) => `${path}/${one}/${word}`, foreign.id, { key });
  for (const [word, body] of [
    ['sign', { signed_by: 'x' }],
    ['gdpr-forget', {}],
    ['cancel', {}],
    ['convert', { target: 'invoice' }],
    ['change_status', { status: 'cancelled' }],
  ] as const)
    await assertHidesForeignIds(app, 'POST', (one) => `${path}/${one}/${word}`, foreign.id, { key, body });
});

test('given a signed note, when it is edited, then only prices that were not shown may change, until it is billed', async (t) => {
  const app = await startApp(t);
  const { key, done, path, client, noteIn } = await givenNotes(app);
  const put = (id: string, body: unknown) => app.put(`${path}/${id}`, { key, body });
  const valued = await noteIn('signed');
  const [line] = valued.lines;
  for (const [body, param] of [
    [{ lines: [{ id: line.id, unit_price: 11 }] }, 'lines'],
    [{ notes: 'x' }, 'notes'],
    [{ show_prices: false }, 'show_prices'],
  ] as const)
    assertRefused(await put(valued.id, body), 409, 'invalid_status_transition', param);
  const note = await noteIn('signed', { show_prices: false });
  const [unvalued] = note.lines;
  const hashOf = async () => (await app.get(`${path}/${note.id}/signature`, { key })).body.data.content_hash;
  const hash = await hashOf();
  for (const [body, param] of [
    [{ lines: [{ id: unvalued.id, quantity: 3 }] }, 'lines.0'],
    [{ lines: [{ id: unvalued.id, description: 'Otro' }] }, 'lines.0'],
    [{ lines: [{ id: unvalued.id }, { description: 'x', unit_price: 1, tax_rate: 21 }] }, 'lines.1'],
    [{ lines: [{ description: 'Cuaderno', quantity: 2, unit_price: 10, tax_rate: 21 }] }, 'lines.0'],
    [{ show_prices: true }, 'show_prices'],
    [{ delivery_date: '2026-01-01' }, 'delivery_date'],
    [{ received_by: { name: 'Otra' } }, 'received_by'],
  ] as const)
    assertRefused(await put(note.id, body), 409, 'invalid_status_transition', param);
  await app.put(`/v1/clients/${client.id}`, { key, body: { name: 'Otro nombre' } });
  const priced = await put(note.id, {
    lines: [{ id: unvalued.id, unit_price: 12, discount_percent: 10, tax_rate: 10 }],
  });
  assert.deepEqual(
    [priced.status, priced.body.data.total, priced.body.data.signed_by, priced.body.data.client.name],
    [200, 23.76, 'Eva Ruiz', 'Librería Norte'],
    priced.text,
  );
  assert.equal(await hashOf(), hash);
  await done(`${path}/${note.id}/convert`, { target: 'invoice' });
  const late = await put(note.id, { lines: [{ id: unvalued.id, unit_price: 13 }] });
  assertRefused(late, 409, 'invalid_status_transition', 'lines');
});

test('given a signed note without prices, when its product is renamed and its price is set, then the name that was signed stays', async (t) => {
  const app = await startApp(t);
  const { key, done, path, noteIn } = await givenNotes(app);
  const product = await done('/v1/products', { name: 'Cuaderno', unit_price: 10 });
  const lines = [{ product_id: product.id, quantity: 2, unit_price: 10, tax_rate: 21 }];
  const note = await noteIn('signed', { show_prices: false, lines });
  await app.put(`/v1/products/${product.id}`, { key, body: { name: 'Libreta' } });
  const priced = await app.put(`${path}/${note.id}`, {
    key,
    body: { lines: [{ id: note.lines[0].id, unit_price: 12 }] },
  });
  assert.equal(priced.status, 200, priced.text);
  const [line] = priced.body.data.lines;
  assert.deepEqual([line.unit_price, line.product], [12, { id: product.id, name: 'Cuaderno' }]);
});

test('given a signed note without prices of a configured product, when another choice of it is sent, then it is refused, and a price is not', async (t) => {
  const app = await startApp(t);
  const { key, path, noteIn, lineOf, blue, red, box, blank, laser } = await givenShirts(app);
  const signedAs = (choice: object) => noteIn('signed', { show_prices: false, lines: [lineOf(choice)] });
  const hashOf = async (id: string) =>
    (await app.get(`${path}/${id}/signature`, { key })).body.data.content_hash;
  const note = await signedAs({ variant_id: blue, ...blank });
  const [line] = note.lines;
  const put = (more: object) =>
    app.put(`${path}/${note.id}`, { key, body: { lines: [{ id: line.id, ...more }] } });
  for (const choice of [{ variant_id: red }, { presentation_id: box }, laser])
    assertRefused(await put(choice), 409, 'invalid_status_transition', 'lines.0');
  const hash = await hashOf(note.id);
  const priced = await put({ ...line, unit_price: 12, tax_rate: 10 });
  assert.equal(priced.status, 200, priced.text);
  const { variant, options, unit_price } = priced.body.data.lines[0];
  assert.deepEqual([variant.name, options, unit_price], ['Azul', line.options, 12]);
  assert.equal(await hashOf(note.id), hash);
  // The hash tells what was chosen.
  const choices = [
    { variant_id: blue, ...laser },
    { variant_id: blue, ...blank, presentation_id: box },
    { variant_id: red, ...blank },
  ];
  const hashes = new Set([hash]);
  for (const choice of choices) hashes.add(await hashOf((await signedAs(choice)).id));
  assert.equal(hashes.size, 4);
});

test('given notes with prices, without, and signed, when they are printed, then paper and page say what they should', async (t) => {
  const app = await startApp(t);
  const { key, path, noteIn } = await givenNotes(app);
  const textOf = async (id: string) => {
    const pdf = await app.get(`${path}/${id}/pdf`, { key });
    assert.equal(pdf.status, 200, pdf.text);
    return pdfText(pdf.bytes);
  };
  const pageOf = async (note: { public_url: string }) => app.get(new URL(note.public_url).pathname, {});
  const valued = await noteIn('pending');
  const to_sign = await textOf(valued.id);
  for (const said of [/24,20/, /Firmado por/, /Fecha de la firma/]) assert.match(to_sign, said);
  const unvalued = await noteIn('signed', { show_prices: false });
  const [text, page] = [await textOf(unvalued.id), await pageOf(unvalued)];
  for (const said of [text, page.text]) {
    assert.match(said, /Eva Ruiz/);
    assert.match(said, /no es una factura/);
    assert.ok(!said.includes('24,20') && !said.includes('10,00') && !said.includes('21'.concat(' %')), said);
  }
  assert.match(page.text, /Firmado/);
  // No room is left for sums either.
  assert.match((await pageOf(valued)).text, /<div class="amounts">/);
  assert.doesNotMatch(page.text, /<div class="amounts/);
  for (const format of ['ticket_80', 'ticket_58']) {
    const ticket = await app.get(`${path}/${unvalued.id}/pdf`, { key, query: { format } });
    assert.equal(ticket.status, 200);
  }
  const cancelled = await noteIn('cancelled');
  assert.equal((await pageOf(cancelled)).status, 410);
  assert.doesNotMatch(await textOf(cancelled.id), /Firma/);
});

test('given a note without prices of configured products and packs, when it is printed, then it says what is delivered, and no amount or tax', async (t) => {
  const app = await startApp(t);
  const { key, path, done, noteIn, lineOf, blue, box, laser } = await givenShirts(app);
  const parts = await Promise.all(
    ['Novela', 'Taza'].map((name) => done('/v1/products', { name, unit_price: 3.33 })),
  );
  const components = parts.map(({ id }, at) => ({ product_id: id, quantity: 2 - at }));
  const lot = await done('/v1/products', { name: 'Lote', pack: { components, expand: 'single' } });
  const lines = [
    lineOf({ variant_id: blue, presentation_id: box, ...laser }),
    { product_id: lot.id, tax_rate: 21, retention_rate: 15 },
    { description: 'Curso', unit_price: 4.44, exemption_reason: 'E1', exemption_reason_text: 'Enseñanza' },
    { description: 'Guía', unit_price: 4.44, tax_rate: 4, retention_rate: 7 },
  ];
  const said = ['Azul · Caja · Estampado: Láser', '2 × Novela, 1 × Taza'];
  const hidden = ['Enseñanza', ' %', '€', ',77', ',33', ',44'];
  const plain = (text: string) => text.replaceAll('\u00a0', ' ').replace(/<style>[\s\S]*<\/style>/, '');
  for (const show_prices of [false, true]) {
    const note = await noteIn('pending', { show_prices, lines });
    const page = await app.get(new URL(note.public_url).pathname, {});
    const pdf = await app.get(`${path}/${note.id}/pdf`, { key });
    const texts = [plain(page.text), plain(await pdfText(pdf.bytes))];
    for (const text of texts) {
      for (const one of said) assert.ok(text.includes(one), `${one}\n${text}`);
      assert.equal(text.includes('Enseñanza'), show_prices, text);
      if (!show_prices) for (const one of hidden) assert.ok(!text.includes(one), `${one}\n${text}`);
    }
  }
});
