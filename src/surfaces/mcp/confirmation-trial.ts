/** What a call would make, told by its own dry run: it writes nothing. */
import type { Operation } from '../../kernel/operation.ts';
import type { Visit } from '../../platform/admission.ts';
import type { AnyInput } from '../../platform/call.ts';
import type { Engine } from '../../platform/engine.ts';
import { moneyOf } from './confirmation-text.ts';

/** `is_accepted`: the call would not be refused now. */
type Trial = { new_total?: string | undefined; is_accepted: boolean };

type Members = { properties?: Record<string, Members> };

export function makeTrial(engine: Engine) {
  /** @param seen what the call acts on: what it makes has its currency */
  return async (visit: Visit, operation: Operation, seen: unknown): Promise<Trial> => {
    const input = dryInputOf(operation, visit.arrival.input);
    const answer = input && (await engine.tryOut(visit, input));
    const { data } = (answer?.body ?? {}) as { data?: Record<string, unknown> };
    const amounts = (data?.amounts ?? {}) as { total?: unknown };
    return {
      new_total: moneyOf(amounts.total, currencyOf(operation, visit.arrival.input.body, seen)),
      is_accepted: Array.isArray(data?.reasons) && data.reasons.length === 0,
    };
  };
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
