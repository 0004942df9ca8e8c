/** Deletes many notes: each that may go, goes; the others are named with a reason. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { Described, One, Shape, Type, Uuid } from '../../../kernel/schema.ts';
import {
  bulkIds,
  checkBulkIds,
  deleteRow,
  lockDocuments,
  tellDeletion,
  writeCompanions,
} from '../../sales/index.ts';
import { deliveryNotes } from '../delivery-notes.family.ts';
import type { NoteRow } from '../delivery-notes.rows.ts';

const Result = Type.Object({
  object: Type.Literal('bulk_delete_result'),
  id: Described(Uuid, 'Id de la empresa'),
  deleted_count: Type.Integer({ description: 'Cuántos se han borrado' }),
  failed: Type.Array(
    Type.Object({ id: Uuid, reason: Type.String({ description: 'Por qué no se ha borrado' }) }),
    { description: 'Los que no se han borrado' },
  ),
});

/** Why a note stays; undefined for one that may go. */
function refusalOf(row: NoteRow | undefined): string | undefined {
  if (!row) return 'El albarán no existe.';
  if (row.status === 'invoiced') return 'El albarán está facturado.';
  return row.signed_at === null ? undefined : 'El albarán se firmó, y lo firmado se conserva.';
}

export const bulkDeleteDeliveryNotes = defineOperation({
  name: 'bulk_delete_delivery_notes',
  method: 'POST',
  path: '/v1/delivery_notes/bulk-delete',
  scope: 'delivery_notes:delete',
  tag: 'delivery_notes',
  summary: 'Borra varios albaranes.',
  description:
    'Borra para siempre los albaranes que se pueden borrar, y dice en failed los que no y por qué: los firmados alguna vez, los facturados y los que no existen. Responde 200 también si no se ha borrado ninguno. Cada borrado queda en el registro de auditoría. Las reglas son las de delete_delivery_note.',
  transaction: 'own',
  mcp: true,
  status: 200,
  effects: 'withdraw',
  irreversible: true,
  body: Shape({ ids: bulkIds('albaranes') }),
  output: One(Result),
  errors: [c.invalid_param_value],
  reopens: 'delivery_note',
  examples: [{ title: 'Un albarán', body: { ids: ['{delivery_note}'] } }],

  async handle(ctx, { body: { ids } }) {
    checkBulkIds(ids);
    const { tx } = ctx;
    const { company_id } = ctx.company;
    const byId = await lockDocuments(tx, deliveryNotes, company_id, ids);
    const failed: { id: string; reason: string }[] = [];
    for (const id of ids) {
      const row = byId.get(id);
      const reason = refusalOf(row);
      if (reason !== undefined || !row) failed.push({ id, reason: reason ?? '' });
      else {
        const reopened = await ctx.ports.conversions.reopen(ctx, { object: 'delivery_note', id });
        await deleteRow(tx, deliveryNotes, company_id, row);
        await writeCompanions(ctx, reopened);
        tellDeletion(ctx, deliveryNotes, row);
      }
    }
    const deleted_count = ids.length - failed.length;
    return { data: { object: 'bulk_delete_result' as const, id: company_id, deleted_count, failed } };
  },
});
