/** The company's configuration of VeriFactu, as GET config and PUT settings answer it. */
import type { Ctx } from '../../kernel/operation.ts';
import { DayText, Enum, Nullable, type Static, Timestamp, Type } from '../../kernel/schema.ts';
import { findRegistration } from './registration.store.ts';
import { modeOn } from './rules/mode.ts';
import { findSettings } from './settings.store.ts';

export const remissionModes = ['verifactu', 'no_verifactu'] as const;

export const VerifactuConfig = Type.Object({
  object: Type.Literal('verifactu_config'),
  enabled: Type.Boolean(),
  remission_mode: Nullable(Enum(remissionModes)),
  next_remission_mode: Nullable(Enum([...remissionModes, 'off'])),
  next_remission_mode_on: Nullable(DayText),
  enabled_at: Nullable(Timestamp),
  installation_number: Nullable(Type.String()),
  authority_configured: Type.Boolean({ description: 'Hay a quién enviar los registros de este entorno' }),
  social_collaborator_available: Type.Boolean(),
  has_active_representation: Type.Boolean(),
  active_representation_valid_until: Nullable(DayText),
  active_representation_is_expired: Type.Boolean(),
  block_reason: Nullable(Type.String()),
  alarm: Nullable(Type.String()),
});

export type VerifactuConfigBody = Static<typeof VerifactuConfig>;

type Modes = Pick<Ctx['company'], 'verifactu_mode' | 'verifactu_next_mode' | 'verifactu_next_on'>;

/** @param modes the company's modes as they are now, where the call has changed them */
export async function loadConfig(ctx: Ctx, modes: Modes = ctx.company): Promise<VerifactuConfigBody> {
  const { company, ports, tx, today } = ctx;
  const [settings, registration] = await Promise.all([
    findSettings(tx, company.company_id),
    findRegistration(tx, company.company_id),
  ]);
  const mode = modeOn(modes, today);
  const is_planned = modes.verifactu_next_on !== null && today < modes.verifactu_next_on;
  const until = registration?.representation_until ?? null;
  return {
    object: 'verifactu_config',
    enabled: mode !== null,
    remission_mode: mode,
    next_remission_mode: is_planned ? modes.verifactu_next_mode : null,
    next_remission_mode_on: is_planned ? modes.verifactu_next_on : null,
    enabled_at: settings?.enabled_at?.toISOString() ?? null,
    installation_number: settings?.installation_number ?? null,
    authority_configured: ports.authority.isConfigured(company.environment),
    social_collaborator_available: ports.authority.hasServiceIdentity(company.environment),
    has_active_representation: until !== null && until >= today,
    active_representation_valid_until: until,
    active_representation_is_expired: until !== null && until < today,
    block_reason: settings?.block_reason ?? null,
    alarm: settings?.alarm ?? null,
  };
}
