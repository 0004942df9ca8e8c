/** Reads what documents refer to, in one pipeline. */
import { defaultTaxOf } from '../../domain/sales/default-tax.ts';
import type { SeriesKind } from '../../domain/sales/default-series.ts';
import { lineClient } from '../../domain/sales/line-client.ts';
import type {
  LineChoice,
  LineFacts,
  LinePack,
  LineProduct,
  LineTax,
  PaperFacts,
} from '../../domain/sales/line-facts.ts';
import type { LineInput } from '../../domain/sales/line-input.ts';
import { type AskedChoice, askedOf, choiceKey } from '../../domain/sales/line-selection.ts';
import { components_max } from '../../domain/sales/pack-lines.ts';
import { commonErrors as c } from '../../kernel/common.errors.ts';
import type { Ctx, Tx } from '../../kernel/operation.ts';
import { fail, type Problem } from '../../kernel/problem.ts';
import { Reasons } from '../../kernel/reasons.ts';
import { invalidParam } from '../../kernel/resource-input.ts';
import { getIssuer, type Issuer } from '../companies/index.ts';
import { makeGivingWay } from '../../platform/give-way.ts';
import { type DocumentClient, findDocumentParties } from '../contacts/index.ts';
import { findChoices, findLineProducts, taxIdsOf } from '../products/index.ts';
import { findSeriesFor, type SeriesForNumbering } from '../series/index.ts';
import { findLineTaxes } from '../taxes/index.ts';
import { type Expense, expensesOf } from './expenses.ts';
import type { Family } from './family.ts';

export function numberingSeries({ series }: DocumentFacts): SeriesForNumbering {
  if (series === null) throw new Error('This kind of document is never numbered.');
  return series;
}

export type Wanted = {
  /** Null if never numbered. */
  series_kind: SeriesKind | null;
  client_id: string | null;
  series_id: string | null;
  lines: readonly LineInput[];
  /** An edit does not check again the series or client that it keeps. */
  stored?: { client_id: string | null; series_id: string | null };
  needs_issuer: boolean;
};

/** What a stored line refers to. Its choice of a configured product is left out, because it is not read again. */
export function storedReferences(product_id: string | null, taxes_id: string | null): LineInput {
  return { product_id, taxes_id, ...(product_id === null ? {} : { stored_product_id: product_id }) };
}

export type DocumentFacts = {
  client: DocumentClient | null;
  /** Keeps a dry run from also reporting a missing client. */
  has_client_fault: boolean;
  /** Null if never numbered. */
  series: SeriesForNumbering | null;
  issuer: Issuer | null;
  taxes: ReadonlyMap<string, LineTax>;
  /** @param paper of a supplier's document */
  lineFacts(on_date: string, paper?: PaperFacts): LineFacts;
};

export function seriesRefusal(reason: string): Problem {
  return fail(c.business_rule_violation, { param: 'series_id', values: { reason } });
}

/** No new document takes a party that is unknown or archived. */
export function partyRefusal({ party }: Pick<Family, 'party'>): Problem {
  return party === 'client'
    ? invalidParam('client_id', 'El cliente no existe o está archivado.')
    : invalidParam('supplier_id', 'El proveedor no existe o está archivado.');
}

type FactsFamily = Pick<Family, 'party' | 'object' | 'is_template'>;

/** The series asked for, else the default of its kind. */
function seriesOf(wanted: Wanted, rows: FactRows, reasons: Reasons): SeriesForNumbering | null {
  const kind = wanted.series_kind;
  if (kind === null) {
    if (wanted.series_id !== null) reasons.refuse(seriesRefusal('este documento no se numera.'));
    return null;
  }
  const standard = rows.series.find((one) => one.is_default && one.document_type === kind);
  const asked = wanted.series_id === null ? standard : rows.series.find((one) => one.id === wanted.series_id);
  // A dry run goes on with the default series, to find more faults.
  const series = reasons.attempt(() => checkSeries(asked, wanted, kind)) ?? standard;
  if (!series) throw seriesRefusal('la empresa no tiene serie por omisión para este tipo.');
  return series;
}

