import { Described, Enum, Nullable, Shape, Text, Timestamp, Type, Uuid } from '../../../kernel/schema.ts';
import type { InvitationRow } from './invitations.store.ts';
import type { MemberRow } from './members.store.ts';
import { roles } from '../rules/roles.ts';

export const RoleField = Enum(roles, {
  description: 'Papel en la empresa: propietario, desarrollador, contable o lector',
});

export const Member = Shape(
  {
    object: Type.Literal('member'),
    user_id: Described(Uuid, 'Id de la persona'),
    name: Text(120, { description: 'Nombre' }),
    email: Text(254, { description: 'Dirección de correo' }),
    role: RoleField,
    has_second_factor: Type.Boolean({ description: 'Si entra con un segundo paso además de la contraseña' }),
    created_at: Timestamp,
  },
  { title: 'Member' },
);

export const Invitation = Shape(
  {
    object: Type.Literal('invitation'),
    id: Uuid,
    email: Text(254, { description: 'Dirección a la que se invita' }),
    role: RoleField,
    invited_by_name: Nullable(Text(120, { description: 'Quién invitó' })),
    created_at: Timestamp,
    expires_at: Timestamp,
  },
  { title: 'Invitation' },
);

type Named = {
  names: ReadonlyMap<string, string>;
  emails: ReadonlyMap<string, string>;
  safe: ReadonlySet<string>;
};

export const presentMember = ({ user_id, role, created_at }: MemberRow, { names, emails, safe }: Named) => ({
  object: 'member' as const,
  user_id,
  name: names.get(user_id) ?? '',
  email: emails.get(user_id) ?? '',
  role,
  has_second_factor: safe.has(user_id),
  created_at: created_at.toISOString(),
});

export const presentInvitation = (row: InvitationRow, names: ReadonlyMap<string, string>) => ({
  object: 'invitation' as const,
  id: row.id,
  email: row.email,
  role: row.role,
  invited_by_name: (row.invited_by && names.get(row.invited_by)) ?? null,
  created_at: row.created_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
});
