/** Texts as suppliers write them: what is read is what they say, and what may mean two things is not read. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayText } from '../../../domain/printing/days.ts';
import { printedLanguages } from '../../../domain/printing/printed-document.ts';
import { printedWords } from '../../../domain/printing/words.ts';
import { readPageTexts } from './page-texts.ts';
import { amounts, taxIds } from './printed-text.ts';

const supplier = 'Papelera Sur, S. L.  CIF B-12345674';
const head = [supplier, 'Factura n.º A-2026/881', 'Fecha: 12/03/2026'];
const rows = ['Base imponible 100,00', 'IVA 21 % 21,00', 'Total 121,00'];

/** The rows of a credit, with its sign at the place of `#`. */
const credit = (amount: string) =>
  [`Base imponible ${amount}`, `IVA 21 % ${amount}`, `Total ${amount}`].map((line, at) =>
    line.replace('#', ['100,00', '21,00', '121,00'][at]!),
  );

function purchaseOf(lines: readonly string[]) {
  const { purchase, warnings } = readPageTexts({ pages: 1, texts: [lines.join('\n')], qrs: [] });
  return { purchase, warnings };
}

test('given amounts with a sign, when they are read, then it is theirs wherever it stands, or the amount is not read', () => {
  for (const [text, value] of [
    ['100,00', 10_000n],
    ['-100,00', -10_000n],
    ['\u2212100,00', -10_000n],
    ['\u2013100,00', -10_000n],
    ['100,00-', -10_000n],
    ['100,00- EUR', -10_000n],
    ['100,00 €-', -10_000n],
    ['-€100.00', -10_000n],
    ['-€ 100.00', -10_000n],
    ['-EUR 100,00', -10_000n],
    ['€ -100,00', -10_000n],
    ['100,00 €', 10_000n],
    ['21,00 -5,00', 2100n],
    // A sheet's sign, or a dash between a word and its amount.
    ['- 100,00', undefined],
    ['-   100,00', undefined],
    ['- € 100,00', undefined],
    // An accountant's sign, or a remark.
    ['(100,00)', undefined],
    ['( 100,00 €)', undefined],
    ['100,00-200,00', undefined],
    ['-100,00-', undefined],
  ] as const)
    assert.equal(amounts(`Base ${text}\n`)[0]?.value, value, text);
});

test('given an amount whose thousands are parted, when it is read, then it is whole, whatever parts them', () => {
  for (const part of ['.', ' ', "'", '\u2019', '\u00a0', '\u202f', '\u2009', '\u2007', '\u2008', '\u200a'])
    assert.deepEqual(
      amounts(`Total 1${part}234${part}567,50 €\n`).map(({ value }) => value),
      [123_456_750n],
      `U+${part.codePointAt(0)!.toString(16)}`,
    );
  assert.equal(amounts('Total 1,234,567.50 €\n')[0]?.value, 123_456_750n);
});

test('given an id as papers print it, when it is read, then it is found, and a part of something longer is not', () => {
  for (const [text, value] of [
    ['CIF B12345674', 'B12345674'],
    ['CIF: B-12345674', 'B12345674'],
    ['C.I.F. B-12.345.674', 'B12345674'],
    ['NIF ES B12.345.674.', 'B12345674'],
    ['NIF B 12.345.674', 'B12345674'],
    ['NIF 12.345.678-Z', '12345678Z'],
    ['NIE X-1.234.567-L', 'X1234567L'],
    ['NIF K1234567L', 'K1234567L'],
    ['NIF B-12.345.675', undefined],
    ['REF B-12.345.674.000', undefined],
    ['IB-12.345.674', undefined],
    ['asciende a 58.818.501,00', undefined],
    ['NIF B12345674,28013', 'B12345674'],
  ] as const)
    assert.equal(taxIds(`Papelera Sur ${text}\nTotal`)[0]?.value, value, text);
});

test('given the labels of buyers and issuers, when a text is read, then the ids behind them are theirs', () => {
  for (const label of [
    'Cliente',
    'Datos del cliente:',
    'DESTINATARIO',
    'Facturar a',
    'Receptor:',
    'Datos del receptor',
    'Comprador',
    'Client',
    'Customer:',
  ])
    for (const lines of [
      [`${label} Librería Norte NIF A58818501`],
      [label, 'Librería Norte', 'NIF A58818501'],
    ]) {
      const { purchase } = purchaseOf([...lines, ...head, ...rows]);
      assert.deepEqual(
        [purchase?.buyer_tax_id, purchase?.supplier_tax_ids],
        ['A58818501', ['B12345674']],
        lines.join(' | '),
      );
    }
  for (const line of [
    'Customer service 900 123 123, B12345674',
    'Customer number 4432, B12345674',
    'Atención al cliente B12345674',
  ])
    assert.equal(purchaseOf([...head, ...rows, line]).purchase?.buyer_tax_id, null, line);
});

