/** Scans over HTTP, with real files, a real blob store and real readers. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import { type App, startApp } from '../../../test/harness.ts';
import { breakTable } from '../../../test/support/broken-tables.ts';
import { holdLock } from '../../../test/support/held-lock.ts';
import { patientReader, readingWith } from '../../../test/support/patient-reader.ts';
import { facturae } from '../../../test/support/scan-samples/facturae.ts';
import { progressiveJpeg } from '../../../test/support/scan-samples/large-files.ts';
import { blankPdf, textPdf } from '../../../test/support/scan-samples/pdf-text.ts';
import { partySamples } from '../../../test/support/scan-samples/parties.ts';
import { photograph, scanSamples } from '../../../test/support/scan-samples/samples.ts';
import { until } from '../../../test/support/worker-place.ts';
import { idAt, newId } from '../../kernel/uuid7.ts';
import type { Ports } from '../../kernel/ports.ts';
import { readQrUrl } from '../../integrations/aeat/endpoints.ts';
import { makePrinter } from '../../integrations/pdf/printer.ts';
import { findTaxRows } from './rules/tax-rows.ts';

const path = '/v1/purchase_scans';
const purchases = '/v1/purchase_invoices';

const bodyOf = (bytes: Buffer, file_name = 'factura.pdf') => ({
  file_name,
  content_base64: bytes.toString('base64'),
});

const reader = patientReader();
after(() => reader.close());

let keys = 0;
const newKey = () => ({ 'idempotency-key': `archive-scan-${String(++keys).padStart(6, '0')}` });

async function givenScan(app: App, bytes: Buffer, file_name?: string) {
  const { company_id, live_key: key } = await app.given.company();
  const uploaded = await app.post(path, { key, body: bodyOf(bytes, file_name) });
  assert.equal(uploaded.status, 201, uploaded.text);
  const { id } = uploaded.body.data;
  const get = async () => (await app.get(`${path}/${id}`, { key })).body.data;
  const archive = async (query: Record<string, string>, headers: Record<string, string> = newKey()) =>
    app.delete(`${path}/${id}`, { key, query, headers });
  return { company_id, key, id, get, archive, scan: uploaded.body.data };
}

/** Status, code and param. */
const told = ({ status, body }: { status: number; body: { error?: { code: string; param: string } } }) => [
  status,
  body.error?.code,
  body.error?.param,
];

test('upload_purchase_scan, get_purchase_scan, get_purchase_scan_file, list_purchase_scans: given a PDF, then it is kept byte for byte, read, and shown in the list', async (t) => {
  const app = await startApp(t, readingWith(reader));
  const bytes = blankPdf(2);
  const { key, company_id, id, scan, get } = await givenScan(
    app,
    bytes,
    'C:\\papeles\\..\\Factura\u0007 1.xml',
  );
  assert.deepEqual(scan.file, {
    name: 'Factura 1.xml',
    media_type: 'application/pdf',
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    pages: null,
  });
  assert.deepEqual([scan.status, scan.version, scan.extraction, scan.proposal], ['uploaded', 1, null, null]);
  await app.service.worker.runDue(company_id);
  const data = await get();
  assert.deepEqual([data.status, data.version, data.file.pages], ['processed', 3, 2]);
  const file = await app.get(`${path}/${id}/file`, { key });
  assert.deepEqual([file.status, file.bytes.equals(bytes)], [200, true]);
  const { headers } = file;
  assert.equal(headers['content-disposition'], 'attachment; filename="Factura 1.xml"');
  assert.deepEqual(
    [headers['x-content-type-options'], headers['content-type']],
    ['nosniff', 'application/pdf'],
  );
  assert.match(String(headers['content-security-policy']), /default-src 'none'; sandbox/);
  for (const query of [{ status: 'processed', q: 'FACTURA' }, { sha256: data.file.sha256 }, {}])
    assert.deepEqual((await app.get(path, { key, query })).body.data, [data]);
  for (const query of [{ status: 'failed' }, { q: 'otra' }, { supplier_id: id }])
    assert.deepEqual((await app.get(path, { key, query })).body.data, []);
});

test('given every sample, when it is read, then it says what is expected, and each proposal is accepted as a draft', async (t) => {
  const app = await startApp(t, readingWith(reader));
  const { company_id, live_key: key } = await app.given.company();
  const supplier = await app.post('/v1/suppliers', {
    key,
    body: { name: 'Papelera Sur', tax_id: 'B12345674', default_discount: 10, default_retention_rate: 15 },
  });
  const printer = makePrinter({ log: { warn: (_details, message) => assert.fail(message) } });
  t.after(() => printer.close());
  const samples = await scanSamples(async (document) => (await printer.print(document, 'a4')).bytes);
  const ids: string[] = [];
  for (const { name, bytes } of samples) {
    const { status, body, text } = await app.post(path, { key, body: bodyOf(bytes) });
    assert.equal(status, 201, `${name}: ${text}`);
    ids.push(body.data.id);
  }
  await app.service.worker.runDue(company_id);
  let proposals = 0;
  for (const [at, sample] of samples.entries()) {
    const { data } = (await app.get(`${path}/${ids[at]}`, { key })).body;
    const { proposal, extraction } = data;
    const { name, method, total, number = proposal?.number, pages, warns = /^$/ } = sample;
    const said = JSON.stringify(data);
    assert.deepEqual(
      [data.status, extraction.method, data.file.pages],
      ['processed', method, pages],
      `${name} ${said}`,
    );
    assert.deepEqual(
      [proposal?.expected_total ?? null, proposal?.number],
      [total, number],
      `${name} ${said}`,
    );
    assert.match(
      extraction.warnings.filter((text: string) => !/destinatario/.test(text)).join(),
      warns,
      `${name} ${said}`,
    );
    if (proposal === null) continue;
    proposals++;
    const made = await app.post(purchases, { key, body: { ...proposal, number: `${number} ${at}` } });
    assert.equal(made.status, 201, `${name}: ${made.text} ${said}`);
    const { status, total: booked, supplier: of } = made.body.data;
    assert.deepEqual([status, booked], ['draft', total], name);
    if (data.supplier_candidates.length > 0) assert.equal(of.id, supplier.body.data.id, name);
  }
  assert.equal(proposals, 12);
});

