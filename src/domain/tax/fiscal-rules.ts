/**
 * Which tax fields of one line go together: the authority's validations of the line alone (codes beside each
 * rule) and the rates of LIVA. Documents check rules that need the client, dates or type. Three cases may be
 * invoiced, but `recordRefusal` refuses their record:
 * - 06: the record needs BaseImponibleACoste, which no line carries.
 * - 17 under VAT, the one-stop shop: the invoice shows the rate of the country of destination, but the record
 *   takes only Spanish rates. Under IGIC, 17 is the retailers' regime and has no rule.
 * - A surcharge at rate 0: the authority's texts disagree on which one it takes.
 */
import { type Amount, amountText, sameAmount } from '../money/amount.ts';
import { type ExemptionReason, exemptionFits, type Qualification, regimeKeyFits } from './record-codes.ts';
import { surchargePairFits, type TaxKind, taxRateFits, vatRatesOn } from './spanish-taxes.ts';

export type FiscalFields = {
  readonly tax_kind: TaxKind;
  /** null for `other` taxes alone: they have no regimes. */
  readonly regime_key: string | null;
  readonly qualification: Qualification | null;
  readonly exemption_reason: string | null;
  /** In percent; null when exempt or not subject. */
  readonly tax_rate: Amount | null;
  /** In percent; null or 0 is none. */
  readonly surcharge_rate: Amount | null;
};

export type FiscalRefusal = {
  readonly field: 'exemption_reason' | 'regime_key' | 'qualification' | 'tax_rate' | 'surcharge_rate';
  /** Spanish, to end a message with. */
  readonly reason: string;
};

type LineRule = FiscalRefusal & {
  readonly codes: string;
  refuses(line: FiscalFields, on_date: string): boolean;
};

/** Its VAT rate is that of the country of destination. */
export function isOneStopShop({
  tax_kind,
  regime_key,
}: Pick<FiscalFields, 'tax_kind' | 'regime_key'>): boolean {
  return tax_kind === 'vat' && regime_key === '17';
}

export function goesWithoutRate({
  qualification,
  exemption_reason,
}: Record<'qualification' | 'exemption_reason', string | null>): boolean {
  return exemption_reason !== null || qualification === 'N1' || qualification === 'N2';
}

const hasForeignRate = ({ tax_kind, tax_rate }: FiscalFields, on_date: string) =>
  tax_rate !== null && !taxRateFits(tax_kind, tax_rate, on_date);

const rateOfDay: LineRule = {
  codes: '1124, 1194, 1235, 1236',
  field: 'tax_rate',
  reason: 'no es un tipo de IVA vigente en la fecha de la operación',
  refuses: (line, on_date) => !isOneStopShop(line) && hasForeignRate(line, on_date),
};

/** Whoever wrote 0.21, or a rate of another day, sees what may stand there. */
function ratesText(on_date: string): string {
  const texts = vatRatesOn(on_date).map((rate) => amountText(rate).replace('.', ','));
  return `solo ${texts.slice(0, -1).join(', ')} o ${texts.at(-1)}, en porcentaje`;
}

const hasSurcharge = ({ surcharge_rate }: FiscalFields) =>
  surcharge_rate !== null && surcharge_rate.units !== 0n;

