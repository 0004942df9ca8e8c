/** Issued documents keep the contact as it was. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { type Caller, defineOperation, type Operation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { changedKeys, refuseIssues, writableOf } from '../../../kernel/resource-input.ts';
import { Described, One, Shape, Uuid } from '../../../kernel/schema.ts';
import { scopesAllow } from '../../../kernel/scopes.ts';
import { checkDefaultTax, withFreeExternalId } from '../contacts.checks.ts';
import type { Named, Role } from '../contacts.roles.ts';
import { contactOf, contactReadOnly, present, UpdateContactInput } from '../contacts.schema.ts';
import { lockContact, updateContact as updateRow } from '../contacts.store.ts';
import { tellContact } from '../contacts.tell.ts';
import { readContactInput } from '../rules/contact-fields.ts';
import { withState } from '../rules/role-states.ts';

export function updateContact(role: Role, named: Named): Operation {
  return defineOperation({
    ...named,
    method: 'PUT',
    path: `/v1/${role.collection}/:${role.object}`,
    scope: 'contacts:write',
    tag: role.collection,
    description: `Cambia los datos que se envían: lo que no se envía queda como estaba y null lo borra; los objetos y las listas se sustituyen enteros, así que léalos antes con get_${role.object}. is_active a false archiva, que pide además contacts:delete, y a true recupera. Quien es cliente y proveedor tiene los mismos datos en los dos papeles, menos is_active. Los documentos emitidos no cambian. Se rechaza si otro activo tiene el mismo external_id (business_rule_violation).`,
    transaction: 'own',
    mcp: true,
    params: Shape({ [role.object]: Described(Uuid, `Id de ${role.one}`) }),
    body: UpdateContactInput,
    output: One(contactOf(role)),
    errors: [c.resource_not_found, c.missing_required_param, c.business_rule_violation],
    events: [
      'client.updated',
      'client.metadata_changed',
      ...(role.has_events ? [`${role.object}.deleted`] : []),
    ],
    examples: [{ title: 'Cambia el teléfono y borra el fax', body: { phone: '+34 910 000 000', fax: null } }],

    async handle(ctx, { params, body }) {
      const { tx, caller, now } = ctx;
      const { company_id } = caller;
      const { object } = role;
      const current = await lockContact(tx, company_id, object, params[object] ?? '');
      if (!current) throw fail(c.resource_not_found, { param: object });
      const read = readContactInput(current, writableOf(body, present(current), contactReadOnly));
      refuseIssues(read.issues);
      const { is_active } = read.fields;
      const states = withState(current, object, is_active ? 'active' : 'archived');
      const next = { ...current, ...read.fields, ...states };
      const changed = changedKeys(current, next);
      if (changed.length === 0) return { data: present(current) };
      if (current.is_active && !is_active) checkMayArchive(caller);
      if (changed.includes('default_taxes_id')) await checkDefaultTax(tx, company_id, next.default_taxes_id);

      next.updated_at = now;
      await withFreeExternalId(() => updateRow(tx, company_id, next));
      tellContact(ctx, current, next);
      return { data: present(next) };
    },
  });
}

/** @throws 403 insufficient_scope */
function checkMayArchive(caller: Caller): void {
  const scope = 'contacts:delete';
  if (!scopesAllow(caller.scopes, scope, caller))
    throw fail(c.insufficient_scope, { values: { scope }, scopes: ['contacts:write', scope] });
}
