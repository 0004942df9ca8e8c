import type { Ctx } from '../../../kernel/operation.ts';
import { Described, Enum, Nullable, type Static, Timestamp, Type, Uuid } from '../../../kernel/schema.ts';
import type { CertificateRow } from './certificates.store.ts';
import { certificatePlace, isReadable } from './signer.ts';
import { certificateStatus, certificateStatuses } from './rules/certificate-status.ts';

export const Certificate = Type.Object({
  id: Described(Uuid, 'Id del certificado'),
  object: Type.Literal('verifactu_certificate'),
  status: Enum(certificateStatuses, {
    description:
      'expiring: en vigor, le quedan 30 días o menos. other_tax_id: la empresa ha cambiado de NIF. unreadable: el servicio ya no tiene la clave con la que se cifró, hay que subirlo de nuevo. La revocación no se consulta.',
  }),
  kind: Enum(['person', 'representative', 'seal'], {
    description: 'De persona, de representante o de sello',
  }),
  tax_id: Type.String({ description: 'NIF de la empresa en el certificado' }),
  holder_name: Type.String({ description: 'Titular' }),
  subject: Type.String({ description: 'Titular, como lo escribe el certificado' }),
  issuer: Type.String({ description: 'Quién lo ha emitido' }),
  serial: Type.String({ description: 'Número de serie' }),
  fingerprint: Type.String({ description: 'SHA-256 del certificado, en hexadecimal' }),
  valid_from: Described(Timestamp, 'Desde cuándo vale'),
  valid_until: Described(Timestamp, 'Hasta cuándo vale'),
  created_at: Described(Timestamp, 'Cuándo se subió'),
});

export const CertificateSummary = Nullable(
  Type.Pick(Certificate, ['id', 'status', 'kind', 'tax_id', 'holder_name', 'valid_until']),
);

type PresentingCtx = Pick<Ctx, 'ports' | 'company' | 'now'>;

export function presentCertificate(
  row: CertificateRow,
  { ports, company, now }: PresentingCtx,
): Static<typeof Certificate> {
  const { id, kind, tax_id, holder_name, subject, issuer, serial, fingerprint, sealed } = row;
  const is_readable = isReadable(ports.secrets, sealed, certificatePlace(company.company_id, id));
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
