/** The company's certificate on the wire; its key never is. */
import type { Ctx } from '../../kernel/operation.ts';
import { Enum, Nullable, type Static, Timestamp, Type, Uuid } from '../../kernel/schema.ts';
import type { CertificateRow } from './certificates.store.ts';
import { isReadable } from './recorder.ts';
import { certificateStatus, certificateStatuses } from './rules/certificate-status.ts';

export const Certificate = Type.Object({
  id: Uuid,
  object: Type.Literal('verifactu_certificate'),
  status: Enum(certificateStatuses, {
    description:
      'expiring: en vigor, le quedan 30 días o menos. other_tax_id: la empresa ha cambiado de NIF. unreadable: el servicio ya no tiene la clave con la que se cifró, hay que subirlo de nuevo. La revocación no se consulta.',
  }),
  kind: Enum(['person', 'representative', 'seal']),
  tax_id: Type.String(),
  holder_name: Type.String(),
  subject: Type.String(),
  issuer: Type.String(),
  serial: Type.String(),
  fingerprint: Type.String({ description: 'SHA-256 del certificado, en hexadecimal' }),
  valid_from: Timestamp,
  valid_until: Timestamp,
  created_at: Timestamp,
});

export const CertificateSummary = Nullable(
  Type.Pick(Certificate, ['id', 'status', 'kind', 'tax_id', 'holder_name', 'valid_until']),
);

type Where = Pick<Ctx, 'ports' | 'company' | 'now'>;

export function presentCertificate(
  row: CertificateRow,
  { ports, company, now }: Where,
): Static<typeof Certificate> {
  const { id, kind, tax_id, holder_name, subject, issuer, serial, fingerprint, sealed } = row;
  const is_readable = isReadable(ports.secrets, sealed);
  return {
    id,
    object: 'verifactu_certificate',
    status: certificateStatus({ ...row, is_readable }, company.tax_id, now),
    kind,
    tax_id,
    holder_name,
    subject,
    issuer,
    serial,
    fingerprint,
    valid_from: row.valid_from.toISOString(),
    valid_until: row.valid_until.toISOString(),
    created_at: row.created_at.toISOString(),
  };
}
