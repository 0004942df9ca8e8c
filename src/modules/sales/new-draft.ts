/** Builds a new draft of any family. It reads only. */
import { clientSnapshot } from '../../domain/sales/client-snapshot.ts';
import {
  amountColumns,
  type BuiltLines,
  declaredKeys,
  documentLinesInSteps,
} from '../../domain/sales/build-rows.ts';
import { checkCurrencyCode } from '../../domain/sales/currency.ts';
import { invalidInLine } from '../../domain/sales/lines.errors.ts';
import type { LineInput } from '../../domain/sales/line-input.ts';
import { type HashedRequest, requestHash } from '../../domain/sales/request-hash.ts';
import type { DocumentRow } from '../../domain/sales/rows.ts';
import { ExactNumber, numberText } from '../../kernel/json.ts';
import type { Ctx } from '../../kernel/operation.ts';
import { Reasons } from '../../kernel/reasons.ts';
import { newId } from '../../kernel/uuid7.ts';
import { inTurns } from '../../platform/give-way.ts';
import type { DocumentBody } from './documents.schema.ts';
import { expensesOf } from './expenses.ts';
import { type DocumentFacts, type FactRows, factsOf, loadFacts, readFacts, type Wanted } from './facts.ts';
import { addMissingSeries } from '../series/index.ts';
import type { Family } from './family.ts';
import { pricedFacts } from './line-prices.ts';

/** @throws 422 for a line with an id: a new document has no lines yet */
export function refuseLineIds(lines: readonly LineInput[]): void {
  const index = lines.findIndex((line) => line.id !== undefined);
  if (index < 0) return;
  throw invalidInLine(index, 'id', 'Las líneas de un documento nuevo no llevan id: quítelo.');
}

/** With the taxes that own members name, as lines name theirs. */
export function linesWanted(
  { fields }: Pick<Family, 'fields'>,
  lines: readonly LineInput[],
  sent: DocumentBody,
): readonly LineInput[] {
  const own = fields.taxIds?.(sent) ?? [];
  return own.length === 0 ? lines : [...lines, ...own.map((taxes_id) => ({ taxes_id }))];
}

export function wantedBy(
  family: Pick<Family, 'series' | 'fields'>,
  body: DocumentBody,
  needs_issuer: boolean,
): Wanted {
  return {
    series_kind: family.series(body as Partial<DocumentRow>),
    client_id: body.client_id ?? null,
    series_id: body.series_id ?? null,
    lines: linesWanted(family, (body.lines ?? []) as LineInput[], body),
    needs_issuer,
  };
}

