/**
 * Turns a document into a draft of another family. It copies what was agreed. Whether that may be issued is checked at
 * the issue. Deleting or withdrawing the target opens the source again.
 */
import { amountColumns, recountRows } from '../../domain/sales/build-rows.ts';
import type { Bundle, DocumentRow, LineRow } from '../../domain/sales/rows.ts';
import { amountsOverflow } from '../../domain/sales/totals-checks.ts';
import { commonErrors as c } from '../../kernel/common.errors.ts';
import type { Ctx } from '../../kernel/operation.ts';
import { fail } from '../../kernel/problem.ts';
import type { Reasons } from '../../kernel/reasons.ts';
import { invalidParam } from '../../kernel/resource-input.ts';
import type { TProperties } from '../../kernel/schema.ts';
import { newId } from '../../kernel/uuid7.ts';
import { PlanStale } from '../../platform/issuing-call.ts';
import { type Companion, companion, groupByKind } from './companions.ts';
import { copyLines } from './copy-document.ts';
import { type DocumentRef, endOfLinks, findSourcesOf } from './document-links.ts';
import { linesMax } from './documents.schema.ts';
import { findDocuments, withClient } from './documents.store.ts';
import { loadFacts } from './facts.ts';
import type { BundleOf, Family } from './family.ts';
import { tellMove } from './tell-move.ts';

declare module '../../kernel/ports.ts' {
  interface Ports {
    conversions: Conversions;
  }
}

export type ConversionInput = Record<string, unknown> & {
  series_id?: string | null;
  issued_on?: string | null;
  external_id?: string | null;
};

// biome-ignore lint/suspicious/noExplicitAny: a target fills its own columns, whatever they are
type AnyBundle = BundleOf<any, any>;

/** `added`: lines that only the target has, not counted yet. `operation_on`: the day on which it was supplied. */
export type Source = {
  object: string;
  bundle: AnyBundle;
  added?: readonly LineRow[];
  operation_on?: string | null;
};

/** A family that others may become. */
export type ConversionTarget = {
  // biome-ignore lint/suspicious/noExplicitAny: see above
  family: Family<any, any>;
  /** Members of the body that only this target has. */
  input: TProperties;
  /**
   * The target's own columns.
   * @throws Problem through `reasons`
   */
  own(ctx: Ctx, source: Source, asked: ConversionInput, reasons: Reasons): Record<string, unknown>;
};

/** A source's lines know where they come from. */
function withSources({ object, bundle: { document, lines }, operation_on = null }: Source): LineRow[] {
  const { id, number } = document as DocumentRow;
  return lines.map((line: LineRow) => ({
    ...line,
    details: { ...line.details, source: { object, id, number, operation_on, line_id: line.id } },
  }));
}

/** The shared columns, and no own ones of the source's family. */
function sharedColumns(target: ConversionTarget['family'], row: DocumentRow): Record<string, unknown> {
  const names = Object.keys(target.columns).filter((name) => name in row && !(name in target.fields.columns));
  return Object.fromEntries(names.map((name) => [name, row[name as keyof DocumentRow]]));
}

/**
 * @returns the draft with its parts, not stored yet
 * @throws Problem through `reasons`: 422 parameter_invalid for an archived client, business_rule_violation for the series
 */
export async function draftFrom(
  ctx: Ctx,
  target: ConversionTarget,
  source: Source,
  asked: ConversionInput,
  reasons: Reasons,
): Promise<AnyBundle> {
  const { document, tax_rows } = source.bundle;
  const own = target.own(ctx, source, asked, reasons);
  const content = { lines: withSources(source), tax_rows, added: source.added ?? [] };
  return draftOf(ctx, target, { document, own, content }, asked, reasons);
}

/**
 * Makes one draft of several documents. It has their lines in order. It has no texts and no labels, because those differ from
 * document to document. Its amounts are counted anew, so each tax is rounded once.
 * @param sources of one client, currency and meaning of prices; `param` names them
 * @throws as `draftFrom`, and 422 parameter_invalid for a sum beyond 12 integer digits
 */
export async function draftFromAll(
  ctx: Ctx,
  target: ConversionTarget,
  { sources, param }: { sources: readonly [Source, ...Source[]]; param: string },
  asked: ConversionInput,
  reasons: Reasons,
): Promise<AnyBundle> {
  const [first] = sources;
  const own = target.own(ctx, first, asked, reasons);
  const stored: DocumentRow = first.bundle.document;
  const { lines, tax_rows, totals } = recountRows(stored.id, sources.flatMap(withSources), stored);
  if (amountsOverflow(totals))
    reasons.refuse(invalidParam(param, 'El importe supera las 12 cifras enteras.'));
  const document = {
    ...stored,
    ...amountColumns(totals),
    description: null,
    notes: null,
    metadata: {},
    tags: [],
    custom_fields: [],
  };
  return draftOf(ctx, target, { document, own, content: { lines, tax_rows, added: [] } }, asked, reasons);
}

type Content = Parameters<typeof copyLines>[0] & { added: readonly LineRow[] };

