import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { printedToJson } from '../../../domain/money/printed.ts';
import type { LineFacts, LineProduct, LineTax } from '../../../domain/sales/line-facts.ts';
import type { LineInput } from '../../../domain/sales/line-input.ts';
import { regimeKeys } from '../../../domain/tax/record-codes.ts';
import { taxKinds } from '../../../domain/tax/spanish-taxes.ts';
import { Problem } from '../../../kernel/problem.ts';
import type { LineRow } from '../../../domain/sales/rows.ts';
import { buildDocumentLines, declaredKeys } from '../../../domain/sales/build-rows.ts';
import { mergeLines } from '../../../domain/sales/merge-lines.ts';
import { invoiceNames } from '../invoices.schema.ts';

const always = { valid_from: null, valid_to: null, is_active: true } as const;
const plain = {
  rate: null,
  surcharge_rate: null,
  qualification: null,
  exemption_reason: null,
  regime_key: null,
};
const taxes: Record<string, Partial<LineTax>> = {
  ten: { rate: '10', surcharge_rate: '1.4' },
  tobacco: { rate: '21', surcharge_rate: '1.75' },
  works: { rate: '21', regime_key: '14' },
  general: { rate: '21', regime_key: '01' },
  export: { exemption_reason: 'E2' },
  reverse: { rate: '0', qualification: 'S2' },
  igic: { kind: 'igic', rate: '7', regime_key: '17' },
};
const product: Omit<LineProduct, 'id' | 'taxes_id'> = {
  name: 'Mesa',
  kind: 'good',
  unit: 'ud',
  unit_price: '12.5',
  is_active: true,
};
const products: LineProduct[] = [null, ...Object.keys(taxes)].map((taxes_id) => ({
  ...product,
  id: `of ${taxes_id}`,
  taxes_id,
}));
const facts: Omit<LineFacts, 'is_surcharge_subject' | 'on_date'> = {
  products: new Map(products.map((one) => [one.id, one])),
  taxes: new Map(
    Object.entries(taxes).map(([id, tax]) => [
      id,
      { id, name: id, kind: 'vat', ...plain, ...always, ...tax },
    ]),
  ),
  default_vat: '21',
  version: '2026-10-01',
};

/** Mostly absent, as in real lines. */
const seldom = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined, freq: 1 });
const rate = (...rates: (number | null)[]) => seldom(fc.constantFrom(...rates));
const anyLine: fc.Arbitrary<LineInput> = fc
  .record({
    description: fc.constant('Línea'),
    product_id: seldom(fc.constantFrom(null, ...products.map(({ id }) => id))),
    quantity: seldom(fc.integer({ min: -9, max: 9 })),
    unit_price: fc.integer({ min: -999, max: 999 }).map((cents) => cents / 100),
    discount_percent: rate(null, 0, 7.5),
    taxes_id: seldom(fc.constantFrom(null, ...Object.keys(taxes))),
    tax_kind: seldom(fc.constantFrom(...taxKinds)),
    tax_rate: rate(null, 0, 5, 7, 10, 21),
    retention_rate: rate(null, 0, 15),
    surcharge_rate: rate(null, 0, 0.5, 1.4, 1.75, 5.2),
    qualification: seldom(fc.constantFrom(null, 'S1' as const, 'S2' as const, 'N2' as const)),
    exemption_reason: seldom(fc.constantFrom(null, 'E1', 'E2')),
    regime_key: seldom(fc.constantFrom(null, '01', '02', '14', '15', '17', ...Object.keys(regimeKeys))),
  })
  .map((line) => Object.fromEntries(Object.entries(line).filter(([, value]) => value !== undefined)));

const anyFacts = fc.record({
  is_surcharge_subject: fc.boolean(),
  on_date: fc.constantFrom('2022-08-01', '2024-03-01', '2026-06-01'),
});
const anyOptions = fc.record({ prices_include_tax: fc.boolean() });

type Built = { content: unknown; rows: LineRow[] } | { refusal: unknown[] };

/** Without line ids; or the refusal. */
function build(
  lines: readonly LineInput[],
  at: Partial<LineFacts>,
  options: { prices_include_tax: boolean },
): Built {
  try {
    const built = buildDocumentLines('a', lines, { ...facts, ...at } as LineFacts, options);
    const shown = built.lines.map(({ id: _, ...line }) => line);
    return {
      content: [shown, built.tax_rows, built.totals, declaredKeys(built.lines)],
      rows: built.lines,
    };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { refusal: [error.def.code, error.details.param, error.details.line_index] };
  }
}

