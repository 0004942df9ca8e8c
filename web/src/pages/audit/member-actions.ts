/** What is told of members, by the action of the audit log. One that a language lacks fails the type check. */
import type { AccountAction } from '../../../../src/modules/people/rules/account-actions.ts';

type MemberAction =
  | AccountAction
  | 'member.added'
  | 'member.invited'
  | 'member.invitation_cancelled'
  | 'member.removed'
  | 'member.role_changed';

export const memberActionsEs: Readonly<Record<MemberAction, string>> = {
  'member.added': 'Ahora es miembro de la empresa',
  'member.invited': 'Se invitó a alguien a la empresa',
  'member.invitation_cancelled': 'Se canceló una invitación',
  'member.removed': 'Ya no es miembro de la empresa',
  'member.role_changed': 'Tiene otro papel en la empresa',
  'member.password_changed': 'Cambió su contraseña',
  'member.totp_added': 'Añadió una aplicación de códigos',
  'member.totp_removed': 'Quitó su aplicación de códigos',
  'member.passkey_added': 'Añadió una llave de acceso',
  'member.passkey_removed': 'Quitó una llave de acceso',
  'member.recovery_codes_renewed': 'Creó otros códigos de recuperación',
  'member.recovery_code_used': 'Entró o se confirmó con un código de recuperación',
  'member.sessions_ended': 'Cerró otras sesiones suyas',
  'member.second_factors_reset': 'Quien administra el servicio quitó todos sus segundos pasos',
};

export const memberActionsEn: Readonly<Record<MemberAction, string>> = {
  'member.added': 'Is a member of the company now',
  'member.invited': 'Somebody was invited to the company',
  'member.invitation_cancelled': 'An invitation was cancelled',
  'member.removed': 'Is no member of the company any more',
  'member.role_changed': 'Has another role in the company',
  'member.password_changed': 'Changed their password',
  'member.totp_added': 'Added an application of codes',
  'member.totp_removed': 'Removed their application of codes',
  'member.passkey_added': 'Added a passkey',
  'member.passkey_removed': 'Removed a passkey',
  'member.recovery_codes_renewed': 'Made new recovery codes',
  'member.recovery_code_used': 'Signed in or confirmed with a recovery code',
  'member.sessions_ended': 'Ended other sessions of theirs',
  'member.second_factors_reset': 'Whoever runs the service removed all their second factors',
};
