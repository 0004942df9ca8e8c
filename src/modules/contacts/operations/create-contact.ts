import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation, type Operation } from '../../../kernel/operation.ts';
import { refuseIssues } from '../../../kernel/resource-input.ts';
import { One } from '../../../kernel/schema.ts';
import { newId } from '../../../kernel/uuid7.ts';
import { checkDefaultTax, withFreeExternalId } from '../contacts.checks.ts';
import type { Named, Role } from '../contacts.roles.ts';
import { CreateContactInput, contactOf, present } from '../contacts.schema.ts';
import { insertContact } from '../contacts.store.ts';
import { readContactInput } from '../rules/contact-fields.ts';
import { blankContact } from '../rules/merge-contact.ts';

export function createContact(role: Role, named: Named): Operation {
  return defineOperation({
    ...named,
    method: 'POST',
    path: `/v1/${role.collection}`,
    scope: 'contacts:write',
    tag: role.collection,
    description: `Guarda ${role.one} y responde con su id. tax_id se comprueba como NIF español si address.country es ES o no se indica y no hay alternative_id; en otro caso admite 20 caracteres libres. Puede haber varios con la misma identificación fiscal: para no repetirlos, búsquelos antes con list_${role.collection} y tax_id. Se rechaza si otro activo tiene el mismo external_id (business_rule_violation).`,
    transaction: 'own',
    mcp: true,
    body: CreateContactInput,
    output: One(contactOf(role)),
    errors: [c.missing_required_param, c.business_rule_violation],
    events: role.has_events ? [`${role.object}.created`] : [],
    examples: [
      { title: 'Lo mínimo', body: { name: 'Suministros del Norte SL' } },
      {
        title: 'Empresa española',
        body: {
          name: 'Suministros del Norte SL',
          tax_id: 'B12345674',
          email: 'facturas@norte.example',
          address: {
            line1: 'Calle Mayor 1',
            postal_code: '28013',
            city: 'Madrid',
            province: 'Madrid',
            country: 'ES',
          },
          payment_preferences: { method: 'bank_transfer', terms_days: 30 },
        },
      },
      {
        title: 'Particular extranjero',
        body: {
          name: 'Jane Doe',
          address: { country: 'US' },
          alternative_id: { type: 'passport', value: '509912345', country_code: 'US' },
        },
      },
    ],

    async handle({ tx, caller, now, emit }, { body }) {
      const { fields, issues } = readContactInput({ ...blankContact, name: body.name }, body);
      refuseIssues(issues);
      await checkDefaultTax(tx, caller.company_id, fields.default_taxes_id);
      const row = { ...fields, id: newId(), role: role.object, created_at: now, updated_at: now };
      await withFreeExternalId(() => insertContact(tx, caller.company_id, row));
      if (role.has_events) emit(`${role.object}.created`, row.id);
      return { data: present(row) };
    },
  });
}
