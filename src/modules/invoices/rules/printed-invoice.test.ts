/**
 * Compares printed invoices with golden files that people have read, and adds up the amounts of random ones. FOLIO_TEST_UPDATE=1
 * rewrites the files.
 */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import {
  frenchClient,
  invoiceSource,
  noClient,
  printedIssuer,
  spanishClient,
  storedBundle,
} from '../../../../test/support/printed-cases.ts';
import { printedToCents } from '../../../domain/money/printed.ts';
import { moneyText, numberText, percentText } from '../../../domain/printing/numbers.ts';
import { taxName } from '../../../domain/printing/print-taxes.ts';
import {
  type PrintedDocument,
  type PrintedLanguage,
  printedLanguages,
} from '../../../domain/printing/printed-document.ts';
import { printedWords } from '../../../domain/printing/words.ts';
import type { LineInput } from '../../../domain/sales/line-input.ts';
import type { PaymentRow } from '../../payments/index.ts';
import type { InvoiceBundle, InvoiceRow } from '../invoices.rows.ts';
import { altaContent } from './record-content.ts';
import { type InvoiceSource, printInvoice } from './printed-invoice.ts';

const goldenFolder = fileURLToPath(new URL('../../../../test/golden/printed/', import.meta.url));
const is_update = process.env.FOLIO_TEST_UPDATE === '1';

const repair: LineInput = {
  description: 'Reparación de motor',
  quantity: 1.5,
  unit: 'h',
  unit_price: 60,
  tax_rate: 21,
};
const parts: LineInput = {
  description: 'Juego de juntas',
  quantity: 2,
  unit: 'ud.',
  unit_price: 12.3456,
  discount_percent: 10,
  tax_rate: 21,
};
const books: LineInput = { description: 'Manual de taller', unit_price: 25, tax_rate: 4 };
const work: LineInput[] = [repair, parts, books];

const referred = (
  number: string,
  issued_on: string,
  subtotal: number | null = null,
  taxes_total: number | null = null,
) => ({
  id: null,
  number,
  issued_on,
  subtotal,
  taxes_total,
  surcharge_total: subtotal === null ? null : 0,
});

function paidAt(bundle: InvoiceBundle, created_at: string, change: Partial<PaymentRow> = {}): InvoiceBundle {
  const payment: PaymentRow = {
    id: '0199c000-0000-7000-8000-0000000000bb',
    invoice_id: bundle.document.id,
    amount: bundle.document.amount_due,
    payment_date: '2026-11-21',
    payment_method: 'card',
    reference: null,
    notes: null,
    client_id: null,
    external_id: null,
    metadata: {},
    is_reversed: false,
    reversed_at: null,
    reversal_reason: null,
    reversal_note: null,
    created_at,
    updated_at: created_at,
    ...change,
  };
  return { ...bundle, payments: [payment] };
}

const atIssue = (bundle: InvoiceBundle) => paidAt(bundle, '2026-11-21T10:20:29.500Z');

const snack: LineInput[] = [
  { description: 'Café con leche', quantity: 3, unit_price: 1.6, tax_rate: 10 },
  { description: 'Bocadillo de tortilla', quantity: 2, unit_price: 4.25, discount_percent: 10, tax_rate: 10 },
  { description: 'Lotería', unit_price: 20, exemption_reason: 'E1' },
  { description: 'Cerveza', quantity: 1, unit_price: 2.5, tax_rate: 21 },
];

const ticket = (change: Partial<InvoiceRow> = {}, ...lines: LineInput[]) =>
  storedBundle(lines.length > 0 ? lines : snack, {
    type: 'F2',
    ...noClient,
    number: 'T2026-00007',
    series_code: 'T',
    prices_include_tax: true,
    due_on: null,
    ...change,
  });

