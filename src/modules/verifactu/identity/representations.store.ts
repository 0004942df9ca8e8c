/** A representation lets the service send and sign for a company. */
import type { Tx } from '../../../kernel/operation.ts';
import { type Columns, insertRows } from '../../../platform/rows.ts';

export type RepresentationRow = {
  id: string;
  representative_name: string | null;
  representative_tax_id: string | null;
  reference: string | null;
  valid_from: string;
  valid_until: string;
  warned_days: number | null;
  warned_at: Date | null;
  created_at: Date;
  revoked_at: Date | null;
};

/** The last one registered, in force or not. */
export async function findRepresentation(tx: Tx, company_id: string): Promise<RepresentationRow | undefined> {
  const [row] = await tx<RepresentationRow[]>`
    select id, representative_name, representative_tax_id, reference, valid_from, valid_until, warned_days, warned_at,
           created_at, revoked_at
      from verifactu_representations where company_id = ${company_id} and is_current`.execute();
  return row;
}

export function replaceRepresentation(tx: Tx, company_id: string, now: Date): Promise<unknown> {
  return tx`
    update verifactu_representations set is_current = false, replaced_at = ${now}
     where company_id = ${company_id} and is_current`.execute();
}

const columns = {
  id: 'uuid',
  representative_name: 'text',
  representative_tax_id: 'text',
  reference: 'text',
  valid_from: 'date',
  valid_until: 'date',
  is_current: 'boolean',
  created_at: 'timestamptz',
} as const satisfies Columns;

export function insertRepresentation(
  tx: Tx,
  company_id: string,
  row: Omit<RepresentationRow, 'warned_days' | 'warned_at' | 'revoked_at'>,
): Promise<unknown> {
  return insertRows(tx, company_id, 'verifactu_representations', columns, [{ ...row, is_current: true }]);
}

export function revokeRepresentation(
  tx: Tx,
  company_id: string,
  id: string,
  reason: string,
  now: Date,
): Promise<unknown> {
  return tx`
    update verifactu_representations set revoked_at = ${now}, revoke_reason = ${reason}
     where company_id = ${company_id} and id = ${id}`.execute();
}

/** @returns false when the warning was given before */
export async function markRepresentationWarned(
  tx: Tx,
  company_id: string,
  id: string,
  days: number,
  now: Date,
): Promise<boolean> {
  const rows = await tx`
    update verifactu_representations set warned_days = ${days}, warned_at = ${now}
     where company_id = ${company_id} and id = ${id} and (warned_days is null or warned_days > ${days}) returning id`;
  return rows.length > 0;
}