test('given a credit, when it is read, then its total is negative or nothing is proposed', () => {
  for (const sign of ['-#', '\u2013#', '#-', '# €-', '-€#', '-# €'])
    assert.equal(purchaseOf([...head, ...credit(sign)]).purchase?.total, '-121.00', sign);
  for (const sign of ['- #', '(#)', '- € #'])
    assert.equal(purchaseOf([...head, ...credit(sign)]).purchase ?? null, null, sign);
  assert.equal(purchaseOf([...head, ...rows]).purchase?.total, '121.00');
});

test('given a retention whose sign stands apart, when it is read, then it is still one', () => {
  const withheld = ['Base imponible 1.000,00', 'IVA 21 % 210,00', 'IRPF 15 % - 150,00', 'Total 1.060,00'];
  const { purchase } = purchaseOf([...head, ...withheld]);
  assert.deepEqual([purchase?.total, purchase?.lines[0]?.retention_rate], ['1210.00', '15']);
});

test('given a total that the rows found do not reach, when it is read, then they are not all, and nothing is proposed', () => {
  const taxed = ['Base imponible 100,00', 'IVA 21 % 21,00', 'Total 121,00'];
  for (const [what, ...more] of [
    ['an exempt part', 'Exento 50,00', 'Total factura 171,00'],
    ['an exempt part, the total below its name', 'Exento 50,00', 'TOTAL FACTURA', '171,00 €'],
    ['a surcharge', 'R.E. 5,2 % 5,20', 'Total: 126,20 €'],
    ['what is paid for the client', 'Suplidos 50,00', 'Total a pagar: 171,00'],
    ['an exempt part, whose sum is to be paid', 'Tasas 50,00', 'A pagar: 171,00 €'],
    ['an exempt part, in an amount named total', 'Exento 50,00', 'Importe total 171,00'],
    ['an exempt part, in what is left', 'Exento 50,00', 'LÍQUIDO 171,00'],
  ] as const)
    assert.equal(purchaseOf([...head, ...taxed, ...more]).purchase ?? null, null, what);
  for (const [what, total, ...lines] of [
    ['a column named total', '121.00', 'Precio Total', '3 1.000,00', ...taxed],
    ['an amount before a discount', '121.00', 'Total bruto 200,00', 'Dto. 100,00', ...taxed],
    ['a part paid before', '121.00', ...taxed, 'A cuenta -21,00', 'Total a pagar 100,00'],
    ['a credit', '-121.00', ...credit('-#'), 'Total IVA -21,00'],
  ] as const)
    assert.equal(purchaseOf([...head, ...lines]).purchase?.total, total, what);
});

test('given a total as papers name it, when it is read, then it is that of the paper, and a part of it is none', () => {
  const taxed = ['Base imponible 100,00', 'IVA 21 % 21,00'];
  for (const name of [
    'Total',
    'TOTAL (IVA INCLUIDO)',
    'Total (IVA incl.)',
    'Total IVA incluido:',
    'TOTAL (I.V.A. incluido)',
    'Total impuestos incluidos',
    'TOTAL IMPORTE FACTURA',
    'Total importe de la factura',
    'Total de la factura:',
    'Total (EUR)',
  ]) {
    assert.equal(purchaseOf([...head, ...taxed, `${name} 121,00 €`]).purchase?.total, '121.00', name);
    // What it names is the whole: rows that give less are not all.
    const less = [...taxed, 'Total 121,00', 'Exento 50,00', `${name} 171,00 €`];
    assert.equal(purchaseOf([...head, ...less]).purchase, null, name);
  }
  for (const line of ['Total IVA 21,00', 'Total IVA no incluido 100,00', 'Subtotal (IVA incluido) 121,00'])
    assert.equal(purchaseOf([...head, ...taxed, line]).purchase, null, line);
});