test('given papers whose amounts do not reconcile, when they are read, then nothing is proposed, and supplier and doubles are told', async (t) => {
  const app = await startApp(t, readingWith(reader));
  const { company_id, live_key: key, tax_id } = await app.given.company();
  const supplier = await app.post('/v1/suppliers', {
    key,
    body: { name: 'Papelera Sur', tax_id: 'B12345674' },
  });
  const { id } = supplier.body.data;
  const text = ['Papelera Sur CIF B-12345674', 'Factura n.º A-2026/881', 'IVA 21 % 21,00', 'Total 122,00'];
  const own = 'El emisor que se ha leído es esta empresa: no es una factura de compra.';
  for (const [what, bytes, number, warns] of [
    ['a photograph with its QR', photograph, 'F2026-00012', null],
    ['a text', textPdf([text]), 'A-2026/881', null],
    ['a Facturae', facturae({ due: '213.66' }), '2026/17', null],
    ['a Facturae of this company', facturae({ due: '213.66', seller: tax_id }), '2026/17', own],
  ] as const) {
    const lines = [{ description: 'Papel', unit_price: 100, tax_rate: 21 }];
    const body = {
      supplier_id: id,
      number: number.toLowerCase(),
      issued_on: '2026-01-02',
      draft: true,
      lines,
    };
    const first = warns === null ? await app.post(purchases, { key, body }) : null;
    const uploaded = await app.post(path, { key, body: bodyOf(bytes) });
    await app.service.worker.runDue(company_id);
    const { data } = (await app.get(`${path}/${uploaded.body.data.id}`, { key })).body;
    assert.equal(data.proposal, null, what);
    if (first === null) {
      assert.deepEqual([data.supplier_candidates, data.extraction.warnings.at(-1)], [[], warns], what);
      continue;
    }
    assert.deepEqual(
      [data.supplier_candidates, data.possible_duplicate_ids],
      [[{ id, name: 'Papelera Sur', reason: 'tax_id' }], [first.body.data?.id]],
      `${what} ${JSON.stringify(data)} ${first.text}`,
    );
    const listed = await app.get(path, { key, query: { supplier_id: id, sha256: data.file.sha256 } });
    assert.equal(listed.body.data.length, 1, what);
    const purchase = `${purchases}/${first.body.data.id}`;
    assert.equal((await app.delete(purchase, { key })).status, 200);
  }
  // No purchase names the supplier now, and a scan does.
  assert.equal((await app.delete(`/v1/suppliers/${id}`, { key })).status, 200);
  assert.equal((await app.get(`/v1/suppliers/${id}`, { key })).body.data?.is_active, false);
});

test('given an invoice of this company, or one to another, when it is read, then the first is no purchase, and the second is told', async (t) => {
  const app = await startApp(t, readingWith(reader));
  const { company_id, live_key: key, tax_id } = await app.given.company();
  const read = async (bytes: Buffer) => {
    const { body } = await app.post(path, { key, body: bodyOf(bytes, 'a.xml') });
    await app.service.worker.runDue(company_id);
    return (await app.get(`${path}/${body.data.id}`, { key })).body.data;
  };
  const own = await read(facturae({ seller: tax_id }));
  assert.deepEqual(
    [own.proposal, own.extraction.warnings],
    [null, ['El emisor que se ha leído es esta empresa: no es una factura de compra.']],
  );
  const others = await read(facturae({ number: '18' }));
  assert.deepEqual(others.extraction.warnings, ['El destinatario que se ha leído no es esta empresa.']);
  assert.notEqual(others.proposal, null);
  assert.deepEqual((await read(facturae({ number: '19', buyer: tax_id }))).extraction.warnings, []);
  const spelled = facturae({ number: '20', buyer: `es-${tax_id.toLowerCase()}` });
  assert.deepEqual((await read(spelled)).extraction.warnings, []);
  assert.equal((await read(facturae({ number: '21', seller: `ES${tax_id}` }))).proposal, null);
  const text = facturae({ number: '23', buyer: tax_id }).toString();
  const wide = Buffer.from(`\ufeff${text.replace('UTF-8', 'UTF-16')}`, 'utf16le');
  for (const bytes of [wide, Buffer.from(wide).swap16(), wide.subarray(2), Buffer.from(`\ufeff${text}`)]) {
    const { proposal, extraction } = await read(bytes);
    assert.deepEqual([proposal?.number, extraction.warnings], ['23', []]);
  }
  const copy = await read(facturae({ number: '22', invoice_class: 'CR', buyer: tax_id }));
  assert.equal(copy.proposal.kind, 'corrective');
});