const cases: Record<string, InvoiceSource> = {
  f1: invoiceSource(
    storedBundle(work, {
      description: 'Revisión anual',
      operation_on: '2026-11-03',
      notes: 'Garantía de dos años.\n\nGracias por su confianza.',
    }),
  ),
  'f1-no-verifactu': invoiceSource(storedBundle(work), {
    record: {
      qr_url: 'https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQRNoVerifactu?nif=B12345674',
      qr_mode: 'no_verifactu',
    },
  }),
  'f1-without-record': invoiceSource(storedBundle(work, { has_record: false }), { record: null }),
  'f1-prices-with-tax': invoiceSource(
    storedBundle(
      [
        { description: 'Mesa de roble', quantity: 3, unit_price: 149.95, tax_rate: 21 },
        { description: 'Silla', quantity: 4, unit_price: 59.9, discount_percent: 12.5, tax_rate: 21 },
        { description: 'Libro de montaje', unit_price: 10, tax_rate: 4 },
      ],
      { prices_include_tax: true },
    ),
  ),
  'f2-ticket': invoiceSource(atIssue(ticket())),
  'f2-ticket-without-tax': invoiceSource(
    storedBundle(work, { type: 'F2', ...noClient, number: 'T2026-00008', series_code: 'T', due_on: null }),
  ),
  'f2-qualified': invoiceSource(ticket(spanishClient)),
  'f2-art61d': invoiceSource(ticket({ no_recipient_art61d: true })),
  f3: invoiceSource(
    storedBundle(work, {
      type: 'F3',
      substituted_invoices: [referred('T2026-00001', '2026-11-02'), referred('T2026-00004', '2026-11-05')],
    }),
  ),
  'f3-of-many': invoiceSource(
    storedBundle(work, {
      type: 'F3',
      substituted_invoices: Array.from({ length: 12 }, (_, i) => referred(`T2026-0${100 + i}`, '2026-11-02')),
    }),
  ),
  'r1-differences': invoiceSource(
    storedBundle([{ ...repair, quantity: -1.5, retention_rate: 15 }], {
      type: 'R1',
      number: 'R2026-00003',
      series_code: 'R',
      due_on: null,
      correction_type: 'differences',
      correction_reason: 'Devolución de la reparación.',
      corrected_invoices: [referred('F2026-00009', '2026-10-30', 90, 18.9)],
    }),
  ),
  'r4-substitution': invoiceSource(
    storedBundle([repair], {
      type: 'R4',
      number: 'R2026-00004',
      series_code: 'R',
      correction_type: 'substitution',
      corrected_invoices: [referred('F2026-00009', '2026-10-30', 139.63, 29.32)],
    }),
  ),
  r5: invoiceSource(
    ticket({
      type: 'R5',
      number: 'RT2026-1',
      series_code: 'RT',
      correction_type: 'substitution',
      correction_reason: 'Producto equivocado.',
      corrected_invoices: [referred('T2026-00001', '2026-11-02')],
    }),
  ),
  'retention-and-surcharge': invoiceSource(
    storedBundle([
      { description: 'Género', quantity: 10, unit_price: 12, tax_rate: 21, surcharge_rate: 5.2 },
      { description: 'Pan', quantity: 5, unit_price: 2, tax_rate: 4, surcharge_rate: 0.5 },
      { description: 'Asesoramiento', unit_price: 100, tax_rate: 21, retention_rate: 15 },
    ]),
  ),
  'r4-surcharge': invoiceSource(
    storedBundle(
      [{ description: 'Género', quantity: 8, unit_price: 12, tax_rate: 21, surcharge_rate: 5.2 }],
      {
        type: 'R4',
        number: 'R2026-00007',
        series_code: 'R',
        correction_type: 'substitution',
        correction_reason: 'Dos unidades de menos.',
        corrected_invoices: [{ ...referred('F2026-00009', '2026-10-30', 120, 25.2), surcharge_total: 6.24 }],
      },
    ),
  ),
  'two-retentions': invoiceSource(
    storedBundle([
      { description: 'Asesoramiento', unit_price: 100, tax_rate: 21, retention_rate: 15 },
      { description: 'Alquiler', unit_price: 500, tax_rate: 21, retention_rate: 19 },
    ]),
  ),
  exempt: invoiceSource(
    storedBundle([
      { description: 'Clase de inglés', quantity: 4, unit_price: 30, exemption_reason: 'E1' },
      { description: 'Servicio a la exportación', unit_price: 200, exemption_reason: 'E2' },
      {
        description: 'Otra operación',
        unit_price: 10,
        exemption_reason: 'E6',
        exemption_reason_text: 'Acuerdo de sede, artículo 7',
      },
      { description: 'Indemnización', unit_price: 5, qualification: 'N1' },
    ]),
  ),
  'reverse-charge': invoiceSource(
    storedBundle([{ description: 'Ejecución de obra', unit_price: 12000, qualification: 'S2' }]),
  ),
  'intra-community-goods': invoiceSource(
    storedBundle(
      [{ description: 'Machines-outils', quantity: 2, unit_price: 5000, exemption_reason: 'E5' }],
      frenchClient,
    ),
    { language: 'en' },
  ),
  'intra-community-services': invoiceSource(
    storedBundle(
      [{ description: 'Consultoría', quantity: 8, unit: 'h', unit_price: 90, qualification: 'N2' }],
      frenchClient,
    ),
  ),
  'foreign-private-client': invoiceSource(
    storedBundle([{ description: 'Taladro', unit_price: 100, tax_rate: 21 }], {
      client_id: frenchClient.client_id,
      client_name: 'Jane Roe',
      client_tax_id: null,
      client_snapshot: {
        address: { line1: '10 Downing Street', city: 'London', postal_code: 'SW1A 2AA', country: 'GB' },
        alternative_id: { type: 'passport', value: 'X1234567', country_code: 'GB' },
        payment_method: 'card',
      },
    }),
  ),
  'one-stop-shop': invoiceSource(
    storedBundle([{ description: 'Taladro', unit_price: 100, tax_rate: 19, regime_key: '17' }]),
  ),
  igic: invoiceSource(
    storedBundle([
      { description: 'Papas', quantity: 3, unit_price: 2, tax_kind: 'igic', tax_rate: 0 },
      { description: 'Instalación', unit_price: 80, tax_kind: 'igic', tax_rate: 7 },
      { description: 'Venta al por menor', unit_price: 15, tax_kind: 'igic', exemption_reason: 'E7' },
      { description: 'Transporte', unit_price: 20, tax_kind: 'vat', tax_rate: 21 },
    ]),
  ),
  ipsi: invoiceSource(
    storedBundle([
      { description: 'Instalación', unit_price: 80, tax_kind: 'ipsi', tax_rate: 4 },
      { description: 'Formación', unit_price: 15, tax_kind: 'ipsi', exemption_reason: 'E1' },
    ]),
  ),
  'cash-accounting': invoiceSource(
    storedBundle([
      { ...repair, regime_key: '07' },
      { ...repair, description: 'Fuera del régimen' },
    ]),
  ),
  'used-goods': invoiceSource(
    storedBundle([
      { description: 'Vehículo de ocasión', unit_price: 826.45, tax_rate: 21, regime_key: '03' },
      { description: 'Alfombrillas', quantity: 4, unit_price: 10, tax_rate: 21 },
    ]),
  ),
  'used-goods-alone': invoiceSource(
    storedBundle([
      { description: 'Vehículo de ocasión', unit_price: 826.45, tax_rate: 21, regime_key: '03' },
    ]),
  ),
  'used-goods-ticket': invoiceSource(
    ticket(
      {},
      { description: 'Disco usado', quantity: 2, unit_price: 10, tax_rate: 21, regime_key: '03' },
      { description: 'Funda', unit_price: 1.21, tax_rate: 21 },
    ),
  ),
  'used-goods-substitution': invoiceSource(
    storedBundle(
      [{ description: 'Vehículo de ocasión', unit_price: 413.22, tax_rate: 21, regime_key: '03' }],
      {
        type: 'R4',
        number: 'R2026-00006',
        series_code: 'R',
        correction_type: 'substitution',
        correction_reason: 'Rebaja.',
        corrected_invoices: [referred('F2026-00009', '2026-10-30', 826.45, 173.55)],
      },
    ),
  ),
  'air-tickets': invoiceSource(
    storedBundle([{ description: 'Vuelo a Roma', unit_price: 200, tax_rate: 10, regime_key: '09' }]),
  ),
  'travel-agency': invoiceSource(
    storedBundle([{ description: 'Viaje a Lisboa', unit_price: 300, tax_rate: 21, regime_key: '05' }]),
  ),
  'travel-agency-insured': invoiceSource(
    storedBundle([
      { description: 'Viaje a Lisboa', unit_price: 300, tax_rate: 21, regime_key: '05' },
      { description: 'Seguro', unit_price: 20, exemption_reason: 'E1' },
    ]),
  ),
  'foreign-currency': invoiceSource(storedBundle(work, { currency: 'USD', exchange_rate: '0.92150000' })),
  'issued-by-recipient': invoiceSource(storedBundle(work, { issued_by: 'recipient' }), { language: 'ca' }),
  'issued-by-third-party': invoiceSource(
    storedBundle(work, {
      issued_by: 'third_party',
      third_party: { name: 'Gestoría Ejemplo, S. L.', tax_id: 'B87654323' },
    }),
  ),
  draft: invoiceSource(
    storedBundle(work, {
      status: 'draft',
      number: null,
      issued_on: null,
      issued_at: null,
      due_on: null,
      description:
        'Una descripción que no cabe al lado del título porque tiene más de ochenta caracteres, y va con las notas.',
      notes: 'Pendiente de confirmar.',
    }),
    { record: null },
  ),
  annulled: invoiceSource(storedBundle(work, { status: 'annulled' })),
  sandbox: invoiceSource(storedBundle(work), { environment: 'test', language: 'en' }),
  bare: invoiceSource(
    storedBundle([{ description: 'Uno', unit_price: 1, tax_rate: 0 }], {
      client_snapshot: null,
      due_on: null,
    }),
    { issuer: { name: 'Ana Ruiz', tax_id: '12345678Z' } },
  ),
};

