/**
 * Edits a document: rebuilds its content from what is stored and sent, or changes its labels alone. Absent keys stay, null clears.
 * `lines` replaces the list, but a line with a known id keeps its absent keys. Stored references are not checked again.
 */
import { isDeepStrictEqual } from 'node:util';
import { amountColumns, buildDocumentLines, declaredKeys } from '../../domain/sales/build-rows.ts';
import { checkCurrencyCode } from '../../domain/sales/currency.ts';
import { mergeLines } from '../../domain/sales/merge-lines.ts';
import type { DocumentRow } from '../../domain/sales/rows.ts';
import type { Ctx } from '../../kernel/operation.ts';
import { Reasons } from '../../kernel/reasons.ts';
import { refuseReadOnlyChanges } from '../../kernel/read-only.ts';
import { type DocumentBody, labelKeys, readOnlyOf } from './documents.schema.ts';
import { withClient } from './documents.store.ts';
import { loadFacts } from './facts.ts';
import type { BundleOf, Family } from './family.ts';

function withLabels<R extends DocumentRow>(row: R, body: DocumentBody): R {
  return {
    ...row,
    metadata: body.metadata === undefined ? row.metadata : (body.metadata ?? {}),
    tags: body.tags === undefined ? row.tags : (body.tags ?? []),
    custom_fields: body.custom_fields === undefined ? row.custom_fields : (body.custom_fields ?? []),
  };
}

export function hasOpenContent(family: Family, row: DocumentRow): boolean {
  return typeof family.states.peek(row.status, 'edit_content') === 'string';
}

/**
 * Changes the labels of a document whose content is closed.
 * @throws Problem of the state table that names the first other key, also a read-only one, with a new value
 */
export function editLabels<R extends DocumentRow, E extends object>(
  family: Family<R, E>,
  bundle: BundleOf<R, E>,
  body: DocumentBody,
  shown: Record<string, unknown>,
): BundleOf<R, E> {
  const { document } = bundle;
  const known: Record<string, unknown> = {
    ...shown,
    client_id: document.client_id,
    series_id: document.series_id,
  };
  const changed = Object.keys(body).find(
    (key) => !(labelKeys as readonly string[]).includes(key) && !isDeepStrictEqual(body[key], known[key]),
  );
  if (changed !== undefined) family.states.next(document.status, 'edit_content', { param: changed });
  family.states.next(document.status, 'edit_labels');
  return { ...bundle, document: withLabels(document, body) };
}

export async function editContent<R extends DocumentRow, E extends object>(
  ctx: Ctx,
  family: Family<R, E>,
  bundle: BundleOf<R, E>,
  body: DocumentBody,
  shown: Record<string, unknown>,
): Promise<BundleOf<R, E>> {
  const stored = bundle.document;
  const { fields } = family;
  refuseReadOnlyChanges(body, shown, readOnlyOf(family));
  fields.checkEdit?.(stored, body);
  const sentOrStored = <K extends keyof DocumentRow & keyof DocumentBody & string>(key: K): DocumentRow[K] =>
    (body[key] === undefined ? stored[key] : body[key]) as DocumentRow[K];
  const client_id = sentOrStored('client_id');
  const lines = mergeLines(family, bundle.lines, body.lines, shown.lines as Record<string, unknown>[]);
  const leaves_series = body.series_id !== undefined || fields.leavesSeries?.(stored, body) === true;
  const facts = await loadFacts(ctx, family, {
    series_kind: family.series({ ...stored, ...(body as Partial<R>) }),
    client_id,
    series_id: leaves_series ? (body.series_id ?? null) : stored.series_id,
    lines,
    needs_issuer: false,
    stored: { client_id: stored.client_id, series_id: stored.series_id },
  });
  const of = { client_id, today: ctx.today, is_new: false, is_numbered: false, reasons: new Reasons() };
  const own = fields.read(stored, body, of);
  if (own.currency === undefined && body.currency !== undefined) checkCurrencyCode(body.currency);
  const edited: R = {
    ...withLabels(stored, body),
    client_id,
    client_name: null,
    client_tax_id: null,
    client_snapshot: null,
    series_id: facts.series?.id ?? null,
    series_code: facts.series?.code ?? null,
    description: sentOrStored('description'),
    issued_on: sentOrStored('issued_on'),
    currency: sentOrStored('currency'),
    prices_include_tax: sentOrStored('prices_include_tax'),
    notes: sentOrStored('notes'),
    ...own,
  };
  const on_date = fields.ratesDay?.(edited) ?? edited.issued_on ?? ctx.today;
  const { prices_include_tax } = edited;
  const built = buildDocumentLines(stored.id, lines, facts.lineFacts(on_date), { prices_include_tax });
  const counted = { ...edited, ...amountColumns(built.totals) };
  const row = { ...counted, ...fields.finish?.(counted, declaredKeys(built.lines), body, of) };
  return {
    ...bundle,
    document: withClient(row, facts.client ?? undefined),
    lines: built.lines,
    tax_rows: built.tax_rows,
  };
}