test('given a tax that is a cent beside that of its base, when it is read, then it is taken as the paper states it', () => {
  for (const [tax, ...lines] of [
    // Of 100.00 with its tax: the base is rounded, and the tax is what is left.
    ['17.36', 'Base 82,64', 'IVA 21 % 17,36', 'Total 100,00'],
    ['63.02', 'Base 300,03', 'IVA 21 % 63,02', 'Total 363,05'],
    ['-17.36', 'Base -82,64', 'IVA 21 % -17,36', 'Total -100,00'],
    // The one that is exact is meant.
    ['21.00', 'Base 100,00', 'IVA 21 % 21,00', 'Total 121,00', 'Base 100,01', '20,99'],
    [undefined, 'Base 82,63', 'IVA 21 % 17,37', 'Total 100,00'],
    // Two that are near.
    [undefined, 'Bases 82,64 82,63', 'IVA 21 % 17,36 17,34', 'Total 100,00', 'Total 99,97'],
  ] as const) {
    const { purchase } = purchaseOf([...head, ...lines]);
    assert.equal(purchase?.taxes[0]?.tax, tax, lines.join(' | '));
  }
  const two = ['Base 82,64 IVA 21 % 17,36', 'Base 90,91 IVA 10 % 9,09', 'Total 200,00'];
  assert.deepEqual(
    purchaseOf([...head, ...two]).purchase?.taxes.map((row) => row.tax),
    ['17.36', '9.09'],
  );
});

test('given an equivalence surcharge beside a total without it, when it is read, then nothing is proposed without it', () => {
  const taxed = ['Base imponible 100,00', 'IVA 21 % 21,00', 'Total 121,00'];
  for (const lines of [
    ['R.E. 5,2 % 5,20', 'Líquido 126,20'],
    ['RE 5,20 % 5,20', 'A PAGAR 126,20'],
    ['Recargo de equivalencia 5,2 % 5,20', 'Importe 126,20'],
    ['Rec. Equiv.', '5,20 €', 'Líquido 126,20'],
  ])
    assert.equal(purchaseOf([...head, ...taxed, ...lines]).purchase, null, lines.join(' | '));
  for (const line of ['R.E. 0 % 0,00', 'Operación sin recargo de equivalencia', 'Ref. RE 5'])
    assert.equal(purchaseOf([...head, ...taxed, line]).purchase?.total, '121.00', line);
});

test('given what is kept back as a guarantee, when it is read, then it is no retention of income tax', () => {
  const taxed = ['Base imponible 1.000,00', 'IVA 21 % 210,00', 'Total factura 1.210,00'];
  for (const line of [
    'Retención garantía 5 % -50,00',
    'Retención por garantía (5 %) 50,00',
    'Retención 5 % garantía 50,00',
    'Ret. de buena ejecución 5 % -50,00',
  ]) {
    const { purchase } = purchaseOf([...head, ...taxed, line, 'Total a pagar 1.160,00']);
    assert.deepEqual([purchase?.total, purchase?.lines[0]?.retention_rate], ['1210.00', null], line);
  }
  const both = [...taxed, 'Retención garantía 5 % -50,00', 'IRPF 15 % -150,00', 'A pagar 1.010,00'];
  assert.equal(purchaseOf([...head, ...both]).purchase?.lines[0]?.retention_rate, '15');
});

test('given a retention that is not that of the bases, when it is read, then nothing is proposed without it', () => {
  const rows = ['Base imponible 1.000,00', 'IVA 21 % 210,00'];
  const totals = ['Total factura 1.210,00', 'Total a pagar 1.060,00'];
  for (const [what, rate, ...lines] of [
    ['of all', '15', 'IRPF 15 % -150,00'],
    ['with dots', '15', 'I.R.P.F. 15 % -150,00'],
    ['in short', '15', 'Ret. 15 % -150,00'],
    ['in short, without its dot', '15', 'Ret 15 % -150,00'],
    ['as what was withheld', '15', 'Retenido 15 % -150,00'],
    ['by the name of the tax', '15', 'Impuesto sobre la renta 15 % -150,00'],
    ['of nothing', null, 'Retención IRPF 0 % 0,00'],
    ['in words alone', null, 'Operación no sujeta a retención'],
    ['of a part', undefined, 'IRPF 15 % s/ 800,00 -120,00'],
    ['of no rate', undefined, 'Retención -150,00'],
    ['of no rate, below its name', undefined, 'Retención IRPF', '-150,00 €'],
    ['of no amount', undefined, 'IRPF 15 %'],
  ] as const) {
    const { purchase } = purchaseOf([...head, ...rows, ...lines, ...totals]);
    assert.equal(purchase?.lines[0]?.retention_rate, rate, what);
  }
});