for (const language of printedLanguages) {
  cases[`everything-${language}`] = invoiceSource(
    atIssue(
      storedBundle(
        [
          { ...repair, retention_rate: 15 },
          { ...parts, surcharge_rate: 5.2 },
          {
            description: 'Formación',
            unit_price: 1000,
            exemption_reason: 'E1',
            exemption_reason_text: 'Art. 20.Uno.9.º',
          },
          { description: 'Obra', unit_price: 2000, qualification: 'S2' },
          { description: 'Caja', unit_price: 10, tax_rate: 10, regime_key: '07' },
          { description: 'Servicio fuera', unit_price: 10, qualification: 'N2' },
        ],
        {
          type: 'R1',
          status: 'voided',
          number: 'R2026-00005',
          series_code: 'X',
          operation_on: '2026-11-01',
          currency: 'GBP',
          exchange_rate: '1.13000000',
          description: 'Todo a la vez',
          issued_by: 'recipient',
          correction_type: 'substitution',
          corrected_invoices: [referred('F2026-00009', '2026-10-03', 3000, 20)],
          ...frenchClient,
        },
      ),
    ),
    { language, environment: 'test', issuer: { ...printedIssuer, tax_id: '12345678Z' } },
  );
}

for (const [name, source] of Object.entries(cases)) {
  test(`given ${name}, when it is printed, then it says what the golden file says`, () => {
    const document = printInvoice(source);
    const text = JSON.stringify(document, null, 2);
    const file = `${goldenFolder}${name}.json`;
    if (is_update) {
      mkdirSync(goldenFolder, { recursive: true });
      writeFileSync(file, `${text}\n`);
    }
    // As values, because the formatter may have changed the layout.
    assert.deepEqual(
      JSON.parse(text),
      JSON.parse(readFileSync(file, 'utf8')),
      'FOLIO_TEST_UPDATE=1 rewrites it',
    );
    assertAddsUp(document, source.bundle);
  });
}

