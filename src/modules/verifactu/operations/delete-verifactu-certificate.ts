import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Deleted } from '../../../kernel/schema.ts';
import { findCertificate, retireCertificate } from '../identity/certificates.store.ts';
import { lockModes } from '../settings/settings.store.ts';

export const deleteVerifactuCertificate = defineOperation({
  name: 'delete_verifactu_certificate',
  method: 'DELETE',
  path: '/v1/verifactu/certificate',
  scope: 'verifactu:write',
  tag: 'verifactu',
  summary: 'Elimina el certificado de la empresa.',
  description:
    'Elimina el certificado y destruye su clave: para volver a usarlo hay que subirlo de nuevo. Sin él, y sin una representación en vigor, los registros de una empresa real esperan sin enviarse, y en modo no verificable no se puede emitir ni anular. Si no hay ninguno, responde resource_not_found.',
  transaction: 'own',
  mcp: false,
  effects: 'withdraw',
  irreversible: true,
  output: Deleted('verifactu_certificate'),
  errors: [c.resource_not_found],

  async handle({ tx, company, now, audit }) {
    await lockModes(tx, company.company_id);
    const row = await findCertificate(tx, company.company_id);
    if (!row) throw fail(c.resource_not_found);
    await retireCertificate(tx, company.company_id, now);
    const { id, fingerprint } = row;
    audit({
      action: 'verifactu_certificate.deleted',
      object: 'verifactu_certificate',
      object_id: id,
      details: { fingerprint },
    });
    return { data: { id, object: 'verifactu_certificate', deleted: true } };
  },
});