test('given the text of an invoice of this company, whoever it names first, when it is read, then no client is proposed as supplier', async (t) => {
  const app = await startApp(t, readingWith(reader));
  const { company_id, live_key: key, tax_id } = await app.given.company();
  const other = 'B12345674';
  const supplier = await app.post('/v1/suppliers', { key, body: { name: 'Papelera Sur', tax_id: other } });
  const { id } = supplier.body.data;
  let count = 0;
  const rows = ['Fecha: 12/03/2026', 'Base imponible 100,00', 'IVA 21 % 21,00', 'Total 121,00'];
  const expected = { nothing: null, nobody: 'none', other: id };
  for (const { what, parties, proposed, warns } of partySamples(tax_id, other)) {
    const bytes = textPdf([[...parties, `Factura n.º A-2026/${++count}`, ...rows]]);
    const { body } = await app.post(path, { key, body: bodyOf(bytes) });
    await app.service.worker.runDue(company_id);
    const { proposal, extraction } = (await app.get(`${path}/${body.data.id}`, { key })).body.data;
    assert.match(extraction.warnings.join(), warns, what);
    assert.equal(proposal && (proposal.supplier_id ?? 'none'), expected[proposed], what);
  }
});

test('given the text of more rows than are looked through, when it is read, then it is done in time and says nothing', () => {
  const many = Array.from({ length: 400 }, (_, at) =>
    `${at + 1},00 ${((at + 1) * 21) / 100}`.replace('.', ','),
  );
  const rates = [1, 2, 3, 4, 5, 6, 7].map((rate) => `${rate} %`);
  for (const text of [
    [...rates, ...many].join('\n'),
    [...rates.slice(0, 6), ...Array.from({ length: 400 }, () => '100,00 1,00 2,00 3,00')].join('\n'),
    ['21 % IRPF', '15 % IRPF', '10 %', '100,00', '10,00'].join('\n'),
  ])
    assert.equal(findTaxRows(text, [11_000n]), undefined);
});

test('given a Facturae that would be booked otherwise than it says, when it is read, then nothing is proposed', async (t) => {
  const app = await startApp(t, readingWith(reader));
  const { company_id, live_key: key } = await app.given.company();
  const sold = (description: string, rate = '21.00') => [
    { description, quantity: '1.0', price: '100.000000', gross: '100.00', rate },
  ];
  const amounts = {
    taxes: [{ rate: '21.00', base: '100.00', tax: '21.00' }],
    gross: '100.00',
    outputs: '21.00',
  };
  const negative = { taxes: [{ rate: '-21.00', base: '100.00', tax: '-21.00' }], outputs: '-21.00' };
  for (const [what, sample, is_proposed] of [
    [
      'another retention',
      { withheld: { rate: '15.00', base: '185.00', tax: '10.00' }, due: '203.65' },
      false,
    ],
    ['a retention of nothing', { withheld_total: '10.00', due: '203.65' }, false],
    [
      'a guarantee among the taxes withheld',
      { withheld: { rate: '5.00', base: '185.00', tax: '9.25', code: '05' }, due: '204.40' },
      false,
    ],
    [
      'a retention of a company that is not resident',
      {
        number: 'IRNR',
        withheld: { rate: '5.00', base: '185.00', tax: '9.25', code: '28' },
        due: '204.40',
      },
      true,
    ],
    ['a negative rate', { ...amounts, ...negative, sold: sold('Papel', '-21.00'), due: '79.00' }, false],
    ['a number in two lines', { number: 'A\n1' }, true],
    ['a number of 40 characters that are 80 units', { number: '😀'.repeat(40) }, true],
    ['a currency that is none', { currency: 'E'.repeat(5000) }, false],
    ['half a sign', { ...amounts, sold: sold(`${'x'.repeat(499)}😀😀`), due: '121.00' }, true],
  ] as const) {
    const { body } = await app.post(path, { key, body: bodyOf(facturae(sample), 'a.xml') });
    await app.service.worker.runDue(company_id);
    const { data } = (await app.get(`${path}/${body.data.id}`, { key })).body;
    assert.deepEqual([data.status, data.proposal !== null], ['processed', is_proposed], what);
    if (!is_proposed) continue;
    const made = await app.post(purchases, { key, body: data.proposal });
    assert.equal(made.status, 201, `${what}: ${made.text}`);
  }
});

