/**
 * Merges and checks a product's parts. Archives those removed that documents or packs still name, or whose prices would make a
 * long transaction.
 */
import { commonErrors as c } from '../../kernel/common.errors.ts';
import type { Tx } from '../../kernel/operation.ts';
import { fail, type FieldIssue } from '../../kernel/problem.ts';
import { invalidField, refuseIssues } from '../../kernel/resource-input.ts';
import { findTaxesToReferTo } from '../taxes/index.ts';
import type { ConfigurationInput } from './configuration.schema.ts';
import { configurationKeys } from './configuration.schema.ts';
import type { Configuration } from './configuration.ts';
import { isInPack, partsInPacks } from './configuration.store.ts';
import { checkComponents } from './pack-components.ts';
import type { Ports } from '../../kernel/ports.ts';
import { checkParts } from './rules/check-parts.ts';
import { keepNamed, partsGone } from './rules/kept-parts.ts';
import { mergeParts } from './rules/merge-parts.ts';

/** Parts in `parts`, all else in `plain`. */
export function splitInput<B extends object>(body: B) {
  const parts: Record<string, unknown> = {};
  const plain: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body))
    ((configurationKeys as readonly string[]).includes(name) ? parts : plain)[name] = value;
  return { parts: parts as ConfigurationInput, plain: plain as Omit<B, keyof ConfigurationInput> };
}

type PartsOf = {
  company_id: string;
  product_id: string;
  ports: Pick<Ports, 'product_uses' | 'product_prices'>;
};

/**
 * The caller has locked the product, if it is stored.
 * @throws 422 parameter_invalid, missing_required_param, business_rule_violation
 */
export async function nextParts(
  tx: Tx,
  { company_id, product_id, ports }: PartsOf,
  stored: Configuration,
  sent: ConfigurationInput,
): Promise<Configuration> {
  if (Object.keys(sent).length === 0) return stored;
  const issues: FieldIssue[] = [];
  const merged = mergeParts(stored, sent, issues);
  refuseIssues([...(await taxIssues(tx, company_id, stored, merged)), ...issues]);
  const gone = partsGone(stored, merged);
  const next = keepNamed(stored, merged, await namedOf(tx, { company_id, product_id, ports }, gone));
  refuseIssues(checkParts(next, product_id));
  if (stored.pack === null && next.pack !== null && (await isInPack(tx, company_id, product_id)))
    throw fail(c.business_rule_violation, {
      param: 'pack',
      values: { reason: 'el producto es parte de un pack, y un pack no lleva otros.' },
    });
  await checkComponents(tx, company_id, stored.pack, next.pack);
  return next;
}

async function namedOf(
  tx: Tx,
  { company_id, product_id, ports }: PartsOf,
  gone: readonly string[],
): Promise<ReadonlySet<string> | 'all'> {
  if (gone.length === 0) return new Set();
  const [on_documents, in_packs, priced] = await Promise.all([
    ports.product_uses.partsOnDocuments(tx, company_id, product_id),
    partsInPacks(tx, company_id, gone),
    ports.product_prices.partsOfMany(tx, company_id, gone),
  ]);
  return on_documents === 'all' ? 'all' : new Set([...on_documents, ...in_packs, ...priced]);
}

async function taxIssues(
  tx: Tx,
  company_id: string,
  stored: Configuration,
  next: Configuration,
): Promise<FieldIssue[]> {
  const known = new Set(stored.variants.map(({ taxes_id }) => taxes_id));
  const ids = new Set(next.variants.flatMap(({ taxes_id }) => (known.has(taxes_id) ? [] : (taxes_id ?? []))));
  if (ids.size === 0) return [];
  const taxes = new Map((await findTaxesToReferTo(tx, company_id, [...ids])).map((one) => [one.id, one]));
  return next.variants.flatMap(({ taxes_id }, at) => {
    if (taxes_id === null || !ids.has(taxes_id)) return [];
    const kind = taxes.get(taxes_id)?.kind;
    if (kind === undefined)
      return [invalidField(`variants.${at}.taxes_id`, 'No es un impuesto de la empresa.')];
    return kind === 'retention'
      ? [invalidField(`variants.${at}.taxes_id`, 'Una retención no es el impuesto de un producto.')]
      : [];
  });
}