test('given a paper that is a corrective, a credit or no invoice, when it is read, then it is taken as what it calls itself', () => {
  const negative = credit('-#');
  for (const [name, kind] of [
    ['FACTURA RECTIFICATIVA', 'corrective'],
    ['Rectificativa', 'corrective'],
    ['Rectifica la factura A-1', 'corrective'],
    ['FACTURA DE ABONO', 'corrective'],
    ['Factura abono', 'corrective'],
    ['ABONO', 'corrective'],
    ['Abono n.º 12', 'corrective'],
    ['Nota de crédito', 'corrective'],
    ['CREDIT NOTE', 'corrective'],
    ['Factura simplificada', 'simplified'],
    ['Simplified invoice', 'simplified'],
    ['Corrective invoice', 'corrective'],
    ['Forma de pago: abono en cuenta', 'invoice'],
  ] as const)
    assert.equal(purchaseOf([name, ...head, ...negative]).purchase?.kind, kind, name);
  const positive = purchaseOf(['FACTURA RECTIFICATIVA', ...head, ...rows]);
  assert.equal(positive.purchase?.total, '121.00');
  assert.match(positive.warnings.join(), /positivos/);
  assert.deepEqual(purchaseOf(['FACTURA RECTIFICATIVA', ...head, ...negative]).warnings, []);
  for (const [name, warning] of [
    ['FACTURA DE ABONO', /abono sin signo/],
    ['Abono', /abono sin signo/],
    ['Nota de crédito', /abono sin signo/],
    ['Credit memo', /abono sin signo/],
    ['FACTURA PROFORMA', /proforma/],
    ['Pro-forma invoice', /proforma/],
  ] as const) {
    const { purchase, warnings } = purchaseOf([name, ...head, ...rows]);
    assert.equal(purchase, null, name);
    assert.match(warnings.join(), warning, name);
  }
  assert.equal(purchaseOf([...head, 'Forma de pago: abono en cuenta', ...rows]).purchase?.total, '121.00');
});

test('given a paper of a supplier on cash accounting, when it is read, then it says so, and one that names the regime to deny it does not', () => {
  for (const [said, line] of [
    [true, 'Régimen especial del criterio de caja'],
    [true, 'RÉGIMEN ESPECIAL DEL CRITERIO DE CAJA'],
    [true, 'Operación acogida al régimen especial de criterio de caja (art. 163 decies LIVA)'],
    [false, 'No acogido al régimen especial del criterio de caja'],
    [false, 'Operación no sujeta al régimen especial del criterio de caja'],
    [false, 'Entrega en caja'],
  ] as const)
    assert.equal(purchaseOf([...head, ...rows, line]).purchase?.cash_accounting, said, line);
});

test('given a paper that only speaks of a corrective or a simplified invoice, when it is read, then it is none', () => {
  for (const line of [
    'Las devoluciones se abonan mediante factura rectificativa.',
    'En caso de error solicite la factura rectificativa en 30 días',
    'Se emitirá la correspondiente factura rectificativa',
    'No se admiten devoluciones sin una factura rectificativa',
    'Esta factura sustituye a la factura simplificada T-17',
    'Factura emitida en sustitución de la factura simplificada T-17',
    'Canje de factura simplificada T-17',
    'Canje de la factura simplificada: T-17',
  ]) {
    const { purchase, warnings } = purchaseOf([...head, ...rows, line]);
    assert.deepEqual([purchase?.kind, warnings], ['invoice', []], line);
  }
  assert.equal(purchaseOf(['Factura simplificada', ...head, ...rows]).purchase?.kind, 'simplified');
  assert.equal(
    purchaseOf([`${supplier} FACTURA RECTIFICATIVA`, ...head, ...rows]).purchase?.kind,
    'corrective',
  );
});

test('given a paper with the mark of a draft or of one that was annulled, when it is read, then nothing is proposed', () => {
  for (const mark of [
    'BORRADOR',
    'ANULADA',
    'Factura anulada',
    'ESBORRANY',
    'ANUL·LADA',
    'BALIOGABETUA',
    'DRAFT',
    'BORRADOR · SIN VALIDEZ FISCAL',
  ]) {
    const { purchase, warnings } = purchaseOf([mark, ...head, ...rows]);
    assert.equal(purchase, null, mark);
    assert.match(warnings.join(), /marca de borrador o de anulado/, mark);
  }
  for (const line of [
    'Los pedidos anulados no se cobran',
    'Según su borrador de enero',
    'Anulada la reserva 7',
  ])
    assert.equal(purchaseOf([...head, ...rows, line]).purchase?.total, '121.00', line);
});

