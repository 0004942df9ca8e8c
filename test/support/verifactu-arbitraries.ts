/** Random records and events that the authority's schemas accept, and damage to them. */
import fc from 'fast-check';
import {
  exemptionReasons,
  foreignIdTypes,
  invoiceTypes,
  qualifications,
  regimeKeys,
  taxCodes,
} from '../../src/integrations/aeat/value-lists.ts';
import { anomalyTypes, eventTypes } from '../../src/modules/verifactu/ports.ts';
import type {
  AltaContent,
  AnulacionContent,
  BreakdownRow,
  ChainedEvent,
  ChainedRecord,
  EventDetails,
  EventLink,
  InvoiceRef,
  IntegrityCounts,
  Party,
  PeriodOfRecords,
  SystemInfo,
} from '../../src/modules/verifactu/index.ts';

const maybe = <T>(arb: fc.Arbitrary<T>) => fc.option(arb, { nil: null });
/** fast-check also makes objects without a prototype; these are ordinary. */
const plain = <T>(shape: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(shape).map((value) => structuredClone(value) as T);
const oneOf = <T>(values: readonly T[]) => fc.constantFrom(...values);

/** Includes what needs care: markup, line ends, blanks, letters beyond the first plane. */
const character = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...'abcXYZ019 ñÁ€·'.split('')) },
  {
    weight: 2,
    arbitrary: fc.constantFrom('&', '<', '>', '"', "'", ']]>', '\r', '\n', '\t', '\u00a0', '🧾', '東'),
  },
);

const text = (max: number) =>
  fc
    .array(character, { minLength: 1, maxLength: max })
    .map((parts) => [...parts.join('')].slice(0, max).join(''));
const digits = (min: number, max: number) =>
  fc.array(oneOf([...'0123456789']), { minLength: min, maxLength: max }).map((all) => all.join(''));

const taxId = fc
  .tuple(oneOf([...'ABXYZ12']), digits(7, 7), oneOf([...'AJTRW09']))
  .map((parts) => parts.join(''));
