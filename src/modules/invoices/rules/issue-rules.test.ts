import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../../../kernel/problem.ts';
import { Reasons } from '../../../kernel/reasons.ts';
import type { LineRow, TaxRow } from '../../../domain/sales/rows.ts';
import { checkIssue, checkRatesOfDay, type Recipient, type ToIssue } from './issue-rules.ts';

const company: Recipient = { tax_id: 'B99286320', vat_id: null, alternative_id: null };
const clients: Record<string, Recipient | null> = {
  none: null,
  nif: company,
  council: { ...company, tax_id: 'P2807900B' },
  vat: { tax_id: null, vat_id: 'DE136695976', alternative_id: null },
  own_vat_alone: { tax_id: null, vat_id: 'ESB99286320', alternative_id: null },
  own_vat_as_other: {
    tax_id: null,
    vat_id: null,
    alternative_id: { type: 'vat_id', value: 'ESB99286320' },
  },
  own_vat: { ...company, vat_id: 'ESB99286320' },
  both: { ...company, vat_id: 'DE136695976' },
  passport: { tax_id: null, vat_id: null, alternative_id: { type: 'passport' } },
  vat_as_other: { tax_id: null, vat_id: null, alternative_id: { type: 'vat_id' } },
  foreign: { tax_id: 'DE-77', vat_id: null, alternative_id: null },
  unknown: { tax_id: null, vat_id: null, alternative_id: null },
  union: {
    tax_id: null,
    vat_id: 'DE136695976',
    alternative_id: null,
    preferred_operation_regime: 'intra_community',
  },
};

const plain = {
  tax_kind: 'vat',
  regime_key: '01',
  qualification: 'S1',
  exemption_reason: null,
  tax_rate: '21',
  surcharge_rate: null,
};
const elsewhere = { ...plain, qualification: 'N2', tax_rate: null };
const surcharged = { ...plain, surcharge_rate: '5.2' };
const reverse = { ...plain, qualification: 'S2', tax_rate: '0' };
const key = (regime_key: string, tax_kind = 'vat') => ({ ...plain, regime_key, tax_kind });
const exempt = (exemption_reason: string, tax_kind = 'vat') => ({
  ...plain,
  tax_kind,
  qualification: null,
  exemption_reason,
  tax_rate: null,
});

type Row = Omit<typeof plain, 'qualification' | 'tax_rate' | 'exemption_reason' | 'surcharge_rate'> & {
  surcharge_rate: string | null;
  qualification: string | null;
  tax_rate: string | null;
  exemption_reason: string | null;
};

/** The second of the two lines is under test. */
function toIssue(
  row: Row,
  type: string,
  client: string,
  more: Partial<ToIssue['invoice']> & { issuer_tax_id?: string } = {},
): ToIssue {
  const { issuer_tax_id = 'B12345674', ...invoice } = more;
  const rows = row === plain ? [plain] : [plain, row];
  return {
    invoice: {
      type: type as 'F1',
      client_id: clients[client] ? 'a' : null,
      operation_on: null,
      subtotal: '100.00',
      taxes_total: '21.00',
      exchange_rate: null,
      no_recipient_art61d: false,
      print_recipient: false,
      correction_type: null,
      third_party: null,
      ...invoice,
    },
    issued_on: '2026-06-01',
    lines: [
      { ...plain, tax_rate: '21.0000' },
      { ...row, tax_rate: row.tax_rate && `${row.tax_rate}.0000` },
    ] as LineRow[],
    tax_rows: rows as TaxRow[],
    client: clients[client] ?? null,
    issuer_tax_id,
    is_registered: false,
  };
}