test('given a quote or a delivery note, when it is read, then nothing is proposed, but of an invoice that names one', () => {
  const rest = ['Fecha: 12/03/2026', ...rows];
  for (const [warning, ...lines] of [
    [/un presupuesto/, 'PRESUPUESTO', supplier],
    [/un presupuesto/, supplier, 'Presupuesto n.º P2026-000014'],
    [/un presupuesto/, supplier, 'Presupuesto 14', 'Este presupuesto no es una factura.'],
    [/un presupuesto/, supplier, 'Oferta n.º 14'],
    [/un presupuesto/, supplier, 'PRESSUPOST 14'],
    [/un presupuesto/, supplier, 'Quotation 14'],
    [/un presupuesto/, 'Quote', supplier],
    [/un presupuesto/, 'Aurrekontua', supplier],
    [/un albarán/, 'Albarà', supplier],
    [/un albarán/, 'Albarana', supplier],
    [/un albarán/, 'ALBARÁN', supplier],
    [/un albarán/, supplier, 'Albarán de entrega n.º 7', 'No es una factura'],
    [/un presupuesto/, supplier, 'Presupuesto 14', 'Pago a los 30 días de la factura'],
  ] as const) {
    const { purchase, warnings } = purchaseOf([...lines, ...rest]);
    assert.equal(purchase, null, lines.join(' | '));
    assert.match(warnings.join(), warning, lines.join(' | '));
  }
  for (const lines of [
    [supplier, 'Factura A-881', 'Presupuesto 14'],
    ['FACTURA', supplier, 'N.º 881', 'Albarán 7 de 02/03/2026'],
    [supplier, 'Albarán 7', 'N.º de factura: A-881'],
    [supplier, 'ALBARÁN - FACTURA 881'],
    [supplier, 'Invoice 881', 'Quotation 14'],
    ['Factura simplificada', supplier, 'Oferta 2x1'],
    [supplier, 'Oferta 2x1', 'Oferta nueva'],
    [supplier, 'N.º fra.: 881', 'Albarán 7'],
    [supplier, 'Cliente Nº Factura', '7 A-881', 'Albarán 7 de 02/03/2026'],
    [supplier, 'Fecha de factura', 'Albarán 7 de 02/03/2026'],
    [supplier, 'Albarán 7 de 02/03/2026', 'TOTAL FACTURA'],
    [supplier, 'Número', 'de la factura', 'Presupuesto 14'],
    ['Presupuestos y Obras, S. L.', supplier],
    [supplier, 'Según presupuesto 14'],
  ])
    assert.equal(purchaseOf([...lines, ...rest]).purchase?.total, '121.00', lines.join(' | '));
});

