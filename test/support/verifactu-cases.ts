/** Records for test/golden/verifactu. The authority would accept them; the taxpayers are invented. */
import type {
  AltaContent,
  AnulacionContent,
  BreakdownRow,
  ChainedRecord,
  ForeignId,
  Party,
  RecordContent,
  SystemInfo,
} from '../../src/modules/verifactu/index.ts';

export const issuer = { name: 'Talleres Ibáñez e Hijos, S.L.', tax_id: 'B12345674' };

export const system: SystemInfo = {
  producer: { name: 'Productora de Ejemplo, S.L.', tax_id: 'B87654323', foreign_id: null },
  name: 'Folio',
  code: 'FO',
  version: '1.0.0',
  installation_number: '20261121102030-000001',
  is_verifactu_only: false,
  supports_many_taxpayers: true,
  has_many_taxpayers: false,
};

export const client: Party = { name: 'Cliente de Prueba, S.A.', tax_id: 'A58818501', foreign_id: null };

export function foreigner(type: ForeignId['type'], country: string | null, id: string): Party {
  return { name: 'Foreign Client & Söhne', tax_id: null, foreign_id: { type, country, id } };
}

/** By default 100.00 at 21 % VAT. */
export function row(change: Partial<BreakdownRow> = {}): BreakdownRow {
  return {
    tax_code: '01',
    regime_key: '01',
    qualification: 'S1',
    exemption_reason: null,
    rate: '21.00',
    base: '100.00',
    base_at_cost: null,
    tax: '21.00',
    surcharge_rate: null,
    surcharge: null,
    ...change,
  };
}

const bare = { rate: null, tax: null } as const;

export function exempt(
  exemption_reason: BreakdownRow['exemption_reason'],
  change: Partial<BreakdownRow> = {},
) {
  return row({ ...bare, qualification: null, exemption_reason, ...change });
}

export function notSubject(qualification: 'N1' | 'N2', change: Partial<BreakdownRow> = {}) {
  return row({ ...bare, qualification, ...change });
}

/** By default an F1 of 121.00 to a company in Spain. The totals follow from the rows. */
export function alta(change: Partial<AltaContent> = {}): AltaContent {
  const rows = change.rows ?? [row()];
  return {
    kind: 'alta',
    issuer,
    number: 'FAC-2026/000123',
    issued_on: '2026-11-21',
    reference: '01995b1e-6f7a-7c31-9c55-0d6f9c1f2a3b',
    is_subsanacion: false,
    prior_rejection: null,
    type: 'F1',
    correction: null,
    corrected_invoices: [],
    substituted_invoices: [],
    corrected_amounts: null,
    operation_on: null,
    description: 'Reparación de maquinaria',
    is_qualified_simplified: false,
    is_without_recipient: false,
    issued_by: null,
    third_party: null,
    recipients: [client],
    rows,
    tax_total: sum(rows, (one) => [one.tax, one.surcharge]),
    total: sum(rows, (one) => [one.base, one.tax, one.surcharge]),
    ...change,
  };
}

export function anulacion(change: Partial<AnulacionContent> = {}): AnulacionContent {
  return {
    kind: 'anulacion',
    // An annulment does not name its issuer.
    issuer: { name: '', tax_id: issuer.tax_id },
    number: 'FAC-2026/000123',
    issued_on: '2026-11-21',
    reference: '01995b1e-6f7a-7c31-9c55-0d6f9c1f2a3c',
    has_no_prior_record: false,
    is_prior_rejection: false,
    ...change,
  };
}

export const previous = {
  tax_id: issuer.tax_id,
  number: 'FAC-2026/000122',
  issued_on: '2026-11-20',
  huella: '3C464DAF61ACB827C65FDA19F352A4E3BDC2C640E9E9FC4CC058073F38F12F60',
};

/** By default after `previous`. */
export function chained(content: RecordContent, change: Partial<ChainedRecord> = {}): ChainedRecord {
  return { content, previous, system, stamped_at: '2026-11-21T10:20:30+01:00', ...change };
}

