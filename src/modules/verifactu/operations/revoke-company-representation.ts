import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Deleted, Shape, Text } from '../../../kernel/schema.ts';
import { endRepresentation } from '../identity/end-representation.ts';
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
      pattern_message: 'Necesita 3 caracteres como mínimo, sin contar los blancos del principio y del final.',
      description: 'Motivo, de 3 caracteres o más; queda en el registro de auditoría',
    }),
  }),
  output: Deleted('verifactu_representation'),
  errors: [c.resource_not_found],
  examples: [{ title: 'Con su motivo', body: { reason: 'La empresa ya tiene certificado propio' } }],

  async handle({ tx, company, now, audit }, { body }) {
    const { company_id } = company;
    await lockModes(tx, company_id);
    const ended = await endRepresentation(tx, company_id, body.reason, now);
    if (!ended) throw fail(c.resource_not_found);
    audit(ended);
    return { data: { id: ended.object_id, object: 'verifactu_representation', deleted: true } };
  },
});
