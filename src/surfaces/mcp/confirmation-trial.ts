/** What a call would make, told by its own dry run, or by those of what it has many of: it writes nothing. */
import { amountLimits, type Cents, fixedText, readAmount } from '../../domain/money/amount.ts';
import type { DecimalInput } from '../../kernel/json.ts';
import type { Operation } from '../../kernel/operation.ts';
import type { Visit } from '../../platform/admission.ts';
import type { AnyInput } from '../../platform/call.ts';
import type { Engine } from '../../platform/engine.ts';
import { moneyOf } from './confirmation-text.ts';

export type Made = {
  new_total?: string | undefined;
  /** How many invoices have this total. */
  count: number;
};

/** `is_accepted`: the call would not be refused now. */
type Trial = Made & { is_accepted: boolean };

type Members = { properties?: Record<string, Members> };

type Tried = { total: DecimalInput | undefined; is_accepted: boolean };

export function makeTrial(engine: Engine, catalog: readonly Operation[]) {
  const creation = catalog.find(({ name }) => name === 'create_invoice')!;

  async function tried(visit: Visit, operation: Operation, of_call: AnyInput): Promise<Tried> {
    const input = dryInputOf(operation, of_call);
    const answer = input && (await engine.tryOut(visit, operation, input));
    const { data } = (answer?.body ?? {}) as { data?: Record<string, unknown> };
    const amounts = (data?.amounts ?? {}) as { total?: DecimalInput };
    return {
      total: amounts.total,
      is_accepted: Array.isArray(data?.reasons) && data.reasons.length === 0,
    };
  }

  /** One after the other: a question holds one connection. What would be refused counts in nothing. */
  async function triedEach(visit: Visit, input: AnyInput): Promise<Trial> {
    const sums = new Map<unknown, Cents>();
    // Of one external id it makes one invoice.
    const made = new Set<unknown>();
    let count = 0;
    for (const body of issuedOf(creation, (input.body as { invoices: unknown[] }).invoices)) {
      const { external_id = null } = body;
      if (made.has(external_id)) continue;
      const { total, is_accepted } = await tried(visit, creation, { ...input, body });
      const amount = total === undefined ? undefined : readAmount(total, amountLimits.money);
      if (amount === undefined || !is_accepted) continue;
      if (external_id !== null) made.add(external_id);
      const currency = currencyOf(creation, body, null);
      sums.set(currency, (sums.get(currency) ?? 0n) + amount.units);
      count += 1;
    }
    const totals = [...sums].map(([currency, cents]) => moneyOf(fixedText(cents, 2), currency));
    return { new_total: count === 0 ? undefined : totals.join(' y '), count, is_accepted: count > 0 };
  }

  /** @param seen what the call acts on: what it makes has its currency */
  return async (visit: Visit, operation: Operation, seen: unknown): Promise<Trial> => {
    const { input } = visit.arrival;
    if (operation.elements?.list === 'invoices') return triedEach(visit, input);
    const { total, is_accepted } = await tried(visit, operation, input);
    return { new_total: moneyOf(total, currencyOf(operation, input.body, seen)), count: 1, is_accepted };
  };
}

type Element = { external_id?: unknown };

/** Those that the call issues. */
function issuedOf({ irreversible_for }: Operation, elements: readonly unknown[]): Element[] {
  return elements.filter(
    (body): body is Element =>
      typeof body === 'object' &&
      body !== null &&
      irreversible_for?.({ params: {}, query: {}, body }) === true,
  );
}

const propertiesOf = ({ body }: Operation) => (body as Members | null)?.properties ?? {};

/** @returns null for an operation that has no dry run, or whose dry run tells no amounts, as that of a quote */
function dryInputOf(operation: Operation, input: AnyInput): AnyInput | null {
  if (operation.transaction !== 'issuing') return null;
  const properties = propertiesOf(operation);
  const body = (input.body ?? {}) as { options?: object };
  if (properties.dry_run) return { ...input, body: { ...body, dry_run: true } };
  if (!properties.options?.properties?.dry_run) return null;
  return { ...input, body: { ...body, options: { ...body.options, dry_run: true } } };
}

function currencyOf(operation: Operation, body: unknown, seen: unknown): unknown {
  const of_call = (body as { currency?: unknown } | undefined)?.currency;
  const of_seen = (seen as { data?: { currency?: unknown } } | null)?.data?.currency;
  // What takes a currency is in euros where it names none.
  return of_call ?? of_seen ?? (propertiesOf(operation).currency ? 'EUR' : undefined);
}
