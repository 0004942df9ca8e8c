/** Copies the content of a document into a new draft. */
import { withoutLinks } from '../../domain/sales/line-details.ts';
import type { Bundle, DocumentRow } from '../../domain/sales/rows.ts';
import type { Ctx } from '../../kernel/operation.ts';
import { newId } from '../../kernel/uuid7.ts';
import { findParty, withClient } from './documents.store.ts';
import { partyRefusal } from './facts.ts';
import type { BundleOf, Family } from './family.ts';

/** @throws 422 parameter_invalid for an archived client; Problem of a family that refuses the copy */
export async function copyOf<R extends DocumentRow, E extends object>(
  ctx: Ctx,
  family: Family<R, E>,
  bundle: BundleOf<R, E>,
): Promise<BundleOf<R, E>> {
  const id = newId();
  const now = ctx.now.toISOString();
  const source = bundle.document;
  const client = await findParty(ctx.tx, family, ctx.company.company_id, source);
  if (source.client_id !== null && !client?.is_active) throw partyRefusal(family);
  const copy: R = {
    ...ownColumns(family, source),
    id,
    version: 1,
    status: 'draft',
    number: null,
    series_period: null,
    series_number: null,
    issuer_snapshot: null,
    issued_on: null,
    external_id: null,
    external_hash: null,
    external_total: null,
    sent_at: null,
    link_renewed_at: null,
    created_at: now,
    updated_at: now,
    ...family.fields.duplicate?.(bundle, ctx),
  };
  return {
    ...bundle,
    ...family.parts?.none?.(),
    document: withClient(copy, client),
    ...copyLines(bundle, id),
  };
}

export function copyLines(
  { lines, tax_rows }: Pick<Bundle, 'lines' | 'tax_rows'>,
  document_id: string,
  { keeps_links = false }: { keeps_links?: boolean } = {},
): Pick<Bundle, 'lines' | 'tax_rows'> {
  return {
    lines: lines.map((line) => ({
      ...line,
      id: newId(),
      document_id,
      details: keeps_links ? line.details : withoutLinks(line.details),
    })),
    tax_rows: tax_rows.map((row) => ({ ...row, document_id })),
  };
}

/** Drops what was read beside the columns: it belongs to the other document. */
function ownColumns<R extends DocumentRow, E extends object>(family: Family<R, E>, row: R): R {
  return Object.fromEntries(
    Object.keys(family.columns).map((name) => [name, row[name as keyof R]]),
  ) as unknown as R;
}
