/** The question before an act that cannot be undone, for the person whose client asks. */
import type { Operation } from '../../kernel/operation.ts';
import type { AnyInput } from '../../platform/call.ts';

/** A question is read on a small screen. */
const valueMax = 120;
const namedMax = 5;

/** @param seen the answer of the GET of what the call acts on, where the caller may read it */
export function questionOf(operation: Operation, input: AnyInput, seen: unknown): string {
  const told = linesOf(factsOf(seen));
  const facts = told.length > 0 ? told : givenFacts(input);
  return [operation.summary, ...facts, 'No se puede deshacer. ¿Lo confirma?'].join('\n');
}

/** What the person agrees to: the facts that the act itself does not change. @param seen as in `questionOf` */
export function termsOf(seen: unknown): string {
  return linesOf(factsOf(seen).filter(([label]) => !changedByActs.has(label))).join('\n');
}

type Fact = readonly [label: string, value: unknown];

/** Issuing gives a number and a day. */
const changedByActs: ReadonlySet<string> = new Set(['Número', 'Fecha', 'Estado']);

/** The facts that name a resource to people, whatever its kind. */
function factsOf(seen: unknown): Fact[] {
  const data = (seen as { data?: Record<string, unknown> | null } | null | undefined)?.data ?? {};
  const party = [data.client, data.supplier, data.contact, data.recipient].find(isObject);
  return [
    ['Número', data.number],
    ['Nombre', data.name],
    ['Para', party?.name ?? data.client_name ?? data.supplier_name],
    ['Total', moneyOf(data.total, data.currency)],
    ['Fecha', data.issued_on],
    ['Estado', data.status],
    ['Dirección', data.url],
  ];
}

/** For a call that makes something: its own input. */
function givenFacts({ params, body }: AnyInput): string[] {
  const members = Object.entries({ ...(params as object), ...(isObject(body) ? body : {}) });
  const facts = members.map(([name, value]): Fact => {
    if (Array.isArray(value)) return [name, String(value.length)];
    return [name, isObject(value) ? undefined : value];
  });
  return linesOf(facts).slice(0, namedMax);
}

function linesOf(facts: readonly Fact[]): string[] {
  return facts.flatMap(([label, value]) => {
    const is_said = ['string', 'number', 'boolean'].includes(typeof value) && value !== '';
    return is_said ? [`${label}: ${String(value).replace(/\s+/g, ' ').slice(0, valueMax)}`] : [];
  });
}

function moneyOf(total: unknown, currency: unknown): string | undefined {
  if (total === undefined || total === null) return undefined;
  const text = typeof total === 'object' ? JSON.stringify(total) : String(total);
  return typeof currency === 'string' ? `${text} ${currency}` : text;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
