import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type App, startApp } from '../../../../test/harness.ts';
import { readText } from '../../../../test/support/pdf-reader.ts';
import {
  checkIntegrity,
  issueTicketOf,
  recordingCompany,
  recordOf,
} from '../../../../test/support/recording-company.ts';
import { assertHidesForeignIds } from '../../../../test/support/resource-checks.ts';

test('given a record, when its XML is read, then it is the stored text byte for byte, with a lasting ETag', async (t) => {
  const app = await startApp(t);
  const { key } = await recordingCompany(app);
  const ticket = await issueTicketOf(app, key);
  const { id } = await recordOf(app, key, ticket.id);
  await app.sql`update verifactu_records set xml = replace(xml, 'Consultoría', 'Consultoría y más ñ €') where id = ${id}`;
  const path = `/v1/verifactu/records/${id}/xml`;
  const res = await app.get(path, { key });
  const [row] = await app.sql<{ xml: string }[]>`select xml from verifactu_records where id = ${id}`;
  assert.equal(res.status, 200);
  assert.equal(res.text, row!.xml);
  assert.match(res.text, /más ñ €/);
  assert.equal(Number(res.headers['content-length']), Buffer.byteLength(row!.xml));
  assert.equal(res.headers['content-type'], 'application/xml');
  assert.match(
    String(res.headers['content-disposition']),
    /^attachment; filename="alta-[A-Za-z0-9._-]+\.xml"$/,
  );
  assert.ok(res.headers['service-version'] && res.headers['x-request-id']);

  const tag = String(res.headers.etag);
  for (const sent of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
    const again = await app.get(path, { key, headers: { 'If-None-Match': sent } });
    assert.deepEqual([again.status, again.text], [304, ''], sent);
    assert.equal(again.headers.etag, tag);
  }
  assert.equal((await app.get(path, { key, headers: { 'If-None-Match': '"other"' } })).status, 200);
  const without = await app.get(path, { headers: { 'If-None-Match': tag } });
  assert.equal(without.status, 401);
});

/** By the authority's names. */
async function amountsOf(app: App, key: string, invoice_id: string) {
  const { id } = await recordOf(app, key, invoice_id);
  const { text } = await app.get(`/v1/verifactu/records/${id}/xml`, { key });
  const names = [
    'BaseRectificada',
    'CuotaRectificada',
    'CuotaRecargoRectificado',
    'BaseImponibleOimporteNoSujeto',
    'CuotaRepercutida',
    'CuotaRecargoEquivalencia',
    'ImporteTotal',
  ];
  return names.map((name) => new RegExp(`<(?:\\w+:)?${name}>([^<]*)<`).exec(text)?.[1] ?? null);
}