const day = fc
  .date({ min: new Date('2024-10-28T00:00:00Z'), max: new Date('2099-12-31T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const stamp = fc
  .tuple(day, fc.integer({ min: 0, max: 86_399 }), oneOf(['+00:00', '+01:00', '+02:00']))
  .map(([on, second, offset]) => `${on}T${new Date(second * 1000).toISOString().slice(11, 19)}${offset}`);
const huella = fc
  .array(oneOf([...'0123456789ABCDEF']), { minLength: 64, maxLength: 64 })
  .map((all) => all.join(''));
const integer = fc.tuple(oneOf([...'123456789']), digits(0, 11)).map((parts) => parts.join(''));
const amount = fc
  .tuple(fc.boolean(), fc.oneof(fc.constant('0'), integer), digits(2, 2))
  .map(([is_negative, whole, cents]) => {
    const value = `${whole}.${cents}`;
    return is_negative && value !== '0.00' ? `-${value}` : value;
  });
const rate = fc
  .tuple(fc.integer({ min: 0, max: 999 }), digits(2, 2))
  .map(([whole, cents]) => `${whole}.${cents}`);

const number = text(60);
const ref: fc.Arbitrary<InvoiceRef> = fc.record({ tax_id: taxId, number, issued_on: day });
const link = fc.record({ tax_id: taxId, number, issued_on: day, huella });

const party = (countries: readonly string[]): fc.Arbitrary<Party> =>
  fc.oneof(
    fc.record({ name: text(120), tax_id: taxId, foreign_id: fc.constant(null) }),
    fc.record({
      name: text(120),
      tax_id: fc.constant(null),
      foreign_id: fc.record({ type: oneOf(foreignIdTypes), country: maybe(oneOf(countries)), id: text(20) }),
    }),
  );

const anyParty = party(['DE', 'FR', 'US', 'ES', 'XN', 'QU', 'RE']);

const system: fc.Arbitrary<SystemInfo> = fc.record({
  producer: party(['DE', 'FR', 'ES']),
  name: text(30),
  code: fc.tuple(oneOf([...'ABZ09']), oneOf([...'ABZ09'])).map((parts) => parts.join('')),
  version: text(50),
  installation_number: text(100),
  is_verifactu_only: fc.boolean(),
  supports_many_taxpayers: fc.boolean(),
  has_many_taxpayers: fc.boolean(),
});

const row: fc.Arbitrary<BreakdownRow> = fc
  .tuple(
    fc.record({
      tax_code: oneOf(taxCodes),
      regime_key: maybe(oneOf(regimeKeys)),
      rate: maybe(rate),
      base: amount,
      base_at_cost: maybe(amount),
      tax: maybe(amount),
      surcharge_rate: maybe(rate),
      surcharge: maybe(amount),
    }),
    fc.oneof(
      fc.record({ qualification: oneOf(qualifications), exemption_reason: fc.constant(null) }),
      fc.record({ qualification: fc.constant(null), exemption_reason: oneOf(exemptionReasons) }),
    ),
  )
  .map(([values, kind]) => ({ ...values, ...kind }));

const altaContent: fc.Arbitrary<AltaContent> = fc.record({
  kind: fc.constant('alta'),
  issuer: fc.record({ name: text(120), tax_id: taxId }),
  number,
  issued_on: day,
  reference: maybe(text(60)),
  is_subsanacion: fc.boolean(),
  prior_rejection: maybe(oneOf(['S', 'X'] as const)),
  type: oneOf(invoiceTypes),
  correction: maybe(oneOf(['S', 'I'] as const)),
  corrected_invoices: fc.array(ref, { maxLength: 3 }),
  substituted_invoices: fc.array(ref, { maxLength: 3 }),
  corrected_amounts: maybe(fc.record({ base: amount, tax: amount, surcharge: maybe(amount) })),
  operation_on: maybe(day),
  description: text(500),
  is_qualified_simplified: fc.boolean(),
  is_without_recipient: fc.boolean(),
  issued_by: maybe(oneOf(['D', 'T'] as const)),
  third_party: maybe(anyParty),
  recipients: fc.array(anyParty, { maxLength: 3 }),
  rows: fc.array(row, { minLength: 1, maxLength: 12 }),
  tax_total: amount,
  total: amount,
});

const anulacionContent: fc.Arbitrary<AnulacionContent> = fc.record({
  kind: fc.constant('anulacion'),
  // An annulment does not name its issuer.
  issuer: fc.record({ name: fc.constant(''), tax_id: taxId }),
  number,
  issued_on: day,
  reference: maybe(text(60)),
  has_no_prior_record: fc.boolean(),
  is_prior_rejection: fc.boolean(),
});

/** Each value fits the schema; their combination is random. */
export const anyRecord: fc.Arbitrary<ChainedRecord> = plain({
  content: fc.oneof({ weight: 3, arbitrary: altaContent }, { weight: 1, arbitrary: anulacionContent }),
  previous: maybe(link),
  system,
  stamped_at: stamp,
});

const count = (max: number) => fc.integer({ min: 0, max });
const eventLink: fc.Arbitrary<EventLink> = fc.record({ type: oneOf(eventTypes), stamped_at: stamp, huella });
const checked = (max: number): fc.Arbitrary<IntegrityCounts> =>
  fc.record({
    huellas: maybe(count(max)),
    signatures: maybe(count(max)),
    links: maybe(count(max)),
    dates: maybe(count(max)),
  });
const period = (max: number): fc.Arbitrary<PeriodOfRecords> =>
  fc.record({
    first: link,
    last: link,
    altas: count(max),
    tax_total: amount,
    total: amount,
    anulaciones: count(max),
  });

const details: fc.Arbitrary<EventDetails> = fc.oneof(
  fc.record({ type: oneOf(['01', '02', '07', '90'] as const) }),
  fc.record({ type: fc.constant('03' as const), checked: checked(9_999_999) }),
  fc.record({ type: fc.constant('05' as const), checked: checked(99_999) }),
  fc.record({
    type: fc.constant('04' as const),
    anomaly: oneOf(anomalyTypes),
    text: maybe(text(100)),
    record: maybe(ref),
  }),
  fc.record({
    type: fc.constant('06' as const),
    anomaly: oneOf(anomalyTypes),
    text: maybe(text(100)),
    event: maybe(eventLink),
  }),
  fc.record({
    type: fc.constant('08' as const),
    from: stamp,
    to: stamp,
    records: period(999_999_999),
    is_no_longer_kept: fc.boolean(),
  }),
  fc.record({
    type: fc.constant('09' as const),
    from: stamp,
    to: stamp,
    first: eventLink,
    last: eventLink,
    count: count(9_999_999),
    is_no_longer_kept: fc.boolean(),
  }),
  fc.record({
    type: fc.constant('10' as const),
    counts: fc.array(fc.record({ type: oneOf(eventTypes), count: count(9_999) }), {
      minLength: 1,
      maxLength: 20,
    }),
    records: fc.oneof(
      period(999_999),
      period(999_999).map((one) => ({ ...one, first: null, last: null })),
    ),
  }),
);

export const anyEvent: fc.Arbitrary<ChainedEvent> = plain({
  details,
  note: maybe(text(100)),
  taxpayer: fc.record({ name: text(120), tax_id: taxId }),
  system,
  previous: maybe(eventLink),
  stamped_at: stamp,
});

const wrongTexts = [
  '',
  ' ',
  '0',
  '-1',
  '+12.5',
  '1e3',
  '12,50',
  '1.234',
  '1234567890123.00',
  '-0.00',
  '100.',
  '1000.00',
  'S',
  'N',
  'X',
  'ES',
  'XK',
  'RE',
  'F9',
  '99',
  '2026-02-30',
  '2026-1-1',
  '30-02-2026',
  '2026-11-21T10:20:30',
  '2026-11-21T10:20:30.5+01:00',
  '2026-13-21T10:20:30+01:00',
  'B1234567',
  'B123456789',
  'x'.repeat(61),
  'x'.repeat(121),
  '🧾'.repeat(60),
  '🧾'.repeat(501),
];

/** Replaces one text or list, at any depth. */
export function withWrongValue(record: ChainedRecord): fc.Arbitrary<ChainedRecord> {
  const paths = leaves(record, []);
  return fc
    .tuple(oneOf(paths), oneOf(wrongTexts))
    .map(([path, wrong]) => replaceAt(record, path, wrong) as ChainedRecord);
}

/** Paths to all texts except those that decide the shape. */
function leaves(value: unknown, path: string[]): string[][] {
  if (typeof value === 'string') return path.at(-1) === 'kind' ? [] : [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => leaves(child, [...path, key]));
}

function replaceAt(value: unknown, [key, ...rest]: string[], by: string): unknown {
  if (key === undefined) return by;
  const copy = Array.isArray(value) ? [...value] : { ...(value as object) };
  Object.assign(copy, { [key]: replaceAt((value as Record<string, unknown>)[key], rest, by) });
  return copy;
}

/** One element is removed, doubled, moved, renamed, or gets an attribute or another text. */
export function withDamage(xml: string): fc.Arbitrary<string> {
  const found = [...xml.matchAll(/<(sf|ev):([A-Za-z0-9]+)>([^<]*)<\/\1:\2>/g)];
  return fc
    .tuple(oneOf(found), oneOf(found), fc.integer({ min: 0, max: 6 }), oneOf(wrongTexts))
    .map(([one, two, how, wrong]) => {
      const [element, prefix, name, content] = one;
      const swap = (by: string) => xml.slice(0, one.index) + by + xml.slice(one.index + element.length);
      switch (how) {
        case 0:
          return swap('');
        case 1:
          return swap(element + element);
        case 2:
          return swap(element + two[0]);
        case 3:
          return swap(`<${prefix}:Otro>${content}</${prefix}:Otro>`);
        case 4:
          return swap(`<${prefix}:${name} a="1">${content}</${prefix}:${name}>`);
        case 5:
          return swap(`${element}texto`);
        default:
          return swap(`<${prefix}:${name}>${wrong}</${prefix}:${name}>`);
      }
    });
}