test('given a Facturae with what a purchase cannot say, or what few say, when it is read, then it is warned of or proposed', async (t) => {
  const app = await startApp(t, readingWith(reader));
  const { company_id, live_key: key, tax_id: buyer } = await app.given.company();
  await app.post('/v1/suppliers', { key, body: { name: 'Papelera Sur', tax_id: 'B12345674' } });
  let count = 0;
  const read = async (sample: Parameters<typeof facturae>[0]) => {
    const bytes = facturae({ buyer, number: `F-${++count}`, ...sample });
    const { body } = await app.post(path, { key, body: bodyOf(bytes, 'a.xml') });
    await app.service.worker.runDue(company_id);
    const { proposal, extraction } = (await app.get(`${path}/${body.data.id}`, { key })).body.data;
    const made = await app.post(purchases, { key, body: { ...proposal, draft: false } });
    assert.equal(made.status, 201, made.text);
    return { made: made.body.data, warnings: extraction.warnings };
  };
  for (const [besides, warning] of [
    ['<PaymentsOnAccount><PaymentOnAccount/></PaymentsOnAccount>', /anticipos/],
    ['<ReimbursableExpenses><ReimbursableExpense/></ReimbursableExpenses>', /suplidos/],
    ['<AmountsWithheld><WithholdingAmount>10.00</WithholdingAmount></AmountsWithheld>', /garantía/],
    ['<Subsidies><Subsidy><SubsidyAmount>10.00</SubsidyAmount></Subsidy></Subsidies>', /subvenciones/],
    ['<PaymentInKind><PaymentInKindAmount>10.00</PaymentInKindAmount></PaymentInKind>', /especie/],
    ['<TotalFinancialExpenses>10.00</TotalFinancialExpenses>', /gastos financieros/],
  ] as const) {
    const { made, warnings } = await read({ besides });
    assert.deepEqual([made.total, warnings.length], [213.65, 1], besides);
    assert.match(warnings[0], warning);
  }
  for (const payable of ['203.65', 'cien']) {
    const { made, warnings } = await read({ payable });
    assert.deepEqual([made.total, warnings.length], [213.65, 1], payable);
    assert.match(warnings[0], /total a ejecutar/);
  }
  const zeros =
    '<Subsidies><Subsidy><SubsidyDescription>Ninguna</SubsidyDescription><SubsidyAmount>0.00</SubsidyAmount></Subsidy></Subsidies><TotalFinancialExpenses>0.00</TotalFinancialExpenses><AmountsWithheld><WithholdingAmount>0.00</WithholdingAmount></AmountsWithheld>';
  assert.deepEqual((await read({ besides: zeros, payable: '213.65000000' })).warnings, []);
  const ticket = await read({ document_type: 'FA' });
  assert.deepEqual(
    [ticket.made.kind, ticket.made.has_recipient_data, ticket.made.deductible_total, ticket.warnings],
    ['simplified', true, 28.65, []],
  );
  const foreign = await read({ document_type: 'FA', buyer: 'A58818501' });
  assert.deepEqual([foreign.made.has_recipient_data, foreign.made.deductible_total], [false, 0]);
  const correcting = (method: string) =>
    read({
      invoice_class: 'OR',
      corrective: `<Corrective><InvoiceNumber>7</InvoiceNumber><InvoiceSeriesCode>A-</InvoiceSeriesCode><ReasonCode>01</ReasonCode><CorrectionMethod>${method}</CorrectionMethod><InvoiceIssueDate>2026-02-01</InvoiceIssueDate></Corrective>`,
    });
  const corrects = { purchase_invoice_id: null, number: 'A-7', issued_on: '2026-02-01' };
  const [full, by_difference] = [await correcting('01'), await correcting('02')];
  for (const { made } of [full, by_difference])
    assert.deepEqual([made.kind, made.corrects], ['corrective', corrects]);
  assert.match(full.warnings.join(), /íntegra/);
  assert.deepEqual(by_difference.warnings, []);
});

test('given a Facturae of reverse charge or with a rate of no Spanish VAT, when it is read, then nothing is proposed, and it is said', async (t) => {
  const app = await startApp(t, readingWith(reader));
  const { company_id, live_key: key } = await app.given.company();
  let count = 0;
  const read = async (
    sample: Parameters<typeof facturae>[0],
    change: (xml: string) => string = (xml) => xml,
  ) => {
    const bytes = Buffer.from(change(facturae({ number: `R-${++count}`, ...sample }).toString()));
    const { body } = await app.post(path, { key, body: bodyOf(bytes, 'a.xml') });
    await app.service.worker.runDue(company_id);
    const { proposal, extraction } = (await app.get(`${path}/${body.data.id}`, { key })).body.data;
    return { is_proposed: proposal !== null, warnings: extraction.warnings.join() as string };
  };
  const of = (rate: string, tax: string, due: string, special?: string) => ({
    sold: [
      {
        description: 'Obra',
        quantity: '1.0',
        price: '100.000000',
        gross: '100.00',
        rate,
        ...(special && { special }),
      },
    ],
    taxes: [{ rate, base: '100.00', tax }],
    gross: '100.00',
    outputs: tax,
    due,
  });
  const reverse = 'Inversión del sujeto pasivo (art. 84.Uno.2.º f) LIVA)';
  const literal = (xml: string) =>
    xml.replace(
      '</Items>',
      `</Items><LegalLiterals><LegalReference>${reverse}</LegalReference></LegalLiterals>`,
    );
  const further = (xml: string) =>
    xml.replace(
      '</Items>',
      `</Items><AdditionalData><InvoiceAdditionalInformation>${reverse.toUpperCase()}</InvoiceAdditionalInformation></AdditionalData>`,
    );
  const reason = (xml: string) => xml.replace('Por ley', reverse);
  const [untaxed, exempt] = [of('0.00', '0.00', '100.00'), of('0.00', '0.00', '100.00', '01')];
  for (const [what, sample, change] of [
    ['of rate 0, by its legal literal', untaxed, literal],
    ['of rate 0, by what it says besides', untaxed, further],
    ['exempt by its form, by its reason', exempt, reason],
    ['exempt by its form, by its legal literal', exempt, literal],
  ] as const) {
    const { is_proposed, warnings } = await read(sample, change);
    assert.equal(is_proposed, false, what);
    assert.match(warnings, /inversión del sujeto pasivo/, what);
  }
  for (const [rate, tax, due] of [
    ['12.00', '12.00', '112.00'],
    ['20.00', '20.00', '120.00'],
  ] as const) {
    const { is_proposed, warnings } = await read(of(rate, tax, due));
    assert.equal(is_proposed, false, rate);
    assert.match(warnings, /no es un tipo del IVA español/, rate);
  }
  assert.equal((await read(exempt)).is_proposed, true);
  assert.equal((await read(of('21.00', '21.00', '121.00'), literal)).is_proposed, true);
});

