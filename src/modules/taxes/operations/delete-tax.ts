import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Deleted, Described, Shape, Uuid } from '../../../kernel/schema.ts';
import { lockTax, removeTax } from '../taxes.store.ts';

export const deleteTax = defineOperation({
  name: 'delete_tax',
  method: 'DELETE',
  path: '/v1/taxes/:tax',
  scope: 'taxes:delete',
  tag: 'taxes',
  summary: 'Elimina un impuesto que nadie usa.',
  description:
    'Borra para siempre un impuesto que no es el de ningún producto ni contacto, ni lo nombra una factura recurrente activa o en pausa; si no, se rechaza (business_rule_violation) y se puede desactivar con update_tax e is_active a false. Los documentos que lo llevan no cambian.',
  transaction: 'own',
  mcp: true,
  effects: 'withdraw',
  irreversible: true,
  params: Shape({ tax: Described(Uuid, 'Id del impuesto') }),
  output: Deleted('tax'),
  errors: [c.resource_not_found, c.business_rule_violation],

  async handle({ tx, caller, ports, audit }, { params }) {
    const current = await lockTax(tx, caller.company_id, params.tax);
    if (!current) throw fail(c.resource_not_found, { param: 'tax' });
    if (await ports.tax_uses.isOnTemplate(tx, caller.company_id, current.id)) {
      const reason = 'una factura recurrente lo nombra: ponga antes otro en sus líneas, o cancélela.';
      throw fail(c.business_rule_violation, { param: 'tax', values: { reason } });
    }
    if (!(await removeTax(tx, caller.company_id, current.id))) {
      const reason = 'el impuesto es el de algún producto o contacto. Puede desactivarlo con is_active.';
      throw fail(c.business_rule_violation, { param: 'tax', values: { reason } });
    }
    const { kind, rate, surcharge_rate } = current;
    const details = { kind, rate, surcharge_rate };
    audit({ action: 'tax.delete', object: 'tax', object_id: current.id, details });
    return { data: { id: current.id, object: 'tax', deleted: true } };
  },
});
