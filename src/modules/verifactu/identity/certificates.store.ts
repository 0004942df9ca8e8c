/** Only the current certificate still has its sealed key. */
import type { Tx } from '../../../kernel/operation.ts';
import { type Columns, insertRows } from '../../../platform/rows.ts';
import type { CertificateFile } from '../ports.ts';

export type CertificateRow = Omit<CertificateFile, 'tax_id' | 'private_key' | 'certificates'> & {
  id: string;
  tax_id: string;
  /** The `Signer` as JSON, sealed. */
  sealed: Buffer;
  warned_days: number | null;
  warned_at: Date | null;
  created_at: Date;
};

export async function findCertificate(tx: Tx, company_id: string): Promise<CertificateRow | undefined> {
  const [row] = await tx<CertificateRow[]>`
    select id, sealed, subject, holder_name, tax_id, kind, issuer, serial, fingerprint, valid_from, valid_until,
           warned_days, warned_at, created_at
      from verifactu_certificates where company_id = ${company_id} and is_current`.execute();
  return row;
}

/** The row stays, its key goes. */
export function retireCertificate(tx: Tx, company_id: string, now: Date): Promise<unknown> {
  return tx`
    update verifactu_certificates set is_current = false, sealed = null, replaced_at = ${now}
     where company_id = ${company_id} and is_current`.execute();
}

const columns = {
  id: 'uuid',
  sealed: 'bytea',
  subject: 'text',
  holder_name: 'text',
  tax_id: 'text',
  kind: 'text',
  issuer: 'text',
  serial: 'text',
  fingerprint: 'text',
  valid_from: 'timestamptz',
  valid_until: 'timestamptz',
  is_current: 'boolean',
  created_at: 'timestamptz',
} as const satisfies Columns;

export function insertCertificate(
  tx: Tx,
  company_id: string,
  { sealed, ...row }: Omit<CertificateRow, 'warned_days' | 'warned_at'>,
): Promise<unknown> {
  return insertRows(tx, company_id, 'verifactu_certificates', columns, [
    { ...row, sealed: `\\x${sealed.toString('hex')}`, is_current: true },
  ]);
}

export function resealCertificate(tx: Tx, company_id: string, id: string, sealed: Buffer): Promise<unknown> {
  return tx`
    update verifactu_certificates set sealed = ${sealed}
     where company_id = ${company_id} and id = ${id} and is_current`.execute();
}

/** @returns false when the warning was given before */
export async function markCertificateWarned(
  tx: Tx,
  company_id: string,
  id: string,
  days: number,
  now: Date,
): Promise<boolean> {
  const rows = await tx`
    update verifactu_certificates set warned_days = ${days}, warned_at = ${now}
     where company_id = ${company_id} and id = ${id} and (warned_days is null or warned_days > ${days}) returning id`;
  return rows.length > 0;
}
