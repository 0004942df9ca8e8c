import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Deleted, Shape, Text } from '../../../kernel/schema.ts';
import { findRepresentation, revokeRepresentation } from '../identity/representations.store.ts';
import { lockModes } from '../settings/settings.store.ts';

export const revokeCompanyRepresentation = defineOperation({
  name: 'revoke_company_representation',
  method: 'DELETE',
  path: '/v1/verifactu/representation',
  scope: 'verifactu:write',
  tag: 'verifactu',
  summary: 'Revoca la representación.',
  description:
    'Acaba con la representación: desde ahora el servicio no envía ni firma por la empresa. Sin certificado propio, los registros de una empresa real esperan sin enviarse, y en modo no verificable no se puede emitir ni anular. Si no hay ninguna, responde resource_not_found. Para volver a permitirlo hay que registrar otra con register_company_representation.',
  transaction: 'own',
  mcp: true,
  effects: 'withdraw',
  irreversible: true,
  body: Shape({
    reason: Text(500, {
      minLength: 3,
      pattern: '\\S[\\s\\S]+\\S',
      description: 'Motivo, de 3 caracteres o más; queda en el registro de auditoría',
    }),
  }),
  output: Deleted('verifactu_representation'),
  errors: [c.resource_not_found],
  examples: [{ title: 'Con su motivo', body: { reason: 'La empresa ya tiene certificado propio' } }],

  async handle({ tx, company, now, audit }, { body }) {
    const { company_id } = company;
    await lockModes(tx, company_id);
    const row = await findRepresentation(tx, company_id);
    if (!row || row.revoked_at !== null) throw fail(c.resource_not_found);
    const { id } = row;
    await revokeRepresentation(tx, company_id, id, body.reason, now);
    audit({
      action: 'verifactu_representation.revoked',
      object: 'verifactu_representation',
      object_id: id,
      details: { reason: body.reason },
    });
    return { data: { id, object: 'verifactu_representation', deleted: true } };
  },
});