async function draftOf(
  ctx: Ctx,
  { family }: ConversionTarget,
  { document, own, content }: { document: DocumentRow; own: Record<string, unknown>; content: Content },
  asked: ConversionInput,
  reasons: Reasons,
): Promise<AnyBundle> {
  const facts = await loadFacts(
    ctx,
    family,
    {
      series_kind: family.series(own),
      client_id: document.client_id,
      series_id: asked.series_id ?? null,
      lines: [],
      needs_issuer: false,
    },
    reasons,
  );
  const id = newId();
  const now = ctx.now.toISOString();
  const row = {
    ...own,
    ...sharedColumns(family, document),
    id,
    version: 1,
    status: 'draft',
    number: null,
    series_id: facts.series?.id ?? null,
    series_code: facts.series?.code ?? null,
    series_period: null,
    series_number: null,
    issuer_snapshot: null,
    issued_on: asked.issued_on ?? null,
    external_id: asked.external_id ?? null,
    external_hash: null,
    external_total: asked.external_id ? document.total : null,
    sent_at: null,
    link_renewed_at: null,
    created_at: now,
    updated_at: now,
  } as unknown as DocumentRow;
  const copied = copyLines(content, id, { keeps_links: true });
  const whole = withAdded(row, copied, content.added, reasons);
  return {
    ...family.parts?.none?.(),
    ...whole,
    document: withClient(whole.document, facts.client ?? undefined),
  };
}

/** @throws Problem through `reasons`: 422 business_rule_violation for too many lines */
function withAdded(
  document: DocumentRow,
  copied: Pick<Bundle, 'lines' | 'tax_rows'>,
  added: readonly LineRow[],
  reasons: Reasons,
): Bundle {
  if (added.length === 0) return { document, ...copied };
  const all = [...copied.lines, ...added];
  if (all.length > linesMax) {
    const reason = `un documento tiene ${linesMax} líneas como máximo.`;
    reasons.refuse(fail(c.business_rule_violation, { param: 'lines', values: { reason } }));
  }
  const { lines, tax_rows, totals } = recountRows(document.id, all, document);
  return { document: { ...document, ...amountColumns(totals) }, lines, tax_rows };
}

/**
 * Documents that an edit leaves no line of, while lines of others stay. A line that is new may be one of theirs, written anew:
 * then nobody can tell, and the document is still what its sources became.
 * @returns their ids
 */
export function lostSources(before: readonly LineRow[], after: readonly LineRow[]): string[] {
  const known = new Set(before.map(({ id }) => id));
  if (!after.every(({ id }) => known.has(id))) return [];
  const sourcesOf = (lines: readonly LineRow[]) =>
    new Set(lines.flatMap(({ details }) => details?.source?.id ?? []));
  const left = sourcesOf(after);
  return left.size === 0 ? [] : [...sourcesOf(before)].filter((id) => !left.has(id));
}

/** Events of what opens again when a document of the kind goes. */
export function reopenedEvents(all: readonly Family[], kind: string): string[] {
  return all.flatMap(({ object, becomes = [], reopened, states }) =>
    becomes.some((one) => one === kind) ? [reopened ?? states.events.reopen ?? `${object}.updated`] : [],
  );
}

export type Conversions = {
  /**
   * What opens again when the target is deleted or withdrawn. Emits their events.
   * @param lost only these sources, of a target that stays
   * @returns nothing for a document that was not converted
   */
  reopen(ctx: Ctx, target: DocumentRef, lost?: readonly string[]): Promise<readonly Companion[]>;
};

export function conversionsOf(all: readonly Family[]): Conversions {
  const byKind = new Map(all.map((family) => [family.object, family]));
  return {
    async reopen(ctx, target, lost) {
      const { company_id } = ctx.company;
      const all_links = await findSourcesOf(ctx.tx, company_id, target);
      const links = lost ? all_links.filter(({ source_id }) => lost.includes(source_id)) : all_links;
      if (links.length === 0) return [];
      const companions: Companion[] = [];
      for (const [kind, of_kind] of Map.groupBy(links, ({ source_kind }) => source_kind)) {
        const family = byKind.get(kind as Family['object']);
        if (!family) throw new Error(`A ${kind} was converted, and no family has it.`);
        const before = new Map(of_kind.map((link) => [link.source_id, link.source_status_before]));
        for (const row of await findDocuments(ctx.tx, family, company_id, [...before.keys()])) {
          const change = { ...family.fields.converted?.(null), status: before.get(row.id) ?? row.status };
          const reopened = companion(family, row, change, ctx.now);
          tellMove(ctx, family, { move: 'reopen', before: row, after: { ...row, ...change } });
          companions.push(reopened);
        }
      }
      return [...companions, endOfLinks(target, ctx.now, lost)];
    },
  };
}

/**
 * Locks, compares and writes companions in a transaction that is no group's.
 * @throws PlanStale when one changed meanwhile
 */
export async function writeCompanions(ctx: Ctx, companions: readonly Companion[]): Promise<void> {
  const { tx } = ctx;
  const { company_id } = ctx.company;
  for (const [kind, of_kind] of groupByKind(companions)) {
    const stored = of_kind.flatMap((one) => one.stored ?? []);
    const found = await kind.lock(
      tx,
      company_id,
      stored.map(({ id }) => id),
    );
    const versions = new Map(found.map(({ id, version }) => [id, version]));
    if (stored.some(({ id, version }) => versions.get(id) !== version))
      throw new PlanStale('What goes with the document changed.');
    await Promise.all(
      kind.write(
        tx,
        company_id,
        of_kind.map(({ row }) => row),
      ),
    );
  }
}