test('given an invoice in dollars, when it is replaced, then its record and the new one say euros', async (t) => {
  const app = await startApp(t);
  const acme = await recordingCompany(app);
  const { key } = acme;
  const client = await app.post('/v1/clients', { key, body: { name: 'Norte SL', tax_id: 'B12345674' } });
  const body = {
    client_id: client.body.data.id,
    currency: 'USD',
    exchange_rate: 0.9,
    lines: [{ description: 'Consultoría', quantity: 1, unit_price: 100, tax_rate: 21, surcharge_rate: 5.2 }],
    options: { issue: true },
  };
  const issued = await app.post('/v1/invoices', { key, body });
  assert.equal(issued.status, 201, issued.text);
  const { id } = issued.body.data;
  assert.deepEqual(await amountsOf(app, key, id), [null, null, null, '90.00', '18.90', '4.68', '113.58']);

  const correction = { type: 'substitution', reason: 'Precio' };
  const lines = [{ unit_price: 50 }];
  const replaced = await app.post(`/v1/invoices/${id}/corrective`, { key, body: { correction, lines } });
  assert.equal(replaced.status, 201, replaced.text);
  const corrective = replaced.body.data;
  assert.deepEqual(await amountsOf(app, key, corrective.id), [
    ...['90.00', '18.90', '4.68'],
    ...['45.00', '9.45', '2.34', '56.79'],
  ]);
  // The invoice itself keeps its own currency.
  const { subtotal, taxes_total, surcharge_total } = corrective.corrected_invoices[0];
  assert.deepEqual([subtotal, taxes_total, surcharge_total], [100, 21, 5.2]);
  assert.deepEqual((await checkIntegrity(app, acme)).faults, []);

  // Each row is rounded in euros, so the amounts replaced are those of the records, which 18.09 is not.
  const thrice = [21, 10, 4].map((tax_rate) => ({ description: 'Libro', unit_price: 10.05, tax_rate }));
  const mixed = await app.post('/v1/invoices', { key, body: { ...body, lines: thrice } });
  assert.equal(mixed.status, 201, mixed.text);
  const path = `/v1/invoices/${mixed.body.data.id}/corrective`;
  const returned = [{ original_line_id: mixed.body.data.lines[2].id, quantity: -1 }];
  const less = { correction: { type: 'differences' }, lines: returned };
  assert.equal((await app.post(path, { key, body: less })).status, 201);
  const instead = await app.post(path, { key, body: { correction: { type: 'substitution' } } });
  assert.equal(instead.status, 201, instead.text);
  const [base, tax] = await amountsOf(app, key, instead.body.data.id);
  assert.deepEqual([base, tax], ['18.10', '2.81']);
  assert.deepEqual(
    Object.keys(instead.body.data.corrected_invoices[0]),
    Object.keys(corrective.corrected_invoices[0]),
  );
  assert.deepEqual((await checkIntegrity(app, acme)).faults, []);

  // An older record may hold these amounts in another currency. Any other amount is a fault.
  const { id: record_id } = await recordOf(app, key, corrective.id);
  const setBase = (from: string, to: string) => app.sql`
    update verifactu_records set xml = replace(xml, ${`BaseRectificada>${from}<`}, ${`BaseRectificada>${to}<`})
     where id = ${record_id}`;
  await app.sql`update verifactu_records set xml = replace(replace(xml, 'CuotaRectificada>18.90<', 'CuotaRectificada>21.00<'),
    'CuotaRecargoRectificado>4.68<', 'CuotaRecargoRectificado>5.20<') where id = ${record_id}`;
  await setBase('90.00', '100.00');
  assert.deepEqual((await checkIntegrity(app, acme)).faults, []);
  await setBase('100.00', '99.00');
  assert.deepEqual((await checkIntegrity(app, acme)).fault_counts, { record_differs_from_invoice: 1 });
});

test('given invoices in dollars, when one takes the place of several or undoes them, then its euros are the sum of theirs', async (t) => {
  const app = await startApp(t);
  const acme = await recordingCompany(app);
  const { key } = acme;
  const client = await app.post('/v1/clients', { key, body: { name: 'Norte SL', tax_id: 'B12345674' } });
  const client_id = client.body.data.id;
  const dollars = { currency: 'USD', exchange_rate: 0.9, options: { issue: true } };
  const post = async (path: string, body: Record<string, unknown>) => {
    const res = await app.post(path, { key, body });
    assert.equal(res.status, 201, res.text);
    return res.body.data;
  };
  const saidOf = async ({ id }: { id: string }) => (await amountsOf(app, key, id)).slice(3);
  const line = { description: 'Libro', unit_price: 10.03, tax_rate: 21, surcharge_rate: 5.2 };

  // Converted at once, 20.06 dollars are 18.05 euros.
  const ticket = { ...dollars, type: 'F2', lines: [line] };
  const tickets = [await post('/v1/invoices', ticket), await post('/v1/invoices', ticket)];
  for (const one of tickets) assert.deepEqual(await saidOf(one), ['9.03', '1.90', '0.47', '11.40']);
  const simplified_invoice_uuids = tickets.map(({ id }) => id);
  const full = await post('/v1/invoices/substitute-simplified', { simplified_invoice_uuids, client_id });
  assert.equal(full.total, 25.32);
  assert.deepEqual(await saidOf(full), ['18.06', '3.80', '0.94', '22.80']);
  const { bytes } = await app.get(`/v1/invoices/${full.id}/pdf`, { key });
  assert.match(
    (await readText(bytes)).join(' ').replaceAll(/\s+/g, ' '),
    /3,80 € \(recargo de equivalencia 0,94 €\); Total 22,80 €/,
  );
  const instead = await post(`/v1/invoices/${full.id}/corrective`, {
    correction: { type: 'substitution' },
    lines: [{ unit_price: 5 }],
  });
  assert.deepEqual((await amountsOf(app, key, instead.id)).slice(0, 3), ['18.06', '3.80', '0.94']);

  // What is left of 30.09 dollars, which are 27.08 euros, is not converted anew either.
  const sold = await post('/v1/invoices', { ...dollars, client_id, lines: [{ ...line, quantity: 3 }] });
  assert.deepEqual(await saidOf(sold), ['27.08', '5.69', '1.40', '34.17']);
  const path = `/v1/invoices/${sold.id}/corrective`;
  const correction = { type: 'differences' };
  for (const lines of [[{ quantity: -1 }], [{ quantity: -1 }]])
    assert.deepEqual(await saidOf(await post(path, { correction, lines })), [
      '-9.03',
      '-1.90',
      '-0.47',
      '-11.40',
    ]);
  const rest = await post(path, { correction });
  assert.deepEqual([rest.subtotal, rest.taxes_total, rest.surcharge_total], [-10.03, -2.1, -0.52]);
  assert.deepEqual(await saidOf(rest), ['-9.02', '-1.89', '-0.46', '-11.37']);
  assert.deepEqual((await checkIntegrity(app, acme)).faults, []);
});