test('given a Facturae of a supplier on cash accounting, when its proposal is registered, then its tax waits for the payment', async (t) => {
  const app = await startApp(t, readingWith(reader));
  const { company_id, live_key: key, tax_id: buyer } = await app.given.company();
  await app.post('/v1/suppliers', { key, body: { name: 'Papelera Sur', tax_id: 'B12345674' } });
  const literals =
    '<LegalLiterals><LegalReference>Régimen especial del criterio de caja</LegalReference></LegalLiterals>';
  app.clock.set('2026-03-20T10:00:00Z');
  for (const [number, more, deductible] of [
    ['C-1', '', 28.65],
    ['C-2', literals, 0],
  ] as const) {
    const xml = facturae({ buyer, number }).toString().replace('</Items>', `</Items>${more}`);
    const { body } = await app.post(path, { key, body: bodyOf(Buffer.from(xml), 'a.xml') });
    await app.service.worker.runDue(company_id);
    const { proposal } = (await app.get(`${path}/${body.data.id}`, { key })).body.data;
    const made = await app.post(purchases, { key, body: { ...proposal, draft: false } });
    assert.deepEqual(
      [made.body.data?.cash_accounting, made.body.data?.deductible_total],
      [deductible === 0, deductible],
      made.text,
    );
  }
});

test('given a QR of a day or number that cannot be, then it says nothing', () => {
  const of = (number: string, day: string) =>
    readQrUrl(
      `https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR?nif=B12345674&numserie=${number}&fecha=${day}&importe=121.00`,
    );
  assert.equal(of('A-1', '31-01-2026')?.issued_on, '2026-01-31');
  for (const day of ['31-02-2026', '00-00-0000']) assert.equal(of('A-1', day), undefined, day);
  for (const number of ['%20', 'A%001', 'A%0A1', 'A%E2%80%AE1'])
    assert.equal(of(number, '31-01-2026'), undefined, number);
});

test('given a QR that looks like one of the authority, then only its own addresses say something, and exactly', () => {
  const query = 'nif=B12345674&numserie=A%2F1&fecha=31-01-2026&importe=121.00';
  const read = { tax_id: 'B12345674', number: 'A/1', issued_on: '2026-01-31', total: '121.00' };
  const host = 'www2.agenciatributaria.gob.es';
  const path = '/wlpl/TIKE-CONT/ValidarQR';
  for (const address of [
    `https://${host}${path}`,
    `https://${host}${path}NoVerifactu`,
    `https://prewww2.aeat.es${path}`,
    `https://prewww2.aeat.es${path}NoVerifactu`,
  ])
    assert.deepEqual(readQrUrl(`${address}?${query}`), read, address);
  for (const address of [
    `http://${host}${path}`,
    `https://${host}:8443${path}`,
    `https://${host}.example.com${path}`,
    `https://${host}@example.com${path}`,
    `https://example.com${path}`,
    `https://example.com/https://${host}${path}`,
    `https://agenciatributaria.gob.es${path}`,
    `https://${host}${path}/otra`,
    `https://${host}/`,
    `${host}${path}`,
  ])
    assert.equal(readQrUrl(`${address}?${query}`), undefined, address);
  for (const importe of ['', '121,00', '121.001', '1e3', ' 121', '1234567890123', 'NaN'])
    assert.equal(readQrUrl(`https://${host}${path}?${query.replace('121.00', importe)}`), undefined, importe);
  for (const missing of ['nif', 'numserie', 'fecha', 'importe'])
    assert.equal(readQrUrl(`https://${host}${path}?${query.replace(missing, 'otro')}`), undefined, missing);
});

test('given a draft whose scan was archived, when it is received, then the scan has to come back first', async (t) => {
  const app = await startApp(t);
  const { key, id, archive } = await givenScan(app, facturae());
  const draft = await app.post(purchases, {
    key,
    body: {
      draft: true,
      number: 'A-1',
      issued_on: '2026-01-02',
      kind: 'simplified',
      scan_ids: [id],
      lines: [{ description: 'x', unit_price: 1, tax_rate: 21 }],
    },
  });
  assert.equal(draft.status, 201, draft.text);
  const { version } = (await app.get(`${path}/${id}`, { key })).body.data;
  const archived = await archive({ expected_version: String(version) });
  assert.equal(archived.status, 200, archived.text);
  const receive = () => app.post(`${purchases}/${draft.body.data.id}/mark-received`, { key, body: {} });
  assert.deepEqual(told(await receive()), [409, 'invalid_status_transition', 'scan_ids.0']);
  assert.equal((await app.post(`${path}/${id}/restore`, { key, body: {} })).status, 200);
  assert.equal((await receive()).status, 200);
});

test('given the same bytes again, when they are uploaded at once or renamed, then they are one scan until it is archived', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const bytes = textPdf([['uno']]);
  const upload = (name: string) => app.post(path, { key, body: bodyOf(bytes, name) });
  const both = await Promise.all([upload('a.pdf'), upload('b.pdf')]);
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 201]);
  const { id } = both[0].body.data;
  const again = await upload('c.pdf');
  assert.deepEqual(
    [again.status, again.headers['idempotent-replayed'], again.body.data.id],
    [200, 'true', id],
  );
  assert.equal(both[1].body.data.id, id);
  const file = await app.get(`${path}/${id}/file`, { key });
  assert.ok(file.bytes.equals(bytes));
  await app.delete(`${path}/${id}`, { key, query: { expected_version: '1' }, headers: newKey() });
  const second = await upload('d.pdf');
  assert.deepEqual([second.status, second.body.data.id === id], [201, false]);
  assert.deepEqual(told(await app.post(`${path}/${id}/restore`, { key })), [
    422,
    'business_rule_violation',
    'purchase_scan',
  ]);
});

