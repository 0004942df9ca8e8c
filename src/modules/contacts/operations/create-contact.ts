import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { type Ctx, defineOperation, type Operation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { invalidParam, refuseIssues } from '../../../kernel/resource-input.ts';
import { One } from '../../../kernel/schema.ts';
import { newId } from '../../../kernel/uuid7.ts';
import { checkDefaultTax, withFreeExternalId } from '../contacts.checks.ts';
import type { ContactRow } from '../contacts.fields.ts';
import type { Named, Role } from '../contacts.roles.ts';
import { type ContactInput, contactOf, createContactInput, present } from '../contacts.schema.ts';
import { insertContact, lockContactToAdd, updateContact } from '../contacts.store.ts';
import { tellContact } from '../contacts.tell.ts';
import { readContactInput } from '../rules/contact-fields.ts';
import { blankContact } from '../rules/merge-contact.ts';
import { noRole, stateOf, withState } from '../rules/role-states.ts';

export function createContact(role: Role, named: Named): Operation {
  return defineOperation({
    ...named,
    method: 'POST',
    path: `/v1/${role.collection}`,
    scope: 'contacts:write',
    tag: role.collection,
    description: `Guarda ${role.one} y responde con su id. Con contact_id, ${role.other.one} pasa a ser también ${role.one}, con el mismo id y los mismos datos; si ya lo es, se rechaza (invalid_status_transition). tax_id se comprueba como NIF español si address.country es ES o no se indica y no hay alternative_id; en otro caso admite 20 caracteres libres. Puede haber varios con la misma identificación fiscal: para no repetirlos, búsquelos antes con list_${role.collection} y tax_id. Se rechaza si otro activo tiene el mismo external_id (business_rule_violation). Su id va después en ${role.object}_id de ${role.documents.create}.`,
    transaction: 'own',
    mcp: true,
    body: createContactInput(role),
    output: One(contactOf(role)),
    errors: [c.missing_required_param, c.business_rule_violation, c.invalid_status_transition],
    events: role.has_events ? ['client.created'] : ['client.updated', 'client.metadata_changed'],
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
      {
        title: `${role.other.one[0]!.toUpperCase()}${role.other.one.slice(1)} pasa a ser también ${role.one}`,
        body: { contact_id: `{${role.other.object}}` },
      },
    ],

    async handle(ctx, { body: { contact_id, ...input } }) {
      const row =
        contact_id === undefined
          ? await addContact(ctx, role, input)
          : await addRole(ctx, role, contact_id, input);
      return { data: present(row) };
    },
  });
}

async function addContact(ctx: Ctx, { object }: Role, input: ContactInput): Promise<ContactRow> {
  const { tx, caller, now } = ctx;
  if (input.name === undefined) throw invalidParam('name', 'Falta el campo.');
  const { fields, issues } = readContactInput({ ...blankContact, name: '' }, input);
  refuseIssues(issues);
  await checkDefaultTax(tx, caller.company_id, fields.default_taxes_id);
  const states = withState(noRole, object, fields.is_active ? 'active' : 'archived');
  const row = { ...fields, ...states, id: newId(), role: object, created_at: now, updated_at: now };
  await withFreeExternalId(() => insertContact(tx, caller.company_id, row));
  tellContact(ctx, null, row);
  return row;
}

/** Adds a role to a contact that has the other one. */
async function addRole(
  ctx: Ctx,
  { object, one }: Role,
  contact_id: string,
  input: ContactInput,
): Promise<ContactRow> {
  const { tx, caller, now } = ctx;
  const current = await lockContactToAdd(tx, caller.company_id, object, contact_id);
  if (!current) throw invalidParam('contact_id', 'No es un contacto de la empresa.');
  if (stateOf(current, object) !== null) {
    const values = { reason: `el contacto ya es ${one}, aunque esté archivado.` };
    throw fail(c.invalid_status_transition, { param: 'contact_id', values });
  }
  const read = readContactInput({ ...current, is_active: true }, input);
  refuseIssues(read.issues);
  if (read.fields.default_taxes_id !== current.default_taxes_id)
    await checkDefaultTax(tx, caller.company_id, read.fields.default_taxes_id);
  const states = withState(current, object, read.fields.is_active ? 'active' : 'archived');
  const next = { ...current, ...read.fields, ...states, updated_at: now };
  await withFreeExternalId(() => updateContact(tx, caller.company_id, next));
  tellContact(ctx, current, next);
  return next;
}
