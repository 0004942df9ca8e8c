/** What the form of a draft holds, all as text, and what is sent of it. */
import type { Language } from '../../app/words.ts';
import type { Choice } from '../../parts/list-filters.tsx';
import { formatNumber } from '../../parts/money.ts';
import { withOwn } from '../../parts/own-choice.ts';
import { numberOrNull, percentOrNull, textOrNull } from '../../parts/typed.ts';
import type { ChangedInvoice, Invoice, NewInvoice } from '../../printed/resources.ts';
import { lineTax } from './line-tax.ts';
import { unchosen } from './usual-tax.ts';
import type { invoiceWords } from './words.ts';

/** Those of Spain, for a company without taxes of its own. */
export const vatRates = [21, 10, 4, 0] as const;

type Tax = {
  kind: string;
  rate: number | null;
  exemption_reason: string | null;
  regime_key: string | null;
};

/** Whether one of `vatRates` says the same. */
export const isPlainVat = ({ kind, rate, exemption_reason, regime_key }: Tax): boolean =>
  kind === 'vat' &&
  exemption_reason === null &&
  (regime_key === null || regime_key === '01') &&
  vatRates.some((one) => one === rate);

export type LineValues = {
  id: string;
  product_id: string;
  /** Shown where the product says what the line does not. */
  product_name: string;
  description: string;
  quantity: string;
  unit_price: string;
  discount_percent: string;
  /** Of a tax, `rate:21`, `unchosen`, or empty: what the service has for the client or the company. */
  taxes_id: string;
  /** What a stored line is taxed with, which may be none of what is offered now. */
  tax_name: string;
};

export type DraftValues = {
  client_id: string;
  type: 'F1' | 'F2';
  series_id: string;
  issued_on: string;
  due_on: string;
  description: string;
  notes: string;
  lines: LineValues[];
};

export const newLine = (): LineValues => ({
  id: '',
  product_id: '',
  product_name: '',
  description: '',
  quantity: '1',
  unit_price: '',
  discount_percent: '',
  taxes_id: unchosen,
  tax_name: '',
});

export const newDraft = (): DraftValues => ({
  client_id: '',
  type: 'F1',
  series_id: '',
  issued_on: '',
  due_on: '',
  description: '',
  notes: '',
  lines: [newLine()],
});

export function draftOf(
  invoice: Invoice,
  language: Language,
  words: (typeof invoiceWords)[Language],
): DraftValues {
  const shown = (value: number | null) => (value === null ? '' : formatNumber(value, language));
  return {
    client_id: invoice.client?.id ?? '',
    type: invoice.type === 'F2' ? 'F2' : 'F1',
    series_id: invoice.series?.id ?? '',
    issued_on: invoice.issued_on ?? '',
    due_on: invoice.due_on ?? '',
    description: invoice.description ?? '',
    notes: invoice.notes ?? '',
    lines: invoice.lines.map((line) => ({
      id: line.id,
      product_id: line.product?.id ?? '',
      product_name: line.product?.name ?? '',
      description: line.description,
      quantity: shown(line.quantity),
      unit_price: shown(line.unit_price),
      discount_percent: shown(line.discount_percent),
      taxes_id: taxOf(line),
      tax_name: lineTax(line, words, language),
    })),
  };
}

type StoredLine = Invoice['lines'][number];

/** No rate alone says that of a line which is exempt, not subject or of reverse charge by its own words. */
const isSpecial = ({ taxes_id, exemption_reason, qualification }: StoredLine): boolean =>
  taxes_id === null && (exemption_reason !== null || (qualification !== null && qualification !== 'S1'));

function taxOf(line: StoredLine): string {
  const { taxes_id, tax_kind, tax_rate } = line;
  if (taxes_id !== null) return taxes_id;
  const is_known = !isSpecial(line) && tax_kind === 'vat' && vatRates.some((rate) => rate === tax_rate);
  return is_known ? `rate:${tax_rate}` : '';
}

/**
 * What may be chosen as the tax of a line.
 * @param stored the line as it is stored, where it is one: its tax stays until another is chosen, so the usual one is no choice there
 */
export function taxChoices(
  offered: readonly Choice[],
  usual: Choice,
  stored: Pick<LineValues, 'taxes_id' | 'tax_name'> | undefined,
): Choice[] {
  if (stored === undefined) return [usual, ...offered];
  return withOwn(offered, { value: stored.taxes_id, label: stored.tax_name });
}