test('given days in the forms of suppliers, when the day of issue is read, then it is the paper’s and no other day', () => {
  for (const [issued_on, ...lines] of [
    ['2026-01-15', 'Fecha: 15/01/26'],
    ['2026-01-15', 'Fecha: 15-01-26', 'Vencimiento: 15/02/2026'],
    ['2026-01-15', 'Fecha factura 15.1.26', 'Vto. 15/02/2026'],
    ['2026-01-15', 'Fecha: 15-ene-2026', 'Vencimiento: 15-feb-2026'],
    ['2026-01-15', 'Fecha: 15 ene. 2026'],
    ['2026-01-15', 'Fecha: 15/ENE/26'],
    ['2026-09-15', 'Fecha: 15 sept. 2026'],
    ['2026-01-15', 'Madrid, 15 de enero 2026'],
    ['2026-01-15', 'Madrid, a 15 enero 2026'],
    ['2026-01-15', 'Madrid, 15 de enero del 2026'],
    ['2026-01-15', '15/01/2026', 'Fecha de vencimiento: 15/02/2026'],
    ['2026-01-15', '15/01/2026', 'Albarán 7 de 02/01/2026', 'Fecha pedido 01/01/2026'],
    ['2026-01-15', 'Date: January 15, 2026', 'Due date: 15/02/2026'],
    ['2026-01-15', 'Date of issue: 15 Jan 2026'],
    ['2026-01-15', 'Date of issue: 15\u00a0Jan\u00a02026', 'Date due: 15\u00a0Feb\u00a02026'],
    ['2026-12-15', 'Invoice date December 15th, 2026'],
    ['2026-08-15', 'Date: 15th August 2026'],
    ['2026-05-02', 'Payment: card  Date: 2 May 2026'],
    ['2026-05-02', 'Payment: card\u00a0\u00a0Date: 2 May 2026  Due date: 1 June 2026'],
    [null, 'Payment: card  Due date: 2 May 2026'],
    [null, 'Delivery: by van  Order date: 2 May 2026'],
    [null, 'Payment:  Date: 2 May 2026'],
    [null, 'Payment: card, date: 2 May 2026'],
    ['2026-01-15', 'Barcelona, 15 de gener de 2026', 'Venciment: 15 de febrer de 2026'],
    ['2026-04-15', "Girona, 15 d'abril del 2026", 'Període: abril'],
    ['2026-01-15', 'Vigo, 15 de xaneiro de 2026'],
    ['2026-06-15', 'Data: 15 de xuño de 2026'],
    ['2026-01-15', 'Fecha: 2026/01/15'],
    ['2026-01-15', 'Jaulkipen-data 2026/01/15', 'Epemuga 2026/02/15'],
    ['2026-03-15', 'Bilbon, 2026ko martxoaren 15a'],
    ['2026-05-01', 'Donostia, 2026ko maiatzaren 1ean'],
    [null, 'Period: 1 April 2026 to 30 April 2026'],
    [null, 'Date paid January 15, 2026'],
    [null, 'Renews on April 15, 2026'],
    [null, 'Expires: 15 Apr 2026'],
    [null, 'Ref. 2026/01/15'],
    [null, 'Planta 15 maya 2026'],
    [null, 'Fecha pedido: 02/01/2026'],
    [null, 'Vencimiento', '15/02/2026'],
    [null, 'Fecha Vencimiento', '15/01/2026 15/02/2026'],
    [null, 'Vencimiento Fecha', '15/02/2026 15/01/2026'],
    [null, 'Fecha N.º Vencimiento', '15/01/2026 A-1 15/02/2026'],
    ['2026-01-15', 'Fecha Forma de pago', '15/01/2026 Transferencia'],
    ['2026-01-15', 'Fecha', '15/01/2026', 'Vencimiento', '15/02/2026'],
    [null, 'Fecha de pedido', '02/01/2026'],
    [null, 'Periodo: 01/01/2026 - 31/01/2026'],
    [null, 'Fecha: 31/02/26'],
    [null, 'Fecha límite: 30/03/2026'],
    [null, 'Fecha de alta: 01/01/2020'],
    [null, 'Fecha de nacimiento: 12/03/1976'],
    [null, 'Fecha lectura: 10/03/2026'],
    [null, 'Fecha de envío: 05/02/2026'],
    [null, 'Fecha de impresión: 14/03/2026'],
    [null, 'Mandato SEPA firmado el 05/02/2020'],
    [null, 'Fin de permanencia 12/01/2026'],
    [null, 'Próxima factura: 05/03/2026'],
    [null, 'Abonado el 05/02/2026'],
    [null, 'Inscrita en el Registro Mercantil de Sevilla el 12/05/1998'],
    [null, 'Según la Ley 37/1992, de 28 de diciembre de 1992'],
    [null, 'Rectifica la factura A-880 de fecha 05/02/2026'],
    [null, 'Factura rectificada: A-880 de 05/02/2026'],
    ['2026-01-15', 'Sevilla, 15/01/2026', 'Mandato firmado el 05/02/2020', 'Fecha límite: 30/03/2026'],
    [
      '2026-01-15',
      'FACTURA RECTIFICATIVA Fecha: 15/01/2026',
      'Rectifica la factura A-880 de fecha 05/02/2025',
    ],
    ['2026-01-15', 'Calle Leyva, 15 de enero de 2026'],
    [null, 'Albarán 12-11-2600 1'],
  ] as const)
    assert.equal(
      purchaseOf([supplier, 'Factura n.º A-2026/881', ...lines, ...rows]).purchase?.issued_on,
      issued_on,
      lines.join(' | '),
    );
});

test('given a text, when the number is read, then it is whole and the paper’s own, or it is not read', () => {
  for (const [number, ...lines] of [
    ['A-2026/881', 'Factura n.º A-2026/881'],
    ['A-2026/881', 'Factura Número: A-2026/881', 'Total factura: 121,00 EUR'],
    ['A-2026/881', 'Factura A-2026/881', 'Fecha factura: 12/03/26', 'Total factura 121,00'],
    ['R-3', 'Factura rectificativa n.º R-3', 'Rectifica la factura A-2026/881 de 01/02/2026'],
    ['R-3', 'Factura rectificativa R-3', 'Sustituye a su factura: A-2026/881'],
    ['881', 'Factura 881 12/03/2026'],
    ['2026/03/12', 'Factura 2026/03/12'],
    ['2026.881', 'Factura n.º 2026.881'],
    // An amount, another's number, or a part of one.
    [null, 'Total factura 121,00'],
    [null, 'Importe de la factura 121.00 €'],
    [null, 'Total factura 121.00'],
    [null, 'Rectifica la factura A-2026/881'],
    [null, 'Abono de las facturas A-2026/881'],
    [null, 'Factura n.º 2026 / 881'],
    [null, 'Factura n.º 2026/ 881'],
    [null, 'Factura n.º F26 - 881'],
    [null, 'Factura n.º 26 000881'],
    [null, 'Fecha factura 12/03/26'],
  ] as const)
    assert.equal(purchaseOf([supplier, ...lines, ...rows]).purchase?.number, number, lines.join(' | '));
});

