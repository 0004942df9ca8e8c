/**
 * Edits a document's content, or its labels alone. Absent keys stay, null clears. `lines` replaces the list, but a line with a
 * known id keeps its absent keys. Stored references are not checked again.
 */
import { isDeepStrictEqual } from 'node:util';
import { amountColumns, declaredKeys, documentLinesInSteps } from '../../domain/sales/build-rows.ts';
import { checkCurrencyCode } from '../../domain/sales/currency.ts';
import { periodKey, type SeriesReset } from '../../domain/series-format.ts';
import { keepTaken, mergeLines } from '../../domain/sales/merge-lines.ts';
import type { DocumentRow } from '../../domain/sales/rows.ts';
import { commonErrors as c } from '../../kernel/common.errors.ts';
import type { Ctx } from '../../kernel/operation.ts';
import { fail } from '../../kernel/problem.ts';
import { missingParam } from '../../kernel/resource-input.ts';
import { Reasons } from '../../kernel/reasons.ts';
import { refuseReadOnlyChanges } from '../../kernel/read-only.ts';
import { inTurns } from '../../platform/give-way.ts';
import { type DocumentBody, labelKeys, partyParam, readOnlyOf } from './documents.schema.ts';
import { linesWanted } from './new-draft.ts';
import { withClient } from './documents.store.ts';
import { issuerSnapshot } from '../companies/index.ts';
import { loadFacts, numberingSeries } from './facts.ts';
import { type BundleOf, type Family, statusOn, withStatus } from './family.ts';
import { pricedFacts } from './line-prices.ts';

export function withLabels<R extends DocumentRow>(row: R, body: DocumentBody): R {
  return {
    ...row,
    metadata: body.metadata === undefined ? row.metadata : (body.metadata ?? {}),
    tags: body.tags === undefined ? row.tags : (body.tags ?? []),
    custom_fields: body.custom_fields === undefined ? row.custom_fields : (body.custom_fields ?? []),
  };
}

/** The first content or read-only key with a new value; undefined if only labels change. */
function contentChange(
  { client_id, series_id }: DocumentRow,
  body: DocumentBody,
  shown: Record<string, unknown>,
): string | undefined {
  const known: Record<string, unknown> = { ...shown, client_id, series_id };
  return Object.keys(body).find(
    (key) => !(labelKeys as readonly string[]).includes(key) && !isDeepStrictEqual(body[key], known[key]),
  );
}

/**
 * Whether the content is built again. A numbered document keeps its copies of client and issuer until its content changes; a
 * draft shows both as they are now.
 */
export function isContentEdit<R extends DocumentRow, E extends object>(
  family: Family<R, E>,
  row: R,
  body: DocumentBody,
  shown: Record<string, unknown>,
  today: string,
): boolean {
  const is_open =
    typeof family.states.peek(statusOn(family, row, today), 'edit_content') === 'string' ||
    family.fields.isOpenInPart?.(row) === true;
  return is_open && (row.number === null || contentChange(row, body, shown) !== undefined);
}

/**
 * A number fixes the series and its period, and requires a client.
 * @throws 422 missing_required_param, business_rule_violation
 */
function checkNumbered<R extends DocumentRow>(
  { fields: { numbering } }: { fields: Pick<Family<R>['fields'], 'numbering'> },
  stored: R,
  edited: R,
  reset: SeriesReset,
  today: string,
): void {
  const refuse = (param: string, reason: string) =>
    fail(c.business_rule_violation, { param, values: { reason } });
  if (!numbering && edited.client_id === null)
    throw missingParam('client_id', 'Un documento con número no se queda sin cliente.');
  if (edited.series_id !== stored.series_id)
    throw refuse('series_id', 'un documento con número no cambia de serie.');
  const day = numbering ? numbering.day(edited, today) : edited.issued_on;
  const param = numbering?.day_param ?? 'issued_on';
  if (day === null || day > today) throw refuse(param, 'un documento con número tiene fecha, y no futura.');
  if (periodKey(reset, day) !== stored.series_period)
    throw refuse(param, 'la fecha tiene que ser del periodo de su número.');
}

