/** Checks the fields together, because records admit only some combinations. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { refuseIssues } from '../../../kernel/resource-input.ts';
import { One } from '../../../kernel/schema.ts';
import { newId } from '../../../kernel/uuid7.ts';
import { applyTaxInput, blankTax, taxIssues } from '../rules/tax-fields.ts';
import { CreateTaxInput, present, Tax } from '../taxes.schema.ts';
import { insertTaxes } from '../taxes.store.ts';

export const createTax = defineOperation({
  name: 'create_tax',
  method: 'POST',
  path: '/v1/taxes',
  scope: 'taxes:write',
  tag: 'taxes',
  summary: 'Crea un impuesto.',
  description:
    'Guarda un impuesto o una retención de la empresa, para ponerlo en productos y líneas. Un impuesto exento o no sujeto no lleva porcentaje: un 0 en su lugar se guarda como null. El recargo de equivalencia debe ser el que corresponde al tipo de IVA. Se rechazan los datos que no pueden ir juntos en una factura, cada uno con su motivo en error.errors. Para no repetirlo, búsquelo antes con list_taxes.',
  transaction: 'own',
  mcp: true,
  body: CreateTaxInput,
  output: One(Tax),
  errors: [c.missing_required_param],
  examples: [
    {
      title: 'IVA general con su recargo de equivalencia',
      body: { name: 'IVA 21 %', kind: 'vat', rate: 21, surcharge_rate: 5.2 },
    },
    {
      title: 'Exportación exenta',
      body: { name: 'Exportación', kind: 'vat', exemption_reason: 'E2', regime_key: '02' },
    },
  ],

  async handle({ tx, caller, now, today, audit }, { body }) {
    const fields = applyTaxInput({ ...blankTax, name: body.name, kind: body.kind }, body);
    refuseIssues(taxIssues(fields, today));
    const row = { ...fields, id: newId(), created_at: now, updated_at: now };
    await insertTaxes(tx, caller.company_id, [row]);
    audit({ action: 'tax.create', object: 'tax', object_id: row.id });
    return { data: present(row) };
  },
});
