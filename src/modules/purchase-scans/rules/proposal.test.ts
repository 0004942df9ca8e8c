/** What of a reading cannot be proposed is left out, and said. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proposalOf } from './proposal.ts';
import type { ReadPurchase } from './read-purchase.ts';

const today = '2026-06-15';
const whole: ReadPurchase = {
  supplier_tax_ids: ['B12345674'],
  supplier_vat_id: null,
  issuer_tax_id: null,
  buyer_tax_id: null,
  number: 'A-1',
  kind: 'invoice',
  issued_on: '2026-06-01',
  operation_on: '2026-05-31',
  due_on: '2026-07-01',
  currency: 'EUR',
  lines: [
    {
      description: 'Papel',
      quantity: '1',
      unit_price: '100',
      tax_kind: 'vat',
      tax_rate: '21',
      retention_rate: null,
    },
  ],
  taxes: [{ tax_kind: 'vat', tax_rate: '21', base: '100', tax: '21' }],
  total: '121',
};
const members = ['number', 'issued_on', 'operation_on', 'due_on'] as const;

const cases: [what: string, read: Partial<ReadPurchase>, left_out: readonly string[], told: RegExp[]][] = [
  ['all', {}, [], []],
  ['a day of today', { issued_on: today, operation_on: today, due_on: today }, [], []],
  ['only what must be', { operation_on: null, due_on: null }, ['operation_on', 'due_on'], []],
  ['no number', { number: null }, ['number'], [/número/]],
  ['no day of issue', { issued_on: null, due_on: null }, ['issued_on', 'due_on'], [/expedición/]],
  [
    'a day of issue that is to come',
    { issued_on: '2026-06-16' },
    ['issued_on', 'due_on'],
    [/2026-06-16, es futura/, /vencimiento leído, 2026-07-01/],
  ],
  [
    'an operation that is to come',
    { operation_on: '2026-06-16' },
    ['operation_on'],
    [/operación leída, 2026-06-16/],
  ],
  ['due before it was issued', { due_on: '2026-05-31' }, ['due_on'], [/vencimiento leído, 2026-05-31/]],
  [
    'due of no day of issue',
    { issued_on: null },
    ['issued_on', 'due_on'],
    [/expedición/, /vencimiento leído/],
  ],
];

for (const [what, read, left_out, told] of cases)
  test(`${what}: left out ${left_out.join(', ') || 'nothing'}`, () => {
    const { proposal, warnings } = proposalOf({ ...whole, ...read }, { supplier_id: null, today });
    assert.deepEqual(
      members.filter((name) => !(name in proposal!)),
      left_out,
    );
    assert.equal(warnings.length, told.length, warnings.join());
    for (const [at, pattern] of told.entries()) assert.match(warnings[at]!, pattern);
  });