function checkSeries(
  series: SeriesForNumbering | undefined,
  wanted: Wanted,
  kind: SeriesKind,
): SeriesForNumbering {
  if (!series) {
    if (wanted.series_id !== null) throw invalidParam('series_id', 'La serie no existe.');
    throw seriesRefusal('la empresa no tiene serie por omisión para este tipo.');
  }
  if (series.document_type !== kind) throw seriesRefusal('la serie es de otro tipo de documento.');
  if (series.is_archived && wanted.stored?.series_id !== series.id)
    throw seriesRefusal('la serie está archivada.');
  return series;
}

export type FactRows = {
  clients: ReadonlyMap<string, DocumentClient>;
  products: ReadonlyMap<string, LineProduct>;
  taxes: ReadonlyMap<string, LineTax>;
  catalogue: Catalogue;
  series: readonly SeriesForNumbering[];
  issuer: Issuer | null;
  /** Read apart, where lines name any. */
  expenses?: ReadonlyMap<string, Expense>;
};

type Catalogue = {
  choices: ReadonlyMap<string, LineChoice>;
  packs: ReadonlyMap<string, LinePack>;
  /** Of packs. */
  components: readonly LineProduct[];
  /** That variants and components name. */
  tax_ids: readonly string[];
};

const noCatalogue: Catalogue = { choices: new Map(), packs: new Map(), components: [], tax_ids: [] };

/** What lines ask of the catalogue. Plain products cost no statement. */
async function readCatalogue(
  tx: Tx,
  company_id: string,
  all: readonly Wanted[],
  products: ReadonlyMap<string, LineProduct>,
): Promise<Catalogue> {
  const asked = new Map<string, AskedChoice>();
  for (const { lines } of all) {
    let components = 0;
    for (const line of lines) {
      const product = products.get(line.product_id ?? '');
      const choice = product?.is_configured ? askedOf(line) : null;
      if (choice === null) continue;
      components += product?.pack_size ?? 0;
      if (!product?.pack_size || components <= components_max) asked.set(choiceKey(choice), choice);
    }
  }
  if (asked.size === 0) return noCatalogue;
  const choices = new Map<string, LineChoice>();
  const packs = new Map<string, LinePack>();
  const components: LineProduct[] = [];
  const tax_ids: (string | null)[] = [];
  const keys = [...asked.keys()];
  const all_found = await findChoices(tx, company_id, [...asked.values()]);
  const giveWay = makeGivingWay();
  for (const [at, found] of all_found.entries()) {
    await giveWay();
    if (!found) continue;
    const { pack } = found;
    choices.set(keys[at]!, { choices: found.choices, pack });
    tax_ids.push(...found.choices.variants.map(({ taxes_id }) => taxes_id));
    if (pack === null) continue;
    packs.set(found.product.id, pack);
    for (const { product, variant_id, presentation_id, choices: of_part } of pack.components) {
      components.push(product);
      const key = choiceKey({ product_id: product.id, variant_id, presentation_id, value_ids: [] });
      if (!choices.has(key)) choices.set(key, { choices: of_part, pack: null });
      tax_ids.push(product.taxes_id, ...of_part.variants.map(({ taxes_id }) => taxes_id));
    }
  }
  return { choices, packs, components, tax_ids: tax_ids.filter((id) => id !== null) };
}

/** A purchase says itself how it is taxed, so the supplier's regime does not apply. */
function partyOfLines(client: DocumentClient, party: Family['party']) {
  return party === 'client' ? lineClient(client) : { ...lineClient(client), regime: null };
}

function isSurchargeSubject({ is_surcharge_subject, preferred_operation_regime }: DocumentClient): boolean {
  return is_surcharge_subject || preferred_operation_regime === 'surcharge';
}

