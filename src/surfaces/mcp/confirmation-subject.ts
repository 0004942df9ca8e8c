/** What a question before an act tells of: read with the caller's own scopes. */
import { type Operation, resourceOf } from '../../kernel/operation.ts';
import type { Visit } from '../../platform/admission.ts';
import type { Engine } from '../../platform/engine.ts';

type Read = { data: Record<string, unknown> };

export function makeSubject(engine: Engine, catalog: readonly Operation[]) {
  const read = (name: string) => catalog.find((one) => one.name === name)!;
  const parties = [
    ['client_id', 'client', read('get_client')],
    ['supplier_id', 'supplier', read('get_supplier')],
  ] as const;

  /**
   * What the call acts on, or the client or supplier of what it makes, with the series that the call names; null where there is
   * none, or the caller may not read it.
   */
  async function see(visit: Visit, operation: Operation): Promise<unknown> {
    const resource = resourceOf(operation, catalog);
    const names = Object.keys(resource?.params?.properties ?? {});
    const given = visit.arrival.input.params as Record<string, unknown>;
    const params = Object.fromEntries(names.map((name) => [name, given[name]]));
    if (!resource || names.length === 0) return withSeries(visit, await seeParty(visit));
    const seen = await engine.look(visit, resource, params);
    return seen && withSeries(visit, await withProduct(visit, seen.body as Read));
  }

  async function seeParty(visit: Visit): Promise<Read | null> {
    const body = bodyOf(visit);
    const party = parties.find(([member]) => typeof body[member] === 'string');
    if (!party) return null;
    const [member, name, operation] = party;
    const seen = await engine.look(visit, operation, { [name]: body[member] });
    return seen && { data: { [name]: (seen.body as Read).data } };
  }

  /** A price is told by what it is of. */
  async function withProduct(visit: Visit, body: Read): Promise<Read> {
    const { data } = body;
    if (typeof data?.product_id !== 'string') return body;
    const seen = await engine.look(visit, read('get_product'), { product: data.product_id });
    return { data: { ...data, product: (seen?.body as Read | undefined)?.data } };
  }

  /** An id says nothing to people. */
  async function withSeries(visit: Visit, seen: Read | null): Promise<Read | null> {
    const { series_id: series } = bodyOf(visit);
    if (typeof series !== 'string') return seen;
    const found = await engine.look(visit, read('get_series'), { series });
    return found ? { data: { ...seen?.data, chosen_series: (found.body as Read).data } } : seen;
  }

  return see;
}

const bodyOf = ({ arrival }: Visit) => (arrival.input.body ?? {}) as Record<string, unknown>;