const late = { operation_on: '2026-06-02' };
const cases: readonly (readonly [
  code: string,
  row: Row,
  type: string,
  client: string,
  more: Parameters<typeof toIssue>[3],
  refused: string | null,
])[] = [
  ['-', plain, 'F1', 'nif', {}, null],
  ['-', plain, 'F2', 'none', {}, null],
  // reverse charge: F1 F3 R1-R4; a simplified one with a recipient goes as F1
  ['1197', reverse, 'F1', 'nif', {}, null],
  ['1197', reverse, 'F3', 'nif', {}, null],
  ['1197', reverse, 'R4', 'nif', {}, null],
  ['1197', reverse, 'F2', 'nif', {}, null],
  ['1197', reverse, 'F2', 'none', {}, 'lines.1.qualification'],
  ['1197', reverse, 'R5', 'none', {}, 'lines.1.qualification'],
  // the recipient owes the tax, so it is identified; a corrective may undo an older invoice
  ['art. 6.1.d.2', reverse, 'F1', 'unknown', {}, 'client_id'],
  ['art. 6.1.d.2', reverse, 'F2', 'unknown', {}, 'client_id'],
  ['art. 6.1.d.2', reverse, 'F1', 'vat', {}, null],
  ['art. 6.1.d.2', reverse, 'F1', 'passport', {}, null],
  ['art. 6.1.d.2', reverse, 'R1', 'unknown', {}, null],
  ['art. 6.1.d.2', plain, 'F1', 'unknown', {}, null],
  // group of entities: not F2 F3 R5
  ['1202', key('06'), 'F1', 'nif', {}, null],
  ['1202', key('06'), 'R1', 'nif', {}, null],
  ['1202', key('06'), 'F2', 'none', {}, 'lines.1.regime_key'],
  ['1202', key('06'), 'F3', 'nif', {}, 'lines.1.regime_key'],
  ['1202', key('06'), 'R5', 'none', {}, 'lines.1.regime_key'],
  // collections for third parties: F1, by NIF
  ['1205', { ...key('10'), qualification: 'N1', tax_rate: null }, 'F1', 'nif', {}, null],
  ['1205', { ...key('10'), qualification: 'N1', tax_rate: null }, 'F1', 'own_vat_alone', {}, null],
  ['1205', { ...key('10'), qualification: 'N1', tax_rate: null }, 'F1', 'own_vat_as_other', {}, null],
  ['1205', { ...key('10'), qualification: 'N1', tax_rate: null }, 'R1', 'nif', {}, 'lines.1.regime_key'],
  ['1205', { ...key('10'), qualification: 'N1', tax_rate: null }, 'F1', 'vat', {}, 'client_id'],
  ['1205', { ...key('10'), qualification: 'N1', tax_rate: null }, 'F1', 'unknown', {}, 'client_id'],
  // works certificates: later operation, F1 R1-R4, public body
  ['1147', key('14'), 'F1', 'council', late, null],
  ['1147', key('14', 'igic'), 'R1', 'council', late, null],
  ['1147', key('14'), 'F1', 'council', {}, 'operation_on'],
  ['1147', key('14'), 'F1', 'council', { operation_on: '2026-06-01' }, 'operation_on'],
  ['1147', key('14'), 'F1', 'council', { operation_on: '2026-05-31' }, 'operation_on'],
  ['1148', key('14'), 'F3', 'council', late, 'lines.1.regime_key'],
  ['1148', key('14'), 'F2', 'none', late, 'lines.1.regime_key'],
  ['1149', key('14'), 'F1', 'nif', late, 'client_id'],
  ['1149', key('14'), 'F1', 'vat', late, 'client_id'],
  ['1149', key('14'), 'F1', 'unknown', late, 'client_id'],
  // intra-community deliveries: not by NIF
  ['1289', exempt('E5'), 'F1', 'vat', {}, null],
  ['1289', exempt('E5'), 'F1', 'both', {}, null],
  ['1289', exempt('E5'), 'F1', 'passport', {}, null],
  ['1289', exempt('E5'), 'F1', 'foreign', {}, null],
  ['1289', exempt('E5'), 'F1', 'nif', {}, 'client_id'],
  ['1289', exempt('E5'), 'F1', 'own_vat', {}, 'client_id'],
  ['1289', exempt('E5'), 'F1', 'own_vat_as_other', {}, 'client_id'],
  ['1289', exempt('E5'), 'F1', 'unknown', {}, 'client_id'],
  ['1289', exempt('E5', 'igic'), 'F1', 'nif', {}, null],
  // no simplified invoice for what goes to a business of another member state
  ['art. 4.4', exempt('E5'), 'F2', 'none', {}, 'type'],
  ['art. 4.4', exempt('E5'), 'F2', 'vat', {}, 'type'],
  ['art. 4.4', exempt('E5'), 'F2', 'unknown', { print_recipient: true }, 'type'],
  ['art. 4.4', exempt('E5'), 'F2', 'none', { no_recipient_art61d: true }, 'type'],
  ['art. 4.4', elsewhere, 'F2', 'union', {}, 'type'],
  ['art. 4.4', elsewhere, 'F1', 'union', {}, null],
  ['art. 4.4', elsewhere, 'F2', 'none', {}, null],
  ['art. 4.4', exempt('E2'), 'F2', 'none', {}, null],
  ['art. 4.4', exempt('E5'), 'R5', 'none', {}, null],
  // a surcharge is of a retailer with a NIF, also where its name is only printed
  ['art. 6.1.d.3', surcharged, 'F2', 'unknown', { print_recipient: true }, 'client_id'],
  ['art. 6.1.d.3', surcharged, 'F2', 'unknown', {}, 'client_id'],
  ['art. 6.1.d.3', surcharged, 'F2', 'nif', {}, null],
  // recipients of R2 and R3
  ['1191', plain, 'R3', 'nif', {}, null],
  ['1191', plain, 'R3', 'vat', {}, 'client_id'],
  ['1191', plain, 'R3', 'passport', {}, 'client_id'],
  // with E5 the VAT number counts
  ['1191', exempt('E5'), 'R3', 'both', {}, 'client_id'],
  ['1191', exempt('E5', 'igic'), 'R3', 'both', {}, null],
  ['1192', exempt('E5'), 'R2', 'both', {}, null],
  ['1192', plain, 'R2', 'nif', {}, null],
  ['1192', plain, 'R2', 'vat', {}, null],
  ['1192', plain, 'R2', 'vat_as_other', {}, null],
  ['1192', plain, 'R2', 'passport', {}, 'client_id'],
  ['1192', plain, 'R2', 'foreign', {}, 'client_id'],
  // R5 corrects what has no recipient
  ['1190', plain, 'R5', 'none', {}, null],
  ['1190', plain, 'R5', 'nif', {}, 'client_id'],
  ['1190', plain, 'R5', 'unknown', {}, 'client_id'],
  // third party
  ['1188', plain, 'F1', 'nif', { third_party: { name: 'X', tax_id: 'A58818501' } }, null],
  [
    '1188',
    plain,
    'F1',
    'nif',
    { third_party: { name: 'X', tax_id: 'A58818501' }, issuer_tax_id: 'A58818501' },
    'third_party.tax_id',
  ],
  // ceiling of simplified invoices: base and tax
  ['1150', plain, 'F2', 'none', { subtotal: '2479.34', taxes_total: '520.66' }, null],
  ['1150', plain, 'F2', 'none', { subtotal: '2479.34', taxes_total: '520.67' }, 'total'],
  ['art. 4', plain, 'F2', 'nif', { subtotal: '2479.34', taxes_total: '520.67' }, 'total'],
  ['1150', plain, 'F2', 'none', { subtotal: '9000.00', no_recipient_art61d: true }, null],
  ['1150', plain, 'F1', 'nif', { subtotal: '9000.00' }, null],
  ['1150', plain, 'R5', 'none', { subtotal: '9000.00' }, null],
  ['1150', plain, 'F2', 'none', { subtotal: '-9000.00', taxes_total: '-1890.00' }, null],
  [
    '1150',
    plain,
    'F2',
    'none',
    { subtotal: '6000.00', taxes_total: '0.00', exchange_rate: '0.50000000' },
    null,
  ],
  [
    '1150',
    plain,
    'F2',
    'none',
    { subtotal: '6000.01', taxes_total: '0.00', exchange_rate: '0.50000000' },
    'total',
  ],
  ['1150', plain, 'F2', 'none', { subtotal: '2000.00', taxes_total: '0.00', exchange_rate: '1.6' }, 'total'],
];
for (const [code, row, type, client, more, refused] of cases) {
  const what = [row.regime_key, row.qualification ?? row.exemption_reason, JSON.stringify(more)].join(' ');
  test(`${code}: ${type} to ${client} with ${what}: ${refused ?? 'accepted'}`, () => {
    const reasons = new Reasons(true);
    checkIssue(toIssue(row, type, client, more), reasons);
    assert.deepEqual(
      reasons.problems.map((p) => p.details.param),
      refused === null ? [] : [refused],
    );
    for (const { def, details } of reasons.problems) {
      assert.equal(def.code, 'business_rule_violation');
      // The type's own rules on recipients are of no line.
      if (row !== plain && code !== '1191') assert.equal(details.line_index, 1);
    }
    if (refused !== null)
      assert.throws(() => checkIssue(toIssue(row, type, client, more), new Reasons()), {
        message: 'business_rule_violation',
      });
  });
}

test('a draft that waited past the last day of its rate is refused by its line', () => {
  const waited = toIssue({ ...plain, tax_rate: '5' }, 'F1', 'nif');
  checkRatesOfDay(waited, '2024-09-30');
  assert.throws(
    () => checkRatesOfDay(waited, '2024-10-01'),
    (error) =>
      error instanceof Problem &&
      error.details.param === 'lines.1.tax_rate' &&
      error.details.line_index === 1,
  );
});