/** Of the processes that share a blob store: how often a file of a scan is stored, and which files are there. */
function watchedStore() {
  const store = { puts: 0, files: new Set<string>(), takes: true };
  const wrap_ports = (ports: Ports): Ports => ({
    ...ports,
    blobs: {
      ...ports.blobs,
      async put(key) {
        if (!store.takes) throw new Error('The store takes nothing.');
        store.puts++;
        store.files.add(key);
      },
      delete: async (key) => void store.files.delete(key),
    },
  });
  return { store, wrap_ports };
}

test('given a key that another process has used, when files are uploaded with it, then the first answer or the refusal leaves no file', async (t) => {
  const { store, wrap_ports } = watchedStore();
  const one = await startApp(t, { fresh: true, wrap_ports });
  const two = await startApp(t, { fresh: true, wrap_ports });
  const { live_key: key, company_id } = await one.given.company();
  const upload = (app: App, text: string) =>
    app.post(path, { key, headers: { 'idempotency-key': 'k1' }, body: bodyOf(textPdf([[text]])) });
  const first = await upload(one, 'uno');
  assert.equal(first.status, 201, first.text);
  const { id } = first.body.data;
  assert.deepEqual(told(await upload(two, 'dos')), [409, 'idempotency_key_reused', 'Idempotency-Key']);
  await one.delete(`${path}/${id}`, { key, query: { expected_version: '1' }, headers: newKey() });
  store.takes = false;
  const three = await startApp(t, { fresh: true, wrap_ports });
  const again = await upload(three, 'uno');
  assert.deepEqual(
    [again.status, again.headers['idempotent-replayed'], again.body.data.id],
    [201, 'true', id],
  );
  assert.deepEqual([...store.files], [`scans/${company_id}/${id}`]);
  assert.equal(store.puts, 1);
});

test('given a key that another process holds, when a file is uploaded with it, then it is stored once, and leaves with the refusal', async (t) => {
  const { store, wrap_ports } = watchedStore();
  // Longer than two attempts, each of which waits 200 ms for the key.
  const app = await startApp(t, { wrap_ports, key_wait_ms: 1000 });
  const { live_key: key, company_id } = await app.given.company();
  const held = await holdLock(
    t,
    app,
    (sql) => sql`
    insert into idempotency_keys (company_id, key, operation, body_hash, created_at, expires_at)
    values (${company_id}, 'k1', 'x', '', now(), now() + interval '1 day')`,
  );
  const upload = () =>
    app.post(path, { key, headers: { 'idempotency-key': 'k1' }, body: bodyOf(textPdf([['uno']])) });
  assert.deepEqual(told(await upload()), [409, 'resource_locked', 'Idempotency-Key']);
  await until(async () => store.files.size === 0);
  assert.equal(store.puts, 1);
  await held.release();
  const done = await upload();
  assert.equal(done.status, 201, done.text);
  assert.deepEqual([...store.files], [`scans/${company_id}/${done.body.data.id}`]);
});

test('given uploads that fail, when their end is known, then their files leave; when the commit may be done, they stay', async (t) => {
  const { store, wrap_ports } = watchedStore();
  const app = await startApp(t, { wrap_ports });
  const { live_key: key, company_id } = await app.given.company();
  const bytes = textPdf([['uno']]);
  const upload = () => app.post(path, { key, body: bodyOf(bytes), expects_fault: true });
  // A fault, one that comes with the commit, and a connection that ends with it.
  for (const [code, when, status, files] of [
    ['XX000', 'write', 500, 0],
    ['XX000', 'commit', 500, 0],
    ['57P01', 'commit', 503, 1],
  ] as const) {
    const mend = await breakTable(app, 'purchase_scans', company_id, { code, when });
    const failed = await upload();
    await mend();
    assert.equal(failed.status, status, failed.text);
    await until(async () => store.files.size === files);
  }
  const [left] = store.files;
  const done = await upload();
  assert.equal(done.status, 201, done.text);
  assert.equal((await upload()).status, 200);
  const named = `scans/${company_id}/${done.body.data.id}`;
  assert.deepEqual([...store.files], [left, named]);
  // Nobody knows of a file whose upload was cut, so it waits until no upload can be under way.
  app.clock.advance(3_590_000);
  await app.service.worker.runDue(company_id);
  assert.deepEqual([...store.files], [left, named]);
  app.clock.advance(20_000);
  await app.service.worker.runDue(company_id);
  assert.deepEqual([...store.files], [named]);
  const jobs =
    await app.sql`select kind from jobs where company_id = ${company_id} and kind = 'purchase_scan.forget_files'`;
  assert.deepEqual([...jobs], []);
});

