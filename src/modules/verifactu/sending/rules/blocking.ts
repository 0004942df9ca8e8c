/**
 * Why a record is held back: it breaks the authority's schema, or its company can send nothing.
 * A company's block is stored with the company, never with its records.
 */
import type { SendingBlock } from '../sending-identity.ts';
import type { SendingStatus } from '../../records/records.rows.ts';

const authorityMissing: SendingBlock = 'authority_not_configured';

export type CompanyBlockInput = {
  is_authority_configured: boolean;
  /** As the sender left it. */
  block_reason: string | null;
};

/** Null when it can send or nobody has tried yet. */
export function companyBlock({ is_authority_configured, block_reason }: CompanyBlockInput): string | null {
  if (!is_authority_configured) return authorityMissing;
  // The sender wrote this before an authority was configured.
  return block_reason === authorityMissing ? null : block_reason;
}

export const waitingStatuses = ['pending', 'sending'] as const satisfies readonly SendingStatus[];

export function isWaitingStatus(status: SendingStatus | null): boolean {
  return waitingStatuses.some((waiting) => waiting === status);
}

export type Sending = {
  /** Null in no-verifactu mode. */
  status: SendingStatus | null;
  is_blocked: boolean | null;
  block_reason: string | null;
};

/** @param company by `companyBlock` */
export function recordBlocking(
  sending: Sending,
  company: string | null,
): { is_blocked: boolean; block_reason: string | null } {
  if (!isWaitingStatus(sending.status)) return { is_blocked: false, block_reason: null };
  if (sending.is_blocked) return { is_blocked: true, block_reason: sending.block_reason };
  return { is_blocked: company !== null, block_reason: company };
}
