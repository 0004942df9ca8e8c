import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { readText } from '../../../test/support/pdf-reader.ts';
import { makePrinter } from '../../integrations/pdf/printer.ts';
import { printDocument, type PaperOfKind } from './print-document.ts';
import { dayFacts, numberFacts, subjectFacts } from './print-facts.ts';
import type { PrintedBundle, PrintedLineSource, PrintSetting } from './print-source.ts';
import { type PrintedDocument, printedLanguages } from './printed-document.ts';

const printer = makePrinter({
  // So long that no busy machine needs it.
  seconds_max: 400,
  log: { warn: (details) => assert.fail(JSON.stringify(details)) },
});
after(() => printer.close());

const line: PrintedLineSource = {
  description: 'Proyecto de iluminación',
  quantity: '1.000000',
  unit: null,
  unit_price: '100.00000000',
  discount_percent: null,
  tax_kind: 'vat',
  tax_rate: '21.0000',
  retention_rate: null,
  surcharge_rate: null,
  qualification: 'S1',
  exemption_reason: null,
  exemption_reason_text: null,
  regime_key: '01',
  subtotal: '100.00',
  total: '121.00',
};
const { tax_kind, tax_rate, surcharge_rate, qualification, exemption_reason, regime_key } = line;

function bundleOf(
  change: Partial<PrintedBundle['document']> = {},
  ...lines: PrintedLineSource[]
): PrintedBundle {
  const document: PrintedBundle['document'] = {
    number: 'P2026-000014',
    client_id: '0199c000-0000-7000-8000-000000000001',
    client_name: 'Comercial Prueba, S. A.',
    client_tax_id: 'A58818501',
    client_snapshot: { address: { line1: 'Gran Vía', city: 'Bilbao', country: 'ES' } },
    description: 'Reforma del local',
    notes: 'Plazo de entrega: tres semanas.',
    currency: 'EUR',
    prices_include_tax: false,
    discount_total: '0.00',
    retention_total: '0.00',
    total: '121.00',
    amount_due: '121.00',
    ...change,
  };
  const row = { tax_kind, tax_rate, surcharge_rate, qualification, exemption_reason, regime_key };
  return {
    document,
    lines: lines.length > 0 ? lines : [line],
    tax_rows: [{ ...row, base: '100.00', tax: '21.00', surcharge: '0.00' }],
  };
}

const live: PrintSetting = {
  issuer: { name: 'Estudio Luz, S. L.', tax_id: 'B12345674' },
  environment: 'live',
  logo: null,
  language: 'es',
};

const quote: PaperOfKind = {
  title: 'Presupuesto',
  marks: [],
  facts: [],
  mentions: () => [],
  payment: null,
  qr: null,
  shows_gross: false,
  made_at: new Date('2026-11-22T09:00:00Z'),
};

const sums = ({ sums, total }: PrintedDocument) => [...sums, total].map(({ text }) => text);

test('given a quote, when it is printed, then it has its title, facts and amounts, and no QR', async () => {
  const bundle = bundleOf();
  const document = printDocument(bundle, live, {
    ...quote,
    facts: [
      ...numberFacts('Presupuesto n.º', { number: bundle.document.number, series_code: 'P' }, 'es'),
      ...dayFacts('Válido hasta', '2026-12-22', 'es'),
      ...dayFacts('Fecha de aceptación', null, 'es'),
      ...subjectFacts(bundle.document, 'es'),
    ],
  });

  assert.equal(document.file_title, 'Presupuesto P2026-000014');
  assert.deepEqual(document.facts, [
    { label: 'Presupuesto n.º', text: 'P2026-000014' },
    { label: 'Válido hasta', text: '22/12/2026' },
    { label: 'Concepto', text: 'Reforma del local' },
  ]);
  assert.deepEqual(sums(document), ['100,00\u00a0€', '21,00\u00a0€', '121,00\u00a0€']);
  assert.equal(document.recipient?.tax_id?.text, 'A58818501');
  assert.equal(document.notes?.text, 'Plazo de entrega: tres semanas.');
  assert.deepEqual([document.marks, document.mentions, document.payment, document.qr], [[], [], null, null]);
  assert.equal(document.made_at, '2026-11-22T09:00:00.000Z');

  const { bytes } = await printer.print(document, 'a4');
  const printed = (await readText(bytes)).join('\n');
  for (const text of ['Presupuesto', 'P2026-000014', 'Proyecto de iluminación', 'Comercial Prueba'])
    assert.ok(printed.includes(text), text);
  assert.doesNotMatch(printed, /factura|QR tributario|VERI\*FACTU/i);
});

test('given a pro-forma in a sandbox, when it is printed, then both marks are across each page', async () => {
  const document = printDocument(
    bundleOf(),
    { ...live, environment: 'test' },
    {
      ...quote,
      title: 'Factura proforma',
      marks: ['NO ES UNA FACTURA'],
    },
  );
  assert.deepEqual(document.marks, ['NO ES UNA FACTURA', 'SIN VALIDEZ FISCAL']);
  const { bytes } = await printer.print(document, 'a4');
  const printed = (await readText(bytes)).join('\n');
  for (const mark of document.marks) assert.ok(printed.includes(mark), mark);
});

test('given a draft of any kind in any language, when it is printed, then the file is named after its title', () => {
  for (const language of printedLanguages) {
    const document = printDocument(bundleOf({ number: null }), { ...live, language }, quote);
    assert.match(document.file_title, /^Presupuesto \(\p{Ll}+\)$/u);
    assert.deepEqual(numberFacts('Número', { number: null, series_code: 'P' }, language), []);
  }
});

test('given prices with tax, when a kind shows gross or net prices, then its lines do, and net ones name the agreed price', () => {
  const gross = { ...line, unit_price: '121.00000000' };
  const bundle = bundleOf({ prices_include_tax: true }, gross);
  const shown = (shows_gross: boolean) => {
    const document = printDocument(bundle, live, { ...quote, shows_gross });
    const [one] = document.lines;
    return [one!.unit_price, one!.amount, document.column_labels.unit_price, one!.details.length];
  };
  assert.deepEqual(shown(true), ['121,00', '121,00', 'Precio IVA incl.', 0]);
  assert.deepEqual(shown(false), ['100,00', '100,00', 'Precio', 1]);
});

test('given a kind with mentions, when it is printed, then they are told its amounts', () => {
  const document = printDocument(bundleOf(), live, {
    ...quote,
    mentions: ({ base, taxes }) => [`${base} ${taxes}`],
  });
  assert.deepEqual(document.mentions, ['10000 2100']);
});

test('given what a line sells of its product, when it is printed, then it stands under the description in every language', () => {
  const named = (name: string) => ({ id: name, name });
  const chosen: PrintedLineSource = {
    ...line,
    details: {
      variant: named('Azul mediana'),
      presentation: { ...named('Caja'), factor: 12 },
      options: [{ group: named('Grabado'), value: named('Láser'), price_delta: 2.5 }],
    },
  };
  const pack: PrintedLineSource = {
    ...line,
    details: {
      original_pack_data: {
        components: [
          { name: 'Novela', quantity: 2 },
          { name: 'Taza', quantity: 1.5 },
        ],
      },
    },
  };
  for (const language of printedLanguages) {
    const printed = printDocument(bundleOf({}, chosen, pack), { ...live, language }, quote);
    const point = language === 'en' ? '.' : ',';
    assert.deepEqual(
      printed.lines.map(({ details }) => details),
      [['Azul mediana · Caja · Grabado: Láser'], [`2 × Novela, 1${point}5 × Taza`]],
      language,
    );
  }
});
