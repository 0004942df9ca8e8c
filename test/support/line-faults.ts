/** What any document refuses of a line, and where the refusal says that it is (docs/conventions.md). */
import assert from 'node:assert/strict';
import type { Answer, App } from '../harness.ts';
import { create } from './resource-checks.ts';

type Json = Record<string, unknown>;

export const goodLine = { description: 'Consultoría', unit_price: 100, tax_rate: 21 };
const nobody = '019a0000-0000-7000-8000-000000000000';

export async function givenReferred(app: App, key: string) {
  const made = (path: string, body: Json) => create(app, path, key, body);
  const archived = await made('/v1/products', { name: 'Mesa', unit_price: 1 });
  await app.put(`/v1/products/${archived.id}`, { key, body: { is_active: false } });
  return {
    archived: archived.id,
    retention: (await made('/v1/taxes', { name: 'IRPF', kind: 'retention', rate: 15 })).id,
    igic: (await made('/v1/taxes', { name: 'IGIC', kind: 'igic', rate: 7 })).id,
    ended: (await made('/v1/taxes', { name: 'Antiguo', kind: 'vat', rate: 10, valid_to: '2020-01-01' })).id,
  };
}
export type Referred = Awaited<ReturnType<typeof givenReferred>>;

export type LineFault = readonly [
  what: string,
  line: Json | ((ids: Referred) => Json),
  code: string,
  param: string,
  document?: Json,
];

const rule = 'business_rule_violation';
const missing = 'missing_required_param';
const invalid = 'parameter_invalid';
const shifted = 'amount_reconciliation_failed';
const gross = { prices_include_tax: true };

/** Any document refuses these. `param` is in the second line unless it begins with a slash. */
export const lineFaults: readonly LineFault[] = [
  ['no description', { description: undefined }, missing, 'description'],
  ['no price', { unit_price: undefined }, missing, 'unit_price'],
  ['no rate and no default one', { tax_rate: undefined, tax_kind: 'igic' }, missing, 'tax_rate'],
  ['a product that is none', { product_id: nobody }, invalid, 'product_id'],
  ['a product archived', ({ archived }) => ({ product_id: archived }), invalid, 'product_id'],
  ['a tax that is none', { taxes_id: nobody }, invalid, 'taxes_id'],
  ['a retention for a tax', ({ retention }) => ({ taxes_id: retention }), invalid, 'taxes_id'],
  ['a tax no longer in force', ({ ended }) => ({ taxes_id: ended }), rule, 'taxes_id'],
  ['a tax of another kind', ({ igic }) => ({ taxes_id: igic, tax_kind: 'vat' }), rule, 'tax_kind'],
  ['an id on a new document', { id: nobody }, invalid, 'id'],
  ['a variant that is none', { variant_id: nobody }, invalid, 'variant_id'],
  ['a presentation that is none', { presentation_id: nobody }, invalid, 'presentation_id'],
  [
    'an option that is none',
    { options: [{ group_id: nobody, value_id: nobody }] },
    invalid,
    'options.0.value_id',
  ],
  ['an expense that is none', { linked_expense_ids: [nobody] }, invalid, 'linked_expense_ids.0'],
  ['a cause of another tax', { tax_rate: null, exemption_reason: 'E7' }, rule, 'exemption_reason'],
  ['a key of another tax', { regime_key: '21' }, rule, 'regime_key'],
  ['a key on another kind', { tax_kind: 'other', regime_key: '01' }, rule, 'regime_key'],
  ['both cause and qualification', { exemption_reason: 'E1', qualification: 'S1' }, rule, 'qualification'],
  ['exempt with a rate', { exemption_reason: 'E1' }, rule, 'tax_rate'],
  ['reverse charge with a rate', { qualification: 'S2' }, rule, 'tax_rate'],
  ['a rate that is none', { tax_rate: 18 }, rule, 'tax_rate'],
  ['premises at another rate', { tax_rate: 10, regime_key: '11' }, rule, 'tax_rate'],
  ['a surcharge of another rate', { surcharge_rate: 1.4 }, rule, 'surcharge_rate'],
  ['a regime that does not admit it', { regime_key: '02' }, rule, 'regime_key'],
  ['an amount too large', { quantity: 999_999_999, unit_price: 999_999 }, invalid, 'total'],
  ['a retention in a price with tax', { retention_rate: 15 }, shifted, 'retention_rate', gross],
  ['a surcharge in a price with tax', { surcharge_rate: 5.2 }, shifted, 'surcharge_rate', gross],
];

/** What no line may be, whatever else is in the document. */
export const malformedLines: readonly LineFault[] = [
  ['a price in text', { unit_price: '10' }, invalid, 'unit_price'],
  ['a key that is none', { colour: 'red' }, invalid, 'colour'],
  ['an option that is no object', { options: [1] }, invalid, 'options.0'],
];

export function faultyLine(line: LineFault[1], ids: Referred): Json {
  return { ...goodLine, ...(typeof line === 'function' ? line(ids) : line) };
}

/** @param param in the line, unless it begins with a slash */
export function assertOfLine(
  { status, body, text }: Answer,
  code: string,
  param: string,
  at: number,
  what = '',
): void {
  const expected = param.startsWith('/') ? param.slice(1) : `lines.${at}.${param}`;
  const { error } = body;
  assert.deepEqual(
    [status, error?.code, error?.param, error?.line_index],
    [422, code, expected, at],
    `${what} ${text}`,
  );
}