function sum(rows: readonly BreakdownRow[], of: (row: BreakdownRow) => (string | null)[]): string {
  const cents = rows.flatMap(of).reduce((all, text) => all + BigInt((text ?? '0.00').replace('.', '')), 0n);
  const digits = (cents < 0n ? -cents : cents).toString().padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

const anonymous = { recipients: [] } as const;
const corrected = [{ tax_id: issuer.tax_id, number: 'FAC-2026/000099', issued_on: '2026-10-05' }];
const returned = [row({ base: '-50.00', tax: '-10.50' })];
const replaced = { base: '150.00', tax: '31.50', surcharge: null };

const correctives = (['R1', 'R2', 'R3', 'R4', 'R5'] as const).flatMap((type): [string, RecordContent][] => {
  const recipients = type === 'R5' ? [] : [client];
  const same = { type, recipients, corrected_invoices: corrected, number: `REC-2026/${type}` };
  return [
    [`${type}-substitution`, alta({ ...same, correction: 'S', corrected_amounts: replaced })],
    [`${type}-differences`, alta({ ...same, correction: 'I', rows: returned })],
  ];
});

const exemptions = (['E1', 'E2', 'E3', 'E4', 'E6'] as const).map((reason): [string, RecordContent] => {
  const regime_key = reason === 'E2' || reason === 'E3' ? '02' : '01';
  return [`exempt-${reason}`, alta({ rows: [exempt(reason, { regime_key })] })];
});

const canarian = (['E1', 'E2', 'E3', 'E4', 'E5', 'E6', 'E7', 'E8'] as const).map(
  (reason): [string, RecordContent] => [
    `igic-exempt-${reason}`,
    alta({
      rows: [
        exempt(reason, { tax_code: '03', regime_key: reason === 'E2' || reason === 'E3' ? '02' : '01' }),
      ],
    }),
  ],
);

const foreigners: readonly [string, Party][] = [
  ['02-vat-id', foreigner('02', 'DE', 'DE123456789')],
  ['02-vat-id-without-country', foreigner('02', null, 'FR40303265045')],
  ['03-passport', foreigner('03', 'US', '123456789')],
  ['03-passport-of-spain', foreigner('03', 'ES', 'AAA123456')],
  ['04-country-id', foreigner('04', 'GB', '8472910')],
  ['05-residence', foreigner('05', 'CH', 'CHE-109.322.551')],
  ['06-other', foreigner('06', 'QU', 'X-1')],
  ['07-not-in-census', foreigner('07', 'ES', '12345678Z')],
];

const regimes: readonly [string, RecordContent][] = [
  ['regime-02-export', alta({ rows: [exempt('E2', { regime_key: '02' })] })],
  ['regime-03-second-hand', alta({ rows: [row({ regime_key: '03' })] })],
  [
    'regime-04-gold',
    alta({ rows: [row({ regime_key: '04', qualification: 'S2', rate: '0.00', tax: '0.00' })] }),
  ],
  ['regime-05-travel', alta({ rows: [row({ regime_key: '05' })] })],
  ['regime-06-group', alta({ rows: [row({ regime_key: '06', base_at_cost: '80.00', tax: '16.80' })] })],
  ['regime-07-cash', alta({ rows: [row({ regime_key: '07' })] })],
  ['regime-08-other-tax', alta({ rows: [notSubject('N2', { regime_key: '08' })] })],
  ['regime-09-mediator', alta({ rows: [row({ regime_key: '09' })] })],
  ['regime-10-collection', alta({ rows: [notSubject('N1', { regime_key: '10' })] })],
  ['regime-11-premises', alta({ rows: [row({ regime_key: '11' })] })],
  [
    'regime-14-public-works',
    alta({
      rows: [row({ regime_key: '14' })],
      operation_on: '2027-01-15',
      recipients: [{ name: 'Ayuntamiento de Ejemplo', tax_id: 'P2807900B', foreign_id: null }],
    }),
  ],
  ['regime-15-successive', alta({ rows: [row({ regime_key: '15' })], operation_on: '2026-12-31' })],
  ['regime-17-one-stop-shop', alta({ rows: [notSubject('N2', { regime_key: '17' })] })],
  ['regime-19-farming', alta({ rows: [exempt('E6', { regime_key: '19' })] })],
  ['regime-20-simplified', alta({ rows: [row({ regime_key: '20' })] })],
  ['igic-regime-21', alta({ rows: [row({ tax_code: '03', regime_key: '21', rate: '7.00', tax: '7.00' })] })],
];

const flags: readonly [string, RecordContent][] = [
  ['subsanacion-after-rejection', alta({ is_subsanacion: true, prior_rejection: 'X' })],
  ['subsanacion-of-accepted', alta({ is_subsanacion: true })],
  ['subsanacion-rejected-before', alta({ is_subsanacion: true, prior_rejection: 'S' })],
  ['anulacion', anulacion()],
  ['anulacion-rejected-before', anulacion({ is_prior_rejection: true })],
  ['anulacion-without-record', anulacion({ has_no_prior_record: true })],
  ['anulacion-without-record-rejected', anulacion({ has_no_prior_record: true, is_prior_rejection: true })],
];

const contents: readonly [string, RecordContent][] = [
  ['F1', alta()],
  ['F1-without-reference', alta({ reference: null })],
  [
    'F1-several-rates',
    alta({ rows: [row(), row({ rate: '10.00', tax: '10.00' }), row({ rate: '4.00', tax: '4.00' })] }),
  ],
  ['F1-zero-rate', alta({ rows: [row({ rate: '0.00', tax: '0.00' })] })],
  ['F1-operation-day', alta({ operation_on: '2026-11-02' })],
  ['F1-art-7273', alta({ is_qualified_simplified: true })],
  ['F1-several-recipients', alta({ recipients: [client, foreigner('02', 'IT', 'IT12345678901')] })],
  [
    'F1-third-party',
    alta({ issued_by: 'T', third_party: { name: 'Gestoría, S.L.', tax_id: 'B87654323', foreign_id: null } }),
  ],
  ['F1-third-party-abroad', alta({ issued_by: 'T', third_party: foreigner('04', 'PT', '503504564') })],
  ['F1-issued-by-recipient', alta({ issued_by: 'D' })],
  ['F1-negative', alta({ rows: returned })],
  [
    'F1-markup-in-names',
    alta({
      issuer: { name: 'Pérez & Cía <"Madrid">', tax_id: issuer.tax_id },
      number: 'A&B/1',
      description: "Corte a 45º: 'a' > b & c < d; ñandú €, 東京, 🧾",
    }),
  ],
  [
    'F1-twelve-rows',
    alta({
      rows: Array.from({ length: 12 }, (_, at) => row({ rate: `${at}.00`, tax: `${at}.00`, tax_code: '03' })),
    }),
  ],
  ['F1-macrodata', alta({ rows: [row({ base: '99999999.00', tax: '20999999.79' })] })],
  ['F1-macrodata-negative', alta({ rows: [exempt('E1', { base: '-100000000.00' })] })],
  ['F1-below-macrodata', alta({ rows: [exempt('E1', { base: '99999999.99' })] })],
  ['F2', alta({ type: 'F2', ...anonymous })],
  ['F2-art-61d', alta({ type: 'F2', ...anonymous, is_without_recipient: true })],
  [
    'F3',
    alta({
      type: 'F3',
      substituted_invoices: [
        { tax_id: issuer.tax_id, number: 'T-1', issued_on: '2026-11-01' },
        { tax_id: issuer.tax_id, number: 'T-2', issued_on: '2026-11-02' },
      ],
    }),
  ],
  ...correctives,
  ['R1-without-original', alta({ type: 'R1', correction: 'I', rows: returned })],
  [
    'R1-substitution-surcharge',
    alta({
      type: 'R1',
      correction: 'S',
      corrected_invoices: corrected,
      corrected_amounts: { base: '150.00', tax: '31.50', surcharge: '7.80' },
      rows: [row({ regime_key: '18', surcharge_rate: '5.20', surcharge: '5.20' })],
    }),
  ],
  [
    'R5-art-61d',
    alta({ type: 'R5', ...anonymous, correction: 'I', rows: returned, is_without_recipient: true }),
  ],
  ['S2-reverse-charge', alta({ rows: [row({ qualification: 'S2', rate: '0.00', tax: '0.00' })] })],
  ['N1-not-subject', alta({ rows: [notSubject('N1')] })],
  ['N2-place-of-supply', alta({ rows: [notSubject('N2')] })],
  ...exemptions,
  ['exempt-E5', alta({ rows: [exempt('E5')], recipients: [foreigner('02', 'DE', 'DE123456789')] })],
  ...canarian,
  ['igic', alta({ rows: [row({ tax_code: '03', rate: '7.00', tax: '7.00' })] })],
  ['ipsi', alta({ rows: [row({ tax_code: '02', rate: '4.00', tax: '4.00' })] })],
  ['other-tax', alta({ rows: [row({ tax_code: '05', regime_key: null, rate: '1.00', tax: '1.00' })] })],
  ['surcharge', alta({ rows: [row({ regime_key: '18', surcharge_rate: '5.20', surcharge: '5.20' })] })],
  ...regimes,
  ...foreigners.map(([name, party]): [string, RecordContent] => [
    `recipient-${name}`,
    alta({ recipients: [party] }),
  ]),
  ...flags,
];

/** By the name of the golden file. */
export const recordCases: ReadonlyMap<string, ChainedRecord> = new Map([
  ...contents.map(([name, content]): [string, ChainedRecord] => [name, chained(content)]),
  ['first-of-chain', chained(alta(), { previous: null })],
  ['first-of-chain-anulacion', chained(anulacion(), { previous: null })],
  ['stamp-of-the-canaries', chained(alta(), { stamped_at: '2026-07-21T10:20:30+01:00' })],
  ['stamp-before-utc', chained(alta(), { stamped_at: '2026-07-21T10:20:30-01:00' })],
  [
    'foreign-producer',
    chained(alta(), {
      system: { ...system, producer: foreigner('04', 'FR', '552100554'), has_many_taxpayers: true },
    }),
  ],
]);
