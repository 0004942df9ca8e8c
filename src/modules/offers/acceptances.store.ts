/** What proves an acceptance on a public page. No operation shows it. */
import type { Tx } from '../../kernel/operation.ts';
import { type Columns, insertMarked } from '../../platform/rows.ts';

export type AcceptanceRow = {
  id: string;
  document_kind: string;
  document_id: string;
  version: number;
  name: string;
  email: string;
  tax_id: string | null;
  note: string | null;
  ip: string;
  user_agent: string | null;
  shown_sha256: string;
  accepted_at: string;
};

const columns: Columns = {
  id: 'uuid',
  document_kind: 'text',
  document_id: 'uuid',
  version: 'integer',
  name: 'text',
  email: 'text',
  tax_id: 'text',
  note: 'text',
  ip: 'text',
  user_agent: 'text',
  shown_sha256: 'text',
  accepted_at: 'timestamptz',
};

/** Sent at once. */
export function insertAcceptance(tx: Tx, company_id: string, row: AcceptanceRow): Promise<unknown> {
  return insertMarked(tx, company_id, 'acceptances', columns, [row]);
}
