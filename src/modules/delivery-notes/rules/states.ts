/** Each cell is the next state, or the error that refuses the move. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineStates, type StateTable } from '../../../kernel/states.ts';

export const noteStatuses = ['draft', 'pending', 'delivered', 'signed', 'cancelled', 'invoiced'] as const;
export type NoteStatus = (typeof noteStatuses)[number];

export const noteMoves = [
  'edit_content',
  'edit_labels',
  'delete',
  'send',
  'mark_pending',
  'mark_delivered',
  'sign',
  'cancel',
  'convert',
] as const;
export type NoteMove = (typeof noteMoves)[number];

const no = c.invalid_status_transition;
const refused = Object.fromEntries(noteMoves.map((move) => [move, no])) as Record<NoteMove, typeof no>;
/** What is not named is refused. Labels change in every state. */
const allowing = (status: NoteStatus, allowed: Partial<Record<NoteMove, NoteStatus>>) =>
  ({ ...refused, edit_labels: status, ...allowed }) as StateTable<NoteStatus, NoteMove>[NoteStatus];

export const noteStates = defineStates<NoteStatus, NoteMove>({
  draft: allowing('draft', {
    mark_pending: 'pending',
    mark_delivered: 'delivered',
    cancel: 'cancelled',
    send: 'pending',
    edit_content: 'draft',
    delete: 'draft',
  }),
  pending: allowing('pending', {
    mark_delivered: 'delivered',
    sign: 'signed',
    cancel: 'cancelled',
    convert: 'invoiced',
    send: 'pending',
    edit_content: 'pending',
    delete: 'pending',
  }),
  delivered: allowing('delivered', {
    sign: 'signed',
    cancel: 'cancelled',
    convert: 'invoiced',
    send: 'delivered',
    edit_content: 'delivered',
    delete: 'delivered',
  }),
  // Prices may change still where the paper showed none (rules/signed-content.ts).
  signed: allowing('signed', { cancel: 'cancelled', convert: 'invoiced', send: 'signed' }),
  // One that was ever signed is never deleted.
  cancelled: allowing('cancelled', { delete: 'cancelled' }),
  invoiced: allowing('invoiced', { send: 'invoiced' }),
});
