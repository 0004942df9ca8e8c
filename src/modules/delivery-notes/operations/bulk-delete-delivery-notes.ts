/** Deletes many notes: each that may go, goes; the others are named with a reason. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Described, One, Shape, Type, Uuid } from '../../../kernel/schema.ts';
import { deleteRow, findDocuments, lockVersions, tellDeletion, writeCompanions } from '../../sales/index.ts';
import { deliveryNotes } from '../delivery-notes.family.ts';
import type { NoteRow } from '../delivery-notes.rows.ts';

const idsMax = 50;

/** Number and repetition have a code of their own. */
const Ids = Type.Array(Uuid, {
  maxItems: 1650,
  description: 'Ids de albaranes, de 1 a 50 y sin repetir',
});

const Result = Type.Object({
  object: Type.Literal('bulk_delete_result'),
  id: Described(Uuid, 'Id de la empresa'),
  deleted_count: Type.Integer({ description: 'Cuántos se han borrado' }),
  failed: Type.Array(
    Type.Object({ id: Uuid, reason: Type.String({ description: 'Por qué no se ha borrado' }) }),
    { description: 'Los que no se han borrado' },
  ),
});

/** @throws 422 invalid_param_value */
function checkIds(ids: readonly string[]): void {
  const is_right = ids.length >= 1 && ids.length <= idsMax && new Set(ids).size === ids.length;
  if (is_right) return;
  const reason = `de 1 a ${idsMax} identificadores, sin repetir.`;
  throw fail(c.invalid_param_value, { param: 'ids', values: { reason } });
}

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
    'Borra para siempre los albaranes que se pueden borrar, y dice en failed los que no y por qué: los firmados alguna vez, los facturados y los que no existen. Responde 200 también si no se ha borrado ninguno. Cada borrado queda en el registro de auditoría.',
  transaction: 'own',
  mcp: true,
  status: 200,
  effects: 'withdraw',
  irreversible: true,
  body: Shape({ ids: Ids }),
  output: One(Result),
  errors: [c.invalid_param_value],
  reopens: 'delivery_note',
  examples: [{ title: 'Un albarán', body: { ids: ['{delivery_note}'] } }],

  async handle(ctx, { body: { ids } }) {
    checkIds(ids);
    const { tx } = ctx;
    const { company_id } = ctx.company;
    await lockVersions(tx, deliveryNotes, company_id, ids);
    const rows = await findDocuments(tx, deliveryNotes, company_id, ids);
    const byId = new Map(rows.map((row) => [row.id, row]));
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
