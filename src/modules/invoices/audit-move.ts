/**
 * The audit entry of a move that takes something back, or that nothing else shows (ADR 50). Issues and payments have
 * none: each leaves rows of its own, and there are as many as invoices.
 */
import type { Ctx } from '../../kernel/operation.ts';
import { channelOf } from '../sales/index.ts';
import type { InvoiceRow } from './invoices.rows.ts';

export function auditMove(
  ctx: Pick<Ctx, 'audit' | 'caller'>,
  move: 'annul' | 'void' | 'mark_sent' | 'reverse_payment',
  { id, status: from }: InvoiceRow,
  to: string,
  more: Record<string, unknown> = {},
): void {
  const details = { from, to, channel: channelOf(ctx), ...more };
  ctx.audit({ action: `invoice.${move}`, object: 'invoice', object_id: id, details });
}