test('given the golden files, when they are listed, then each is of a case', () => {
  assert.deepEqual(
    readdirSync(goldenFolder).sort(),
    Object.keys(cases)
      .map((name) => `${name}.json`)
      .sort(),
  );
});

/** A dash is 0. */
function cents(text: string, language: PrintedLanguage): bigint {
  if (text === '–') return 0n;
  const [group, decimal] = language === 'en' ? [',', '.'] : ['.', ','];
  const digits = text
    .replace(/[^\d.,-]/g, '')
    .replaceAll(group, '')
    .replace(decimal, '.');
  assert.match(digits, /^-?\d+\.\d\d$/, text);
  return printedToCents(digits);
}

const sum = (values: readonly bigint[]) => values.reduce((all, one) => all + one, 0n);

type StoredRow = InvoiceBundle['tax_rows'][number];

/** What the paper says of each tax: in a table, or in the sums when there is one rate and nothing else. */
function shownTaxes(document: PrintedDocument, apart: readonly StoredRow[], has_within: boolean) {
  const read = (text: string) => cents(text, document.language);
  const [only, ...others] = apart;
  const is_one_rate =
    only !== undefined &&
    others.length === 0 &&
    !has_within &&
    only.qualification === 'S1' &&
    only.exemption_reason === null;
  const { rows } = document.breakdown;
  assert.equal(rows.length, is_one_rate ? 0 : apart.length);
  if (!is_one_rate)
    return rows.map((row) => ({
      base: read(row.base),
      tax: read(row.tax),
      surcharge: read(row.surcharge ?? '–'),
    }));
  const words = printedWords[document.language];
  const said = (label: string) => {
    const found = document.sums.filter((row) => row.label === label);
    assert.ok(found.length < 2, label);
    return found[0] && read(found[0].text);
  };
  const rate = (text: string | null) => percentText(text ?? '0', document.language);
  const base = said(words.base);
  const tax = said(`${taxName(only.tax_kind, document.language)} ${rate(only.tax_rate)}`);
  assert.ok(base !== undefined && tax !== undefined, JSON.stringify(document.sums));
  const surcharge = said(`${words.surcharge} ${rate(only.surcharge_rate)}`) ?? 0n;
  return [{ base, tax, surcharge }];
}

