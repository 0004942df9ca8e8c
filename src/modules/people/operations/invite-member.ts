import { isEmailAddress } from '../../../domain/email-address.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { invalidParam } from '../../../kernel/resource-input.ts';
import { Nullable, Shape, Text } from '../../../kernel/schema.ts';
import { newId } from '../../../kernel/uuid7.ts';
import { lockCompanyRow } from '../../../platform/company-row.ts';
import {
  dropLateInvitations,
  insertInvitation,
  listInvitationRows,
  takeInvitation,
} from '../members/invitations.store.ts';
import { makeLink } from '../links.ts';
import { memberErrors as e } from '../members/members.errors.ts';
import { Invitation, presentInvitation, RoleField } from '../members/members.schema.ts';
import { listMemberRows, onlyOwners } from '../members/members.store.ts';
import { linkMs } from '../rules/session-life.ts';
import { hashToken } from '../sign-in/sessions.ts';
import { findUser, findUserByEmail, plainEmail } from '../users.store.ts';

/** People and open invitations of a company together. */
const peopleMax = 100;

export const inviteMember = defineOperation({
  name: 'invite_member',
  method: 'POST',
  path: '/invitations',
  scope: null,
  tag: 'members',
  summary: 'Invita a una persona a la empresa.',
  description:
    'Crea un enlace que sirve una vez durante siete días. Donde hay servidor de correo, el enlace se envía a la dirección y `link` es nulo; donde no lo hay, `link` es el enlace, que se muestra solo ahora y entrega quien invita. Otra invitación a la misma dirección sustituye a la anterior. Se rechaza si esa persona ya tiene un papel (already_member), o si la empresa llega a cien personas e invitaciones (members_limit_reached).',
  transaction: 'own',
  acts_on: 'key_owner',
  callers: ['user'],
  mcp: false,
  holds_secret: true,
  reaches_outside: true,
  status: 201,
  body: Shape({ email: Text(254, { minLength: 3, description: 'Dirección de correo' }), role: RoleField }),
  output: Shape({
    data: Shape({
      invitation: Invitation,
      link: Nullable(Text(500, { description: 'Enlace, si no se envía' })),
    }),
  }),
  examples: [
    { title: 'Invita a quien lleva la contabilidad', body: { email: 'eva@example.com', role: 'accountant' } },
  ],
  errors: [e.already_member, e.members_limit_reached, e.too_many_invitations, c.parameter_invalid],

  async handle({ tx, caller, company, realNow, audit, ports }, { body }) {
    const company_id = caller.owner_company_id;
    const email = plainEmail(body.email);
    if (!isEmailAddress(email)) throw invalidParam('email', 'No es una dirección de correo.');
    const now = realNow();
    await lockCompanyRow(tx, company_id);
    await onlyOwners(tx, caller);
    await takeInvitation(tx, company_id, { email });
    await dropLateInvitations(tx, company_id, now);
    const members = await listMemberRows(tx, company_id);
    const known = await findUserByEmail(tx, email);
    if (known && members.some(({ user_id }) => user_id === known.id))
      throw fail(e.already_member, { param: 'email' });
    const open = await listInvitationRows(tx, company_id, now);
    if (members.length + open.length >= peopleMax)
      throw fail(e.members_limit_reached, { values: { limit: peopleMax } });
    const { role } = body;
    const token = await makeLink(tx, { kind: 'invitation', company_id, email, role }, now);
    const row = {
      id: newId(),
      email,
      role,
      invited_by: caller.user_id,
      token_hash: hashToken(token)!,
      created_at: now,
      expires_at: new Date(now.getTime() + linkMs.invitation),
    };
    await insertInvitation(tx, company_id, row);
    audit({ action: 'member.invited', object: 'invitation', object_id: row.id, details: { role } });
    const { name: invited_by } = caller.principal;
    const language = (await findUser(tx, caller.user_id!))?.language ?? 'es';
    const company_name = company.name ?? company.tax_id;
    const link = ports.people.invitationAddress(token);
    const is_sent = await ports.people.queueInvitation(tx, company_id, {
      to: email,
      language,
      link,
      company_name,
      role,
      invited_by,
    });
    const names = new Map([[caller.user_id!, invited_by]]);
    return { data: { invitation: presentInvitation(row, names), link: is_sent ? null : link } };
  },

  async after_commit({ ports }, _answer) {
    ports.people.mail.wake();
    return undefined;
  },
});