test('given tickets in dollars whose lines say one tax in other ways, when they are replaced, then the euros are the sum of theirs', async (t) => {
  const app = await startApp(t);
  const acme = await recordingCompany(app);
  const { key } = acme;
  const post = async (path: string, body: Record<string, unknown>) => {
    const res = await app.post(path, { key, body });
    assert.equal(res.status, 201, res.text);
    return res.body.data;
  };
  const client_id = (await post('/v1/clients', { name: 'Norte SL', tax_id: 'B12345674' })).id;
  const { id: taxes_id } = await post('/v1/taxes', { name: 'IVA general', kind: 'vat', rate: 21 });
  const dollars = { currency: 'USD', exchange_rate: 0.9, options: { issue: true } };
  const line = { description: 'Libro', unit_price: 10.03 };
  const [plain, of_tax, without] = [{ tax_rate: 21 }, { taxes_id }, { tax_rate: 21, surcharge_rate: 0 }];
  for (const ways of [
    [plain, of_tax, of_tax],
    [of_tax, plain, plain],
    [plain, without, without],
    [without, plain, plain],
  ]) {
    const tickets = [];
    for (const way of ways)
      tickets.push(await post('/v1/invoices', { ...dollars, type: 'F2', lines: [{ ...line, ...way }] }));
    const simplified_invoice_uuids = tickets.map(({ id }) => id);
    const full = await post('/v1/invoices/substitute-simplified', { simplified_invoice_uuids, client_id });
    assert.equal((await amountsOf(app, key, full.id)).at(-1), '32.79', JSON.stringify(ways));
    for (const one of tickets) assert.equal((await amountsOf(app, key, one.id)).at(-1), '10.93');
  }
});

const nifText = (nif: string) => `<sf:NIF>${nif}</sf:NIF>`;
const vatText = (id: string) => `<sf:IDOtro><sf:IDType>02</sf:IDType><sf:ID>${id}</sf:ID></sf:IDOtro>`;

for (const { ids, line, said, before, other } of [
  {
    ids: { alternative_id: { type: 'vat_id', value: 'ESA58818501' } },
    line: { tax_rate: 21 },
    said: nifText('A58818501'),
    before: vatText('ESA58818501'),
    other: vatText('ESB98765431'),
  },
  {
    ids: { tax_id: 'A58818501', vat_id: 'DE136695976' },
    line: { exemption_reason: 'E5' },
    said: vatText('DE136695976'),
    before: nifText('A58818501'),
    other: nifText('B98765431'),
  },
])
  test(`given ${Object.keys(ids).join(' and ')} of a client, then the record says ${said}, and an older one may say ${before}`, async (t) => {
    const app = await startApp(t);
    const acme = await recordingCompany(app);
    const { key } = acme;
    const client = await app.post('/v1/clients', { key, body: { name: 'Norte SA', ...ids } });
    const lines = [{ description: 'Mesa', kind: 'good', unit_price: 100, ...line }];
    const body = { client_id: client.body.data.id, lines, options: { issue: true } };
    const issued = await app.post('/v1/invoices', { key, body });
    assert.equal(issued.status, 201, issued.text);
    const record = await recordOf(app, key, issued.body.data.id);
    const { text } = await app.get(`/v1/verifactu/records/${record.id}/xml`, { key });
    assert.ok(text.includes(said), text);
    const sayInstead = (now: string, instead: string) => app.sql`
      update verifactu_records set xml = replace(xml, ${now}, ${instead}) where id = ${record.id}`;
    await sayInstead(said, before);
    assert.deepEqual((await checkIntegrity(app, acme)).faults, []);
    await sayInstead(before, other);
    assert.deepEqual((await checkIntegrity(app, acme)).fault_counts, { record_differs_from_invoice: 1 });
  });

