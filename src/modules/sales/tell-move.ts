/** What is told of a move: its events and its audit entry. */
import type { DocumentRow } from '../../domain/sales/rows.ts';
import type { Ctx } from '../../kernel/operation.ts';
import { type Family, plainEvent, type SentContent } from './family.ts';

/** In the audit log: how a move was asked for. */
export function channelOf({ caller }: Pick<Ctx, 'caller'>): 'api' | 'job' | 'public_page' {
  const { kind } = caller.principal;
  if (kind === 'link') return 'public_page';
  return kind === 'system' ? 'job' : 'api';
}

/** The events of a move, of the state table and of the family. */
export function movedEvents<R extends DocumentRow, E extends object>(
  family: Family<R, E>,
  move: string,
  before: R,
  after: R,
): readonly { type: string; data?: Record<string, unknown> }[] {
  const named = family.states.events[move];
  const own = family.moved?.(move, before, after) ?? [];
  if (named !== undefined) return [{ type: named }, ...own];
  return move === 'reopen' && own.length === 0 ? [{ type: `${family.object}.updated` }] : own;
}

type Told<R> = {
  move: string;
  before: R;
  after: R;
  /** The body of the call. */
  sent?: SentContent;
  /** Of events that have none of their own. */
  data?: Record<string, unknown>;
  /** More for the audit entry. */
  details?: Record<string, unknown>;
};

/** Events and audit entry of a move. */
export function tellMove<R extends DocumentRow, E extends object>(
  ctx: Pick<Ctx, 'emit' | 'audit' | 'caller'>,
  family: Family<R, E>,
  { move, before, after, sent = {}, data: shared, details = {} }: Told<R>,
): void {
  const { object } = family;
  const channel = channelOf(ctx);
  for (const { type, data = shared } of movedEvents(family, move, before, after))
    ctx.emit(type, after.id, data === undefined ? {} : { data });
  ctx.audit({
    action: `${object}.${move}`,
    object,
    object_id: after.id,
    details: {
      from: before.status,
      to: after.status,
      channel,
      // The log is never erased, so it keeps nothing that a stranger wrote.
      ...(typeof sent.reason === 'string' && channel !== 'public_page' ? { reason: sent.reason } : {}),
      ...details,
    },
  });
}

/** The event of a deletion. Where the catalogue has none, an audit entry with the number that is gone. */
export function tellDeletion<R extends DocumentRow, E extends object>(
  ctx: Pick<Ctx, 'emit' | 'audit' | 'caller'>,
  family: Family<R, E>,
  { id, status, number }: R,
): void {
  const { object } = family;
  const event = plainEvent(family, 'deleted');
  if (event) {
    ctx.emit(event, id);
    return;
  }
  const details = { from: status, channel: channelOf(ctx), number };
  ctx.audit({ action: `${object}.delete`, object, object_id: id, details });
}