test('given an upload that slept until its file was taken for abandoned, when it goes on, then its scan has a file', async (t) => {
  const { store, wrap_ports } = watchedStore();
  const app = await startApp(t, { wrap_ports, key_wait_ms: 60_000 });
  const { live_key: key, company_id } = await app.given.company();
  const held = await holdLock(
    t,
    app,
    (sql) => sql`
    insert into idempotency_keys (company_id, key, operation, body_hash, created_at, expires_at)
    values (${company_id}, 'k1', 'x', '', now(), now() + interval '1 day')`,
  );
  const headers = { 'idempotency-key': 'k1' };
  const uploading = app.post(path, { key, headers, body: bodyOf(textPdf([['uno']])) });
  await until(async () => store.files.size === 1);
  const [first] = store.files;
  app.clock.advance(3_610_000);
  await app.service.worker.runDue(company_id);
  assert.equal(store.files.size, 0);
  await held.release();
  const done = await uploading;
  assert.equal(done.status, 201, done.text);
  const named = `scans/${company_id}/${done.body.data.id}`;
  assert.deepEqual([[...store.files], named === first], [[named], false]);
});

test('given a sandbox that has stored 2 GB in a day, when it uploads more, then that is refused until a real day is over, and what it has is answered', async (t) => {
  const app = await startApp(t);
  const { test_key: key, sandbox_company_id: company_id } = await app.given.company();
  const upload = (text: string) => app.post(path, { key, body: bodyOf(textPdf([[text]])) });
  const { id } = (await upload('uno')).body.data;
  await app.sql`update purchase_scans set size = 1999999999 where company_id = ${company_id} and id = ${id}`;
  const full = [422, 'business_rule_violation', 'content_base64'];
  assert.deepEqual(told(await upload('dos')), full);
  assert.equal((await upload('uno')).status, 200);
  const later = { now: new Date(app.clock.now().getTime() + 3 * 24 * 3_600_000).toISOString(), frozen: true };
  assert.ok((await app.put('/v1/sandbox/clock', { key, body: later })).status < 300);
  assert.deepEqual(told(await upload('dos')), full);
  const yesterday = idAt(app.clock.now().getTime() - 25 * 3_600_000, 'last');
  await app.sql`update purchase_scans set id = ${yesterday} where company_id = ${company_id} and id = ${id}`;
  assert.equal((await upload('dos')).status, 201);
  const ids = Array.from({ length: 4999 }, newId);
  await app.sql`insert into purchase_scans (company_id, id, version, status, status_before, file_name, media_type, size, sha256, created_at, updated_at)
    select company_id, one, 1, 'archived', 'processed', 'a', media_type, 1, 'x', created_at, updated_at
      from purchase_scans, unnest(${ids}::uuid[]) as one where company_id = ${company_id} and id = ${yesterday}`;
  assert.deepEqual(told(await upload('tres')), full);
});

test('archive_purchase_scan, restore_purchase_scan, reprocess_purchase_scan: given a scan, then version, key and state are asked for, and restore leads back', async (t) => {
  const app = await startApp(t, readingWith(reader));
  const { company_id, key, id, get, archive } = await givenScan(app, textPdf([['dos']]));
  const cases = [
    [{ expected_version: '2' }, newKey(), [409, 'version_conflict', 'expected_version']],
    [{}, newKey(), [422, 'parameter_invalid', 'expected_version']],
    [{ expected_version: 'uno' }, newKey(), [422, 'parameter_invalid', 'expected_version']],
    [{ expected_version: '-1' }, newKey(), [422, 'parameter_invalid', 'expected_version']],
    [{ expected_version: '1' }, {}, [422, 'missing_required_param', 'Idempotency-Key']],
    [
      { expected_version: '1' },
      { 'idempotency-key': 'k'.repeat(15) },
      [422, 'parameter_invalid', 'Idempotency-Key'],
    ],
    [
      { expected_version: '1' },
      { 'idempotency-key': 'k'.repeat(129) },
      [422, 'parameter_invalid', 'Idempotency-Key'],
    ],
  ] as const;
  for (const [query, headers, wanted] of cases)
    assert.deepEqual(told(await archive(query, headers)), wanted, JSON.stringify([query, headers]));
  const headers = newKey();
  const archived = await archive({ expected_version: '1' }, headers);
  assert.deepEqual(
    [archived.status, archived.body.data.status, archived.body.data.version],
    [200, 'archived', 2],
  );
  assert.deepEqual((await archive({ expected_version: '1' }, headers)).body, archived.body);
  assert.deepEqual(told(await archive({ expected_version: '2' })), [
    409,
    'invalid_status_transition',
    'purchase_scan',
  ]);
  // Its job finds nothing to do, and restoring it asks for the reading again.
  await app.service.worker.runDue(company_id);
  assert.equal((await get()).status, 'archived');
  const restored = await app.post(`${path}/${id}/restore`, { key });
  assert.deepEqual([restored.body.data.status, restored.body.data.archived_at], ['uploaded', null]);
  await app.service.worker.runDue(company_id);
  assert.equal((await get()).status, 'processed');
  assert.deepEqual(told(await app.post(`${path}/${id}/restore`, { key })), [
    409,
    'invalid_status_transition',
    'purchase_scan',
  ]);
  // Back to where it was, with what was read.
  for (const status of ['processed', 'failed']) {
    await app.sql`update purchase_scans set status = ${status} where company_id = ${company_id} and id = ${id}`;
    const before = await get();
    const gone = await archive({ expected_version: String(before.version) });
    assert.deepEqual([gone.status, gone.body.data?.status], [200, 'archived'], gone.text);
    const back = (await app.post(`${path}/${id}/restore`, { key })).body.data;
    const { version, updated_at } = back;
    assert.deepEqual(back, { ...before, version, updated_at });
    assert.equal(version, before.version + 2);
  }
  const waiting = await app.post(`${path}/${id}/reprocess`, { key });
  assert.deepEqual([waiting.body.data.status, waiting.body.data.extraction], ['uploaded', null]);
  assert.deepEqual(told(await app.post(`${path}/${id}/reprocess`, { key })), [
    409,
    'invalid_status_transition',
    'purchase_scan',
  ]);
  const { body } = await app.get('/v1/audit-log', { key, query: { limit: '100' } });
  const entries = body.data.filter((one: { target: { id: string } }) => one.target.id === id);
  const moved = ['archive', 'restore'];
  assert.deepEqual(
    entries.map(({ action }: { action: string }) => action.slice('purchase_scan.'.length)).reverse(),
    ['upload', ...moved, 'finish', ...moved, ...moved, 'reprocess'],
  );
});