test('given what only looks like a number behind the word factura, when the number is read, then it is not read', () => {
  for (const lines of [
    // The address of a party stands below the heading, or beside it.
    ['FACTURA', '28013 Madrid'],
    ['Factura simplificada', '28013 Madrid'],
    ['Invoice', '123 Baker Street'],
    ['FACTURA', 'Tel.600123456'],
    ['FACTURA', '4G Telecom'],
    // The values of a table, whose first column is another.
    ['Cliente N.º Factura', '4432 A-881'],
    ['Pedido Factura', '4432', 'A-881'],
    // What is said of the invoice.
    ['Fecha factura 15 de enero de 2026'],
    ['Fecha de factura: 15 de marzo de 2026'],
    ['Factura 15 marzo 2026'],
    ['Periodo factura 01/2026'],
    ['Mes de factura: 01/2026'],
    ['Importe factura: 1210'],
    ['Factura 12 de 15'],
    ['Factura 24 horas'],
    ['Factura 24 h.'],
    ['Factura n.º 30 días'],
    ['Factura 12 meses, 2026'],
    ['Factura 3er trimestre'],
    ['Factura 100 % digital'],
    ['Factura 50% de la obra'],
    // Another invoice.
    ['Abono factura A-881'],
    ['ABONO', 'Devolución de factura A-881'],
    ['Rectificativa de factura A-881', 'N.º R-3'],
    ['Su última factura: A-880'],
  ])
    assert.equal(purchaseOf([supplier, ...lines, ...rows]).purchase?.number ?? null, null, lines.join(' | '));
  for (const [number, ...lines] of [
    ['A-881', 'FACTURA', 'A-881'],
    ['A-881', 'FACTURA', 'A-881 12/03/2026'],
    ['A-881', 'Simplified invoice', 'A-881'],
    ['A-881', 'FACTURA', 'N.º A-881 Cliente 4432'],
    ['881/26', 'Factura:', '881/26 Cliente 4432'],
    ['A-881', 'Factura n.º', 'A-881'],
    ['INV-881', 'Invoice number: INV-881'],
    ['A-881', 'FACTURA', 'Factura n.º A-881'],
    ['A-881', 'Invoice', 'Invoice A-881'],
    ['A-881', 'Factura A-881', 'Servicio de factura 24 horas'],
    ['24H', 'Factura 24H Cliente 7'],
    // What follows is the name of a time or a day, and no unit.
    ['2045', 'Factura simplificada n.º 2045 Hora: 12:30'],
    ['2045', 'Factura simplificada 2045 Hora 12:30'],
    ['881', 'Factura n.º 881 Día: 12/03/2026'],
    ['881', 'Factura n.º 881 Mes : marzo'],
    ['881', 'Invoice number 881 Day 12/03/2026'],
    ['FA-881', 'Número de factura', 'FA-881'],
    ['881', 'Factura 881 de 15 de marzo de 2026'],
    ['881', 'Factura 881 de 12/03/2026'],
    ['881', 'Fecha: 12/03/2026 Factura 881'],
  ] as const)
    assert.equal(purchaseOf([supplier, ...lines, ...rows]).purchase?.number, number, lines.join(' | '));
});

test('given words that are months in another language, when they count what is sold, then they are no day', () => {
  for (const line of ['1 set 24 piezas', 'Mesa 2 set 12', '5 out 20 in'])
    assert.equal(
      purchaseOf([supplier, 'Factura n.º A-881', line, '12/03/2026', ...rows]).purchase?.issued_on,
      '2026-03-12',
      line,
    );
  for (const day of ['12 set 2026', '12/set/26', '12-out-2026', '12 de set de 26'])
    assert.match(
      purchaseOf([supplier, 'Factura n.º A-881', day, ...rows]).purchase?.issued_on ?? '',
      /^2026-(?:09|10)-12$/,
      day,
    );
});

test('given a text of another currency or tax, when it is read, then it is not taken for euros or for another tax', () => {
  for (const currency of ['SEK', 'PLN', 'MXN', 'CZK', 'JPY', 'kr', 'zł', '¥', '₺', 'USD', '$', '£'])
    for (const total of [`Total 121,00 ${currency}`, `Total ${currency} 121,00`])
      assert.equal(purchaseOf([...head, ...rows.slice(0, 2), total]).purchase, null, total);
  for (const [tax_kind, tax, ...more] of [
    ['vat', 'IVA 21 % 21,00'],
    ['vat', 'IVA 21 % 21,00', 'Operación no sujeta a IGIC'],
    ['igic', 'IGIC 21 % 21,00'],
    ['igic', 'I.G.I.C. 21 % 21,00'],
    ['igic', 'Impuesto General Indirecto Canario 21 % 21,00'],
    ['ipsi', 'I.P.S.I. 21 % 21,00'],
    ['igic', 'IGIC 21 % 21,00', 'Exenta de IVA por exportación'],
    ['ipsi', 'IPSI 21 % 21,00', 'No sujeta a IVA'],
    [undefined, '21 % 21,00', 'IVA o IGIC incluido'],
    [undefined, 'IVA 21 % 21,00', 'IGIC 7 % 7,00'],
  ] as const)
    assert.equal(
      purchaseOf([...head, rows[0]!, tax, ...more, rows[2]!]).purchase?.taxes[0]?.tax_kind,
      tax_kind,
      [tax, ...more].join(' | '),
    );
});