const isRefusal = (built: Built) => 'refusal' in built;
const outcome = (built: Built) => ('refusal' in built ? built.refusal : built.content);

/** As GET answers it, reduced to input keys. */
function answered(row: LineRow): LineInput {
  const number = (text: string | null) => (text === null ? null : printedToJson(text));
  return {
    id: row.id,
    description: row.description,
    quantity: printedToJson(row.quantity),
    unit: row.unit,
    unit_price: printedToJson(row.unit_price),
    discount_percent: number(row.discount_percent),
    taxes_id: row.taxes_id,
    tax_kind: row.tax_kind as 'vat',
    tax_rate: number(row.tax_rate),
    retention_rate: number(row.retention_rate),
    surcharge_rate: number(row.surcharge_rate),
    qualification: row.qualification as 'S1' | null,
    exemption_reason: row.exemption_reason,
    exemption_reason_text: row.exemption_reason_text,
    regime_key: row.regime_key,
  };
}

const edits: Record<string, (rows: LineRow[]) => LineInput[] | undefined> = {
  'no lines': () => undefined,
  'the ids of the lines': (rows) => rows.map(({ id }) => ({ id })),
  'the lines as they were answered': (rows) => rows.map(answered),
};
for (const [what, sentOf] of Object.entries(edits)) {
  test(`property: another client, day or meaning of prices, with ${what}, gives what one call gives`, () => {
    let compared = 0;
    fc.assert(
      fc.property(
        fc.array(anyLine, { minLength: 1, maxLength: 3 }),
        anyFacts,
        anyFacts,
        anyOptions,
        anyOptions,
        (lines, before, after, first_options, options) => {
          const first = build(lines, before, first_options);
          if (!('rows' in first)) return;
          const edited = build(mergeLines(invoiceNames, first.rows, sentOf(first.rows), []), after, options);
          const at_once = build(lines, after, options);
          assert.deepEqual(outcome(edited), outcome(at_once));
          if (!isRefusal(at_once)) compared += 1;
        },
      ),
      { numRuns: 3000 },
    );
    assert.ok(compared > 300, `only ${compared} documents were compared`);
  });
}

test('property: an edit of no tax field, by id or by the whole line, gives what one call gives', () => {
  const anyChange = fc.record({
    quantity: fc.integer({ min: 1, max: 9 }),
    unit_price: fc.integer({ min: 1, max: 99 }),
    discount_percent: fc.constantFrom(null, 10),
    retention_rate: fc.constantFrom(null, 7),
  });
  fc.assert(
    fc.property(anyLine, anyChange, anyFacts, anyFacts, anyOptions, fc.boolean(), (line, change, ...rest) => {
      const [before, after, options, is_whole] = rest;
      const first = build([line], before, { prices_include_tax: false });
      if (!('rows' in first)) return;
      const [row] = first.rows as [LineRow];
      const sent = { ...(is_whole ? answered(row) : { id: row.id }), ...change };
      const edited = build(mergeLines(invoiceNames, [row], [sent], []), after, options);
      assert.deepEqual(outcome(edited), outcome(build([{ ...line, ...change }], after, options)));
    }),
    { numRuns: 3000 },
  );
});

test('a line whose tax and product are gone keeps what it took from them and its tax, and loses only the product', () => {
  const at = { is_surcharge_subject: true, on_date: '2026-06-01' };
  const options = { prices_include_tax: false };
  const first = build([{ product_id: 'of tobacco' }], at, options);
  assert.ok('rows' in first);
  const gone = { ...at, products: new Map(), taxes: new Map() };
  const edited = build(mergeLines(invoiceNames, first.rows, undefined, []), gone, options);
  assert.ok('rows' in edited);
  const lost = { product_id: null, product_name: null };
  assert.deepEqual(
    edited.rows,
    first.rows.map((row) => ({ ...row, ...lost })),
  );
  assert.equal(edited.rows[0]?.surcharge_rate, '1.75');
  const another = [{ id: first.rows[0]?.id, product_id: 'of ten' }];
  assert.deepEqual(build(mergeLines(invoiceNames, first.rows, another, []), gone, options), {
    refusal: ['parameter_invalid', 'lines.0.product_id', 0],
  });
});
