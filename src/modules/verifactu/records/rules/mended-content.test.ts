import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alta as altaOf } from '../../../../../test/support/verifactu-cases.ts';
import { Problem } from '../../../../kernel/problem.ts';
import type { AltaContent, AnulacionContent } from '../../record.ts';
import { type Corrections, mendedContent } from './mended-content.ts';

const alta = altaOf({
  issuer: { name: 'Acme SL', tax_id: 'B12345674' },
  number: 'F-1',
  issued_on: '2026-03-10',
  operation_on: '2026-03-01',
  description: 'Venta',
  recipients: [{ name: 'Norte SL', tax_id: 'A58818501', foreign_id: null }],
});
const marks = { kind: 'alta', is_subsanacion: true, prior_rejection: 'X' } as const;
const mended = (corrections: Corrections, from: AltaContent = alta, name: string | null = 'Acme SL') =>
  mendedContent(from, marks, corrections, name) as AltaContent;

type ForeignIdSent = NonNullable<Corrections['recipient']>['foreign_id'];

function refused(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof Problem);
    return `${error.def.code} ${error.details.param}`;
  }
  return 'nothing';
}

test('given no corrections, then all stays but the marks and the name of the issuer', () => {
  assert.deepEqual(mended({}, alta, ' Acme Nueva SL '), {
    ...alta,
    issuer: { name: 'Acme Nueva SL', tax_id: 'B12345674' },
    is_subsanacion: true,
    prior_rejection: 'X',
  });
  assert.equal(mended({}, alta, null).issuer.name, '');
  assert.equal(alta.is_subsanacion, false);
});

test('given corrections, then each is taken and nothing else changes', () => {
  assert.equal(mended({ description: ' Uno\n\tdos ' }).description, 'Uno dos');
  assert.deepEqual(mended({ recipient: { name: ' Sur SL ', tax_id: 'b-12345674' } }).recipients, [
    { name: 'Sur SL', tax_id: 'B12345674', foreign_id: null },
  ]);
  const foreign_id = { type: '02', id: 'FR40303265045' } as const;
  assert.deepEqual(mended({ recipient: { name: 'Sud', foreign_id } }).recipients, [
    { name: 'Sud', tax_id: null, foreign_id: { ...foreign_id, country: null } },
  ]);
  const uncensused = { type: '07', country: 'ES', id: '12345678-z' } as const;
  assert.deepEqual(mended({ recipient: { name: 'Ana', foreign_id: uncensused } }).recipients, [
    { name: 'Ana', tax_id: null, foreign_id: { ...uncensused, id: '12345678Z' } },
  ]);
  const greek = { type: '02', country: 'GR', id: 'gr 094259216' } as const;
  assert.equal(
    mended({ recipient: { name: 'Notos', foreign_id: greek } }).recipients[0]!.foreign_id!.id,
    'EL094259216',
  );
  assert.equal(mended({ operation_on: '2026-02-28' }).operation_on, '2026-02-28');
  assert.equal(mended({ operation_on: '2026-03-10' }).operation_on, null);
  assert.equal(mended({ operation_on: null }).operation_on, null);
  const works: AltaContent = { ...alta, rows: [{ ...alta.rows[0]!, regime_key: '14' }] };
  assert.equal(mended({ operation_on: '2026-04-01' }, works).operation_on, '2026-04-01');
});

test('given what it cannot take, then the field is named', () => {
  const both = {
    name: 'X',
    tax_id: 'A58818501',
    foreign_id: { type: '04', country: 'FR', id: '1' },
  } as const;
  const mendedTo = (foreign_id: ForeignIdSent) => () => mended({ recipient: { name: 'X', foreign_id } });
  const ticket: AltaContent = { ...alta, type: 'F2', recipients: [] };
  for (const [work, said] of [
    [() => mended({ description: ' ' }), 'parameter_invalid description'],
    [() => mended({ recipient: { name: 'X' } }), 'parameter_invalid recipient'],
    [() => mended({ recipient: both }), 'parameter_invalid recipient'],
    [() => mended({ recipient: { name: 'X', tax_id: 'A58818502' } }), 'parameter_invalid recipient.tax_id'],
    [mendedTo({ type: '02', id: 'NONSENSE' }), 'parameter_invalid recipient.foreign_id.id'],
    [mendedTo({ type: '02', id: 'ESA58818501' }), 'parameter_invalid recipient.foreign_id.id'],
    [
      mendedTo({ type: '02', country: 'DE', id: 'FR40303265045' }),
      'parameter_invalid recipient.foreign_id.country',
    ],
    [mendedTo({ type: '07', country: 'ES', id: 'A58818501' }), 'parameter_invalid recipient.foreign_id.id'],
    [mendedTo({ type: '07', country: 'ES', id: '12345678A' }), 'parameter_invalid recipient.foreign_id.id'],
    [() => mended({ recipient: both }, ticket), 'business_rule_violation recipient'],
    [() => mended({ operation_on: '2026-03-11' }), 'operation_date_after_issue_date operation_on'],
  ] as const) {
    assert.equal(refused(work), said);
  }
});

test('given an annulment, then only its marks change, and it takes no data', () => {
  const before: AnulacionContent = {
    kind: 'anulacion',
    issuer: { name: 'Acme SL', tax_id: 'B12345674' },
    number: 'F-1',
    issued_on: '2026-03-10',
    reference: null,
    has_no_prior_record: false,
    is_prior_rejection: false,
  };
  const of = { kind: 'anulacion', has_no_prior_record: true, is_prior_rejection: true } as const;
  assert.deepEqual(mendedContent(before, of, {}, 'Acme SL'), { ...before, ...of });
  for (const corrections of [{ description: 'X' }, { operation_on: null }])
    assert.equal(
      refused(() => mendedContent(before, of, corrections, 'Acme SL')),
      `business_rule_violation ${Object.keys(corrections)[0]}`,
    );
});