test('given a rate that is none of Spanish VAT, when it is read, then it is not taken for Spanish VAT', () => {
  for (const [rate, tax, total] of [
    ['20', '20,00', '120,00'],
    ['23', '23,00', '123,00'],
    ['12', '12,00', '112,00'],
    ['10,5', '10,50', '110,50'],
  ] as const)
    for (const name of ['IVA', 'TVA', 'Compensación', '']) {
      const lines = ['Base 100,00', `${name} ${rate} % ${tax}`, `Total ${total}`];
      const { purchase, warnings } = purchaseOf([...head, ...lines]);
      assert.equal(purchase, null, lines.join(' | '));
      assert.match(warnings.join(), /no es un tipo del IVA español/, lines.join(' | '));
    }
  for (const [rate, tax, total] of [
    ['10', '10,00', '110,00'],
    ['7,5', '7,50', '107,50'],
  ] as const)
    assert.equal(
      purchaseOf([...head, 'Base 100,00', `IVA ${rate} % ${tax}`, `Total ${total}`]).purchase?.taxes[0]?.tax,
      tax.replace(',', '.'),
    );
});

/** As the service prints it, with the QR of the authority: the text says what that leaves out. */
const printedIn = (language: (typeof printedLanguages)[number], lines: readonly string[], total: string) => {
  const words = printedWords[language];
  const qr = { page: 1, tax_id: 'B12345674', number: 'F-1', issued_on: '2026-03-12', total };
  const text = ['Papelera Sur', `${words.ids.nif} B12345674`, ...lines, `${words.total} ${total}`].join('\n');
  return readPageTexts({ pages: 1, texts: [text], qrs: [qr] }).purchase;
};

test('given a paper that the service prints in any language, when it is read, then its kind and its retention are known', () => {
  for (const language of printedLanguages) {
    const { titles, number, ...words } = printedWords[language];
    const percent = (rate: string) => (language === 'eu' ? `% ${rate}` : `${rate} %`);
    const base = [`${words.base} 100,00`, `${words.taxes.vat} ${percent('21')} 21,00`];
    for (const [title, kind] of [
      ['invoice', 'invoice'],
      ['simplified_invoice', 'simplified'],
      ['substitute_invoice', 'invoice'],
      ['corrective_invoice', 'corrective'],
      ['corrective_simplified_invoice', 'corrective'],
    ] as const) {
      const read = printedIn(language, [titles[title], `${number} F-1`, ...base], '121.00');
      assert.deepEqual([read?.kind, read?.total], [kind, '121.00'], `${language} ${titles[title]}`);
    }
    const head = [titles.invoice, `${number} F-1`, ...base];
    const withheld = `${words.income_tax_retention} ${percent('15')} -15,00`;
    const kept = printedIn(language, [...head, withheld], '121.00');
    assert.equal(kept?.lines[0]?.retention_rate, '15', `${language} ${withheld}`);
  }
});

test('given a paper that the service prints, without a QR, when it is read, then number, day and buyer are those of the paper', () => {
  // A Basque one names its total in a word that is not read, so nothing is.
  for (const language of ['es', 'ca', 'gl', 'en'] as const) {
    const { titles, number, ...words } = printedWords[language];
    const day = (label: string, on: string) => `${label} ${dayText(on, language)}`;
    const { purchase } = purchaseOf([
      'Papelera Sur',
      `${words.ids.nif} B12345674`,
      titles.invoice,
      `${number} F-1`,
      day(words.issued_on, '2026-03-12'),
      day(words.operation_on, '2026-03-10'),
      day(words.due_on, '2026-04-12'),
      words.client,
      'Librería Norte',
      `${words.ids.nif} A58818501`,
      ...rows,
    ]);
    assert.deepEqual(
      [purchase?.number, purchase?.issued_on, purchase?.buyer_tax_id],
      ['F-1', '2026-03-12', 'A58818501'],
      language,
    );
  }
});