const lineRules: readonly LineRule[] = [
  {
    codes: 'L10',
    field: 'exemption_reason',
    reason: 'la causa de exención no existe para este impuesto.',
    refuses: ({ tax_kind, exemption_reason }) =>
      exemption_reason !== null && !exemptionFits(tax_kind, exemption_reason),
  },
  {
    codes: '1260',
    field: 'regime_key',
    reason: 'este impuesto no tiene claves de régimen.',
    refuses: ({ tax_kind, regime_key }) => tax_kind === 'other' && regime_key !== null,
  },
  {
    codes: '1245, 1246, 2009',
    field: 'regime_key',
    reason: 'la clave de régimen no existe para este impuesto.',
    refuses: ({ tax_kind, regime_key }) =>
      tax_kind !== 'other' && (regime_key === null || !regimeKeyFits(tax_kind, regime_key)),
  },
  {
    codes: '1196',
    field: 'qualification',
    reason: 'una línea exenta no lleva calificación.',
    refuses: ({ qualification, exemption_reason }) => qualification !== null && exemption_reason !== null,
  },
  {
    codes: '1195',
    field: 'qualification',
    reason: 'una línea lleva calificación o causa de exención.',
    refuses: ({ qualification, exemption_reason }) => qualification === null && exemption_reason === null,
  },
  {
    codes: '1237, 1238',
    field: 'tax_rate',
    reason: 'una línea exenta o no sujeta no lleva tipo de impuesto.',
    refuses: (line) => goesWithoutRate(line) && line.tax_rate !== null,
  },
  {
    codes: '1208',
    field: 'tax_rate',
    reason: 'una línea sujeta y no exenta lleva tipo de impuesto.',
    refuses: (line) => line.qualification === 'S1' && !goesWithoutRate(line) && line.tax_rate === null,
  },
  {
    codes: '1198',
    field: 'tax_rate',
    reason: 'con inversión del sujeto pasivo (S2) el tipo es 0.',
    refuses: ({ qualification, tax_rate }) =>
      qualification === 'S2' && (tax_rate === null || tax_rate.units !== 0n),
  },
  rateOfDay,
  {
    codes: '1237, 1238, 1281',
    field: 'surcharge_rate',
    reason: 'solo lleva recargo una línea sujeta sin inversión del sujeto pasivo (S1).',
    refuses: (line) => line.qualification !== 'S1' && hasSurcharge(line),
  },
  {
    codes: '1127',
    field: 'surcharge_rate',
    reason: 'solo el IVA tiene recargo de equivalencia.',
    refuses: (line) => line.tax_kind !== 'vat' && hasSurcharge(line),
  },
  {
    codes: '1160, 1162-1170, 1277',
    field: 'surcharge_rate',
    reason: 'el recargo no corresponde al tipo de IVA en la fecha de la operación.',
    refuses: (line, on_date) =>
      hasSurcharge(line) && !surchargePairFits(line.tax_kind, line.tax_rate, line.surcharge_rate, on_date),
  },
];

/** What only goods have: the equivalence surcharge (LIVA, art. 156) and intra-community deliveries (art. 25). */
export function serviceRefusal(line: FiscalFields): FiscalRefusal | undefined {
  if (hasSurcharge(line))
    return {
      field: 'surcharge_rate',
      reason: 'el recargo de equivalencia es de las entregas de bienes, no de los servicios.',
    };
  if (line.tax_kind !== 'vat' || line.exemption_reason !== 'E5') return undefined;
  return {
    field: 'exemption_reason',
    reason:
      'la exención E5 es de las entregas de bienes: un servicio a una empresa de otro Estado miembro va con la calificación N2.',
  };
}

/** A regime without a rule is not listed. */
type RegimeRule = {
  readonly codes: string;
  readonly reason: string;
  readonly qualifications: readonly Qualification[];
  /** Null admits every cause. */
  readonly exemptions: readonly ExemptionReason[] | null;
};

const anyQualification: readonly Qualification[] = ['S1', 'S2', 'N1', 'N2'];

const commonRegimes: Readonly<Record<string, RegimeRule>> = {
  '01': {
    codes: '1199',
    reason: 'con la clave 01 no se admiten las exenciones E2 ni E3: use la 02.',
    qualifications: anyQualification,
    exemptions: ['E1', 'E4', 'E5', 'E6', 'E7', 'E8'],
  },
  '02': {
    codes: '1286',
    reason: 'con la clave 02 la línea tiene que ser exenta.',
    qualifications: [],
    exemptions: null,
  },
  '03': {
    codes: '1200',
    reason: 'con la clave 03 la calificación solo puede ser S1.',
    qualifications: ['S1'],
    exemptions: null,
  },
  '04': {
    codes: '1201',
    reason: 'con la clave 04 la línea es exenta o con inversión del sujeto pasivo (S2).',
    qualifications: ['S2'],
    exemptions: null,
  },
  '07': {
    codes: '1203',
    reason: 'con la clave 07 no se admiten S2, N1 ni N2, ni las exenciones E2 a E5.',
    qualifications: ['S1'],
    exemptions: ['E1', 'E6', 'E7', 'E8'],
  },
  '08': {
    codes: '1252',
    reason: 'con la clave 08 la calificación tiene que ser N2.',
    qualifications: ['N2'],
    exemptions: [],
  },
  '10': {
    codes: '1205',
    reason: 'con la clave 10 la calificación tiene que ser N1.',
    qualifications: ['N1'],
    exemptions: [],
  },
};

