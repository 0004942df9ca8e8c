import type { CompanyContext } from '../../../../kernel/operation.ts';
import type { SpanishParty } from '../../record.ts';

/** Of a party's name, in the authority's schemas. */
export const nameMax = 120;

/**
 * As the header of a message and an event name the company. A longer name is cut: the header does not count for the chain, and what
 * happened is logged under any name. Only a record is refused for it.
 */
export function taxpayerOf({ name, tax_id }: Pick<CompanyContext, 'name' | 'tax_id'>): SpanishParty {
  return { name: [...(name ?? '')].slice(0, nameMax).join(''), tax_id };
}
