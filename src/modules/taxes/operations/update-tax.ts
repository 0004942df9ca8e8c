/** Documents have copied the tax, so even its rate may change. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { changedKeys, refuseIssues, writableOf } from '../../../kernel/resource-input.ts';
import { Described, One, Shape, Uuid } from '../../../kernel/schema.ts';
import { applyTaxInput, fiscalFields, taxIssues } from '../rules/tax-fields.ts';
import { present, Tax, type TaxFields, taxReadOnly, UpdateTaxInput } from '../taxes.schema.ts';
import { lockTax, updateTax as updateRow } from '../taxes.store.ts';

export const updateTax = defineOperation({
  name: 'update_tax',
  method: 'PUT',
  path: '/v1/taxes/:tax',
  scope: 'taxes:write',
  tag: 'taxes',
  summary: 'Modifica un impuesto.',
  description:
    'Cambia los datos que se envían: lo que no se envía queda como estaba y null lo borra. Los documentos guardan los porcentajes que tenían: ninguno cambia con su impuesto. Una retención no puede pasar a ser un impuesto, ni al revés (business_rule_violation). Un cambio de tipo o de recargo queda en el registro de auditoría. Uno que ya no se usa se desactiva con is_active a false o, si no es el de ningún producto ni contacto, se borra con delete_tax.',
  transaction: 'own',
  mcp: true,
  params: Shape({ tax: Described(Uuid, 'Id del impuesto') }),
  body: UpdateTaxInput,
  output: One(Tax),
  errors: [c.resource_not_found, c.missing_required_param, c.business_rule_violation],
  events: ['tax.metadata_changed', 'tax.validity_changed', 'tax.external_reference_changed'],
  examples: [{ title: 'Fin de vigencia', body: { valid_to: '2026-12-31' } }],

  async handle({ tx, caller, now, today, emit, audit }, { params, body }) {
    const current = await lockTax(tx, caller.company_id, params.tax);
    if (!current) throw fail(c.resource_not_found, { param: 'tax' });
    const next = { ...current, ...applyTaxInput(current, writableOf(body, present(current), taxReadOnly)) };
    const changed = changedKeys(current, next);
    if (changed.length === 0) return { data: present(current) };
    if (changed.some((name) => (fiscalFields as readonly string[]).includes(name))) {
      refuseIssues(taxIssues(next, today));
    }
    if ((current.kind === 'retention') !== (next.kind === 'retention')) {
      const reason = 'una retención no puede pasar a ser un impuesto, ni al revés.';
      throw fail(c.business_rule_violation, { param: 'kind', values: { reason } });
    }

    next.updated_at = now;
    await updateRow(tx, caller.company_id, current.id, next);
    const target = { object: 'tax', object_id: current.id };
    const keys = changed.filter((name) => !toldApart.has(name));
    if (keys.length > 0) audit({ action: 'tax.update', ...target, details: { keys } });
    if (changed.includes('metadata')) emit('tax.metadata_changed', current.id);
    if (changed.includes('valid_from') || changed.includes('valid_to'))
      emit('tax.validity_changed', current.id);
    if (changed.includes('external_reference')) emit('tax.external_reference_changed', current.id);
    if (changed.includes('rate') || changed.includes('surcharge_rate'))
      audit({
        action: 'tax.rate_changed',
        ...target,
        details: { from: ratesOf(current), to: ratesOf(next) },
      });
    return { data: present(next) };
  },
});

/** An event, or an entry of its own, tells of these. */
const toldApart: ReadonlySet<string> = new Set([
  'metadata',
  'valid_from',
  'valid_to',
  'external_reference',
  'rate',
  'surcharge_rate',
]);

const ratesOf = ({ rate, surcharge_rate }: TaxFields) => ({ rate, surcharge_rate });