/** One pipeline for any number of documents. */
export async function readFacts(
  tx: Tx,
  family: Pick<Family, 'party'>,
  company_id: string,
  all: readonly Wanted[],
): Promise<FactRows> {
  const unique = <T extends string>(ids: readonly (T | null | undefined)[]): T[] => [
    ...new Set(ids.filter((id) => id !== null && id !== undefined)),
  ];
  const lines = all.flatMap((wanted) => wanted.lines);
  const client_ids = unique(all.map((wanted) => wanted.client_id));
  const product_ids = unique(lines.map((line) => line.product_id));
  const tax_ids = unique(lines.map((line) => line.taxes_id));
  const [clients, products, taxes, series, issuer] = await Promise.all([
    findDocumentParties(tx, company_id, family.party, client_ids),
    product_ids.length === 0 ? [] : findLineProducts(tx, company_id, product_ids),
    product_ids.length + tax_ids.length === 0
      ? []
      : findLineTaxes(tx, company_id, tax_ids, taxIdsOf(tx, company_id, product_ids)),
    findSeriesFor(
      tx,
      company_id,
      unique(all.map((wanted) => wanted.series_id)),
      unique(all.map((wanted) => wanted.series_kind)),
    ),
    all.some((wanted) => wanted.needs_issuer) ? getIssuer(tx, company_id) : null,
  ]);
  const byId = <R extends { id: string }>(rows: readonly R[]) => new Map(rows.map((row) => [row.id, row]));
  const known = byId(taxes);
  const by_id = byId(products);
  const catalogue = await readCatalogue(tx, company_id, all, by_id);
  for (const product of catalogue.components) by_id.set(product.id, product);
  // Few clients have a tax of their own, and few variants, so it is read apart.
  const missing = unique([...clients.map((one) => one.default_taxes_id), ...catalogue.tax_ids]).filter(
    (id) => !known.has(id),
  );
  for (const tax of missing.length === 0 ? [] : await findLineTaxes(tx, company_id, missing))
    known.set(tax.id, tax);
  return { clients: byId(clients), products: by_id, taxes: known, catalogue, series, issuer };
}

/** `readFacts` and `factsOf` for one document. */
export async function loadFacts(
  ctx: Ctx,
  family: FactsFamily,
  wanted: Wanted,
  reasons = new Reasons(),
): Promise<DocumentFacts> {
  const [rows, expenses] = await Promise.all([
    readFacts(ctx.tx, family, ctx.company.company_id, [wanted]),
    expensesOf(ctx, wanted.lines),
  ]);
  return factsOf(ctx, family, wanted, { ...rows, expenses }, reasons);
}

/**
 * @throws 422 parameter_invalid for an archived client, or a reference that is unknown or another company's;
 * business_rule_violation for a series of another kind or archived
 */
export function factsOf(
  ctx: Ctx,
  family: FactsFamily,
  wanted: Wanted,
  rows: FactRows,
  reasons: Reasons,
): DocumentFacts {
  const client = wanted.client_id === null ? null : rows.clients.get(wanted.client_id);
  if (client === undefined || (client && !client.is_active && wanted.stored?.client_id !== client.id)) {
    reasons.refuse(partyRefusal(family));
  }
  const series = seriesOf(wanted, rows, reasons);
  return {
    client: client ?? null,
    has_client_fault: client === undefined,
    series,
    issuer: rows.issuer,
    taxes: rows.taxes,
    lineFacts: (on_date, paper) => ({
      products: rows.products,
      taxes: rows.taxes,
      choices: rows.catalogue.choices,
      packs: rows.catalogue.packs,
      ...defaultTaxOf(ctx.company.default_vat, family.object),
      client: client ? partyOfLines(client, family.party) : null,
      is_surcharge_subject: client && family.party === 'client' ? isSurchargeSubject(client) : false,
      on_date,
      version: ctx.version,
      is_template: family.is_template === true,
      ...(paper ? { paper } : {}),
      ...(rows.expenses ? { expenses: rows.expenses } : {}),
    }),
  };
}
