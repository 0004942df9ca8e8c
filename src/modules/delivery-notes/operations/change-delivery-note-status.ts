/** Moves a note in the old way, from before each move had an operation. Only REST has it. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { Enum, One, Shape } from '../../../kernel/schema.ts';
import { documentOutput, idParams, moveInto, presentDocument } from '../../sales/index.ts';
import { deliveryNotes } from '../delivery-notes.family.ts';
import { numberingEvents } from '../delivery-notes.operations.ts';

const moves = { pending: 'mark_pending', delivered: 'mark_delivered', cancelled: 'cancel' } as const;
const statuses = ['pending', 'delivered', 'cancelled'] as const;

export const changeDeliveryNoteStatus = defineOperation({
  name: 'change_delivery_note_status',
  method: 'POST',
  path: '/v1/delivery_notes/:delivery_note/change_status',
  scope: 'delivery_notes:transition',
  tag: 'delivery_notes',
  summary: 'Cambia el estado de un albarán. En desuso.',
  description:
    'En desuso: use mark_delivery_note_pending, mark_delivery_note_delivered o cancel_delivery_note, que hacen lo mismo y a las que remite la cabecera Link. Deja de responder en la fecha de la cabecera Sunset.',
  transaction: 'own',
  mcp: false,
  status: 200,
  deprecated: {
    since: '2026-11-22',
    sunset: '2027-11-30',
    successor: 'cancel',
  },
  params: idParams(deliveryNotes),
  body: Shape({ status: Enum(statuses, { description: 'Estado al que pasa' }) }),
  output: One(documentOutput(deliveryNotes)),
  errors: [
    c.resource_not_found,
    c.invalid_status_transition,
    c.missing_required_param,
    c.business_rule_violation,
  ],
  irreversible: true,
  events: numberingEvents,
  reopens: 'delivery_note',
  examples: [{ title: 'Cancelar', body: { status: 'cancelled' } }],

  async handle(ctx, { params, body }) {
    const { delivery_note: id = '' } = params as Record<string, string>;
    const moved = await moveInto(ctx, deliveryNotes, id, moves[body.status]);
    return { data: presentDocument(deliveryNotes, moved, ctx) };
  },
});