/** The printed amounts equal the stored ones and add up, with or without tax. */
function assertAddsUp(
  document: PrintedDocument,
  { document: invoice, lines, tax_rows }: InvoiceBundle,
): void {
  const read = (text: string) => cents(text, document.language);
  const is_ticket = invoice.prices_include_tax && (invoice.type === 'F2' || invoice.type === 'R5');
  const is_within = (row: { regime_key: string | null; tax_kind: string; qualification: string | null }) =>
    (row.regime_key === '03' || row.regime_key === '05') &&
    row.qualification === 'S1' &&
    row.tax_kind !== 'ipsi';

  const total = read(document.total.text);
  assert.equal(total, printedToCents(invoice.total));
  // A hidden tax has no row in the breakdown.
  const apart = tax_rows.filter((row) => !is_within(row));
  const within = sum(
    tax_rows
      .filter(is_within)
      .flatMap(({ base, tax, surcharge }) => [base, tax, surcharge].map(printedToCents)),
  );
  const rows = shownTaxes(document, apart, within !== 0n);
  rows.forEach((row, at) => {
    const { base, tax, surcharge } = apart[at]!;
    assert.deepEqual([row.base, row.tax, row.surcharge], [base, tax, surcharge].map(printedToCents));
  });
  const bases = sum(rows.map((row) => row.base));
  assert.equal(within + bases + sum(rows.map((row) => row.tax + row.surcharge)), total);

  document.lines.forEach((line, at) => {
    const stored = lines[at]!;
    assert.equal(
      read(line.amount),
      printedToCents(is_ticket || is_within(stored) ? stored.total : stored.subtotal),
    );
    assert.equal(read(line.carried), sum(document.lines.slice(0, at + 1).map((one) => read(one.amount))));
    assert.equal(exact(line.quantity, document.language), exact(numberText(stored.quantity, 'es', 0), 'es'));
    if (is_ticket || !(invoice.prices_include_tax || is_within(stored)))
      assert.equal(
        exact(line.unit_price, document.language),
        exact(numberText(stored.unit_price, 'es', 2), 'es'),
      );
  });
  assert.equal(sum(document.lines.map((line) => read(line.amount))), is_ticket ? total : within + bases);
  assertSumsAddUp(document, { within, bases, total, is_ticket, hides_all: rows.length === 0 });

  const retention = document.retention ? read(document.retention.text) : 0n;
  assert.equal(-retention, printedToCents(invoice.retention_total));
  assert.equal(total + retention, printedToCents(invoice.amount_due));
  assert.equal(document.amount_due === null, retention === 0n);
  if (document.amount_due) assert.equal(read(document.amount_due.text), total + retention);
}

/** The sums lead from the lines to the total, discounts first. */
function assertSumsAddUp(
  document: PrintedDocument,
  {
    within,
    bases,
    total,
    is_ticket,
    hides_all,
  }: { within: bigint; bases: bigint; total: bigint; is_ticket: boolean; hides_all: boolean },
): void {
  const words = printedWords[document.language];
  const sums = document.sums.map(({ label, text }) => ({ label, value: cents(text, document.language) }));
  // A document that hides every tax has only its total.
  if (hides_all) {
    assert.deepEqual(sums, []);
    return;
  }
  if (sums[0]?.label === words.before_discounts) {
    const [before, discount] = sums.splice(0, 2);
    assert.equal(before!.value + discount!.value, sums[0]?.value);
  }
  assert.equal(sum(sums.map(({ value }) => value)), total);
  const begin = is_ticket && within !== 0n ? [within, bases] : [within + bases];
  assert.deepEqual(
    sums.slice(0, begin.length).map(({ value }) => value),
    begin,
  );
}

/** In one spelling for all languages. */
function exact(text: string, language: PrintedLanguage): string {
  return language === 'en' ? text.replaceAll(',', '') : text.replaceAll('.', '').replace(',', '.');
}

const decimal = (most: number, decimals: number) =>
  fc
    .tuple(
      fc.integer({ min: -most, max: most }),
      fc.integer({ min: 0, max: 10 ** decimals - 1 }),
      fc.integer({ min: 0, max: decimals }),
    )
    .map(([whole, part, shown]) =>
      Number(`${whole}.${String(part).padStart(decimals, '0').slice(0, shown)}`),
    );

const taxed: fc.Arbitrary<LineInput> = fc.constantFrom<LineInput>(
  { tax_rate: 21 },
  { tax_rate: 10 },
  { tax_rate: 4 },
  { tax_rate: 0 },
  { tax_rate: 21, regime_key: '03' },
  { tax_rate: 21, regime_key: '07' },
  { tax_rate: 10, regime_key: '05' },
  { tax_kind: 'igic', tax_rate: 9.5 },
  { tax_kind: 'igic', tax_rate: 7, regime_key: '03' },
  { tax_kind: 'ipsi', tax_rate: 0.5 },
  { tax_kind: 'other', tax_rate: 13.37 },
  { exemption_reason: 'E1' },
  { qualification: 'S2' },
  { qualification: 'N2' },
);
const beside: fc.Arbitrary<LineInput> = fc.oneof(
  taxed,
  fc.constantFrom<LineInput>(
    { tax_rate: 21, surcharge_rate: 5.2 },
    { tax_rate: 21, surcharge_rate: 1.75, retention_rate: 15 },
    { tax_rate: 4, surcharge_rate: 0.5 },
    { tax_rate: 10, retention_rate: 7 },
    { exemption_reason: 'E1', retention_rate: 15 },
  ),
);

const anyBundle = fc.boolean().chain((prices_include_tax) =>
  fc
    .record({
      type: fc.constantFrom('F1', 'F2', 'F3', 'R1', 'R5'),
      currency: fc.constantFrom('EUR', 'USD'),
      lines: fc.array(
        fc
          .tuple(
            prices_include_tax ? taxed : beside,
            decimal(999, 6),
            decimal(9_999, 8),
            fc.option(decimal(99, 4).map(Math.abs), { nil: null }),
          )
          .map(([tax, quantity, unit_price, discount_percent]) => ({
            description: 'Línea',
            quantity,
            unit_price,
            discount_percent,
            ...tax,
          })),
        { minLength: 1, maxLength: 12 },
      ),
    })
    .map(({ type, currency, lines }) =>
      storedBundle(lines, {
        type: type as InvoiceRow['type'],
        prices_include_tax,
        currency,
        exchange_rate: currency === 'EUR' ? null : '0.92150000',
      }),
    ),
);