/** The same for the same value, however its numbers are written. */
function canonical(value: unknown): string {
  if (value === null || value === undefined) return '0';
  if (typeof value === 'number' || value instanceof ExactNumber) return numberText(value);
  if (typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${key}:${canonical(member)}`).join()}}`;
}

/** Recognises a repeated request with an external id. */
export function hashOf({ object, fields }: Pick<Family, 'object' | 'fields'>, body: DocumentBody): string {
  const names = new Set([...(fields.deciding ?? []), ...Object.keys(fields.telling ?? {})]);
  const said = [...names].map((name) => canonical(body[name]));
  return requestHash([object, ...said].join(' '), body.issued_on ?? null, body as HashedRequest);
}

/** Adds the default series of a kind that is newer than the company. */
async function withSeries(ctx: Ctx, family: Family, wanted: Wanted, rows: FactRows): Promise<FactRows> {
  const { series_kind: kind, series_id } = wanted;
  const is_known = rows.series.some((one) => one.is_default && one.document_type === kind);
  if (kind === null || series_id !== null || is_known) return rows;
  const { company_id } = ctx.company;
  await addMissingSeries(ctx.tx, company_id, kind, ctx.now);
  return readFacts(ctx.tx, family, company_id, [wanted]);
}

/** Stands for totals that a dry run could not compute. Never stored. */
export const noTotals = {
  subtotal: 0n,
  discount_total: 0n,
  taxes_total: 0n,
  surcharge_total: 0n,
  retention_total: 0n,
  total: 0n,
  amount_due: 0n,
};

export type NewDraft<R extends DocumentRow> = {
  document: R;
  lines: ReturnType<typeof linesOf>['lines'];
  tax_rows: ReturnType<typeof linesOf>['tax_rows'];
  facts: DocumentFacts;
  /** Of the lines that declare one, in order. */
  regime_keys: readonly string[];
};

function linesOf(built: BuiltLines | undefined) {
  return { lines: built?.lines ?? [], tax_rows: built?.tax_rows ?? [] };
}

/**
 * After refusals in a dry run, the draft serves only to find more.
 * @param options `rows`: what it refers to, if already read; `is_numbered`: it takes its number at once
 * @throws Problem through `reasons`
 */
export async function newDraft<R extends DocumentRow, E extends object>(
  ctx: Ctx,
  family: Family<R, E>,
  body: DocumentBody,
  {
    is_numbered = false,
    reasons = new Reasons(),
    rows,
  }: { is_numbered?: boolean; reasons?: Reasons; rows?: FactRows } = {},
): Promise<NewDraft<R>> {
  const lines = (body.lines ?? []) as LineInput[];
  reasons.attempt(() => refuseLineIds(lines));
  const wanted = wantedBy(family, body, is_numbered);
  const read = rows && (await withSeries(ctx, family, wanted, rows));
  const facts = read
    ? factsOf(ctx, family, wanted, { ...read, expenses: await expensesOf(ctx, wanted.lines) }, reasons)
    : await loadFacts(ctx, family, wanted, reasons);
  const id = newId();
  const { company, today } = ctx;
  const { taxes } = facts;
  const of = { client_id: wanted.client_id, company, today, taxes, is_new: true, is_numbered, reasons };
  const own = family.fields.read(null, body, of);
  if (own.currency === undefined && body.currency !== undefined)
    reasons.attempt(() => checkCurrencyCode(body.currency ?? ''));
  const blank = blankRow(ctx, id, body, facts);
  const dated = { ...blank, ...own } as R;
  const on_date = family.fields.ratesDay?.(dated) ?? dated.issued_on ?? ctx.today;
  const { prices_include_tax } = blank;
  const own_lines = family.fields.lines;
  const terms = { currency: dated.currency, prices_include_tax, on_date };
  const line_facts = await pricedFacts(ctx, facts, lines, terms, own_lines?.paper?.(dated));
  const plain = await inTurns(documentLinesInSteps(id, lines, line_facts, { prices_include_tax }, reasons));
  const of_lines = { input: lines, row: dated, sent: body, stored: null };
  const whole = plain && own_lines && reasons.attempt(() => own_lines.count(plain, of_lines));
  const built = whole?.built ?? plain;
  // If a dry run refuses the lines, only declared keys are known.
  const regime_keys = built ? declaredKeys(built.lines) : lines.flatMap((line) => line.regime_key ?? []);
  const counted = { ...dated, ...amountColumns(built?.totals ?? noTotals), ...whole?.own };
  const known = body.external_id
    ? { external_hash: hashOf(family, body), external_total: counted.total }
    : {};
  const finish_of = { ...of, stored: null, client: facts.client, built: built ?? null, before: null };
  const document = {
    ...counted,
    ...known,
    ...family.fields.finish?.(counted, regime_keys, body, finish_of),
  };
  return { document, ...linesOf(built), facts, regime_keys };
}

/** The shared columns. The lines bring the amounts. */
function blankRow(ctx: Ctx, id: string, body: DocumentBody, { client, series }: DocumentFacts): DocumentRow {
  const now = ctx.now.toISOString();
  return {
    id,
    version: 1,
    status: 'draft',
    number: null,
    series_id: series?.id ?? null,
    series_code: series?.code ?? null,
    series_period: null,
    series_number: null,
    client_id: client?.id ?? null,
    client_name: client?.name ?? null,
    client_tax_id: client?.tax_id ?? null,
    client_snapshot: client && clientSnapshot(client),
    issuer_snapshot: null,
    description: body.description ?? null,
    issued_on: body.issued_on ?? null,
    currency: body.currency ?? 'EUR',
    prices_include_tax: body.prices_include_tax ?? false,
    ...amountColumns(noTotals),
    notes: body.notes ?? null,
    external_id: body.external_id ?? null,
    external_hash: null,
    external_total: null,
    metadata: body.metadata ?? {},
    tags: body.tags ?? [],
    custom_fields: body.custom_fields ?? [],
    sent_at: null,
    link_renewed_at: null,
    created_at: now,
    updated_at: now,
  };
}