type Line = NewInvoice['lines'][number];

type LineTax = Pick<Line, 'taxes_id' | 'tax_rate' | 'tax_kind' | 'exemption_reason' | 'qualification'>;

/** What a stored line says of its exemption would stay beside a rate. */
function taxInput(value: string, before: StoredLine | undefined): LineTax {
  if (!value.startsWith('rate:')) return { taxes_id: textOrNull(value) };
  return {
    taxes_id: null,
    tax_kind: 'vat',
    tax_rate: Number(value.slice('rate:'.length)),
    ...(before && isSpecial(before) ? { exemption_reason: null, qualification: null } : {}),
  };
}

/** How the form is read: numbers in a language, and the tax of lines for which none is chosen. */
export type Filling = { language: Language; usual_tax: string };

/** An empty number of a new line was never said; of a stored line it was removed, which the service refuses. */
function saidNumber(text: string, is_stored: boolean, language: Language): number | undefined {
  const value = numberOrNull(text, language);
  return value === null && !is_stored ? undefined : (value as number);
}

/** With another product a stored line is another line. */
export const staysItself = (line: Pick<LineValues, 'product_id'>, product_before: string): boolean =>
  line.product_id === product_before || line.product_id === '';

/** A line with its id keeps what is not sent of it: unit, exemption and the like. */
function lineOf(values: LineValues, before: Invoice | undefined, { language, usual_tax }: Filling): Line {
  const known = before?.lines.find(({ id }) => id === values.id);
  const known_product = known?.product?.id ?? '';
  const old = staysItself(values, known_product) ? known : undefined;
  const description = values.description.trim();
  const quantity = saidNumber(values.quantity, old !== undefined, language);
  const unit_price = saidNumber(values.unit_price, old !== undefined, language);
  const discount_percent = percentOrNull(values.discount_percent, language);
  const taxes_id = values.taxes_id === unchosen ? usual_tax : values.taxes_id;
  const is_tax_sent = taxes_id !== (old ? taxOf(old) : '');
  const is_product_sent = values.product_id !== (old ? known_product : '');
  const is_named_by_product = description === '' && old === undefined && values.product_id !== '';
  return {
    ...(old ? { id: values.id } : {}),
    ...(is_product_sent ? { product_id: textOrNull(values.product_id) } : {}),
    ...(is_named_by_product ? {} : { description }),
    ...(quantity === undefined ? {} : { quantity }),
    ...(unit_price === undefined ? {} : { unit_price }),
    ...(discount_percent !== null || old ? { discount_percent } : {}),
    ...(is_tax_sent ? taxInput(taxes_id, old) : {}),
  };
}

function contentOf(values: DraftValues, before: Invoice | undefined, filling: Filling) {
  return {
    client_id: textOrNull(values.client_id),
    series_id: textOrNull(values.series_id),
    issued_on: textOrNull(values.issued_on),
    due_on: textOrNull(values.due_on),
    description: textOrNull(values.description),
    notes: textOrNull(values.notes),
    lines: values.lines.map((line) => lineOf(line, before, filling)),
  };
}

export const newInvoiceOf = (values: DraftValues, filling: Filling): NewInvoice => ({
  type: values.type,
  ...contentOf(values, undefined, filling),
});

/** The type of a corrective invoice stays as it is. */
export function changedInvoiceOf(values: DraftValues, before: Invoice, filling: Filling): ChangedInvoice {
  const is_plain = before.type === 'F1' || before.type === 'F2';
  const content = contentOf(values, before, filling);
  // The series of the type before is of no use to another type.
  const is_old_series = is_plain && values.type !== before.type && values.series_id === before.series?.id;
  return {
    ...(is_plain ? { type: values.type } : {}),
    ...content,
    ...(is_old_series ? { series_id: null } : {}),
  };
}

/** The tax of a line has one field, and so has what it sells. */
const fieldOfParam = {
  tax_rate: 'taxes_id',
  variant_id: 'product_id',
  presentation_id: 'product_id',
  options: 'product_id',
};

export const draftPaths = Object.fromEntries(
  Array.from({ length: 200 }, (_, index) =>
    Object.entries(fieldOfParam).map(([param, field]) => [
      `lines.${index}.${param}`,
      `lines.${index}.${field}`,
    ]),
  ).flat(),
);