test('given any invoice, when it is printed, then its amounts add up to the cent, and its euros are those of its record', () => {
  fc.assert(
    fc.property(anyBundle, fc.constantFrom(...printedLanguages), (bundle, language) => {
      const document = printInvoice(invoiceSource(bundle, { language }));
      assertAddsUp(document, bundle);
      if (bundle.document.currency === 'EUR') return;
      const said = document.mentions.at(-1) ?? '';
      const { total } = altaContent(bundle);
      assert.ok(said.endsWith(moneyText(printedToCents(total), 'EUR', language)), `${said} ${total}`);
    }),
    { numRuns: 300 },
  );
});

test('given payments, when it is printed, then only those of the issue are there, and later changes show nowhere', () => {
  const bundle = storedBundle(work);
  const printed = (one: InvoiceBundle) => printInvoice(invoiceSource(one));
  const plain = printed(bundle);
  assert.deepEqual(printed(paidAt(bundle, '2026-11-21T10:20:30.001Z')), plain);
  const paid = printed(atIssue(bundle));
  assert.deepEqual(paid.payment?.rows, [{ label: 'Pagado', text: 'Tarjeta, 161,79\u00a0€, 21/11/2026' }]);
  const reversed = paidAt(bundle, '2026-11-21T10:20:29.500Z', {
    is_reversed: true,
    reversed_at: '2026-11-22T00:00:00Z',
  });
  assert.deepEqual(printed(reversed), paid);
  const later: Partial<InvoiceRow> = {
    version: 9,
    status: 'paid',
    paid_amount: '161.79',
    corrected_amount: '-1.00',
    carried_amount: '1.00',
    settled_in_id: '0199c000-0000-7000-8000-0000000000cc',
    corrective_ids: ['0199c000-0000-7000-8000-0000000000cc'],
    substituted_by_id: '0199c000-0000-7000-8000-0000000000cc',
    metadata: { a: 'b' },
    tags: ['a'],
    custom_fields: [{ field: 'a', value: 'b' }],
    sent_at: '2026-11-22T00:00:00Z',
    updated_at: '2026-11-22T00:00:00Z',
  };
  for (const status of ['sent', 'paid', 'overdue', 'rectified'] as const)
    assert.deepEqual(
      printed({ ...bundle, document: { ...bundle.document, ...later, status } }),
      plain,
      status,
    );
});

test('given a logo, when it is printed, then its alternative text names the issuer', () => {
  const logo = { media_type: 'image/png', base64: 'AAAA' } as const;
  const textOf = (issuer: InvoiceSource['issuer']) =>
    printInvoice(invoiceSource(storedBundle(work), { issuer, logo })).logo?.alternative_text;
  assert.equal(textOf(printedIssuer), 'Ibáñez');
  assert.equal(textOf({ ...printedIssuer, commercial_name: null }), 'Talleres Ibáñez e Hijos, S. L.');
});

test('given the identification of a client, when it is printed, then its kind and country are named', () => {
  const cases: [
    tax_id: string | null,
    snapshot: Record<string, unknown>,
    label: string | undefined,
    text: string | undefined,
  ][] = [
    ['A58818501', {}, 'NIF', 'A58818501'],
    ['A58818501', { vat_id: 'ESA58818501' }, 'NIF', 'A58818501'],
    [null, { vat_id: 'ESA58818501' }, 'NIF', 'A58818501'],
    [
      null,
      { alternative_id: { type: 'vat_id', value: 'ESA58818501', country_code: null } },
      'NIF',
      'A58818501',
    ],
    [null, {}, undefined, undefined],
    [null, { vat_id: 'DE136695976' }, 'NIF-IVA', 'DE136695976'],
    ['123', { address: { country: 'US' } }, 'Identificación fiscal', '123 (Estados Unidos)'],
    [
      null,
      { alternative_id: { type: 'passport', value: 'P1', country_code: 'MA' } },
      'Pasaporte',
      'P1 (Marruecos)',
    ],
    [
      null,
      { alternative_id: { type: 'official_id', value: 'P1', country_code: 'PT' } },
      'Documento de identidad',
      'P1 (Portugal)',
    ],
    [
      null,
      { alternative_id: { type: 'residence_certificate', value: 'P1', country_code: null } },
      'Certificado de residencia',
      'P1',
    ],
    [null, { alternative_id: { type: 'other', value: 'P1', country_code: 'ES' } }, 'Identificación', 'P1'],
    [
      'A58818501',
      { alternative_id: { type: 'vat_id', value: 'PT501964843', country_code: 'PT' } },
      'NIF-IVA',
      'PT501964843',
    ],
  ];
  for (const [client_tax_id, client_snapshot, label, text] of cases) {
    const bundle = storedBundle(work, { client_tax_id, client_snapshot });
    const { recipient } = printInvoice(invoiceSource(bundle));
    assert.deepEqual([recipient?.tax_id?.label, recipient?.tax_id?.text], [label, text]);
  }
});