test('given correctives by differences in force, when one by substitution replaces the invoice, then record and paper rectify what was in force', async (t) => {
  const app = await startApp(t);
  const acme = await recordingCompany(app);
  const { key } = acme;
  const client = await app.post('/v1/clients', { key, body: { name: 'Norte SL', tax_id: 'B12345674' } });
  const post = async (path: string, body: object) => {
    const res = await app.post(path, { key, body });
    assert.ok(res.status < 300, res.text);
    return res.body.data;
  };
  const line = { description: 'Consultoría', unit_price: 100, tax_rate: 21 };
  const sale = { client_id: client.body.data.id, lines: [line], options: { issue: true } };
  const { id, number } = await post('/v1/invoices', sale);
  const path = `/v1/invoices/${id}/corrective`;
  const less = (unit_price: number) =>
    post(path, { correction: { type: 'differences' }, lines: [{ quantity: -1, unit_price }] });
  await less(10);
  // What is withdrawn rectifies nothing.
  await post(`/v1/invoices/${(await less(20)).id}/void`, {});
  const instead = await post(path, { correction: { type: 'substitution' }, lines: [{ unit_price: 85 }] });
  assert.deepEqual(await amountsOf(app, key, instead.id), [
    ...['90.00', '18.90', null],
    ...['85.00', '17.85', null, '102.85'],
  ]);
  assert.deepEqual(
    instead.corrected_invoices.map((one: Record<string, unknown>) => [
      one.number,
      one.subtotal,
      one.taxes_total,
    ]),
    [[number, 90, 18.9]],
  );
  const { bytes } = await app.get(`/v1/invoices/${instead.id}/pdf`, { key });
  const paper = (await readText(bytes)).join('\n').replaceAll(/\s+/g, ' ');
  for (const said of ['base 90,00 €, cuota 18,90 €', 'base -5,00 €, cuota -1,05 €'])
    assert.ok(paper.includes(said), `${said} is not in ${paper}`);
  assert.deepEqual((await checkIntegrity(app, acme)).faults, []);
});

test('given a caller of any media type, when the XML is refused, then the refusal is JSON as everywhere', async (t) => {
  const app = await startApp(t);
  const [acme, other] = [await recordingCompany(app), await recordingCompany(app)];
  const foreign = await recordOf(app, other.key, (await issueTicketOf(app, other.key)).id);
  const path = (id: string) => `/v1/verifactu/records/${id}/xml`;
  await assertHidesForeignIds(app, 'GET', path, foreign.id, {
    key: acme.key,
    headers: { accept: 'application/xml' },
  });
});

test('given the document of the API, then it tells the media type of what answers a file', async (t) => {
  const app = await startApp(t);
  const { body } = await app.get('/openapi.json');
  const { responses, parameters } = body.paths['/v1/verifactu/records/{record}/xml'].get;
  assert.deepEqual(Object.keys(responses['200'].content), ['application/xml']);
  assert.deepEqual(responses['200'].content['application/xml'].schema, { type: 'string', format: 'binary' });
  for (const status of ['200', '304'])
    for (const name of ['ETag', 'Content-Disposition'])
      assert.ok(responses[status].headers[name], `${status} ${name}`);
  assert.doesNotMatch(responses['304'].description, /texto/);
  assert.ok(parameters.some((p: { $ref?: string }) => p.$ref === '#/components/parameters/If-None-Match'));
  const page = await app.get('/docs/reference/verifactu');
  assert.match(page.text, /El fichero, <code>application\/xml<\/code>/);
  for (const told of ['If-None-Match', '304', 'ETag', 'Content-Disposition'])
    assert.ok(page.text.includes(`<code>${told}</code>`) || page.text.includes(`>${told}</code>`), told);
});
