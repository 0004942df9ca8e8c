/**
 * Whether a record is held back, and why: by itself (it breaks the authority's schema), or because nothing of its
 * company can be sent. What holds for the whole company is written once, with the company, and never into each of
 * its records. The one rule of it: record, statistics and filters ask here. Pure.
 */
import type { SendingBlock } from '../sending-identity.ts';
import type { SendingStatus } from '../../records/records.rows.ts';

const authorityMissing: SendingBlock = 'authority_not_configured';

/** What stands in the way of everything that a company would send. */
export type CompanyBlockInput = {
  /** Somebody answers companies of its environment. */
  is_authority_configured: boolean;
  /** As the sender left it (`verifactu_settings.block_reason`). */
  block_reason: string | null;
};

/** Why nothing of the company can be sent; null when it can, or when nobody has tried yet. */
export function companyBlock({ is_authority_configured, block_reason }: CompanyBlockInput): string | null {
  if (!is_authority_configured) return authorityMissing;
  // What the sender wrote before an authority was configured is no longer true.
  return block_reason === authorityMissing ? null : block_reason;
}

/** Statuses in which a record still waits for the authority: only those can be held back. */
export const waitingStatuses = ['pending', 'sending'] as const satisfies readonly SendingStatus[];

export function isWaitingStatus(status: SendingStatus | null): boolean {
  return waitingStatuses.some((waiting) => waiting === status);
}

export type Sending = {
  /** Null for a record of no-verifactu mode, which is kept. */
  status: SendingStatus | null;
  is_blocked: boolean | null;
  block_reason: string | null;
};

/** @param company why nothing of the company can be sent, by `companyBlock` */
export function recordBlocking(
  sending: Sending,
  company: string | null,
): { is_blocked: boolean; block_reason: string | null } {
  if (!isWaitingStatus(sending.status)) return { is_blocked: false, block_reason: null };
  if (sending.is_blocked) return { is_blocked: true, block_reason: sending.block_reason };
  return { is_blocked: company !== null, block_reason: company };
}
