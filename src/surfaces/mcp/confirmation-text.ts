/** The question before an act that cannot be undone, for the person whose client asks. */
import { isEmailAddress } from '../../domain/email-address.ts';
import { dayText } from '../../domain/printing/days.ts';
import { numberText, priceText } from '../../domain/printing/numbers.ts';
import type { Operation } from '../../kernel/operation.ts';
import { isUuid } from '../../kernel/uuid7.ts';
import type { AnyInput } from '../../platform/call.ts';
import { stateWord } from './state-words.ts';

/** A question is read on a small screen. */
const valueMax = 120;
const namedMax = 5;

export type NamedCompany = { name: string | null; tax_id: string };

type More = {
  /** The company that a key of another works for: two of them may have an invoice of one number. */
  managed?: NamedCompany | null;
  /** The invoices that the call would make. */
  made?: { new_total?: string | undefined; count: number };
};

/** @param seen the answer of the GET of what the call acts on, where the caller may read it */
export function questionOf(
  operation: Operation,
  input: AnyInput,
  seen: unknown,
  { managed = null, made }: More = {},
): string {
  const { params, body } = input;
  const seen_facts = linesOf(factsOf(seen, params));
  // The ids in the path say nothing to whoever is told of the document.
  const given = seen_facts.length > 0 ? givenFacts(body) : givenFacts(params, body);
  const whose = managed ? [`Empresa: ${shown(managed.name ?? '')} (${managed.tax_id})`] : [];
  const count = made?.count ?? 1;
  const of_made = count === 1 ? 'la nueva factura' : `las ${count} facturas que se emiten`;
  const total = linesOf([[`Total de ${of_made}`, made?.new_total]]);
  const end = 'No se puede deshacer. ¿Lo confirma?';
  return [operation.summary, ...whose, ...seen_facts, ...total, ...given, end].join('\n');
}

/** What the person agrees to: the facts that the act itself does not change. @param seen as in `questionOf` */
export function termsOf(seen: unknown, params: unknown): string {
  return linesOf(factsOf(seen, params).filter(([label]) => !changedByActs.has(label))).join('\n');
}

type Fact = readonly [label: string, value: unknown];

/** Issuing gives a number, of a series, and a day. */
const changedByActs: ReadonlySet<string> = new Set(['Número', 'Serie', 'Fecha', 'Estado']);

/** The facts that name a resource to people, whatever its kind. @param params the ids that the call names */
function factsOf(seen: unknown, params: unknown): Fact[] {
  const data = (seen as { data?: Record<string, unknown> | null } | null | undefined)?.data ?? {};
  const party = [data.client, data.supplier, data.contact, data.recipient].find(isObject);
  return [
    // A record is known by its invoice.
    ['Número', data.number ?? (isObject(data.invoice) ? data.invoice.number : undefined)],
    ['Nombre', data.name],
    // A series needs no name.
    ['Código', data.object === 'series' ? data.code : undefined],
    ['Para', party?.name ?? data.client_name ?? data.supplier_name],
    ['Total', moneyOf(data.total, data.currency)],
    ['Serie', codeOf(data.chosen_series) ?? (data.number ? undefined : codeOf(data.series))],
    ['Fecha', dayOf(data.issued_on)],
    ['Estado', stateWord(data.object, data.status)],
    ['Dirección', data.url],
    ...paymentFacts(data, params),
    ...priceFacts(data),
  ];
}

const codeOf = (series: unknown): unknown => (isObject(series) ? series.code : undefined);

/** A price of a list has no name of its own. */
function priceFacts(data: Record<string, unknown>): Fact[] {
  if (data.object !== 'price_list_item') return [];
  return [
    ['Producto', isObject(data.product) ? data.product.name : undefined],
    ['Precio', moneyOf(data.unit_price, undefined)],
    ['Descuento', percentOf(data.discount_percent)],
    ['Desde', moneyOf(data.min_quantity, undefined, 0)],
  ];
}

function percentOf(value: unknown): string | undefined {
  const text = moneyOf(value, undefined, 0);
  return text === undefined ? undefined : `${text} %`;
}

/** The payment that the call names: its document may have several. */
function paymentFacts(data: Record<string, unknown>, params: unknown): Fact[] {
  const id = isObject(params) && typeof params.payment === 'string' ? params.payment.toLowerCase() : null;
  const detail = isObject(data.payments) ? data.payments.detail : null;
  const payment: unknown = Array.isArray(detail) ? detail.find((one) => one.id === id) : undefined;
  if (!isObject(payment)) return [];
  const amount = moneyOf(payment.amount, data.currency);
  const label = data.object === 'purchase_invoice' ? 'Pago' : 'Cobro';
  return [[label, `${amount} del ${dayOf(payment.payment_date)}`]];
}

/** What the call itself says: to whom something goes, and why. Every address is told, and a few of the rest. */
function givenFacts(...parts: readonly unknown[]): string[] {
  const members = parts.flatMap((part) => membersOf(part));
  const written_to = members.filter(([, value]) => [value].flat().some(isAddress));
  const others = members.filter((member) => !written_to.includes(member));
  return [...linesOf(written_to), ...linesOf(others).slice(0, namedMax)];
}

const isAddress = (value: unknown): boolean => typeof value === 'string' && isEmailAddress(value);

/** Those of an object within it are named after it. */
function membersOf(part: unknown, of = ''): Fact[] {
  if (!isObject(part)) return [];
  return Object.entries(part).flatMap(([name, value]): Fact[] =>
    isObject(value) && of === '' ? membersOf(value, `${name}.`) : [[`${of}${name}`, told(value)]],
  );
}

/** Ids and objects of a list are counted. */
function told(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const are_told = value.length > 0 && value.every((one) => typeof one === 'string' && !isUuid(one));
  return are_told ? value : value.length;
}

function linesOf(facts: readonly Fact[]): string[] {
  return facts.flatMap(([label, value]) => {
    const is_said = ['string', 'number', 'boolean'].includes(typeof value) && value !== '';
    if (Array.isArray(value)) return [`${label}: ${value.map(shown).join(', ')}`];
    return is_said ? [`${label}: ${shown(value)}`] : [];
  });
}

/** An address is told whole: what it ends with says whose it is. */
function shown(value: unknown): string {
  const line = String(value).replace(/\s+/g, ' ');
  return isAddress(value) ? line : line.slice(0, valueMax);
}

/** As people write it: `1.234,50 €`. */
export function moneyOf(total: unknown, currency: unknown, decimals_least = 2): string | undefined {
  if (total === undefined || total === null) return undefined;
  const text = typeof total === 'object' ? JSON.stringify(total) : String(total);
  if (!/^-?\d{1,16}(\.\d{1,8})?$/.test(text)) return text;
  return typeof currency === 'string'
    ? priceText(text, currency, 'es')
    : numberText(text, 'es', decimals_least);
}

function dayOf(day: unknown): unknown {
  return typeof day === 'string' ? dayText(day, 'es') : day;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