test('given a key that may not upload, when its body is on its way, then it is refused before that is read', async (t) => {
  const app = await startApp(t);
  const company = await app.given.company();
  const key = await app.given.apiKey(company, { scopes: ['account:read'] });
  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json`;
  socket.write(`${head}\r\nContent-Length: 20900000\r\n\r\n{"content_base64":"`);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  assert.match(answer.toString(), /^HTTP\/1.1 403 [\s\S]*"insufficient_scope"/);
});

test('given content that is no file, when it is uploaded, then it is refused by its member', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const refused = [422, 'parameter_invalid', 'content_base64'];
  const tooLarge = Buffer.alloc(24);
  tooLarge.write('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');
  tooLarge.writeUInt32BE(7000, 16);
  tooLarge.writeUInt32BE(7000, 20);
  const contents = [
    '',
    'no base64',
    'QUJD',
    'QUJ',
    'QQ==QQ==',
    '-_-_',
    null,
    7,
    Buffer.from('<!DOCTYPE html><html></html>').toString('base64'),
    Buffer.concat([tooLarge, Buffer.alloc(20)]).toString('base64'),
    progressiveJpeg(8000, 5001).subarray(0, 1000).toString('base64'),
  ];
  for (const content_base64 of contents)
    assert.deepEqual(
      told(await app.post(path, { key, body: { file_name: 'a.pdf', content_base64 } })),
      refused,
      String(content_base64),
    );
  const large = await app.post(path, { key, raw: `{"content_base64":"${'A'.repeat(21 * 1_048_576)}"}` });
  assert.deepEqual(told(large), [413, 'request_too_large', null]);
  // Of two members the last counts, in an upload as in any body.
  const twice = `{"file_name":"a","content_base64":"QUJD","content_base64":"${blankPdf(2).toString('base64')}"}`;
  assert.equal((await app.post(path, { key, raw: twice })).status, 201);
  // Some writers of JSON escape slash and plus.
  const bytes = Buffer.concat([blankPdf(1), Buffer.from('fbff3ffbefbefbff', 'hex')]);
  const escaped = bytes.toString('base64').replaceAll('/', '\\/').replaceAll('+', '\\u002B');
  const taken = await app.post(path, { key, raw: `{"file_name":"a","content_base64":"${escaped}"}` });
  assert.equal(taken.body.data.file.sha256, createHash('sha256').update(bytes).digest('hex'), taken.text);
});

test('given a scan, when a purchase names it, then no other may, and it is not archived once the purchase is received', async (t) => {
  const app = await startApp(t, readingWith(reader));
  const { company_id, key, id, get, archive } = await givenScan(app, facturae());
  await app.post('/v1/suppliers', { key, body: { name: 'Papelera Sur', tax_id: 'B12345674' } });
  await app.service.worker.runDue(company_id);
  const { proposal } = await get();
  const made = await app.post(purchases, { key, body: { ...proposal, scan_ids: [id] } });
  assert.deepEqual([made.status, made.body.data.scan_ids], [201, [id]], made.text);
  const purchase = `${purchases}/${made.body.data.id}`;
  assert.equal((await get()).purchase_invoice_id, made.body.data.id);
  const other = { ...proposal, number: 'B-1', scan_ids: [id] };
  assert.deepEqual(told(await app.post(purchases, { key, body: other })), [
    409,
    'invalid_status_transition',
    'scan_ids.0',
  ]);
  const unknown = { ...other, scan_ids: [made.body.data.id] };
  assert.deepEqual(told(await app.post(purchases, { key, body: unknown })), [
    422,
    'parameter_invalid',
    'scan_ids.0',
  ]);
  const received = await app.post(`${purchase}/mark-received`, { key });
  assert.equal(received.status, 200, received.text);
  const expected_version = String((await get()).version);
  assert.deepEqual(told(await archive({ expected_version })), [
    409,
    'invalid_status_transition',
    'purchase_scan',
  ]);
  const freed = await app.put(purchase, { key, body: { scan_ids: [] } });
  assert.deepEqual([freed.status, freed.body.data.scan_ids], [200, []], freed.text);
  const last = await get();
  assert.equal(last.purchase_invoice_id, null);
  assert.equal((await archive({ expected_version: String(last.version) })).status, 200);
  const again = await app.post(`${path}/${id}/restore`, { key });
  assert.equal(again.status, 200, again.text);
  await app.post(`${path}/${id}/reprocess`, { key });
  await app.service.worker.runDue(company_id);
  assert.deepEqual((await get()).possible_duplicate_ids, [made.body.data.id]);
});