/**
 * Changes the labels of a document whose content is closed.
 * @throws Problem that names the first content or read-only key with a new value
 */
export function editLabels<R extends DocumentRow, E extends object>(
  family: Family<R, E>,
  bundle: BundleOf<R, E>,
  body: DocumentBody,
  shown: Record<string, unknown>,
  today: string,
): BundleOf<R, E> {
  const { document } = bundle;
  const status = statusOn(family, document, today);
  const changed = contentChange(document, body, shown);
  const param = changed === 'client_id' ? partyParam(family) : changed;
  if (param !== undefined) family.states.next(status, 'edit_content', { param });
  family.states.next(status, 'edit_labels');
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
  const shown_lines = shown.lines as Record<string, unknown>[];
  const { kept } = fields.lines ?? {};
  const is_new_client = client_id !== stored.client_id;
  const merged = mergeLines(family, bundle.lines, body.lines, shown_lines, kept, is_new_client);
  const lines = is_new_client ? merged : keepTaken(merged, bundle.lines);
  const is_numbered = stored.number !== null;
  const leaves_series =
    body.series_id !== undefined || (!is_numbered && fields.leavesSeries?.(stored, body) === true);
  const facts = await loadFacts(ctx, family, {
    series_kind: family.series({ ...stored, ...(body as Partial<R>) }),
    client_id,
    series_id: leaves_series ? (body.series_id ?? null) : stored.series_id,
    lines: linesWanted(family, lines, body),
    needs_issuer: is_numbered,
    stored: { client_id: stored.client_id, series_id: stored.series_id },
  });
  const { company, today } = ctx;
  const { taxes } = facts;
  const reasons = new Reasons();
  const of = { client_id, company, today, taxes, is_new: false, is_numbered: false, reasons };
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
  if (is_numbered) checkNumbered(family, stored, edited, numberingSeries(facts).reset, ctx.today);
  const on_date = fields.ratesDay?.(edited) ?? edited.issued_on ?? ctx.today;
  const { prices_include_tax } = edited;
  const terms = { currency: edited.currency, prices_include_tax, on_date };
  const line_facts = await pricedFacts(ctx, facts, lines, terms, fields.lines?.paper?.(edited));
  // A refusal ends the edit: none is gathered.
  const plain = (await inTurns(
    documentLinesInSteps(stored.id, lines, line_facts, { prices_include_tax }, reasons),
  ))!;
  // A client that sends back what it read states nothing.
  const changes = Object.entries(body).filter(([key, value]) => !isDeepStrictEqual(value, shown[key]));
  const of_lines = { input: lines, row: edited, sent: Object.fromEntries(changes), stored: bundle };
  const { built, own: own_counted } = fields.lines?.count(plain, of_lines) ?? { built: plain, own: {} };
  const counted = { ...edited, ...amountColumns(built.totals), ...own_counted };
  const { client } = facts;
  // The rules of its number may depend on the amounts that it has now.
  if (is_numbered) fields.numbering?.check(withClient(counted, client ?? undefined), ctx.today);
  const finish_of = { ...of, stored, client, built, before: bundle };
  const row = { ...counted, ...fields.finish?.(counted, declaredKeys(built.lines), body, finish_of) };
  const next: BundleOf<R, E> = {
    ...bundle,
    document: withStatus(
      family,
      withClient(
        is_numbered ? { ...row, issuer_snapshot: facts.issuer && issuerSnapshot(facts.issuer) } : row,
        facts.client ?? undefined,
      ),
    ),
    lines: built.lines,
    tax_rows: built.tax_rows,
  };
  return fields.isOpenInPart?.(stored) && fields.keepClosed ? fields.keepClosed(bundle, next) : next;
}
