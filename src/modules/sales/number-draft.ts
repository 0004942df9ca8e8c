/** Numbers a draft that is no invoice. It keeps copies of its client and issuer. */
import { clientSnapshot } from '../../domain/sales/client-snapshot.ts';
import type { DocumentRow } from '../../domain/sales/rows.ts';
import { commonErrors as c } from '../../kernel/common.errors.ts';
import type { Ctx } from '../../kernel/operation.ts';
import { fail } from '../../kernel/problem.ts';
import { missingParam } from '../../kernel/resource-input.ts';
import { issuerSnapshot } from '../companies/index.ts';
import { numberDocument } from '../series/index.ts';
import { type DocumentFacts, loadFacts, storedReferences, seriesRefusal } from './facts.ts';
import { type BundleOf, type Family, plainEvent } from './family.ts';

/** @throws 422 missing_required_param without a client, business_rule_violation for a future day */
export function checkNumbering(
  { client_id, issued_on }: Pick<DocumentRow, 'client_id' | 'issued_on'>,
  today: string,
): void {
  if (client_id === null)
    throw missingParam('client_id', 'Indique el cliente: sin él solo puede ser un borrador.');
  refuseFuture(issued_on, today);
}

/** @throws 422 business_rule_violation for a day of issue to come */
export function refuseFuture(issued_on: string | null, today: string): void {
  if (issued_on === null || issued_on <= today) return;
  const reason = 'la fecha no puede ser futura.';
  throw fail(c.business_rule_violation, { param: 'issued_on', values: { reason } });
}

/**
 * The series is locked before the document, so the caller locks the document only after this, and compares its version.
 * @param with `lock` sends the lock of the document; `facts`: what it refers to, if this transaction has read it
 * @returns the row to store, and the write of the counter, which is on its way
 * @throws Problem of `checkNumbering`
 */
export async function numberDraft<R extends DocumentRow, E extends object>(
  ctx: Ctx,
  family: Family<R, E>,
  { document, lines }: BundleOf<R, E>,
  { lock, facts: known }: { lock?: (() => void) | undefined; facts?: DocumentFacts | undefined } = {},
): Promise<{ row: R; saved: Promise<void> }> {
  const { numbering } = family.fields;
  if (numbering) numbering.check(document, ctx.today);
  else checkNumbering(document, ctx.today);
  const day = numbering?.day(document, ctx.today) ?? document.issued_on ?? ctx.today;
  const facts =
    known ??
    (await loadFacts(ctx, family, {
      series_kind: family.series(document),
      client_id: document.client_id,
      series_id: document.series_id,
      lines: lines.map(({ product_id, taxes_id }) => storedReferences(product_id, taxes_id)),
      needs_issuer: true,
      stored: { client_id: document.client_id, series_id: null },
    }));
  const { client, series, issuer } = facts;
  if ((!client && !numbering) || !series || !issuer) throw seriesRefusal('este documento no se numera.');
  const asked = { series, issued_on: day };
  const taken = await numberDocument(ctx, { object: family.object, id: document.id }, asked, lock);
  const event = plainEvent(family, 'number_assigned');
  if (event) ctx.emit(event, document.id);
  const row = {
    ...document,
    number: taken.number,
    series_id: series.id,
    series_code: taken.series_code,
    series_period: taken.period,
    series_number: taken.series_number,
    issued_on: numbering ? document.issued_on : day,
    client_name: client?.name ?? null,
    client_tax_id: client?.tax_id ?? null,
    client_snapshot: client && clientSnapshot(client),
    issuer_snapshot: issuerSnapshot(issuer),
  };
  return { row, saved: taken.saved };
}