const regimesOf: Partial<Record<TaxKind, Readonly<Record<string, RegimeRule>>>> = {
  vat: commonRegimes,
  igic: {
    ...commonRegimes,
    '20': {
      codes: '1293',
      reason: 'con la clave 20 del IGIC la calificación tiene que ser N2.',
      qualifications: ['N2'],
      exemptions: [],
    },
  },
};

const premises_key = '11';
const premises_rate: Amount = { units: 21n, scale: 0 };

function regimeRefusal({
  tax_kind,
  regime_key,
  qualification,
  exemption_reason,
  tax_rate,
}: FiscalFields): FiscalRefusal | undefined {
  if (regime_key === null) return undefined;
  // Code 1206 demands this rate, so a line without one is refused.
  if (
    tax_kind === 'vat' &&
    regime_key === premises_key &&
    !(tax_rate && sameAmount(tax_rate, premises_rate))
  ) {
    return {
      field: 'tax_rate',
      reason: `con la clave 11 (arrendamiento de local de negocio) el tipo es ${amountText(premises_rate)}.`,
    };
  }
  const rule = regimesOf[tax_kind]?.[regime_key];
  if (rule === undefined) return undefined;
  const fits =
    qualification === null
      ? rule.exemptions === null || rule.exemptions.includes(exemption_reason as ExemptionReason)
      : rule.qualifications.includes(qualification);
  return fits ? undefined : { field: 'regime_key', reason: rule.reason };
}

/**
 * The first rule that the line breaks.
 * @param on_date (YYYY-MM-DD) of the operation, else of the issue: its rates and surcharges apply
 */
export function fiscalRefusal(line: FiscalFields, on_date: string): FiscalRefusal | undefined {
  const rule = lineRules.find((one) => one.refuses(line, on_date));
  if (rule === rateOfDay) return { field: rule.field, reason: `${rule.reason}: ${ratesText(on_date)}.` };
  return rule ?? regimeRefusal(line);
}

/**
 * The first rule for each field that the tax's lines would break. Leaves out the rate of the day: a line may
 * be under the one-stop shop or of another day.
 * @param on_date (YYYY-MM-DD) a day on which the tax is in force
 */
export function taxRefusals(tax: FiscalFields, on_date: string): FiscalRefusal[] {
  const rules = lineRules.filter((rule) => rule !== rateOfDay && rule.refuses(tax, on_date));
  const found: FiscalRefusal[] = [...rules, regimeRefusal(tax) ?? []].flat();
  return found.filter((one, at) => found.findIndex(({ field }) => field === one.field) === at);
}

const recordRules: readonly LineRule[] = [
  {
    codes: '1257',
    field: 'regime_key',
    reason: 'el registro de la clave 06 necesita la base imponible a coste.',
    refuses: ({ tax_kind, regime_key }) => (tax_kind === 'vat' || tax_kind === 'igic') && regime_key === '06',
  },
  {
    // The record states a supply taxed elsewhere as N2, without a rate (1237).
    codes: '1124',
    field: 'tax_rate',
    reason: 'el registro solo admite tipos de IVA españoles, también con la clave 17.',
    refuses: hasForeignRate,
  },
  {
    codes: '1170',
    field: 'surcharge_rate',
    reason: 'el registro de una línea al tipo 0 va sin recargo de equivalencia.',
    refuses: (line) => line.tax_rate !== null && line.tax_rate.units === 0n && hasSurcharge(line),
  },
];

/**
 * The first rule that a row breaks as a DetalleDesglose: of lines, or of the record alone.
 * @param on_date as for `fiscalRefusal`
 */
export function recordRefusal(row: FiscalFields, on_date: string): FiscalRefusal | undefined {
  return fiscalRefusal(row, on_date) ?? recordRules.find((rule) => rule.refuses(row, on_date));
}

/** General (01), or exports (02) for the causes that 01 does not admit (1199). */
export function defaultRegimeKey(tax_kind: TaxKind, exemption_reason: string | null): '01' | '02' | null {
  if (tax_kind === 'other') return null;
  const is_export = exemption_reason === 'E2' || exemption_reason === 'E3';
  return is_export && tax_kind !== 'ipsi' ? '02' : '01';
}