test('given a retention, when it is printed, then it is called IRPF where it is of that tax', () => {
  const labelOf = (tax_id: string, retention_rate: number, language: PrintedLanguage = 'es') =>
    printInvoice(
      invoiceSource(storedBundle([{ ...repair, retention_rate }]), {
        issuer: { ...printedIssuer, tax_id },
        language,
      }),
    ).retention?.label;
  for (const rate of [15, 19])
    assert.equal(labelOf('12345678Z', rate), `Retención IRPF ${rate}\u00a0%`, 'a person pays it');
  // A community of property's members pay income tax (IRPF); a company pays another tax.
  assert.equal(labelOf('E12345674', 19), 'Retención IRPF 19\u00a0%');
  assert.equal(labelOf('B12345674', 19), 'Retención 19\u00a0%');
  // Only income tax has these rates (RD 439/2007, arts. 80 and 95).
  for (const rate of [15, 7, 2, 1]) assert.equal(labelOf('B12345674', rate), `Retención IRPF ${rate}\u00a0%`);
  assert.match(labelOf('B12345674', 15, 'en') ?? '', /IRPF/);
});

test('given lines with several retentions, when they are printed, then each says of which tax', () => {
  const bundle = storedBundle([15, 19].map((retention_rate) => ({ ...repair, retention_rate })));
  const told = (tax_id: string) => {
    const { lines, retention } = printInvoice(
      invoiceSource(bundle, { issuer: { ...printedIssuer, tax_id } }),
    );
    return [...lines.map(({ details }) => details.at(-1)), retention?.label];
  };
  assert.deepEqual(told('12345678Z'), [
    'Retención IRPF 15\u00a0%',
    'Retención IRPF 19\u00a0%',
    'Retención IRPF',
  ]);
  assert.deepEqual(told('B12345674'), ['Retención IRPF 15\u00a0%', 'Retención 19\u00a0%', 'Retención']);
});

test('given one retention, when it is printed, then lines name it only beside others without it', () => {
  const free = { description: 'Regalo', unit_price: 0, tax_rate: 21 };
  const namedOn = (...rates: (number | null)[]) =>
    printInvoice(
      invoiceSource(storedBundle([...rates.map((retention_rate) => ({ ...repair, retention_rate })), free])),
    ).lines.map(({ details }) => details.at(-1) ?? null);
  assert.deepEqual(namedOn(15, 15), [null, null, null]);
  assert.deepEqual(namedOn(15, null, 0), ['Retención IRPF 15\u00a0%', null, null, null]);
  assert.deepEqual(namedOn(null, 0), [null, null, null]);
});

test("given a travel agency's own travels (key 05), when they are printed, then no tax is stated, and the regime is", () => {
  const bundle = storedBundle([{ description: 'Viaje', unit_price: 300, tax_rate: 21, regime_key: '05' }]);
  const { lines, breakdown, sums, total, mentions } = printInvoice(invoiceSource(bundle));
  const [line] = lines;
  assert.deepEqual([line?.unit_price, line?.tax, line?.amount], ['363,00', 'IVA incluido', '363,00']);
  assert.deepEqual([breakdown.rows, sums, total.text], [[], [], '363,00\u00a0€']);
  assert.deepEqual(mentions, ['Régimen especial de las agencias de viajes']);
});

test('given what bears no tax under several taxes, when it is printed, then each row of the breakdown names its own', () => {
  const free = (tax_kind: 'vat' | 'igic' | 'ipsi', more: Partial<LineInput>): LineInput => ({
    description: 'Género',
    unit_price: 10,
    tax_kind,
    ...more,
  });
  const bundle = storedBundle([
    repair,
    free('ipsi', { qualification: 'N2' }),
    free('vat', { qualification: 'N2' }),
    free('ipsi', { exemption_reason: 'E1' }),
    free('igic', { exemption_reason: 'E8' }),
    free('igic', { exemption_reason: 'E7', regime_key: '17' }),
  ]);
  assert.deepEqual(
    printInvoice(invoiceSource(bundle)).breakdown.rows.map(({ label }) => label),
    [
      'IVA 21\u00a0%',
      'No sujeta (IPSI)',
      'No sujeta (IVA)',
      'Exenta (IPSI)',
      'Exenta (IGIC), clave 01',
      'Exenta (IGIC), clave 17',
    ],
  );
});

