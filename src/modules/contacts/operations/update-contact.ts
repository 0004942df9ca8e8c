/** Issued documents keep the contact as it was. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation, type Operation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { changedKeys, refuseIssues, writableOf } from '../../../kernel/resource-input.ts';
import { Described, One, Shape, Uuid } from '../../../kernel/schema.ts';
import { checkDefaultTax, withFreeExternalId } from '../contacts.checks.ts';
import type { Named, Role } from '../contacts.roles.ts';
import { contactOf, contactReadOnly, present, UpdateContactInput } from '../contacts.schema.ts';
import { lockContact, updateContact as updateRow } from '../contacts.store.ts';
import { readContactInput } from '../rules/contact-fields.ts';

export function updateContact(role: Role, named: Named): Operation {
  return defineOperation({
    ...named,
    method: 'PUT',
    path: `/v1/${role.collection}/:${role.object}`,
    scope: 'contacts:write',
    tag: role.collection,
    description:
      'Cambia los datos que se envían: lo que no se envía queda como estaba y null lo borra; los objetos y las listas se sustituyen enteros. is_active a false archiva, y a true recupera. Los documentos emitidos no cambian. Se rechaza si otro activo tiene el mismo external_id (business_rule_violation).',
    transaction: 'own',
    mcp: true,
    params: Shape({ [role.object]: Described(Uuid, `Id de ${role.one}`) }),
    body: UpdateContactInput,
    output: One(contactOf(role)),
    errors: [c.resource_not_found, c.missing_required_param, c.business_rule_violation],
    events: role.has_events ? [`${role.object}.updated`, `${role.object}.metadata_changed`] : [],
    examples: [{ title: 'Cambia el teléfono y borra el fax', body: { phone: '+34 910 000 000', fax: null } }],

    async handle({ tx, caller, now, emit }, { params, body }) {
      const { company_id } = caller;
      const current = await lockContact(tx, company_id, role.object, params[role.object] ?? '');
      if (!current) throw fail(c.resource_not_found, { param: role.object });
      const read = readContactInput(current, writableOf(body, present(current), contactReadOnly));
      refuseIssues(read.issues);
      const next = { ...current, ...read.fields };
      const changed = changedKeys(current, next);
      if (changed.length === 0) return { data: present(current) };
      if (changed.includes('default_taxes_id')) await checkDefaultTax(tx, company_id, next.default_taxes_id);

      next.updated_at = now;
      await withFreeExternalId(() => updateRow(tx, company_id, current.id, next));
      if (role.has_events) {
        if (changed.some((name) => name !== 'metadata')) emit(`${role.object}.updated`, current.id);
        if (changed.includes('metadata')) emit(`${role.object}.metadata_changed`, current.id);
      }
      return { data: present(next) };
    },
  });
}
