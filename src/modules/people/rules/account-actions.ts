/** What somebody may do with an account, as the audit logs of their companies name it (ADR 78). */
export const accountActions = {
  password: 'member.password_changed',
  totp_added: 'member.totp_added',
  totp_removed: 'member.totp_removed',
  passkey_added: 'member.passkey_added',
  passkey_removed: 'member.passkey_removed',
  recovery_codes: 'member.recovery_codes_renewed',
  recovery_code_used: 'member.recovery_code_used',
  sessions_ended: 'member.sessions_ended',
  factors_reset: 'member.second_factors_reset',
} as const;

export type AccountAct = keyof typeof accountActions;
export type AccountAction = (typeof accountActions)[AccountAct];
