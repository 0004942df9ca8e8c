/** What a reading means in this company: whose paper it is, and what it may book. */
import type { Ctx } from '../../kernel/operation.ts';
import type { ScanReading } from './ports.ts';
import type { ScanRow } from './purchase-scans.schema.ts';

type Concluded = Pick<
  ScanRow,
  'pages' | 'extraction' | 'proposal' | 'supplier_id' | 'supplier_candidates' | 'possible_duplicate_ids'
>;

export async function conclude(
  _ctx: Pick<Ctx, 'tx' | 'company'>,
  { method, fields, warnings, pages }: ScanReading,
): Promise<Concluded> {
  return {
    pages,
    extraction: { method, fields, warnings },
    proposal: null,
    supplier_id: null,
    supplier_candidates: [],
    possible_duplicate_ids: [],
  };
}
