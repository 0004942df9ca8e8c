/**
 * A product that documents or packs refer to is archived, and one whose prices would make a long transaction. Archiving emits an
 * update. Deleted products have no event, so the audit log tells of them.
 */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Deleted, Described, Shape, Uuid } from '../../../kernel/schema.ts';
import { archiveProduct, lockProduct, removeProduct } from '../products.store.ts';

export const deleteProduct = defineOperation({
  name: 'delete_product',
  method: 'DELETE',
  path: '/v1/products/:product',
  scope: 'products:delete',
  tag: 'products',
  summary: 'Elimina un producto, o lo archiva si está en documentos.',
  description:
    'Borra para siempre un producto. El que está en algún documento o pack, o tiene más de 10.000 precios, se archiva: deja de valer en líneas nuevas, se sigue consultando, y se recupera con update_product e is_active a true. Los documentos no cambian.',
  transaction: 'own',
  mcp: true,
  effects: 'withdraw',
  irreversible: true,
  params: Shape({ product: Described(Uuid, 'Id del producto') }),
  output: Deleted('product'),
  errors: [c.resource_not_found],
  events: ['product.updated'],

  async handle({ tx, caller, now, emit, audit, ports }, { params }) {
    const { company_id } = caller;
    const current = await lockProduct(tx, company_id, params.product);
    if (!current) throw fail(c.resource_not_found, { param: 'product' });
    const removed =
      !(await ports.product_uses.isOnDocument(tx, company_id, current.id)) &&
      !(await ports.product_prices.hasMany(tx, company_id, current.id)) &&
      (await removeProduct(tx, company_id, current.id));
    if (removed) {
      const details = { code: current.code };
      audit({ action: 'product.delete', object: 'product', object_id: current.id, details });
    } else if (current.is_active) {
      await archiveProduct(tx, company_id, current.id, now);
      emit('product.updated', current.id);
    }
    return { data: { id: current.id, object: 'product', deleted: true } };
  },
});