test('given an exchange rate of a day, when it is printed, then the day is said', () => {
  const mention = (exchange_rate_on: string | null, language: PrintedLanguage = 'es') =>
    printInvoice(
      invoiceSource(storedBundle(work, { currency: 'USD', exchange_rate: '0.92', exchange_rate_on }), {
        language,
      }),
    ).mentions.find((text) => text.includes('USD'));
  assert.match(mention('2026-11-20') ?? '', /0,92\u00a0EUR del 20\/11\/2026:/);
  assert.match(mention('2026-11-20', 'en') ?? '', /0\.92\u00a0EUR on 20\sNov\s2026:/);
  assert.match(mention(null) ?? '', /0,92\u00a0EUR:/);
});

test('given the code of a series, when it is printed, then it is there unless the number shows it', () => {
  const seriesOf = (series_code: string, number: string) =>
    printInvoice(invoiceSource(storedBundle(work, { series_code, number }))).facts.find(
      ({ label }) => label === 'Serie',
    )?.text;
  assert.equal(seriesOf('F', 'F2026-00012'), undefined);
  assert.equal(seriesOf('WEB', '2026/WEB/12'), undefined);
  assert.equal(seriesOf('1', '1/2026-000012'), undefined);
  assert.equal(seriesOf('1', '2026-000012'), '1');
  assert.equal(seriesOf('ZZ', '12'), 'ZZ');
});

test('given an invoice that replaces others, when it asks for payment, then it says that their payments count', () => {
  const paymentOf = (change: Partial<InvoiceRow>, paid = false) => {
    const bundle = storedBundle(work, change);
    return (
      printInvoice(invoiceSource(paid ? atIssue(bundle) : bundle)).payment?.rows.map(({ text }) => text) ?? []
    );
  };
  const said = 'Se descuenta lo ya pagado de las facturas que sustituye';
  const full: Partial<InvoiceRow> = {
    type: 'F3',
    substituted_invoices: [referred('T2026-1', '2026-11-02')],
  };
  const corrective: Partial<InvoiceRow> = {
    type: 'R1',
    correction_type: 'substitution',
    corrected_invoices: [referred('F2026-1', '2026-11-02', 1, 1)],
  };
  assert.equal(paymentOf(full)[0], said);
  assert.equal(paymentOf(corrective)[0], said);
  assert.ok(!paymentOf({ ...corrective, correction_type: 'differences' }).includes(said));
  assert.ok(!paymentOf(full, true).includes(said));
});

test('given a document in which nothing is to be paid, then it prints no due day and no way to pay', () => {
  const difference = (id: string | null): Partial<InvoiceRow> => ({
    type: 'R1',
    correction_type: 'differences',
    corrected_invoices: [{ ...referred('F2026-1', '2026-11-02'), id }],
  });
  const told = (lines: typeof work, change: Partial<InvoiceRow>) => {
    const { facts, payment } = printInvoice(invoiceSource(storedBundle(lines, change)));
    return [facts.some(({ label }) => label === 'Vencimiento'), payment !== null];
  };
  const back = work.map((one) => ({ ...one, quantity: -1 }));
  const original = '0199c000-0000-7000-8000-0000000000dd';
  assert.deepEqual(told(work, {}), [true, true]);
  // What a corrective adds is paid in the invoice that it corrects (ADR 14).
  assert.deepEqual(told(work, difference(original)), [false, false]);
  assert.deepEqual(told(work, difference(null)), [true, true]);
  assert.deepEqual(told(back, difference(original)), [false, false]);
  assert.deepEqual(told(back, difference(null)), [false, false]);
  // Nor in what takes the place of such a corrective.
  const [named] = difference(original).corrected_invoices!;
  const substitution: Partial<InvoiceRow> = {
    ...difference(original),
    correction_type: 'substitution',
    corrected_invoices: [{ ...named!, is_paid_above: true }],
  };
  assert.deepEqual(told(work, substitution), [false, false]);
});

test('given a corrective that moves the tax alone of an invoice that is not held, when that is nothing or was paid, then it asks for no more', () => {
  const moving = (debt: string): Partial<InvoiceRow> => ({
    type: 'R3',
    correction_type: 'differences',
    corrected_invoices: [{ ...referred('F2026-1', '2026-11-02'), debt }],
  });
  const bundle = storedBundle(work, moving('21.00'));
  const paid = paidAt(bundle, '2026-11-21T10:00:00Z', { amount: '21.00' });
  const asked = (one: InvoiceBundle) => {
    const { facts, payment } = printInvoice(invoiceSource(one));
    const labels = [...facts, ...(payment?.rows ?? [])].map(({ label }) => label);
    return ['Vencimiento', 'IBAN'].filter((label) => labels.includes(label));
  };
  assert.deepEqual(asked(bundle), ['Vencimiento', 'IBAN']);
  assert.deepEqual(asked(storedBundle(work, moving('0.00'))), []);
  assert.deepEqual(printInvoice(invoiceSource(paid)).payment?.rows.length, 1);
});
