import { dayIn } from '../../../kernel/dates.ts';
import type { Ctx } from '../../../kernel/operation.ts';
import {
  DayText,
  Described,
  Enum,
  Nullable,
  type Static,
  Timestamp,
  Type,
  Uuid,
} from '../../../kernel/schema.ts';
import { CertificateSummary, presentCertificate } from '../identity/certificates.schema.ts';
import { type CertificateRow, findCertificate } from '../identity/certificates.store.ts';
import { signingMeans } from '../identity/signer.ts';
import { findRepresentation, type RepresentationRow } from '../identity/representations.store.ts';
import { companyBlock } from '../sending/rules/blocking.ts';
import { certificateStatuses } from '../identity/rules/certificate-status.ts';
import { modeOn, remissionModes } from './rules/mode.ts';
import { presenterOf } from '../identity/rules/presenter.ts';
import { isInForce } from '../identity/rules/signing.ts';
import { findSettings } from './settings.store.ts';

const Warning = Type.Object({
  code: Enum(['certificate_expiring', 'representation_expiring'], {
    description: 'Qué caduca: el certificado o la representación',
  }),
  days: Type.Integer({ description: 'El aviso de 30 o el de 7 días' }),
  valid_until: Described(DayText, 'Cuándo caduca, YYYY-MM-DD'),
  raised_at: Described(Timestamp, 'Cuándo se avisó'),
});

export const VerifactuConfig = Type.Object({
  object: Type.Literal('verifactu_config'),
  id: Described(Uuid, 'Id de la empresa'),
  enabled: Type.Boolean({ description: 'VeriFactu está activado' }),
  remission_mode: Nullable(
    Enum(remissionModes, {
      description:
        'verifactu: los registros se envían; no_verifactu: se conservan firmados; null: desactivado',
    }),
  ),
  next_remission_mode: Nullable(
    Enum([...remissionModes, 'off'], { description: 'Modo al que está previsto cambiar; off: desactivado' }),
  ),
  next_remission_mode_on: Described(Nullable(DayText), 'Desde cuándo, YYYY-MM-DD'),
  enabled_at: Described(Nullable(Timestamp), 'Cuándo se activó'),
  installation_number: Nullable(
    Type.String({ description: 'Número de instalación que llevan los registros' }),
  ),
  authority_configured: Type.Boolean({ description: 'Hay a quién enviar los registros de este entorno' }),
  social_collaborator_available: Type.Boolean({
    description: 'El servicio tiene certificado con el que enviar y firmar por las empresas que representa',
  }),
  has_active_representation: Type.Boolean({ description: 'Hay una representación en vigor' }),
  active_representation_valid_until: Described(
    Nullable(DayText),
    'Último día de la representación, YYYY-MM-DD',
  ),
  active_representation_is_expired: Type.Boolean({ description: 'La representación ha acabado' }),
  presenter: Nullable(
    Enum(['company', 'service'], {
      description: 'Con qué certificado se envía y se firma: el de la empresa o el del servicio',
    }),
  ),
  presenter_certificate_status: Enum([...certificateStatuses, 'missing', 'service_unavailable'], {
    description:
      'El del certificado que envía y firma; si no hay ninguno que valga, por qué. En el entorno de pruebas el simulador contesta también sin certificado.',
  }),
  certificate: Described(CertificateSummary, 'El certificado de la empresa; null si no lo ha subido'),
  warnings: Type.Array(Warning, { description: 'Avisos de caducidad: 30 y 7 días antes' }),
  block_reason: Nullable(Type.String({ description: 'Por qué no se puede enviar ningún registro' })),
  alarm: Nullable(Type.String({ description: 'Alarma de integridad; null si no hay' })),
});

export type VerifactuConfigBody = Static<typeof VerifactuConfig>;

type Modes = Pick<Ctx['company'], 'verifactu_mode' | 'verifactu_next_mode' | 'verifactu_next_on'>;

/** @param modes as this call has changed them */
export async function loadConfig(ctx: Ctx, modes: Modes = ctx.company): Promise<VerifactuConfigBody> {
  const { company, ports, tx, now, today } = ctx;
  const [settings, certificate, representation] = await Promise.all([
    findSettings(tx, company.company_id),
    findCertificate(tx, company.company_id),
    findRepresentation(tx, company.company_id),
  ]);
  const mode = modeOn(modes, today);
  const is_planned = modes.verifactu_next_on !== null && today < modes.verifactu_next_on;
  const is_revoked = representation !== undefined && representation.revoked_at !== null;
  const means = signingMeans(ports, company, {
    certificate_id: certificate?.id ?? null,
    sealed: certificate?.sealed ?? null,
    certificate_tax_id: certificate?.tax_id ?? null,
    certificate_from: certificate?.valid_from ?? null,
    certificate_until: certificate?.valid_until ?? null,
    representation_until: representation?.valid_until ?? null,
    is_representation_revoked: is_revoked,
  });
  const is_authority_configured = ports.authority.isConfigured(company.environment);
  const until = representation && !is_revoked ? representation.valid_until : null;
  const shown = certificate && presentCertificate(certificate, ctx);
  return {
    object: 'verifactu_config',
    id: company.company_id,
    enabled: mode !== null,
    remission_mode: mode,
    next_remission_mode: is_planned ? modes.verifactu_next_mode : null,
    next_remission_mode_on: is_planned ? modes.verifactu_next_on : null,
    enabled_at: settings?.enabled_at?.toISOString() ?? null,
    installation_number: settings?.installation_number ?? null,
    authority_configured: is_authority_configured,
    social_collaborator_available: means.has_service_certificate,
    has_active_representation: isInForce(means.representation, today),
    active_representation_valid_until: until,
    active_representation_is_expired: until !== null && until < today,
    ...presenterOf(means, company.tax_id, now, today),
    certificate: shown
      ? {
          id: shown.id,
          status: shown.status,
          kind: shown.kind,
          tax_id: shown.tax_id,
          holder_name: shown.holder_name,
          valid_until: shown.valid_until,
        }
      : null,
    warnings: warningsOf(ctx, certificate, is_revoked ? undefined : representation),
    block_reason: settings
      ? companyBlock({ is_authority_configured, block_reason: settings.block_reason })
      : null,
    alarm: settings?.alarm ?? null,
  };
}

/** Only of what is still in force. */
function warningsOf(
  { company, today }: Ctx,
  certificate: CertificateRow | undefined,
  representation: RepresentationRow | undefined,
): VerifactuConfigBody['warnings'] {
  const given = [
    certificate && {
      ...certificate,
      code: 'certificate_expiring' as const,
      valid_until: dayIn(company.time_zone, certificate.valid_until),
    },
    representation && { ...representation, code: 'representation_expiring' as const },
  ];
  return given.flatMap((one) =>
    one && one.warned_days !== null && one.warned_at !== null && today <= one.valid_until
      ? [
          {
            code: one.code,
            days: one.warned_days,
            valid_until: one.valid_until,
            raised_at: one.warned_at.toISOString(),
          },
        ]
      : [],
  );
}
